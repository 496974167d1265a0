// Signals from process to process and from thread to thread. Sendings to a process, to one of its threads, and to a
// process group are counted for each signal. Who takes a signal in its own time (signalfd, sigwaitinfo) names the first sending since the
// previous one that was taken, because sending a signal that is already pending has no effect. A handler is not seen:
// when it has interrupted a wait, the last sending to the thread, or to its process, is named,
// unless it was sent before the wait began. A signal to all processes (`kill` of -1) is not matched.
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
#include "core/lone_waits.h"
#include "core/process.h"
#include "core/shared_counters.h"
#include "interpose/ipc/kernel_object.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pid_t, int)> realKill("kill");
PARALLAX_REAL Real<int(pid_t, int)> realKillpg("killpg");
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
constexpr uint64_t kOfThread = uint64_t{1} << 40, kOfGroup = uint64_t{1} << 41;
std::atomic<bool> timersSet{false};

bool isSignal(int number) { return number > 0 && number < NSIG; }

// Of this process: what it has got as a member of its group.
std::atomic<uint64_t> noticedOfGroup{0};
std::atomic<uint64_t> takenOfGroup[NSIG];

uint64_t ownGroup() { return kOfGroup | static_cast<uint64_t>(sys::call(SYS_getpgid, 0)); }

// A process, or, with kOfThread, a thread, or, with kOfGroup, a process group.
KernelObject* signalsTo(uint64_t target, int number) {
  const uint64_t id = target << 8 | static_cast<unsigned>(number);
  return kernelObject(format::SyncKind::kSignal, id, id);
}

// Which signal was sent last to a process, thread or group: the number of sendings, shifted by 8, and the signal.
struct Inbox {
  static constexpr int kLast = 0, kNoticed = 1, kTicks = 2;
  SharedCounters* counters;

  explicit Inbox(uint64_t target) {
    constexpr uint64_t kInboxes = 0x1B0C5E4D1265A37F;  // of all that has shared counters
    const uint64_t high = mixIds(kInboxes, target) | 1;
    counters = sharedCounters(high, mixIds(high, target) | 1);
  }
  void put(int number) {
    if (counters == nullptr) return;
    counters->value[kTicks].store(readTicks(), std::memory_order_relaxed);
    auto& last = counters->value[kLast];
    uint64_t before = last.load(std::memory_order_relaxed);
    while (!last.compare_exchange_weak(before, ((before >> 8) + 1) << 8 | static_cast<unsigned>(number),
                                       std::memory_order_acq_rel)) {
    }
  }
  bool isEmpty() const { return counters == nullptr || counters->value[kLast].load(std::memory_order_acquire) == 0; }
  // The signal that was sent last; 0 if that was noticed before, or sent long before a wait began.
  int notice(uint64_t waitTicks) { return counters == nullptr ? 0 : notice(waitTicks, counters->value[kNoticed]); }
  int notice(uint64_t waitTicks, std::atomic<uint64_t>& noticed) {
    if (counters == nullptr) return 0;
    // A sender is counted a moment before the signal is sent.
    const uint64_t momentTicks = clockSettings.tickHz / 1000;
    const uint64_t last = counters->value[kLast].load(std::memory_order_acquire);
    if (noticed.exchange(last, std::memory_order_acq_rel) == last) return 0;
    const bool isOld = counters->value[kTicks].load(std::memory_order_relaxed) + momentTicks < waitTicks;
    return isOld ? 0 : static_cast<int>(last & 0xFF);
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
  constexpr int kAll = -1;
  if (pid == kAll || !isSignal(number) || !isRecorded()) return real();
  const uint64_t target = pid > 0   ? static_cast<uint64_t>(pid)
                          : pid < 0 ? kOfGroup | static_cast<uint64_t>(-static_cast<int64_t>(pid))
                                    : ownGroup();
  if (pid == sys::getpid() || (pid <= 0 && target == ownGroup())) {
    // Its handler runs within the call, and is code of the program.
    {
      Instant instant;
      tellSending(instant, target, number);
    }
    return real();
  }
  Call call(region);
  tellSending(call, target, number);
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

// Who has not taken one before names the last one: it may have come late into the group.
TakenSignal takenOfOwnGroup(int number) {
  const uint64_t group = ownGroup();
  if (Inbox(group).isEmpty()) return {};
  KernelObject* object = signalsTo(group, number);
  if (object == nullptr) return {};
  const uint64_t sent = object->count(kSent).load(std::memory_order_acquire);
  const uint64_t before = takenOfGroup[number].exchange(sent, std::memory_order_acq_rel);
  if (before >= sent) return {};
  return {object->number(), before == 0 ? sent : before + 1};
}

void tellOfHandler(Thread* thread, uint64_t ticks) {
  const TakenSignal taken = interruptingSignal(thread->lastEventTicks());  // that of the Enter
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
  TakenSignal found = taken(kOfThread | static_cast<uint64_t>(sys::gettid()), number);
  if (found.object == 0) found = taken(pid, number);
  return found.object != 0 ? found : takenOfOwnGroup(number);
}

TakenSignal interruptingSignal(uint64_t waitTicks) {
  if (!adapterEnabled(Adapter::kProcess)) return {};
  const auto own = static_cast<uint64_t>(sys::getpid());
  const uint64_t tid = kOfThread | static_cast<uint64_t>(sys::gettid());
  const uint64_t group = ownGroup();
  for (const uint64_t target : {tid, own, group}) {
    Inbox inbox(target);
    if (const int number = target == group ? inbox.notice(waitTicks, noticedOfGroup) : inbox.notice(waitTicks)) {
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

PARALLAX_EXPORT int killpg(pid_t group, int number) noexcept {
  auto* real = realKillpg.get();
  const auto call = [=] { return real(group, number); };
  return group < 0 || group == 1 ? call() : send(killRegion, -group, number, call);
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
