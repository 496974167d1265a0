// longjmp out of an intercepted routine, as error handlers and signal handlers do it: the routine
// is ended, or the thread would count as inside it for good.
//
// Called before the real function is known: it is looked up at once (real.h). None of them calls
// another.
#include <setjmp.h>

#include "core/agent.h"
#include "core/functions.h"
#include "core/glibc.h"
#include "core/thread.h"
#include "interpose/mpi/mpi_choice.h"
#include "interpose/real.h"
#include "interpose/tuning/tuning.h"
#include "perturb/patch_actions.h"

namespace parallax {
namespace {

using Jump = void(__jmp_buf_tag*, int);
PARALLAX_REAL Real<Jump> realLongjmp("longjmp");
PARALLAX_REAL Real<Jump> realUnderscoreLongjmp("_longjmp");
PARALLAX_REAL Real<Jump> realSiglongjmp("siglongjmp");
PARALLAX_REAL Real<Jump> realLongjmpCheck("__longjmp_chk");

[[noreturn]] void jump(Jump* real, __jmp_buf_tag* buffer, int value) {
  if (const uintptr_t target = glibc::jumpTarget(buffer)) {
    tuning::leaveFor(target);
    mpi::leaveChosenFor(target);
    perturb::leaveInsertedCall(target);
    Guard::endIfLeftFor(target);
    Guard guard;
    if (guard && local.functions != nullptr) local.functions->cut(guard.thread(), target);
  }
  real(buffer, value);
  __builtin_unreachable();
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT void longjmp(__jmp_buf_tag* buffer, int value) noexcept {
  jump(realLongjmp.get(), buffer, value);
}
PARALLAX_EXPORT void _longjmp(__jmp_buf_tag* buffer, int value) noexcept {
  jump(realUnderscoreLongjmp.get(), buffer, value);
}
PARALLAX_EXPORT void siglongjmp(__jmp_buf_tag* buffer, int value) noexcept {
  jump(realSiglongjmp.get(), buffer, value);
}
// What the others are called when the program is compiled with _FORTIFY_SOURCE.
PARALLAX_EXPORT void __longjmp_chk(__jmp_buf_tag* buffer, int value) noexcept {
  jump(realLongjmpCheck.get(), buffer, value);
}
