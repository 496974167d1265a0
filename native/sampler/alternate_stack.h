// The alternate stacks on which samples are taken.
//
// Our handler runs on the alternate stack of the thread, because its own may be small, or used up
// (that is what programs have one for). One that is itself too small for a signal is harmless to a
// program that takes none there, until we send one: the kernel ends the program. Those are kept from
// the kernel, which has one of ours instead.
#pragma once

#include <csignal>

#include "sampler/unwinder.h"

namespace parallax::sampler {

// On the thread itself, before its first sample: gives the kernel a stack of ours where that of the
// thread, which is `threadStack`, or the program's alternate one is too small for samples.
void beginAlternateStack(const AddressRange& threadStack);
// After its last one.
void endAlternateStack();

// sigaltstack() of the program while it is sampled. Signal handlers may call it.
int setAlternateStack(int (*real)(const stack_t*, stack_t*), const stack_t* wanted, stack_t* old);

}  // namespace parallax::sampler
