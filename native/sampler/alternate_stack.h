// The alternate stacks for samples.
//
// Our handler runs on the alternate stack of the thread, because the thread's own stack may be
// small or used up (the reason why programs have alternate stacks). An alternate stack that is too
// small for a signal frame is harmless while no signal arrives on it. But a sampling signal would
// make the kernel kill the program. Such a stack is therefore not given to the kernel, which gets a
// stack of the agent instead.
#pragma once

#include <csignal>

#include "sampler/unwinder.h"

namespace parallax::sampler {

// Called on the thread itself, before its first sample. Gives the kernel a stack of the agent if
// the thread's own stack (`threadStack`) or the program's alternate stack is too small for samples.
void beginAlternateStack(const AddressRange& threadStack);
// Called after the last sample of the thread.
void endAlternateStack();

// sigaltstack() of the program while it is sampled. Signal handlers may call it.
int setAlternateStack(int (*real)(const stack_t*, stack_t*), const stack_t* wanted, stack_t* old);

}  // namespace parallax::sampler
