#include "core/own_stack.h"

#include <atomic>

#include "base/signals_blocked.h"
#include "base/sys.h"
#include "core/thread.h"

// Calls f(argument) with the stack that ends at `end`.
extern "C" __attribute__((visibility("hidden"))) void parallaxCallOnStack(void (*f)(void*),
                                                                          void* argument,
                                                                          void* end);
asm(R"(
  .pushsection .text
  .globl parallaxCallOnStack
  .hidden parallaxCallOnStack
  .type parallaxCallOnStack, @function
parallaxCallOnStack:
  .cfi_startproc
  endbr64
  push %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbx, 0
  mov %rsp, %rbx
  .cfi_def_cfa_register %rbx
  mov %rdx, %rsp
  mov %rdi, %rax
  mov %rsi, %rdi
  call *%rax
  mov %rbx, %rsp
  .cfi_def_cfa_register %rsp
  pop %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbx
  ret
  .cfi_endproc
  .size parallaxCallOnStack, .-parallaxCallOnStack
  .popsection
)");

namespace parallax {
namespace {

constexpr size_t kStackBytes = 1 << 20;  // of which only what is used becomes memory
constexpr size_t kGuardBytes = 4096;
constexpr size_t kRoomBytes = 16 << 10;
std::atomic<char*> spares[4];  // for as many threads at once
__thread bool onOwnStack __attribute__((tls_model("initial-exec"))) = false;

char* obtainStack() {
  for (std::atomic<char*>& spare : spares) {
    if (spare.load(std::memory_order_relaxed) == nullptr) continue;
    if (char* stack = spare.exchange(nullptr, std::memory_order_acq_rel)) return stack;
  }
  auto* stack = static_cast<char*>(sys::pages(kStackBytes));
  if (stack != nullptr) {
    sys::call(SYS_mprotect, sys::word(stack), static_cast<long>(kGuardBytes), PROT_NONE);
  }
  return stack;
}

void giveBack(char* stack) {
  for (std::atomic<char*>& spare : spares) {
    char* none = nullptr;
    if (spare.compare_exchange_strong(none, stack, std::memory_order_acq_rel)) return;
  }
  sys::munmap(stack, kStackBytes);
}

}  // namespace

bool callOnOwnStack(void (*f)(void*), void* argument) {
  SignalsBlocked blocked;
  char* stack = obtainStack();
  if (stack != nullptr) {
    const bool nested = onOwnStack;
    onOwnStack = true;
    parallaxCallOnStack(f, argument, stack + kStackBytes);
    onOwnStack = nested;
    giveBack(stack);
  }
  return stack != nullptr;
}

bool hasRoom() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return onOwnStack || (here < local.stack.high && here >= local.stack.low + kRoomBytes);
}

}  // namespace parallax
