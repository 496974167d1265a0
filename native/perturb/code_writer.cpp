#include "perturb/code_writer.h"

#include <linux/membarrier.h>

#include "base/sys.h"

namespace parallax::perturb {

bool applyFixes(const Fix* fixes, uint32_t count, uint64_t bias, uint64_t code) {
  for (uint32_t i = 0; i < count; i++) {
    const Fix& fix = fixes[i];
    const uint64_t at = code + fix.at, target = bias + fix.target;
    if (fix.kind == FixKind::kRel32 && !reaches(at + 4, target)) return false;
    const uint64_t value = fix.kind == FixKind::kRel32 ? target - (at + 4)
                           : fix.kind == FixKind::kLo32 ? target : target >> 32;
    const auto half = static_cast<uint32_t>(value);
    memcpy(reinterpret_cast<void*>(at), &half, sizeof half);
  }
  return true;
}

bool synchroniseCores() {
  return sys::call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0) == 0 &&
         sys::call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0) == 0;
}

bool protect(uint64_t start, uint64_t end, int protection) {
  return sys::call(SYS_mprotect, static_cast<long>(start), static_cast<long>(end - start),
                   protection) == 0;
}

}  // namespace parallax::perturb
