// Live tuning of this process (live/live_page.h). Independent of whether it is recorded.
#pragma once

#include <cstdint>

namespace parallax::tuning {

// Makes the live page if PARALLAX_TUNE names a directory and the process is one that can be tuned; from then on actions are taken. When the
// agent starts, or is attached.
void start();

// The calling thread is about to leave all frames below this one by longjmp: what an action does in one of them has ended. Signal
// handlers may call it.
void leaveFor(uintptr_t stackPointer);
// Objects were unloaded.
void modulesChanged();

}  // namespace parallax::tuning
