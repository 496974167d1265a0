// What code that was compiled with -finstrument-functions calls at the beginning and the end of
// each function. libc's own hooks do nothing, and are not called.
//
// Called before the agent has begun: begins it. Called inside the agent or an intercepted routine
// (the program's handlers, operations and callbacks), by a library's thread or in a process that
// is not recorded: nothing is recorded, at the end as at the beginning.
#include "core/functions.h"
#include "interpose/user/instrument_names.h"

namespace parallax {
namespace {

// Called where something is in the way of the fast way: true when it was only a routine that was
// left by an exception, or the first function of the thread.
__attribute__((noinline)) bool prepare() {
  if (local.place.isGone() || !adapterEnabled(Adapter::kUser)) return false;
  Guard guard;  // ends what was left
  if (!guard) return false;
  return local.functions != nullptr || startFunctions(functionFilter) != nullptr;
}

inline bool isReady() {
  return local.place.isProgram() && local.functions != nullptr && local.thread != nullptr &&
         local.thread->live();
}

inline void begin(void* top) { local.place.enterHook(reinterpret_cast<uintptr_t>(top)); }

inline void end() { local.place.returnToProgram(); }

}  // namespace
}  // namespace parallax

using namespace parallax;

#define PARALLAX_FUNCTION_CALL(function, caller)                                    \
  FunctionCall {                                                                    \
    reinterpret_cast<uintptr_t>(function), reinterpret_cast<uintptr_t>(caller),     \
        reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa()),                         \
        reinterpret_cast<uintptr_t>(__builtin_return_address(0))                    \
  }

PARALLAX_EXPORT void __cyg_profile_func_enter(void* function, void* caller) {
  if (__builtin_expect(!isReady(), false) && !prepare()) return;
  begin(__builtin_dwarf_cfa());
  local.functions->enter(local.thread, PARALLAX_FUNCTION_CALL(function, caller));
  end();
}

PARALLAX_EXPORT void __cyg_profile_func_exit(void* function, void* caller) {
  if (__builtin_expect(!isReady(), false) && !prepare()) return;
  begin(__builtin_dwarf_cfa());
  local.functions->exit(local.thread, PARALLAX_FUNCTION_CALL(function, caller));
  end();
}
