// Creation of processes by fork, clone and posix_spawn; vfork has its own file. Processes that libc
// itself creates (system, popen) do not call these functions.
//
// Called before the real function is known: it is looked up at once (real.h). Called inside an
// intercepted routine: calls the real function only. In the child, the call has no events: its
// thread begins as a new one (core/process.cpp).
#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <pty.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "core/process.h"
#include "core/thread.h"
#include "interpose/process/process_children.h"
#include "interpose/process/process_execute.h"
#include "interpose/real.h"

namespace parallax {
namespace {

using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                  char* const*, char* const*);
using Start = int(void*);
PARALLAX_REAL Real<pid_t()> realFork("fork");
PARALLAX_REAL Real<pid_t()> realUnderscoreFork("_Fork");
PARALLAX_REAL Real<int(int*, char*, const termios*, const winsize*)> realForkpty("forkpty");
PARALLAX_REAL Real<int(int, int)> realDaemon("daemon");
PARALLAX_REAL Real<int(Start*, void*, int, void*, ...)> realClone("clone");
PARALLAX_REAL Real<Spawn> realSpawn("posix_spawn");
PARALLAX_REAL Real<Spawn> realSpawnp("posix_spawnp");

Region forkRegion("fork", format::Group::kProcess);
Region underscoreForkRegion("_Fork", format::Group::kProcess);
Region forkptyRegion("forkpty", format::Group::kProcess);
Region daemonRegion("daemon", format::Group::kProcess);
Region cloneRegion("clone", format::Group::kProcess);
Region spawnRegion("posix_spawn", format::Group::kProcess);
Region spawnpRegion("posix_spawnp", format::Group::kProcess);

int spawn(Region& region, Spawn* real, pid_t* pid, const char* path,
          const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
          char* const argv[], char* const envp[]) {
  Call call(region);
  pid_t made = 0;
  const ProgramFile program = lookAtProgram(path, &region == &spawnpRegion);
  const int result = runFitted(program, envp, [&](char* const* environment) {
    return real(&made, path, actions, attributes, argv, environment);
  });
  call.returned();
  if (result != 0) return result;
  childCreated(call, made, format::Creation::kSpawn);
  if (pid != nullptr) *pid = made;
  return result;
}

// In a child by clone with memory of its own, which begins in a function instead of where the
// call was made.
struct CloneStart {
  Start* start;
  void* argument;
  bool inCall;
};

int startClone(void* with) {
  const CloneStart clone = *static_cast<CloneStart*>(with);
  if (clone.inCall) local.place.returnToProgram();
  return clone.start(clone.argument);
}

// As in libc: null is a device, or something is wrong with this system.
bool redirectToNull() {
  const int fd = open(_PATH_DEVNULL, O_RDWR);
  if (fd < 0) return false;
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISCHR(status.st_mode) || status.st_rdev != makedev(1, 3)) {
    close(fd);
    errno = ENODEV;
    return false;
  }
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(fd, standard);
  if (fd > STDERR_FILENO) close(fd);
  return true;
}

// A thread, or a process on the same memory, that has the thread-local variables of its creator, as
// only programs make them that do without libc's threads.
void beginSharingState() {
  if (!local.place.isProgram() || !recording()) return;
  note("The recording of a thread ended when it created another thread by clone that shares its "
      "thread-local variables: the agent cannot distinguish the two.");
  endCurrentThread();
  local.place.end();
}

}  // namespace
}  // namespace parallax

using namespace parallax;
using format::Creation;

PARALLAX_EXPORT pid_t fork() noexcept {
  auto* real = realFork.get();
  return createChild(forkRegion, Creation::kFork, [=] { return real(); });
}

// _Fork runs no handlers of pthread_atfork, not even the agent's. The child recognises the fork at
// its first event.
PARALLAX_EXPORT pid_t _Fork() noexcept {
  auto* real = realUnderscoreFork.get();
  return createChild(underscoreForkRegion, Creation::kFork, [=] { return real(); });
}

PARALLAX_EXPORT int forkpty(int* terminal, char* name, const termios* settings,
                            const winsize* size) noexcept {
  auto* real = realForkpty.get();
  return createChild(forkptyRegion, Creation::kFork,
                     [=] { return real(terminal, name, settings, size); });
}

// libc's daemon() ends the parent in a way that the agent cannot intercept. This one does the same
// with calls that are intercepted.
PARALLAX_EXPORT int daemon(int keepDirectory, int keepDescriptors) noexcept {
  if (!adapterEnabled(Adapter::kProcess) || process.state() != Process::State::kRecording) {
    return realDaemon.get()(keepDirectory, keepDescriptors);
  }
  auto* real = realFork.get();
  const pid_t pid = createChild(daemonRegion, Creation::kFork, [=] { return real(); });
  if (pid < 0) return -1;
  if (pid > 0) _exit(0);
  Guard guard;  // its own calls are not the program's
  if (setsid() < 0) return -1;
  if (keepDirectory == 0 && chdir("/") != 0) {
    // Ignored, as libc does.
  }
  return keepDescriptors != 0 || redirectToNull() ? 0 : -1;
}

// Threads, and processes that run on the memory of this one beside it, are the program's own
// matter: the agent has no state for them.
PARALLAX_EXPORT int clone(Start* start, void* stack, int flags, void* argument, ...) noexcept {
  va_list list;
  va_start(list, argument);
  auto* parentTid = va_arg(list, pid_t*);  // garbage that is not read, unless the flags say so
  auto* tls = va_arg(list, void*);
  auto* childTid = va_arg(list, pid_t*);
  va_end(list);
  auto* real = realClone.get();
  const bool sharesMemory = (flags & CLONE_VM) != 0;
  const bool suspends = (flags & CLONE_VFORK) != 0;
  if (sharesMemory && !suspends && (flags & CLONE_SETTLS) == 0) beginSharingState();
  if (start == nullptr || stack == nullptr || (sharesMemory && !suspends)) {
    return real(start, stack, flags, argument, parentTid, tls, childTid);
  }
  Call call(cloneRegion);
  int pid;
  if (sharesMemory) {
    SharedWithChild state;
    state.begin();
    pid = real(start, stack, flags, argument, parentTid, tls, childTid);
    state.end();
  } else {
    CloneStart begin{start, argument, call.thread() != nullptr};
    pid = real(startClone, stack, flags, &begin, parentTid, tls, childTid);
  }
  call.returned();
  if (pid > 0) childCreated(call, pid, suspends ? Creation::kVfork : Creation::kFork);
  return pid;
}

PARALLAX_EXPORT int posix_spawn(pid_t* pid, const char* path,
                                const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const argv[],
                                char* const envp[]) noexcept {
  return spawn(spawnRegion, realSpawn.get(), pid, path, actions, attributes, argv, envp);
}

PARALLAX_EXPORT int posix_spawnp(pid_t* pid, const char* file,
                                 const posix_spawn_file_actions_t* actions,
                                 const posix_spawnattr_t* attributes, char* const argv[],
                                 char* const envp[]) noexcept {
  return spawn(spawnpRegion, realSpawnp.get(), pid, file, actions, attributes, argv, envp);
}
