#include "sampler/alternate_stack.h"

#include "base/sys.h"

namespace parallax::sampler {
namespace {

// Threads with a smaller stack are sampled on an alternate stack.
constexpr uint64_t kSmallStackBytes = 128 << 10;
constexpr size_t kOwnBytes = 64 << 10;
// The least size for a sample: the kernel's frame takes 3.4 KB with AVX-512, and our handler 500
// bytes before it switches to a stack with room. (Frames with AMX have 11 KB, but the kernel lets a
// program use AMX only if its alternate stacks are large enough.)
constexpr size_t kLeastBytes = 5 << 10;

// Belongs to the thread, and in a child after fork to its only thread.
struct AlternateStack {
  void* own;        // null until one is needed
  stack_t program;  // the program's own, if the kernel has ours instead; otherwise ss_sp is null
};
__thread AlternateStack alternate __attribute__((tls_model("initial-exec")));

int setKernelStack(const stack_t* wanted, stack_t* old) {
  return static_cast<int>(sys::call(SYS_sigaltstack, sys::word(wanted), sys::word(old)));
}

bool isTooSmall(const stack_t& stack) {
  return (stack.ss_flags & SS_DISABLE) == 0 && stack.ss_size < kLeastBytes;
}

bool setOwn(int flags) {
  if (alternate.own == nullptr) alternate.own = sys::pages(kOwnBytes);
  if (alternate.own == nullptr) return false;
  stack_t own{};
  own.ss_sp = alternate.own;
  own.ss_size = kOwnBytes;
  own.ss_flags = flags;
  return setKernelStack(&own, nullptr) == 0;
}

// The kernel has the program's stack: replace it by ours.
void replace(const stack_t& program) {
  if (setOwn(program.ss_flags & ~SS_ONSTACK)) alternate.program = program;
}

class SignalsBlocked {
 public:
  SignalsBlocked() { mask(&all_, &before_); }
  ~SignalsBlocked() { mask(&before_, nullptr); }

 private:
  static void mask(const uint64_t* wanted, uint64_t* old) {
    sys::call(SYS_rt_sigprocmask, SIG_SETMASK, sys::word(wanted), sys::word(old), sizeof *wanted);
  }
  uint64_t all_ = ~uint64_t{0}, before_ = 0;
};

}  // namespace

void beginAlternateStack(const AddressRange& threadStack) {
  const SignalsBlocked blocked;
  stack_t present{};
  setKernelStack(nullptr, &present);
  if ((present.ss_flags & SS_ONSTACK) != 0) return;
  const uint64_t bytes = threadStack.high - threadStack.low;
  if ((present.ss_flags & SS_DISABLE) == 0) {
    if (isTooSmall(present)) replace(present);
  } else if (threadStack.high != 0 && bytes < kSmallStackBytes) {
    setOwn(0);
  }
}

void endAlternateStack() {
  if (alternate.own == nullptr) return;
  const SignalsBlocked blocked;
  stack_t present{};
  setKernelStack(nullptr, &present);
  if (present.ss_sp == alternate.own) {
    if ((present.ss_flags & SS_ONSTACK) != 0) return;  // the thread ends on it: it is lost
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    setKernelStack(alternate.program.ss_sp != nullptr ? &alternate.program : &none, nullptr);
  }
  sys::munmap(alternate.own, kOwnBytes);
  alternate = {};
}

int setAlternateStack(int (*real)(const stack_t*, stack_t*), const stack_t* wanted, stack_t* old) {
  const bool tooSmall = wanted != nullptr && isTooSmall(*wanted);
  if (!tooSmall && alternate.program.ss_sp == nullptr) return real(wanted, old);
  const SignalsBlocked blocked;
  stack_t present{};
  // The kernel checks whether the change is possible.
  const int result = real(wanted, &present);
  if (result != 0) return result;
  if (old != nullptr) {
    *old = present;
    if (alternate.program.ss_sp != nullptr && present.ss_sp == alternate.own) {
      old->ss_sp = alternate.program.ss_sp;
      old->ss_size = alternate.program.ss_size;
    }
  }
  if (wanted != nullptr) alternate.program = {};
  if (tooSmall) replace(*wanted);
  return 0;
}

}  // namespace parallax::sampler
