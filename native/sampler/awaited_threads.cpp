#include "sampler/awaited_threads.h"

#include <atomic>
#include <cstring>
#include <pthread.h>

#include "base/directory_numbers.h"
#include "base/stack_bounds.h"
#include "base/sys.h"
#include "core/agent.h"
#include "core/thread.h"
#include "sampler/sampler.h"

namespace parallax::sampler {
namespace {

struct Awaited {
  std::atomic<int> timer;  // its number + 1; 0: it has begun, or none was to be had
};

// A program with more threads has those beyond begin with their first intercepted call.
constexpr size_t kMost = 8192;
Awaited* all = nullptr;
size_t count = 0;

// The clock of the CPU time of a thread of this process (linux/posix-timers.h).
int cpuClockOf(int tid) {
  constexpr uint32_t kOfThread = 4, kScheduled = 2;
  return static_cast<int>(~static_cast<uint32_t>(tid) << 3 | kOfThread | kScheduled);
}

void deleteTimer(Awaited& thread) {
  const int timer = thread.timer.exchange(0, std::memory_order_acq_rel);
  if (timer != 0) sys::call(SYS_timer_delete, timer - 1);
}

void await(int tid, int signal) {
  if (count == kMost) return;
  Awaited& thread = all[count];
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_value.sival_ptr = &thread;
  event._sigev_un._tid = tid;
  int timer = -1;
  if (sys::call(SYS_timer_create, cpuClockOf(tid), sys::word(&event), sys::word(&timer)) != 0) return;
  thread.timer.store(timer + 1, std::memory_order_release);
  count++;
  // The calling thread is stopped in a system call of the program, perhaps, which a signal would end: not before that goes on.
  constexpr long kSoonNs = 1, kAfterThisNs = 3000000;
  itimerspec soon{};
  soon.it_value.tv_nsec = tid == sys::gettid() ? kAfterThisNs : kSoonNs;
  if (sys::call(SYS_timer_settime, timer, 0, sys::word(&soon), 0) != 0) deleteTimer(thread);
}

}  // namespace

void awaitThreads(int signal) {
  if (all == nullptr) all = static_cast<Awaited*>(allocatePages(kMost * sizeof(Awaited)));
  if (all == nullptr) return;
  forEachNumber("/proc/self/task", [=](int tid) { await(tid, signal); });
}

void forgetAwaited() {
  for (size_t i = 0; i < count; i++) deleteTimer(all[i]);
  count = 0;
}

void forgetInheritedAwaited() {
  for (size_t i = 0; i < count; i++) all[i].timer.store(0, std::memory_order_relaxed);
  count = 0;
}

bool beginAwaited(const siginfo_t& info, uintptr_t stackPointer) {
  // Signal context.
  const auto* thread = static_cast<const Awaited*>(info.si_value.sival_ptr);
  if (info.si_code != SI_TIMER || all == nullptr || thread < all || thread >= all + kMost) return false;
  deleteTimer(all[thread - all]);
  if (local.thread == nullptr && local.stack.high == 0 && sys::gettid() != sys::getpid()) local.stack = stackByMappings(stackPointer);  // libc would ask for memory
  currentThread();
  return true;
}

}  // namespace parallax::sampler
