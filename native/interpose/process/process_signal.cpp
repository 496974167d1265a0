// Signals from process to process and from thread to thread. Sendings to a process, and those to one of its threads, are
// counted for each signal. Who takes a signal in its own time (signalfd, sigwaitinfo) names the first sending since the
// previous one that was taken, because sending a signal that is already pending has no effect. A handler is not seen:
// when it has interrupted a wait, the last sending to the thread, or to its process, is named. Signals to process groups
// are not matched.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine, as by a handler that interrupts it: passes straight through, not counted.
#include "interpose/process/process_signal.h"

#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>

#include "base/sys.h"
#include "core/glibc.h"
#include "core/process.h"
#include "core/shared_counters.h"
#include "interpose/ipc/kernel_object.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pid_t, int)> realKill("kill");
PARALLAX_REAL Real<int(pid_t, int, const sigval)> realSigqueue("sigqueue");
PARALLAX_REAL Real<int(pthread_t, int)> realPthreadKill("pthread_kill");
PARALLAX_REAL Real<int(pthread_t, int, const sigval)> realPthreadSigqueue("pthread_sigqueue");
PARALLAX_REAL Real<int(pid_t, pid_t, int)> realTgkill("tgkill");
PARALLAX_REAL Real<unsigned(unsigned)> realAlarm("alarm");
PARALLAX_REAL Real<int(__itimer_which_t, const itimerval*, itimerval*)> realSetitimer("setitimer");
PARALLAX_REAL Real<int(timer_t, int, const itimerspec*, itimerspec*)> realTimerSettime("timer_settime");

Region killRegion("kill", format::Group::kProcess);
Region sigqueueRegion("sigqueue", format::Group::kProcess);

constexpr int kSent = 0, kTaken = 1;  // of a KernelObject
constexpr uint64_t kOfThread = uint64_t{1} << 40;
std::atomic<bool> timersSet{false};

bool isSignal(int number) { return number > 0 && number < NSIG; }

// A process, or, with kOfThread, a thread.
KernelObject* signalsTo(uint64_t target, int number) {
  const uint64_t id = target << 8 | static_cast<unsigned>(number);
  return kernelObject(format::SyncKind::kSignal, id, id);
}

// Which signal was sent last to a process or thread: the number of sendings, shifted by 8, and the signal.
struct Inbox {
  static constexpr int kLast = 0, kNoticed = 1;
  SharedCounters* counters;

  explicit Inbox(uint64_t target) {
    constexpr uint64_t kInboxes = 0x1B0C5E4D1265A37F;  // of all that has shared counters
    const uint64_t high = mixIds(kInboxes, target) | 1;
    counters = sharedCounters(high, mixIds(high, target) | 1);
  }
  void put(int number) {
    if (counters == nullptr) return;
    auto& last = counters->value[kLast];
    uint64_t before = last.load(std::memory_order_relaxed);
    while (!last.compare_exchange_weak(before, ((before >> 8) + 1) << 8 | static_cast<unsigned>(number),
                                       std::memory_order_acq_rel)) {
    }
  }
  // The signal that was sent last; 0 if that was noticed before.
  int notice() {
    if (counters == nullptr) return 0;
    const uint64_t last = counters->value[kLast].load(std::memory_order_acquire);
    return counters->value[kNoticed].exchange(last, std::memory_order_acq_rel) == last
               ? 0 : static_cast<int>(last & 0xFF);
  }
};

// Counted before the real call, because the receiver may read the signal before that call returns.
template <class Event>
void tellSending(Event& event, uint64_t target, int number) {
  if (!event) return;
  if (KernelObject* object = signalsTo(target, number)) {
    const uint64_t sending = object->count(kSent).fetch_add(1, std::memory_order_acq_rel) + 1;
    Inbox(target).put(number);
    event.emit(Kind::kSignal, object->number(), {sending});
  }
}

bool isRecorded() { return adapterEnabled(Adapter::kProcess) && recording() && process.isOurs(); }

template <class Real>
int send(Region& region, int pid, int number, Real real) {
  if (pid <= 0 || !isSignal(number) || !isRecorded()) return real();
  if (pid == sys::getpid()) {  // its handler runs within the call, and is code of the program
    {
      Instant instant;
      tellSending(instant, static_cast<uint64_t>(pid), number);
    }
    return real();
  }
  Call call(region);
  tellSending(call, static_cast<uint64_t>(pid), number);
  return real();
}

