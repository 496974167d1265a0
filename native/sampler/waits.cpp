// Waits outside intercepted routines, for samples on wall time (PARALLAX_SAMPLE_CLOCK=wall).
//
// No signal may end or shorten a wait of the program, so none is sent to a thread that waits.
// Instead the time without the processor in these routines is added up, and each time that it
// passes a sample period the routine in which it does takes a sample at its end, with the path
// of its caller: samples of waits come by the time waited as others come by CPU time.
//
// Called before the real function is known: it is looked up at once (real.h). None calls itself.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "agent/agent.h"
#include "agent/cpu_clock.h"
#include "interpose/real.h"
#include "sampler/sampler.h"

namespace parallax {
namespace {

Real<int(pollfd*, nfds_t, int)> realPoll("poll");
Real<int(pollfd*, nfds_t, const timespec*, const sigset_t*)> realPpoll("ppoll");
Real<int(int, fd_set*, fd_set*, fd_set*, timeval*)> realSelect("select");
Real<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)> realPselect("pselect");
Real<int(int, epoll_event*, int, int)> realEpollWait("epoll_wait");
Real<int(int, epoll_event*, int, int, const sigset_t*)> realEpollPwait("epoll_pwait");
Real<int(const timespec*, timespec*)> realNanosleep("nanosleep");
Real<int(clockid_t, int, const timespec*, timespec*)> realClockNanosleep("clock_nanosleep");
Real<int(useconds_t)> realUsleep("usleep");
Real<unsigned(unsigned)> realSleep("sleep");
Real<int()> realPause("pause");

template <class Wait>
auto waiting(Wait wait) {
  if (!sampler::samplesWaits()) return wait();
  const uint64_t beginNs = monotonicNs();
  const uint64_t beginCpuNs = CpuClock::readNs();
  const auto result = wait();
  const int savedErrno = errno;
  const auto waitedNs = static_cast<int64_t>((monotonicNs() - beginNs) -
                                             (CpuClock::readNs() - beginCpuNs));
  if (waitedNs > 0) sampler::waited(static_cast<uint64_t>(waitedNs));
  errno = savedErrno;
  return result;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int poll(pollfd* descriptors, nfds_t count, int timeoutMs) {
  auto* real = realPoll.get();
  return waiting([=] { return real(descriptors, count, timeoutMs); });
}

PARALLAX_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout,
                          const sigset_t* mask) {
  auto* real = realPpoll.get();
  return waiting([=] { return real(descriptors, count, timeout, mask); });
}

PARALLAX_EXPORT int select(int count, fd_set* in, fd_set* out, fd_set* other, timeval* timeout) {
  auto* real = realSelect.get();
  return waiting([=] { return real(count, in, out, other, timeout); });
}

PARALLAX_EXPORT int pselect(int count, fd_set* in, fd_set* out, fd_set* other,
                            const timespec* timeout, const sigset_t* mask) {
  auto* real = realPselect.get();
  return waiting([=] { return real(count, in, out, other, timeout, mask); });
}

PARALLAX_EXPORT int epoll_wait(int fd, epoll_event* events, int count, int timeoutMs) {
  auto* real = realEpollWait.get();
  return waiting([=] { return real(fd, events, count, timeoutMs); });
}

PARALLAX_EXPORT int epoll_pwait(int fd, epoll_event* events, int count, int timeoutMs,
                                const sigset_t* mask) {
  auto* real = realEpollPwait.get();
  return waiting([=] { return real(fd, events, count, timeoutMs, mask); });
}

PARALLAX_EXPORT int nanosleep(const timespec* time, timespec* left) {
  auto* real = realNanosleep.get();
  return waiting([=] { return real(time, left); });
}

PARALLAX_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                    timespec* left) {
  auto* real = realClockNanosleep.get();
  return waiting([=] { return real(clock, flags, time, left); });
}

PARALLAX_EXPORT int usleep(useconds_t time) {
  auto* real = realUsleep.get();
  return waiting([=] { return real(time); });
}

PARALLAX_EXPORT unsigned sleep(unsigned seconds) {
  auto* real = realSleep.get();
  return waiting([=] { return real(seconds); });
}

PARALLAX_EXPORT int pause() {
  auto* real = realPause.get();
  return waiting([=] { return real(); });
}
