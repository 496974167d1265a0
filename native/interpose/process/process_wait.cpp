// Waits for the end of processes.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: passes straight through. A call that only looks has no Enter and Leave.
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/thread.h"
#include "interpose/process/process_children.h"
#include "interpose/process/process_signal.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<pid_t(int*)> realWait("wait");
PARALLAX_REAL Real<pid_t(pid_t, int*, int)> realWaitpid("waitpid");
PARALLAX_REAL Real<pid_t(int*, int, rusage*)> realWait3("wait3");
PARALLAX_REAL Real<pid_t(pid_t, int*, int, rusage*)> realWait4("wait4");
PARALLAX_REAL Real<int(idtype_t, id_t, siginfo_t*, int)> realWaitid("waitid");

Region waitRegion("wait", format::Group::kProcess);
Region waitpidRegion("waitpid", format::Group::kProcess);
Region wait3Region("wait3", format::Group::kProcess);
Region wait4Region("wait4", format::Group::kProcess);
Region waitidRegion("waitid", format::Group::kProcess);

// What a wait has found; no process when pid is not positive.
struct Found {
  int pid;
  int status;
};

void looked(Region& region, Found found) {
  tellIfKilled(found.pid, found.status);
  const bool ended = found.pid > 0 && (WIFEXITED(found.status) || WIFSIGNALED(found.status));
  if ((!ended && found.pid != 0) || !adapterEnabled(Adapter::kProcess)) return;
  Guard guard;
  if (!guard) return;
  Thread* thread = guard.thread();
  if (!ended) return missedAttempt(thread, region);
  const PolledCall call(thread, region);
  uint64_t ticks = call ? call.ticks() : thread->nowAfter();
  if (!call) thread->checkCpu(ticks);
  const uint64_t payload[] = {static_cast<uint64_t>(found.pid),
                              static_cast<uint64_t>(howCreated(found.pid)),
                              static_cast<uint32_t>(found.status)};
  thread->emit(Kind::kProcessWait, 0, ticks, payload, 3);
}

// `wait` is the real call.
template <class Wait>
Found waitFor(Region& region, int options, Wait wait) {
  if ((options & WNOHANG) != 0) {
    const Found found = wait();
    looked(region, found);
    return found;
  }
  Call call(region);
  Found found;
  pthread_cleanup_push([](void* c) { static_cast<Call*>(c)->endUnwinding(); }, &call);
  found = wait();
  pthread_cleanup_pop(0);
  const int error = errno;
  if (found.pid < 0 && error == EINTR) tellInterruption(call);
  call.returned();
  errno = error;
  childWaited(call, found.pid, found.status);
  return found;
}

// Those that fill in a status, which the caller may not want.
template <class Wait>
pid_t waitWithStatus(Region& region, int* status, int options, Wait wait) {
  const Found found = waitFor(region, options, [=] {
    int own = 0;
    int* used = status != nullptr ? status : &own;
    const int pid = wait(used);
    return Found{pid, pid > 0 ? *used : 0};
  });
  return found.pid;
}

// The status that waitpid would give.
int statusOf(const siginfo_t& info) {
  constexpr int kCoreDumped = 0x80;
  constexpr int kStopped = 0x7F;  // or goes on
  switch (info.si_code) {
    case CLD_EXITED: return (info.si_status & 0xFF) << 8;
    case CLD_KILLED: return info.si_status;
    case CLD_DUMPED: return info.si_status | kCoreDumped;
    default: return kStopped;
  }
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT pid_t wait(int* status) {
  auto* real = realWait.get();
  return waitWithStatus(waitRegion, status, 0, [=](int* own) { return real(own); });
}

PARALLAX_EXPORT pid_t waitpid(pid_t pid, int* status, int options) {
  auto* real = realWaitpid.get();
  return waitWithStatus(waitpidRegion, status, options,
                        [=](int* own) { return real(pid, own, options); });
}

PARALLAX_EXPORT pid_t wait3(int* status, int options, rusage* usage) noexcept {
  auto* real = realWait3.get();
  return waitWithStatus(wait3Region, status, options,
                        [=](int* own) { return real(own, options, usage); });
}

PARALLAX_EXPORT pid_t wait4(pid_t pid, int* status, int options, rusage* usage) noexcept {
  auto* real = realWait4.get();
  return waitWithStatus(wait4Region, status, options,
                        [=](int* own) { return real(pid, own, options, usage); });
}

// Linux allows no info, which POSIX does not. With WNOWAIT the end of the process is still to be
// waited for, and is told then.
PARALLAX_EXPORT int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  auto* real = realWaitid.get();
  int result = 0;
  waitFor(waitidRegion, options, [=, &result] {
    siginfo_t own;
    siginfo_t* used = info != nullptr ? info : &own;
    result = real(type, id, used, options);  // process 0 when none has ended
    if (result != 0) return Found{-1, 0};
    if ((options & WNOWAIT) != 0 && used->si_pid != 0) return Found{-1, 0};
    return Found{used->si_pid, statusOf(*used)};
  });
  return result;
}
