// The real functions of liburing, which the program may have loaded with RTLD_LOCAL.
#pragma once

#include <atomic>

#include "interpose/linker/library_symbol.h"

namespace parallax {

// What is the same for functions of every type. Looked up at the first call.
class LiburingSymbol {
 public:
  constexpr explicit LiburingSymbol(const char* name) : name_(name) {}
  // Before modules are unloaded: the library of these functions stays.
  static void keepLibrary(void (*keep)(const void* code));

 protected:
  void* get() {
    void* found = found_.load(std::memory_order_acquire);
    return __builtin_expect(found != nullptr, true) ? found : lookUp();
  }

 private:
  void* lookUp();

  static std::atomic<void*> last_;
  const char* name_;
  std::atomic<void*> found_{nullptr};
};

template <class F>
class RealLiburing : LiburingSymbol {
 public:
  using LiburingSymbol::LiburingSymbol;
  // Null without the library.
  F* get() { return reinterpret_cast<F*>(LiburingSymbol::get()); }
};

}  // namespace parallax
