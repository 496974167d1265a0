#include "transport/async_write.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <time.h>

#include "base/sandbox.h"
#include "base/signals_blocked.h"
#include "base/sys.h"
#include "format/format.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace parallax {
namespace {

// Of the own thread: no function that a compiler may have made for the program's threads.
[[gnu::always_inline]] inline long callAlone(long number, long a, long b = 0, long c = 0) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

[[gnu::always_inline]] inline void copyAlone(char* to, const char* from, uint64_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

// Its id, or -errno. The new thread calls run(argument) on its stack, which must not return.
template <class T>
long startThread(void (*run)(T*), T* argument, char* stackEnd, std::atomic<int32_t>* id) {
  constexpr long kFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                          CLONE_UNTRACED | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  long result;
  register long r10 asm("r10") = sys::word(id);
  register long r8 asm("r8") = 0;
  register auto r12 asm("r12") = run;
  register auto r13 asm("r13") = argument;
  asm volatile(
      "syscall\n\t"
      "testq %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xorl %%ebp, %%ebp\n\t"
      "movq %%r13, %%rdi\n\t"
      "callq *%%r12\n\t"
      "hlt\n"
      "1:"
      : "=a"(result)
      : "a"(SYS_clone), "D"(kFlags), "S"(stackEnd), "d"(id), "r"(r10), "r"(r8), "r"(r12), "r"(r13)
      : "rcx", "r11", "memory", "cc");
  return result;
}

void pauseBriefly() {
  const timespec brief{0, 100000};
  sys::call(SYS_nanosleep, sys::word(&brief), 0);
}

}  // namespace

void AsyncWrite::run(AsyncWrite* write) {
  char* const target = write->target_;
  const uint64_t last = write->lastBytes_;
  const bool done = callAlone(SYS_madvise, reinterpret_cast<long>(target), static_cast<long>(write->bytes_),
                              MADV_POPULATE_WRITE) == 0;
  for (uint64_t at = 0; done && at + last < write->bytes_; at += format::kBlockBytes) {
    const uint64_t left = write->bytes_ - at, bytes = left < format::kBlockBytes ? left : format::kBlockBytes;
    copyAlone(target + at + last, write->memory_ + at + last, bytes - last);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    copyAlone(target + at, write->memory_ + at, last);
  }
  callAlone(SYS_munmap, reinterpret_cast<long>(target), static_cast<long>(write->targetBytes_));
  write->target_ = nullptr;
  __atomic_store_n(&write->done_, done, __ATOMIC_RELEASE);
  for (;;) callAlone(SYS_exit, 0);
}

void AsyncWrite::setTarget(int fd, uint64_t offset, uint64_t sizeBytes) {
  const SignalsBlocked blocked;
  dropTarget();
  void* mapped = sys::mmap(sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  if (mapped == nullptr) return;
  sys::madvise(mapped, sizeBytes, MADV_DONTFORK);
  target_ = static_cast<char*>(mapped);
  targetBytes_ = sizeBytes;
}

void AsyncWrite::dropTarget() {
  char* target = target_;
  target_ = nullptr;
  if (target != nullptr) sys::munmap(target, targetBytes_);
}

bool AsyncWrite::begin(const char* memory, uint64_t bytes, uint64_t lastBytes) {
  // The thread would have the program's filter, too.
  if (sandbox::isRestricted() || target_ == nullptr || bytes > targetBytes_ || bytes < lastBytes) return false;
  const SignalsBlocked blocked;
  memory_ = memory;
  bytes_ = bytes;
  lastBytes_ = lastBytes;
  __atomic_store_n(&done_, false, __ATOMIC_RELAXED);
  constexpr int32_t kBegins = -1;
  thread_.store(kBegins, std::memory_order_seq_cst);
  const long made = held.load(std::memory_order_seq_cst) != 0
                        ? -EBUSY
                        : startThread(&AsyncWrite::run, this, stack_ + sizeof stack_, &thread_);
  if (made < 0) {
    thread_.store(0, std::memory_order_release);
    return false;
  }
  lastThread_ = static_cast<int32_t>(made);
  return true;
}

// The kernel wakes one waiter only.
void AsyncWrite::await() {
  const timespec brief{0, 10'000'000};
  for (int32_t thread; (thread = thread_.load(std::memory_order_acquire)) != 0;) {
    if (sys::call(SYS_futex, sys::word(&thread_), FUTEX_WAIT, thread, sys::word(&brief)) != -ETIMEDOUT) continue;
    if (thread > 0 && sys::call(SYS_tgkill, sys::getpid(), thread, 0) == -ESRCH) {
      thread_.store(0, std::memory_order_release);  // of a parent
    }
  }
}

void AsyncWrite::awaitEnd() {
  await();
  constexpr int kTries = 100;
  const int32_t thread = lastThread_;
  if (thread == 0) return;
  lastThread_ = 0;
  for (int i = 0; i < kTries && sys::call(SYS_tgkill, sys::getpid(), thread, 0) == 0; i++) pauseBriefly();
}

}  // namespace parallax
