#include "base/stack_bounds.h"

#include <pthread.h>
#include <sys/resource.h>

#include "base/maps.h"
#include "base/sys.h"

extern "C" void* __libc_stack_end;  // of the dynamic linker: where the first stack begins

namespace parallax {
namespace {

// glibc would read /proc/self/maps for this one, and allocate.
StackBounds mainStack() {
  rlimit limit{};
  sys::call(SYS_prlimit64, 0, RLIMIT_STACK, 0, sys::word(&limit));
  // The limit can be as large as the address space. Memory below this bound is read with a check.
  constexpr uint64_t kMostBytes = 1u << 30;
  const uint64_t size = limit.rlim_cur < kMostBytes ? limit.rlim_cur : kMostBytes;
  const auto high = reinterpret_cast<uintptr_t>(__libc_stack_end);
  return {high - size, high};
}

bool holdsCaller(const StackBounds& stack) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here >= stack.low && here < stack.high;
}

}  // namespace

StackBounds stackOfCaller(size_t sizeBytes) {
  const int tid = sys::gettid();
  if (tid == sys::getpid()) {  // in a child after fork it may run on the stack of another thread
    const StackBounds stack = mainStack();
    if (holdsCaller(stack)) return stack;
  }
  if (sizeBytes != 0) {
    // glibc keeps what pthread_self() points to at the upper end of the stack.
    const auto high = static_cast<uintptr_t>(pthread_self());
    const StackBounds stack{high - sizeBytes, high};
    if (holdsCaller(stack)) return stack;  // otherwise the assumption is wrong
  }
  pthread_attr_t attributes;
  const bool mayAsk = sandbox::permits(sandbox::rules(), SYS_sched_getaffinity, tid);  // as libc does
  if (!mayAsk || pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0};
  void* low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  const auto first = reinterpret_cast<uintptr_t>(low);
  return {first, first + size};
}

// The thread itself stands at the upper end of its stack.
StackBounds stackByMappings(uintptr_t inside) {
  Mappings mappings;
  for (Mapping mapping; mappings.next(&mapping);) {
    if (inside < mapping.low || inside >= mapping.high) continue;
    const auto self = static_cast<uintptr_t>(pthread_self());
    return {mapping.low, self >= inside && self < mapping.high ? self : mapping.high};
  }
  return {0, 0};
}

// That of the first thread of a process, which may have been another one before a fork, stands elsewhere.
StackBounds stackByMappings() {
  const bool isFirst = sys::gettid() == sys::getpid();
  if (isFirst && holdsCaller(mainStack())) return mainStack();
  const StackBounds stack = stackByMappings(static_cast<uintptr_t>(pthread_self()));
  return isFirst && !holdsCaller(stack) ? mainStack() : stack;
}

}  // namespace parallax
