// Calls that make libc create its own threads without pthread_create: notification by a function
// and name lookups (asynchronous I/O: async/posix_aio.cpp). With its first thread, libc installs its
// own handler for the signal of the sampling timers, which must be undone.
//
// Called before the real function is known: it is looked up at once (real.h). Nothing is recorded of
// these calls; called inside an intercepted routine or recursively, they do the same.
#include <mqueue.h>
#include <netdb.h>
#include <signal.h>
#include <time.h>

#include "interpose/real.h"
#include "sampler/sampler.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(clockid_t, sigevent*, timer_t*)> realTimerCreate("timer_create");
PARALLAX_REAL Real<int(mqd_t, const sigevent*)> realMqNotify("mq_notify");
PARALLAX_REAL Real<int(int, gaicb**, int, sigevent*)> realGetaddrinfoA("getaddrinfo_a");

// errno stays: keepSignal() does not touch it.
template <class Result>
Result withSignalKept(Result result) {
  sampler::keepSignal();
  return result;
}

bool callsFunction(const sigevent* event) {
  return event != nullptr && event->sigev_notify == SIGEV_THREAD;
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  const int result = realTimerCreate.get()(clock, event, timer);
  return callsFunction(event) ? withSignalKept(result) : result;
}

PARALLAX_EXPORT int mq_notify(mqd_t queue, const sigevent* event) noexcept {
  const int result = realMqNotify.get()(queue, event);
  return callsFunction(event) ? withSignalKept(result) : result;
}

PARALLAX_EXPORT int getaddrinfo_a(int mode, gaicb** list, int count, sigevent* event) {
  return withSignalKept(realGetaddrinfoA.get()(mode, list, count, event));
}
