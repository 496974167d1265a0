// The real function behind an interposed symbol.
#pragma once

#include <atomic>

#include "agent/agent.h"
#include "agent/thread.h"

namespace parallax {

// Looked up at the first call, which may come before the agent's constructor (the MPI library's
// constructors take locks) and out of the lookup itself (dlsym may allocate, and the program's
// malloc may take a lock): that one gets `fallback`, which is libc's own name for the function
// where there is one, else null.
template <class F>
class Real {
 public:
  constexpr explicit Real(const char* name, F* fallback = nullptr)
      : name_(name), fallback_(fallback) {}

  F* get() {
    F* found = function_.load(std::memory_order_acquire);
    return __builtin_expect(found != nullptr, true) ? found : lookUp();
  }

 private:
  F* lookUp() {
    if (local.resolving) return fallback_;
    local.resolving = true;
    auto* found = reinterpret_cast<F*>(nextSymbol(name_));
    local.resolving = false;
    if (found == nullptr) return fallback_;
    function_.store(found, std::memory_order_release);
    return found;
  }

  const char* name_;
  F* fallback_;
  std::atomic<F*> function_{nullptr};
};

}  // namespace parallax
