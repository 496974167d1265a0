// What a virtual speed-up does around intercepted routines: pays before those that can let another
// thread go on, credits those that wait. It stands between the wrappers and the real routines, so
// that it is the same whether a process is recorded or not, and costs nothing where there is none.
// MPI's routines have theirs in Target::call (mpi_routine.h).
//
// Called before the real function is known: nothing is replaced then; what is not found never is.
// Called recursively: waits nest, payments within them are nothing.
#include "interpose/speedup/speedup_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <type_traits>

#include "core/agent.h"
#include "interpose/real.h"
#include "perturb/speedup.h"

namespace parallax::speedup {
namespace {

// ------------------------------------------------- how a wait can have ended

struct ByOthers {
  template <class R>
  static bool ended(R) {
    return true;
  }
};
// 0, or an error that may be that the time is up.
struct UnlessError {
  static bool ended(int result) { return result == 0; }
};
// The number of those that are ready; 0 when the time is up.
struct WhenReady {
  static bool ended(int result) { return result > 0; }
};

// ------------------------------------------------------------- replacements

// What is waited for is the first argument, where that is an address or a handle.
template <class T>
uintptr_t objectOf(T first) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<uintptr_t>(first);
  } else {
    return std::is_same_v<T, pthread_t> ? static_cast<uintptr_t>(first) : 0;
  }
}
template <class T, class... Rest>
uintptr_t objectOf(T first, Rest...) {
  return objectOf(first);
}

template <auto symbol, class F = decltype(symbol)>
struct Around;
template <auto symbol, class R, class... A>
struct Around<symbol, R (*)(A...)> {
  static inline R (*real)(A...) = nullptr;

  static R release(A... arguments) {
    pay(objectOf(arguments...));
    return real(arguments...);
  }
  template <class End>
  static R wait(A... arguments) {
    beginWait(objectOf(arguments...));
    const R result = real(arguments...);
    endWait(End::ended(result));
    return result;
  }
  // Of a descriptor, which comes first: what a file has was not made while it waited.
  static R read(A... arguments) {
    beginWait();
    const R result = real(arguments...);
    const int error = errno;
    endWait(!isFile(arguments...));
    errno = error;
    return result;
  }
  static R execute(A... arguments) {
    pauseSampling();
    const R result = real(arguments...);
    resumeSampling();
    return result;
  }
  static R fork(A... arguments) {
    pay();
    const R result = real(arguments...);
    if (result == 0) afterFork();
    return result;
  }

 private:
  template <class... Rest>
  static bool isFile(int fd, Rest...) {
    struct stat status;
    return fstat(fd, &status) == 0 && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode));
  }
};
template <auto symbol, class R, class... A>
struct Around<symbol, R (*)(A...) noexcept> : Around<static_cast<R (*)(A...)>(symbol)> {};

template <class F>
void replace(const char* name, F*& real, F* by) {
  void* found = RealSymbol::replace(name, reinterpret_cast<void*>(by));
  if (found != nullptr) real = reinterpret_cast<F*>(found);
}

// The real one must be known before anybody can come through the replacement; there is one thread.
#define PARALLAX_RELEASE(name) replace(#name, Around<name>::real, Around<name>::release)
#define PARALLAX_WAIT(name, end) replace(#name, Around<name>::real, Around<name>::wait<end>)
#define PARALLAX_READ(name) replace(#name, Around<name>::real, Around<name>::read)
#define PARALLAX_EXECUTE(name) replace(#name, Around<name>::real, Around<name>::execute)
#define PARALLAX_FORK(name) replace(#name, Around<name>::real, Around<name>::fork)

// ------------------------------------------------------------------ threads

// From the maker of a thread to the thread.
template <class R>
struct Begin {
  R (*routine)(void*);
  void* argument;
  uint64_t level;
};

template <class R>
R runThread(void* argument) {
  auto* given = static_cast<Begin<R>*>(argument);
  const Begin<R> begin = *given;
  releasePages(given, sizeof *given);
  beginThread(begin.level);
  return begin.routine(begin.argument);
}

template <class R>
Begin<R>* prepare(R (*routine)(void*), void* argument) {
  pay();
  auto* begin = static_cast<Begin<R>*>(allocatePages(sizeof(Begin<R>)));
  if (begin != nullptr) *begin = {routine, argument, levelOfChild()};
  return begin;
}

int (*realPthreadCreate)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int createPthread(pthread_t* handle, const pthread_attr_t* attributes, void* (*routine)(void*),
                  void* argument) {
  auto* begin = prepare(routine, argument);
  if (begin == nullptr) return realPthreadCreate(handle, attributes, routine, argument);
  const int result = realPthreadCreate(handle, attributes, runThread<void*>, begin);
  if (result != 0) releasePages(begin, sizeof *begin);
  return result;
}

int (*realThrdCreate)(thrd_t*, thrd_start_t, void*);
int createThrd(thrd_t* handle, thrd_start_t routine, void* argument) {
  auto* begin = prepare(routine, argument);
  if (begin == nullptr) return realThrdCreate(handle, routine, argument);
  const int result = realThrdCreate(handle, runThread<int>, begin);
  if (result != thrd_success) releasePages(begin, sizeof *begin);
  return result;
}

