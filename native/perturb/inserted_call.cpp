#include "perturb/inserted_call.h"

#include <cerrno>

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

}  // namespace parallax::perturb
