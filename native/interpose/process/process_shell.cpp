// system, popen and pclose. libc creates their processes and waits for them without calling symbols
// that can be intercepted.
//
// Called before the real function is known: it is looked up at once (real.h). popen and pclose
// called inside an intercepted routine pass straight through; system does the same work without
// events. None of them may be called inside itself.
#include <errno.h>
#include <paths.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/address_table.h"
#include "base/sandbox.h"
#include "base/spin_lock.h"
#include "base/sys.h"
#include "core/glibc.h"
#include "core/process.h"
#include "core/thread.h"
#include "interpose/process/process_children.h"
#include "interpose/process/process_execute.h"
#include "interpose/real.h"

namespace parallax {
namespace {

using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                  char* const*, char* const*);
PARALLAX_REAL Real<int(const char*)> realSystem("system");
PARALLAX_REAL Real<Spawn> realSpawn("posix_spawn");
PARALLAX_REAL Real<pid_t(pid_t, int*, int)> realWaitpid("waitpid");
PARALLAX_REAL Real<int(idtype_t, id_t, siginfo_t*, int)> realWaitid("waitid");
PARALLAX_REAL Real<FILE*(const char*, const char*)> realPopen("popen");
PARALLAX_REAL Real<int(FILE*)> realPclose("pclose");

Region systemRegion("system", format::Group::kProcess);
Region popenRegion("popen", format::Group::kProcess);
Region pcloseRegion("pclose", format::Group::kProcess);

// The signals of the keyboard are ignored while any thread is in system().
class KeyboardSignals {
 public:
  void ignore() {
    const bool locked = lock_.lock();
    if (users_++ == 0) {
      struct sigaction ignored = {};
      ignored.sa_handler = SIG_IGN;
      sigaction(SIGINT, &ignored, &interrupt_);
      sigaction(SIGQUIT, &ignored, &quit_);
    }
    if (locked) lock_.unlock();
  }
  void restore() {
    const bool locked = lock_.lock();
    if (--users_ == 0) {
      sigaction(SIGINT, &interrupt_, nullptr);
      sigaction(SIGQUIT, &quit_, nullptr);
    }
    if (locked) lock_.unlock();
  }
  // Those that the program itself does not ignore, and so its child must not.
  sigset_t wanted() const {
    sigset_t set;
    sigemptyset(&set);
    if (interrupt_.sa_handler != SIG_IGN) sigaddset(&set, SIGINT);
    if (quit_.sa_handler != SIG_IGN) sigaddset(&set, SIGQUIT);
    return set;
  }

 private:
  SpinLock lock_;
  int users_ = 0;
  struct sigaction interrupt_ = {}, quit_ = {};
};
KeyboardSignals keyboardSignals;

int waitForEnd(pid_t pid) {
  auto* real = realWaitpid.get();
  int status = -1;
  pid_t found;
  do {
    found = real(pid, &status, 0);
  } while (found < 0 && errno == EINTR);
  return found == pid ? status : -1;
}

// One run of system().
struct Command {
  Call& call;
  pid_t pid = 0;
  sigset_t mask;

  explicit Command(Call& c) : call(c) {
    keyboardSignals.ignore();
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &mask);
  }

  void restoreSignals() {
    keyboardSignals.restore();
    sigprocmask(SIG_SETMASK, &mask, nullptr);
  }

  __attribute__((noinline)) int start(const char* line) {
    const sigset_t wanted = keyboardSignals.wanted();
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setsigdefault(&attributes, &wanted);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    char shell[] = "sh", option[] = "-c", end[] = "--";
    auto* text = const_cast<char*>(line);
    char* marked[] = {shell, option, end, text, nullptr};
    char* unmarked[] = {shell, option, text, nullptr};
    const bool marks = glibc::marksEndOfOptions();
    auto* real = realSpawn.get();
    const int error = runFitted(lookAtProgram(_PATH_BSHELL, false), environ, [&](char* const* environment) {
      return real(&pid, _PATH_BSHELL, nullptr, &attributes, marks ? marked : unmarked, environment);
    });
    posix_spawnattr_destroy(&attributes);
    return error;
  }

