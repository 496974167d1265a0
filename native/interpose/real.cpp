#include "interpose/real.h"

#include <dlfcn.h>

#include <cstddef>

#include "agent/thread.h"

// Of the linker: where the section of that name begins and ends.
extern "C" {
extern std::byte __start_parallax_real[] __attribute__((visibility("hidden")));
extern std::byte __stop_parallax_real[] __attribute__((visibility("hidden")));
}

namespace parallax {

void* RealSymbol::lookUp() {
  if (local.resolving) return nullptr;
  local.resolving = true;
  void* found = nextSymbol(name_);
  local.resolving = false;
  if (found != nullptr) found_.store(found, std::memory_order_release);
  return found;
}

void lookUpAllReal() {
  constexpr size_t kBytes = sizeof(Real<void()>);
  static_assert(kBytes == alignof(Real<void()>), "they stand side by side, whoever aligns them");
  bool missing = false;
  for (std::byte* at = __start_parallax_real; at < __stop_parallax_real; at += kBytes) {
    missing |= reinterpret_cast<RealSymbol*>(at)->lookUp() == nullptr;
  }
  if (missing) dlerror();
}

}  // namespace parallax
