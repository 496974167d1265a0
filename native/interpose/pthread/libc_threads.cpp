// Calls that make libc create its own threads without pthread_create: notification by a function,
// asynchronous I/O and name lookups. With its first thread, libc installs its own handler for the
// signal of the sampling timers, which must be undone.
//
// Called before the real function is known: it is looked up at once (real.h). Nothing is recorded of
// these calls; called inside an intercepted routine or recursively, they do the same.
#include <aio.h>
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

#define PARALLAX_MAKES_THREADS(name, types, parameters, arguments)         \
  namespace parallax {                                                     \
  PARALLAX_REAL static Real<int types> real_##name(#name);                 \
  }                                                                        \
  PARALLAX_EXPORT int name parameters {                                    \
    return withSignalKept(real_##name.get() arguments);                    \
  }

PARALLAX_MAKES_THREADS(aio_read, (aiocb*), (aiocb* block), (block))
PARALLAX_MAKES_THREADS(aio_write, (aiocb*), (aiocb* block), (block))
PARALLAX_MAKES_THREADS(aio_fsync, (int, aiocb*), (int operation, aiocb* block), (operation, block))
PARALLAX_MAKES_THREADS(aio_read64, (aiocb64*), (aiocb64* block), (block))
PARALLAX_MAKES_THREADS(aio_write64, (aiocb64*), (aiocb64* block), (block))
PARALLAX_MAKES_THREADS(aio_fsync64, (int, aiocb64*), (int operation, aiocb64* block),
                       (operation, block))
PARALLAX_MAKES_THREADS(lio_listio, (int, aiocb* const*, int, sigevent*),
                       (int mode, aiocb* const* list, int count, sigevent* event),
                       (mode, list, count, event))
PARALLAX_MAKES_THREADS(lio_listio64, (int, aiocb64* const*, int, sigevent*),
                       (int mode, aiocb64* const* list, int count, sigevent* event),
                       (mode, list, count, event))
PARALLAX_MAKES_THREADS(getaddrinfo_a, (int, gaicb**, int, sigevent*),
                       (int mode, gaicb** list, int count, sigevent* event),
                       (mode, list, count, event))
