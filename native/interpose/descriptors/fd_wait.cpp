// Waiting until a descriptor is ready: the thread waits, and what it waited for is told by the
// call that then takes or gives bytes. Those that only look, without waiting, are told when they
// took long.
//
// Called before the real function is known: it is looked up at once; out of the lookup itself
// libc's own names are used (real.h). Called inside an intercepted routine: passes straight
// through.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "interpose/descriptors/fd_call.h"
#include "interpose/process/process_signal.h"
#include "interpose/signals/signal_sets.h"

extern "C" {
int __poll(pollfd*, nfds_t, int) __attribute__((weak));
int __select(int, fd_set*, fd_set*, fd_set*, timeval*) __attribute__((weak));
[[noreturn]] void __chk_fail();
}

namespace parallax {
namespace {

PARALLAX_REAL Real<int(pollfd*, nfds_t, int)> realPoll("poll", __poll);
PARALLAX_REAL Real<int(pollfd*, nfds_t, const timespec*, const sigset_t*)> realPpoll("ppoll");
PARALLAX_REAL Real<int(int, fd_set*, fd_set*, fd_set*, timeval*)> realSelect("select", __select);
PARALLAX_REAL Real<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)>
    realPselect("pselect");
PARALLAX_REAL Real<int(int, epoll_event*, int, int)> realEpollWait("epoll_wait");
PARALLAX_REAL Real<int(int, epoll_event*, int, int, const sigset_t*)> realEpollPwait("epoll_pwait");
PARALLAX_REAL Real<int(int, epoll_event*, int, const timespec*, const sigset_t*)> realEpollPwait2(
    "epoll_pwait2");

Region pollRegion("poll", format::Group::kStream);
Region selectRegion("select", format::Group::kStream);
Region epollRegion("epoll_wait", format::Group::kStream);

bool isZero(const timespec* timeout) {
  return timeout != nullptr && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
}

// How long a call may wait.
enum class Timeout : uint8_t { kNone, kSome, kNever };

Timeout timeoutOf(int milliseconds) {
  return milliseconds == 0 ? Timeout::kNone : milliseconds > 0 ? Timeout::kSome : Timeout::kNever;
}

Timeout timeoutOf(const timespec* timeout) {
  return timeout == nullptr ? Timeout::kNever : isZero(timeout) ? Timeout::kNone : Timeout::kSome;
}

// Without descriptors, or in vain for some time, it is an attempt of polling.
template <class Real>
int waitFor(Region& region, Timeout timeout, Real real) {
  if (!fdCallsWanted() || !adapterEnabled(Adapter::kStream)) return real();
  FdCall call;
  if (!call) return real();
  if (timeout == Timeout::kSome) {
    call.beginTimed(region);
  } else {
    call.begin(region, timeout == Timeout::kNever);
  }
  const int result = call.run(real);
  const int error = errno;
  if (result < 0 && error == EINTR) tellInterruption(call);
  call.returned();
  if (result == 0) {
    call.missed();
  } else if (result > 0) {
    call.endPolling();
  }
  if (call.duration() > FdCall::shortTicks()) call.keep();
  errno = error;
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int poll(pollfd* fds, nfds_t count, int timeout) {
  auto* real = realPoll.get();
  return waitFor(pollRegion, timeoutOf(timeout), [=] { return real(fds, count, timeout); });
}

PARALLAX_EXPORT int ppoll(pollfd* fds, nfds_t count, const timespec* timeout,
                          const sigset_t* signals) {
  auto* real = realPpoll.get();
  return waitFor(pollRegion, timeoutOf(timeout),
                 [=] { return real(fds, count, timeout, WithoutTraps(signals)); });
}

PARALLAX_EXPORT int select(int count, fd_set* reads, fd_set* writes, fd_set* exceptions,
                           timeval* timeout) {
  auto* real = realSelect.get();
  const bool isNone = timeout != nullptr && timeout->tv_sec == 0 && timeout->tv_usec == 0;
  return waitFor(selectRegion,
                 timeout == nullptr ? Timeout::kNever : isNone ? Timeout::kNone : Timeout::kSome,
                 [=] { return real(count, reads, writes, exceptions, timeout); });
}

PARALLAX_EXPORT int pselect(int count, fd_set* reads, fd_set* writes, fd_set* exceptions,
                            const timespec* timeout, const sigset_t* signals) {
  auto* real = realPselect.get();
  return waitFor(selectRegion, timeoutOf(timeout),
                 [=] { return real(count, reads, writes, exceptions, timeout, WithoutTraps(signals)); });
}

PARALLAX_EXPORT int epoll_wait(int fd, epoll_event* events, int most, int timeout) {
  auto* real = realEpollWait.get();
  return waitFor(epollRegion, timeoutOf(timeout), [=] { return real(fd, events, most, timeout); });
}

PARALLAX_EXPORT int epoll_pwait(int fd, epoll_event* events, int most, int timeout,
                                const sigset_t* signals) {
  auto* real = realEpollPwait.get();
  return waitFor(epollRegion, timeoutOf(timeout),
                 [=] { return real(fd, events, most, timeout, WithoutTraps(signals)); });
}

PARALLAX_EXPORT int epoll_pwait2(int fd, epoll_event* events, int most, const timespec* timeout,
                                 const sigset_t* signals) {
  auto* real = realEpollPwait2.get();
  return waitFor(epollRegion, timeoutOf(timeout),
                 [=] { return real(fd, events, most, timeout, WithoutTraps(signals)); });
}

// What they are called when the program is compiled with _FORTIFY_SOURCE.
PARALLAX_EXPORT int __poll_chk(pollfd* fds, nfds_t count, int timeout, size_t capacityBytes) {
  if (capacityBytes / sizeof *fds < count) __chk_fail();
  return poll(fds, count, timeout);
}
PARALLAX_EXPORT int __ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout,
                                const sigset_t* signals, size_t capacityBytes) {
  if (capacityBytes / sizeof *fds < count) __chk_fail();
  return ppoll(fds, count, timeout, signals);
}
