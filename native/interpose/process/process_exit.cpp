// Ends of the process that run no exit handlers.
//
// Called before the real function is known: it is looked up at once (real.h). In a child that
// shares its parent's memory (vfork) the trace is left alone. None of them may be called inside
// itself.
#include <unistd.h>

#include "base/sandbox.h"
#include "base/sys.h"
#include "core/agent.h"
#include "core/process.h"
#include "interpose/real.h"
#include "perturb/speedup.h"

namespace parallax {
namespace {

using ExitFunction = void(int);
PARALLAX_REAL Real<ExitFunction> realQuickExit("quick_exit");

[[noreturn]] void exitNow(int status) {
  if (speedup::active) speedup::payAll();
  process.end(format::EndReason::kExit, status);
  for (;;) sys::callForProgram(SYS_exit_group, status);
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT void _exit(int status) { exitNow(status); }
PARALLAX_EXPORT void _Exit(int status) noexcept { exitNow(status); }

// What the program registered with at_quick_exit runs after the end of the record.
PARALLAX_EXPORT void quick_exit(int status) noexcept {
  process.end(format::EndReason::kExit, status);
  realQuickExit.get()(status);
  for (;;) sys::callForProgram(SYS_exit_group, status);
}
