#include "perturb/inserted_call.h"

#include <sys/syscall.h>

#include <cerrno>

#include "base/sys.h"
#include "perturb/patch_actions.h"

namespace parallax::perturb {

void runInsertedCall(void* call) {
  const auto& wanted = *static_cast<const InsertedCall*>(call);
  const uint64_t* a = wanted.arguments;
  using Function = void(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, ...);
  const int former = errno;
  // As one with variable arguments, of which none is a vector: al is 0.
  reinterpret_cast<Function*>(wanted.function)(a[0], a[1], a[2], a[3], a[4], a[5]);
  errno = former;
}

void readWord(void* word) {
  auto* read = static_cast<Word*>(word);
  // The kernel reads the mask of signals before it refuses what to do with it.
  const long error = sys::call(SYS_rt_sigprocmask, -1, sys::word(const_cast<const uint64_t*>(read->at)), 0, sizeof *read->at);
  read->value = error == -EINVAL ? *read->at : 0;
}

}  // namespace parallax::perturb
