// Signals that a process of ours ignores, and the programs that it starts do not.
#pragma once

#include <initializer_list>

namespace parallax::tuning {

// From now on this process ignores these. What it inherited is kept.
void ignoreSignals(std::initializer_list<int> signals);
// In a child that is about to execute a program: what it does at each signal, and which are blocked, is again as this process has
// inherited it.
void restoreSignals();

}  // namespace parallax::tuning
