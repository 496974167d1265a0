// Hides SIGTRAP from the program if perf events use it for samples, or if traps lead to delay
// points: a program that blocks, awaits or handles "all signals" would otherwise stop the samples
// or receive them. Calls about other signals go to libc unchanged. (A SIGTRAP that arrives while
// the program believes it is blocked does not stay pending.)
//
// Also replaces alternate stacks that are too small for a sample (alternate_stack.h).
//
// Each function looks up the real one at its first call, which may come before any constructor.
// Until sampling begins, sampleSignals() is empty and nothing is changed.
#include <cerrno>
#include <csignal>
#include <sys/signalfd.h>

#include "core/agent.h"
#include "interpose/real.h"
#include "interpose/signals/signal_sets.h"
#include "sampler/alternate_stack.h"
#include "sampler/sampler.h"

namespace parallax {

namespace {

PARALLAX_REAL Real<int(int, const struct sigaction*, struct sigaction*)> realSigaction("sigaction");
PARALLAX_REAL Real<sighandler_t(int, sighandler_t)> realSignal("signal");
PARALLAX_REAL Real<sighandler_t(int, sighandler_t)> realSysvSignal("__sysv_signal");
PARALLAX_REAL Real<int(int, const sigset_t*, sigset_t*)> realSigprocmask("sigprocmask");
PARALLAX_REAL Real<int(int, const sigset_t*, sigset_t*)> realPthreadSigmask("pthread_sigmask");
PARALLAX_REAL Real<int(int, const sigset_t*, int)> realSignalfd("signalfd");
PARALLAX_REAL Real<int(const stack_t*, stack_t*)> realSigaltstack("sigaltstack");

sighandler_t exchangeHandler(int number, sighandler_t handler, int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return sampler::exchangeProgramAction(number, &action).sa_handler;
}

int change(Real<int(int, const sigset_t*, sigset_t*)>& real, int how, const sigset_t* set,
           sigset_t* old) {
  return how == SIG_UNBLOCK ? real.get()(how, set, old) : real.get()(how, Without(set), old);
}

}  // namespace

PARALLAX_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  if (sampler::isSampleSignal(number)) {
    const struct sigaction former = sampler::exchangeProgramAction(number, action);
    if (old != nullptr) *old = former;
    return 0;
  }
  if (action == nullptr) return realSigaction.get()(number, action, old);
  // A long handler that blocks all signals must still be sampled.
  struct sigaction own = *action;
  removeSignals(&own.sa_mask, sampler::sampleSignals());
  return realSigaction.get()(number, &own, old);
}

PARALLAX_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (sampler::isSampleSignal(number)) return exchangeHandler(number, handler, SA_RESTART);
  return realSignal.get()(number, handler);
}

// What <signal.h> makes of signal where only the standards' names are wanted.
PARALLAX_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  constexpr int kOnce = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  if (sampler::isSampleSignal(number)) return exchangeHandler(number, handler, kOnce);
  return realSysvSignal.get()(number, handler);
}
PARALLAX_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return __sysv_signal(number, handler);
}

PARALLAX_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change(realSigprocmask, how, set, old);
}

PARALLAX_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change(realPthreadSigmask, how, set, old);
}

PARALLAX_EXPORT int signalfd(int fd, const sigset_t* set, int flags) noexcept {
  return realSignalfd.get()(fd, Without(set), flags);
}

#if !defined(__SANITIZE_THREAD__)  // which calls it before code that was built with it can run
PARALLAX_EXPORT int sigaltstack(const stack_t* wanted, stack_t* old) noexcept {
  if (!sampler::sendsSignals()) return realSigaltstack.get()(wanted, old);
  return sampler::setAlternateStack(realSigaltstack.get(), wanted, old);
}
#endif

}  // namespace parallax
