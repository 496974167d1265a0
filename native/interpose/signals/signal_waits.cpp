// Waits for signals, which the thread takes itself (sigwait and its kin) or by a handler (pause, sigsuspend). The set of
// a wait is without the signals that are the agent's own.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an intercepted routine: passes
// straight through.
#include <errno.h>
#include <unistd.h>

#include <csignal>

#include "interpose/process/process_signal.h"
#include "interpose/real.h"
#include "interpose/signals/signal_sets.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(const sigset_t*, int*)> realSigwait("sigwait");
PARALLAX_REAL Real<int(const sigset_t*, siginfo_t*)> realSigwaitinfo("sigwaitinfo");
PARALLAX_REAL Real<int(const sigset_t*, siginfo_t*, const timespec*)> realSigtimedwait("sigtimedwait");
PARALLAX_REAL Real<int(const sigset_t*)> realSigsuspend("sigsuspend");
PARALLAX_REAL Real<int()> realPause("pause");

Region sigwaitRegion("sigwait", format::Group::kProcess);
Region sigwaitinfoRegion("sigwaitinfo", format::Group::kProcess);
Region sigtimedwaitRegion("sigtimedwait", format::Group::kProcess);
Region sigsuspendRegion("sigsuspend", format::Group::kProcess);
Region pauseRegion("pause", format::Group::kProcess);

bool isRecorded() { return adapterEnabled(Adapter::kProcess) && recording(); }

// `real` takes a signal and returns its number, and fills in `info`.
template <class Real>
int take(FdCall& call, Region& region, bool waits, const siginfo_t& info, Real real) {
  call.begin(region, waits);
  const int number = call.run(real);
  const int error = errno;
  if (number > 0) {
    const TakenSignal taken = takenSignal(number, info.si_code);
    call.returned();
    if (taken.object != 0) call.emit(Kind::kWake, taken.object, {taken.sending});
  } else if (error == EINTR) {
    tellInterruption(call);
  } else if (error == EAGAIN) {
    call.timedOut();
  }
  errno = error;
  return number;
}

// `real` returns when a handler has run.
template <class Real>
int untilHandled(Region& region, Real real) {
  if (!isRecorded()) return real();
  FdCall call;
  if (!call) return real();
  call.begin(region, true);
  const int result = call.run(real);
  const int error = errno;
  tellInterruption(call);
  errno = error;
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

// As libc does, which begins anew after a handler.
PARALLAX_EXPORT int sigwait(const sigset_t* set, int* number) {
  const Without own(set);
  if (isRecorded()) {
    FdCall call;
    if (call) {
      auto* real = realSigwaitinfo.get();
      siginfo_t info{};
      const int before = errno;
      int error = 0;
      const int taken = take(call, sigwaitRegion, true, info, [&] {
        int result;
        do {
          result = real(own, &info);
        } while (result < 0 && errno == EINTR);
        return result;
      });
      if (taken < 0) error = errno;
      errno = before;
      if (taken >= 0) *number = taken;
      return error;
    }
  }
  return realSigwait.get()(own, number);
}

PARALLAX_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  auto* real = realSigwaitinfo.get();
  const Without own(set);
  if (!isRecorded()) return real(own, info);
  FdCall call;
  if (!call) return real(own, info);
  siginfo_t mine{};
  siginfo_t* used = info != nullptr ? info : &mine;
  return take(call, sigwaitinfoRegion, true, *used, [&] { return real(own, used); });
}

PARALLAX_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  auto* real = realSigtimedwait.get();
  const Without own(set);
  if (!isRecorded()) return real(own, info, timeout);
  FdCall call;
  if (!call) return real(own, info, timeout);
  siginfo_t mine{};
  siginfo_t* used = info != nullptr ? info : &mine;
  const bool waits = timeout == nullptr || timeout->tv_sec != 0 || timeout->tv_nsec != 0;
  return take(call, sigtimedwaitRegion, waits, *used, [&] { return real(own, used, timeout); });
}

PARALLAX_EXPORT int sigsuspend(const sigset_t* set) {
  auto* real = realSigsuspend.get();
  const WithoutTraps own(set);
  return untilHandled(sigsuspendRegion, [&] { return real(own); });
}

PARALLAX_EXPORT int pause() {
  auto* real = realPause.get();
  return untilHandled(pauseRegion, [=] { return real(); });
}