void replaceThreads() {
  replace("pthread_create", realPthreadCreate, createPthread);
  replace("thrd_create", realThrdCreate, createThrd);
  PARALLAX_WAIT(pthread_join, ByOthers);
  PARALLAX_WAIT(thrd_join, ByOthers);
  PARALLAX_WAIT(pthread_timedjoin_np, UnlessError);
  PARALLAX_WAIT(pthread_clockjoin_np, UnlessError);

  PARALLAX_WAIT(pthread_mutex_lock, ByOthers);
  PARALLAX_WAIT(pthread_mutex_timedlock, UnlessError);
  PARALLAX_WAIT(pthread_mutex_clocklock, UnlessError);
  PARALLAX_RELEASE(pthread_mutex_unlock);
  PARALLAX_WAIT(pthread_spin_lock, ByOthers);
  PARALLAX_RELEASE(pthread_spin_unlock);
  PARALLAX_WAIT(pthread_rwlock_rdlock, ByOthers);
  PARALLAX_WAIT(pthread_rwlock_wrlock, ByOthers);
  PARALLAX_WAIT(pthread_rwlock_timedrdlock, UnlessError);
  PARALLAX_WAIT(pthread_rwlock_timedwrlock, UnlessError);
  PARALLAX_WAIT(pthread_rwlock_clockrdlock, UnlessError);
  PARALLAX_WAIT(pthread_rwlock_clockwrlock, UnlessError);
  PARALLAX_RELEASE(pthread_rwlock_unlock);

  PARALLAX_WAIT(pthread_cond_wait, ByOthers);
  PARALLAX_WAIT(pthread_cond_timedwait, UnlessError);
  PARALLAX_WAIT(pthread_cond_clockwait, UnlessError);
  PARALLAX_RELEASE(pthread_cond_signal);
  PARALLAX_RELEASE(pthread_cond_broadcast);
  PARALLAX_WAIT(pthread_barrier_wait, ByOthers);
  PARALLAX_WAIT(sem_wait, ByOthers);
  PARALLAX_WAIT(sem_timedwait, UnlessError);
  PARALLAX_WAIT(sem_clockwait, UnlessError);
  PARALLAX_RELEASE(sem_post);
}

void replaceProcesses() {
  PARALLAX_FORK(fork);
  PARALLAX_FORK(_Fork);
  PARALLAX_RELEASE(posix_spawn);
  PARALLAX_RELEASE(posix_spawnp);
  PARALLAX_RELEASE(popen);
  PARALLAX_WAIT(pclose, ByOthers);
  PARALLAX_WAIT(system, ByOthers);
  PARALLAX_WAIT(wait, ByOthers);
  PARALLAX_WAIT(waitpid, ByOthers);
  PARALLAX_WAIT(waitid, ByOthers);
  PARALLAX_WAIT(wait3, ByOthers);
  PARALLAX_WAIT(wait4, ByOthers);
  PARALLAX_RELEASE(kill);
  PARALLAX_RELEASE(sigqueue);
  PARALLAX_EXECUTE(execv);
  PARALLAX_EXECUTE(execvp);
  PARALLAX_EXECUTE(execve);
  PARALLAX_EXECUTE(execvpe);
  PARALLAX_EXECUTE(fexecve);
  PARALLAX_EXECUTE(execveat);
}

void replaceStreams() {
  PARALLAX_READ(read);
  PARALLAX_READ(readv);
  PARALLAX_WAIT(recv, ByOthers);
  PARALLAX_WAIT(recvfrom, ByOthers);
  PARALLAX_WAIT(recvmsg, ByOthers);
  PARALLAX_WAIT(recvmmsg, WhenReady);
  PARALLAX_WAIT(accept, ByOthers);
  PARALLAX_WAIT(accept4, ByOthers);
  PARALLAX_WAIT(connect, ByOthers);
  PARALLAX_WAIT(poll, WhenReady);
  PARALLAX_WAIT(ppoll, WhenReady);
  PARALLAX_WAIT(select, WhenReady);
  PARALLAX_WAIT(pselect, WhenReady);
  PARALLAX_WAIT(epoll_wait, WhenReady);
  PARALLAX_WAIT(epoll_pwait, WhenReady);
  PARALLAX_WAIT(epoll_pwait2, WhenReady);
  // They may wait for room, too.
  PARALLAX_READ(write);
  PARALLAX_READ(writev);
  PARALLAX_WAIT(send, ByOthers);
  PARALLAX_WAIT(sendto, ByOthers);
  PARALLAX_WAIT(sendmsg, ByOthers);
  PARALLAX_WAIT(sendmmsg, ByOthers);
  PARALLAX_READ(sendfile64);
  PARALLAX_WAIT(splice, ByOthers);
  PARALLAX_WAIT(vmsplice, ByOthers);
  PARALLAX_WAIT(tee, ByOthers);
  PARALLAX_RELEASE(shutdown);
  PARALLAX_RELEASE(close);  // whoever reads sees the end
}

}  // namespace

void replaceCalls() {
  replaceThreads();
  replaceProcesses();
  replaceStreams();
  on_exit([](int, void*) { payAll(); }, nullptr);
}

}  // namespace parallax::speedup
