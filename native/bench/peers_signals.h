// What a signal of the kernel's timers costs a program before anything is done in it: the least that a
// sample can cost on this machine.
#pragma once

#include <vector>

#include "bench/peers_stats.h"

namespace parallax::bench {

struct SignalCost {
  int hz;
  Estimate ns;  // for each signal; no runs where the kernel refuses its timer
};

// At the rates that goals are set for and by the timers that the agent takes for them: of the
// thread's CPU clock at 100 Hz, a perf event at 1 kHz. In a program that computes in registers, so that
// no cache is at stake.
std::vector<SignalCost> measureSignals(bool quick);

}  // namespace parallax::bench