void tellSendingToThread(uint64_t tid, int number) {
  if (tid == 0) return;
  Instant instant;
  tellSending(instant, kOfThread | tid, number);
}

// 0: not known.
uint64_t tidOf(pthread_t handle) {
  const Guard guard;
  return guard ? glibc::tidOf(handle, guard.thread()->tid()) : 0;
}

TakenSignal taken(uint64_t target, int number) {
  KernelObject* object = signalsTo(target, number);
  if (object == nullptr) return {};
  const uint64_t sent = object->count(kSent).load(std::memory_order_acquire);
  const uint64_t before = object->count(kTaken).exchange(sent, std::memory_order_acq_rel);
  if (before >= sent) return {};
  return {object->number(), before + 1};
}

void tellOfHandler(Thread* thread, uint64_t ticks) {
  const TakenSignal taken = interruptingSignal();
  // By nobody who is known: the handler itself may tell, such as of the end of a process.
  if (taken.object == 0 || (taken.sending == 0 && !timersSet.load(std::memory_order_relaxed))) return;
  thread->emit(Kind::kWake, taken.object, ticks, &taken.sending, 1);
}

}  // namespace

void tellInterruptionsByHandlers() { tellInterruptedWait.store(tellOfHandler, std::memory_order_relaxed); }

TakenSignal takenSignal(int number, int code) {
  if (!isSignal(number) || !adapterEnabled(Adapter::kProcess)) return {};
  if (code == SI_TIMER || (code == SI_KERNEL && number == SIGALRM)) {
    return {unsignalledObject(format::SyncKind::kTimer), 0};
  }
  const auto pid = static_cast<uint64_t>(sys::getpid());
  if (code != SI_USER && code != SI_QUEUE && code != SI_TKILL) return {};
  // libc makes SI_USER of SI_TKILL.
  const TakenSignal found = taken(kOfThread | static_cast<uint64_t>(sys::gettid()), number);
  return found.object != 0 ? found : taken(pid, number);
}

TakenSignal interruptingSignal() {
  if (!adapterEnabled(Adapter::kProcess)) return {};
  const auto own = static_cast<uint64_t>(sys::getpid());
  const uint64_t tid = kOfThread | static_cast<uint64_t>(sys::gettid());
  for (const uint64_t target : {tid, own}) {
    if (const int number = Inbox(target).notice()) {
      KernelObject* object = signalsTo(target, number);
      if (object == nullptr) return {};
      return {object->number(), object->count(kSent).load(std::memory_order_acquire)};
    }
  }
  return {unsignalledObject(timersSet.load(std::memory_order_relaxed) ? format::SyncKind::kTimer
                                                                      : format::SyncKind::kEventSource), 0};
}

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int kill(pid_t pid, int number) noexcept {
  auto* real = realKill.get();
  return send(killRegion, pid, number, [=] { return real(pid, number); });
}

PARALLAX_EXPORT int sigqueue(pid_t pid, int number, const sigval value) noexcept {
  auto* real = realSigqueue.get();
  return send(sigqueueRegion, pid, number, [=] { return real(pid, number, value); });
}

PARALLAX_EXPORT int tgkill(pid_t pid, pid_t tid, int number) {
  if (isSignal(number) && tid > 0 && isRecorded()) tellSendingToThread(static_cast<uint64_t>(tid), number);
  return realTgkill.get()(pid, tid, number);
}

PARALLAX_EXPORT int pthread_kill(pthread_t thread, int number) noexcept {
  if (isSignal(number) && isRecorded()) tellSendingToThread(tidOf(thread), number);
  return realPthreadKill.get()(thread, number);
}

PARALLAX_EXPORT int pthread_sigqueue(pthread_t thread, int number, const sigval value) noexcept {
  if (isSignal(number) && isRecorded()) tellSendingToThread(tidOf(thread), number);
  return realPthreadSigqueue.get()(thread, number, value);
}

// Who sets a timer is interrupted by it.

PARALLAX_EXPORT unsigned alarm(unsigned seconds) noexcept {
  timersSet.store(true, std::memory_order_relaxed);
  return realAlarm.get()(seconds);
}

PARALLAX_EXPORT int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) noexcept {
  timersSet.store(true, std::memory_order_relaxed);
  return realSetitimer.get()(which, value, old);
}

PARALLAX_EXPORT int timer_settime(timer_t timer, int flags, const itimerspec* value, itimerspec* old) noexcept {
  timersSet.store(true, std::memory_order_relaxed);
  return realTimerSettime.get()(timer, flags, value, old);
}
