#include <dlfcn.h>

#include "core/agent.h"
#include "core/thread.h"

// Of the linker: where the library begins and ends.
extern "C" {
extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));
}

namespace parallax {

bool isAttached = false;

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
  const bool fromProgram = local.place.isProgram();
  if (fromProgram) local.place.enterAgent();
  Dlsym* real = realDlsym();
  void* symbol = real != nullptr ? real(handle, name) : nullptr;
  if (fromProgram) local.place.returnToProgram();
  return symbol;
}

// A library that was loaded late comes last in the search of the program, and is not seen by it. What the program uses is
// then what any search finds, except in the agent itself.
void* nextSymbol(const char* name) {
  if (!isAttached) return symbolOf(RTLD_NEXT, name);
  auto* found = static_cast<char*>(symbolOf(RTLD_DEFAULT, name));
  return found >= __ehdr_start && found < _end ? nullptr : found;
}

}  // namespace parallax