  // The process exists at once, not only when the call returns.
  void recordStart() {
    if (!call) return;
    Thread* thread = call.thread();
    constexpr auto kHow = static_cast<uint64_t>(format::Creation::kSpawn);
    const uint64_t payload[] = {static_cast<uint64_t>(pid), kHow};
    thread->emit(Kind::kProcessCreate, 0, thread->nowAfter(), payload, 2);
  }

  void recordEnd(int status) {
    call.returned();
    tellIfKilled(pid, status);
    if (!call || (!WIFEXITED(status) && !WIFSIGNALED(status))) return;
    call.emit(Kind::kProcessWait, 0,
              {static_cast<uint64_t>(pid), static_cast<uint64_t>(format::Creation::kSpawn),
               static_cast<uint32_t>(status)});
  }

  // The thread is cancelled in the wait: the command must not outlive it.
  static void cancelled(void* argument) {
    auto* command = static_cast<Command*>(argument);
    kill(command->pid, SIGKILL);
    waitForEnd(command->pid);
    command->restoreSignals();
    command->call.endUnwinding();
  }
};

// What POSIX and glibc say of system(), with a process id that can be seen.
int runCommand(const char* line) {
  Call call(systemRegion);
  Command command(call);
  int status = W_EXITCODE(127, 0);  // a shell that cannot be executed
  const int error = command.start(line);
  if (error == 0) {
    command.recordStart();
    pthread_cleanup_push(Command::cancelled, &command);
    status = waitForEnd(command.pid);
    pthread_cleanup_pop(0);
    command.recordEnd(status);
  }
  const int after = errno;
  command.restoreSignals();
  errno = error != 0 ? error : after;
  return status;
}

// The process of a stream from popen. A number that is not a child of this process is not trusted.
int pidOfStream(FILE* stream) {
  const int pid = glibc::popenProcess(stream);
  if (pid <= 0) return 0;
  const int before = errno;
  siginfo_t info;
  const bool isChild =
      realWaitid.get()(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
  errno = before;
  return isChild ? pid : 0;
}

struct Stream {
  std::atomic<int> pid;
};
AddressTable<Stream> streams;

}  // namespace
}  // namespace parallax

using namespace parallax;

// All threads must use this function: otherwise both it and libc would save the handlers of the
// keyboard signals, and could restore them in the wrong order.
PARALLAX_EXPORT int system(const char* command) {
  if (command == nullptr || !adapterEnabled(Adapter::kProcess) ||
      process.state() != Process::State::kRecording) {
    return realSystem.get()(command);
  }
  return runCommand(command);
}

PARALLAX_EXPORT FILE* popen(const char* command, const char* mode) {
  auto* real = realPopen.get();
  Call call(popenRegion);
  FILE* stream = real(command, mode);
  call.returned();
  if (!call || stream == nullptr) return stream;
  const int pid = pidOfStream(stream);
  if (pid == 0) return stream;
  if (Stream* known = streams.obtain(reinterpret_cast<uint64_t>(stream))) known->pid.store(pid);
  childCreated(call, pid, format::Creation::kSpawn);
  return stream;
}

PARALLAX_EXPORT int pclose(FILE* stream) {
  auto* real = realPclose.get();
  int writeError = 0;
  // What is sent is sent before the wait, and seen.
  if (__fwritable(stream) && recording() && fflush(stream) != 0) {
    writeError = errno;
    __fpurge(stream);  // or libc would try, and be signalled, once more
  }
  Call call(pcloseRegion);
  Stream* known = streams.find(reinterpret_cast<uint64_t>(stream));
  const int pid = known != nullptr ? known->pid.exchange(0) : 0;
  const int status = real(stream);
  call.returned();
  if (status != -1) childWaited(call, pid, status);
  if (status != 0 || writeError == 0) return status;
  errno = writeError;
  return -1;
}
