// Patches the places in loaded modules so that they lead to delay points.
//
// Trampolines lie within 2 GiB of their module. That of a place is
//
//          1 + address of the place          8 bytes
//   begin: lea -128(%rsp), %rsp              past the red zone
//          push of the word before `begin`
//          push %rdi
//          mov $DelayPoint, %rdi             } once for each point at this place
//          call *parallaxDelayStub           }
//          pop %rdi
//          lea 136(%rsp), %rsp
//          the displaced instructions, made to run here, with the jump back
#pragma once

#include <signal.h>
#include <ucontext.h>

#include "perturb/delay.h"
#include "perturb/loaded_module.h"
#include "perturb/plan.h"

namespace parallax::perturb {

// A place: one point of the plan, or several with the same bytes.
struct Place {
  const PlanPoint* plan;     // the first of its points
  const DelayPoint* point;
  Place* also;               // a further point at the same place, or null
  uint64_t trampoline;       // 0: not installed
};

// The pages of the trampolines of one module.
struct Arena {
  uint64_t start = 0, bytes = 0;
};

// Creates trampolines for the places whose bytes are as expected, and reports the others. The
// `count` places are in the order of their offsets. Returns the number of trampolines.
uint32_t layTrampolines(const LoadedModule& module, Place* places, uint32_t count, Arena* arena);
void releaseArena(Arena* arena);
// Makes the places lead to their trampolines. `othersRun`: other threads may be executing the
// module. Then all places become traps, and the trap handler must already know them, because a
// thread can reach a trap as soon as it is written. Returns false if no place leads to its
// trampoline; the problem is reported.
bool leadToTrampolines(const LoadedModule& module, Place* places, uint32_t count, bool othersRun);

// traps.cpp: the trampoline for an int3 at an address. Signal handlers may call these functions.
struct Trap {
  uint64_t address, trampoline;
};
// The traps of all modules, sorted here; replaces those before.
void setTraps(Trap* traps, uint32_t count);
// Whether the signal comes from one of the traps; if so, the program continues in the trampoline. A
// TrapClaim of the sampler, called in signal context.
bool followTrap(siginfo_t* info, ucontext_t* context);

// near_memory.cpp: zeroed memory that a rel32 operand reaches from everywhere in [start, end), and
// back; 0 if there is none.
uint64_t mapNear(uint64_t start, uint64_t end, uint64_t bytes);
// The same for `bytes` from an address A - `before` on, where A is such that a jump of 5 bytes at `from`
// to A has the bytes of `pattern` at the bits of `mask` in its distance. Returns A.
uint64_t mapForJump(uint64_t start, uint64_t end, uint64_t before, uint64_t bytes, uint64_t from,
                    uint32_t mask, uint32_t pattern);

}  // namespace parallax::perturb
