// The real function behind an interposed symbol.
#pragma once

#include <atomic>

#include "core/agent.h"

// Before each Real, which all stand together for lookUpAllReal().
#define PARALLAX_REAL __attribute__((section("parallax_real"), used))

namespace parallax {

// What must be done before the calling thread calls `routine`, which is not of MPI; null: it is going to wait. Null while there is
// nothing, as nearly always: mpi/mpi_buffered.cpp. Returns whether something of this thread is still to be done.
extern std::atomic<bool (*)(const char* routine)> beforeCalls;
inline bool hasBeforeCalls() { return __builtin_expect(beforeCalls.load(std::memory_order_relaxed) != nullptr, false); }
__attribute__((noinline, cold)) bool doBeforeCall(const char* routine);
// A call that may wait, of a routine that does so at times only.
inline void beforeWait() {
  if (hasBeforeCalls()) doBeforeCall(nullptr);
}

// What is the same for functions of every type.
class RealSymbol {
 public:
  constexpr explicit RealSymbol(const char* name) : name_(name) {}
  // Null out of the lookup itself, and where there is none.
  void* lookUp();

  // From then on, calls of `name` go to `by`, which calls the returned function. Null if the
  // function is not found; then nothing is changed. Only before the process has threads.
  static void* replace(const char* name, void* by);

 protected:
  friend class NextObjects;
  std::atomic<void*> found_{nullptr};
  const char* name_;
};

// The real function is looked up when the agent starts. A later lookup would discard the message
// that dlerror() has for the program. A call can come earlier, because the constructors of the MPI
// library take locks: then the function is looked up at this call. A call can also come from the
// lookup itself, because dlsym may allocate, and the program's malloc may take a lock: such a call
// gets `fallback`, which is libc's own name for the function, or null if there is none.
template <class F>
class alignas(32) Real : private RealSymbol {
 public:
  constexpr explicit Real(const char* name, F* fallback = nullptr)
      : RealSymbol(name), fallback_(fallback) {}

  F* get() {
    if (hasBeforeCalls()) doBeforeCall(name_);
    void* found = found_.load(std::memory_order_acquire);
    if (__builtin_expect(found == nullptr, false)) found = lookUp();
    return __builtin_expect(found != nullptr, true) ? reinterpret_cast<F*>(found) : fallback_;
  }
  // Null where it was not looked up yet, and where something must be done before.
  F* known() const { return hasBeforeCalls() ? nullptr : reinterpret_cast<F*>(found_.load(std::memory_order_acquire)); }

 private:
  F* fallback_;
};

// At start; the message of a symbol that is missing is taken back.
void lookUpAllReal();

}  // namespace parallax
