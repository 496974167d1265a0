#include "interpose/real.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstring>

#include "core/thread.h"
#include "interpose/linker/defined_symbol.h"

// Of the linker: where the section of that name begins and ends.
extern "C" {
extern std::byte __start_parallax_real[] __attribute__((visibility("hidden")));
extern std::byte __stop_parallax_real[] __attribute__((visibility("hidden")));
}

namespace parallax {

std::atomic<bool (*)(const char*)> beforeCalls{nullptr};

bool doBeforeCall(const char* routine) {
  auto* todo = beforeCalls.load(std::memory_order_acquire);
  return todo != nullptr && todo(routine);
}

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

// What dlsym(RTLD_NEXT) finds when the process begins, at a fifth of its price: the objects after the
// agent, in the order in which they were loaded, are searched for all symbols together. What it does
// not find, such as functions that choose their address when they are bound, is left to dlsym.
class NextObjects {
 public:
  static void lookUpAll() {
    NextObjects objects;
    dl_iterate_phdr(visit, &objects);
  }
  static bool hasFound(const RealSymbol& symbol) {
    return symbol.found_.load(std::memory_order_relaxed) != nullptr;
  }

 private:
  static int visit(dl_phdr_info* info, size_t, void* self) {
    auto& objects = *static_cast<NextObjects*>(self);
    if (!objects.behindAgent_ || isAttached) {  // late, the agent comes last, and all are before it
      const bool isAgent = holds(*info, __start_parallax_real);
      objects.behindAgent_ = objects.behindAgent_ || isAgent;
      if (isAgent || !isAttached) return 0;
    }
    const DefinedSymbols symbols(*info);
    visitAllReal([&](RealSymbol* symbol) {
      if (hasFound(*symbol)) return;
      if (void* found = symbols.find(SymbolName(symbol->name_))) {
        symbol->found_.store(found, std::memory_order_release);
      }
    });
    return 0;
  }

  bool behindAgent_ = false;
};

void lookUpAllReal() {
  NextObjects::lookUpAll();
  bool missing = false;
  visitAllReal([&](RealSymbol* symbol) {
    missing |= !NextObjects::hasFound(*symbol) && symbol->lookUp() == nullptr;
  });
  if (missing) dlerror();
}

}  // namespace parallax
