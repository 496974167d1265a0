#include <dlfcn.h>

#include "core/agent.h"
#include "core/thread.h"

namespace parallax {

namespace {

// The versions that glibc has of it: from 2.34 on, and before.
constexpr const char* kDlsymVersions[] = {"GLIBC_2.34", "GLIBC_2.2.5"};

}  // namespace

PARALLAX_EARLY Dlsym* realDlsym() {
  static Dlsym* known = nullptr;
  Dlsym* real = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  for (const char* version : kDlsymVersions) {
    if (real != nullptr) break;
    real = reinterpret_cast<Dlsym*>(dlvsym(RTLD_NEXT, "dlsym", version));
    __atomic_store_n(&known, real, __ATOMIC_RELEASE);
  }
  return real;
}

// dlsym takes the dynamic linker's lock and may allocate, with the program's malloc. What that
// calls passes straight through.
void* symbolOf(void* handle, const char* name) {
  const void* inside = local.inside;
  if (inside == nullptr) local.inside = kAgentWork;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Dlsym* real = realDlsym();
  void* symbol = real != nullptr ? real(handle, name) : nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  local.inside = inside;
  return symbol;
}

void* nextSymbol(const char* name) { return symbolOf(RTLD_NEXT, name); }

}  // namespace parallax
