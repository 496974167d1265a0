#include "interpose/real.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstring>

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

namespace {

template <class Visit>
void visitAllReal(Visit visit) {
  constexpr size_t kBytes = sizeof(Real<void()>);
  static_assert(kBytes == alignof(Real<void()>), "they stand side by side, whoever aligns them");
  for (std::byte* at = __start_parallax_real; at < __stop_parallax_real; at += kBytes) {
    visit(reinterpret_cast<RealSymbol*>(at));
  }
}

}  // namespace

void* RealSymbol::replace(const char* name, void* by) {
  void* replaced = nullptr;
  visitAllReal([&](RealSymbol* symbol) {
    void* found = symbol->found_.load(std::memory_order_relaxed);
    if (found == nullptr || strcmp(symbol->name_, name) != 0) return;
    replaced = found;
    symbol->found_.store(by, std::memory_order_release);
  });
  return replaced;
}

void lookUpAllReal() {
  bool missing = false;
  visitAllReal([&](RealSymbol* symbol) { missing |= symbol->lookUp() == nullptr; });
  if (missing) dlerror();
}

}  // namespace parallax
