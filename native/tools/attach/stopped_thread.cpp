#include "tools/attach/stopped_thread.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "tools/attach/thread_status.h"

namespace parallax::attach {
namespace {

constexpr uint64_t kMillisecondNs = 1000000;
constexpr uint64_t kStopNs = 500 * kMillisecondNs;
constexpr size_t kSignalSetBytes = 8;

uint64_t nowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 * kMillisecondNs + static_cast<uint64_t>(now.tv_nsec);
}

// False when the time is over (0: never), or with `status` -1 when the thread is gone.
bool await(pid_t thread, uint64_t mostNs, int* status) {
  const uint64_t end = nowNs() + mostNs;
  for (long pauseNs = 10000;; pauseNs = std::min(pauseNs * 2, 1000000L)) {
    const pid_t got = waitpid(thread, status, __WALL | WNOHANG);
    if (got == thread) return true;
    if (got < 0 && errno != EINTR) {
      *status = -1;
      return false;
    }
    if (mostNs != 0 && nowNs() > end) {
      *status = 0;
      return false;
    }
    const timespec pause{0, pauseNs};
    nanosleep(&pause, nullptr);
  }
}

bool isEventStop(int status) { return WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_STOP; }

long request(__ptrace_request what, pid_t thread, uint64_t address = 0, uint64_t data = 0) {
  return ptrace(what, thread, address, data);
}

// System calls that fail when a thread is stopped in them, where others go on (signal(7)). Nothing has happened in them
// yet: they can be made again.
bool failsWhenStopped(long number) {
  switch (number) {
    case SYS_epoll_wait: case SYS_epoll_pwait: case SYS_epoll_pwait2: case SYS_semop: case SYS_semtimedop:
    case SYS_rt_sigtimedwait: case SYS_io_getevents: case SYS_recvfrom: case SYS_recvmsg: case SYS_recvmmsg:
    case SYS_accept: case SYS_accept4: case SYS_sendto: case SYS_sendmsg: case SYS_read: case SYS_write:
    case SYS_io_uring_enter:
      return true;
    default:
      return false;
  }
}

// Whether a signal that is not blocked waits for the thread.
bool hasPendingSignal(pid_t process, pid_t thread) {
  const ThreadStatus status(process, thread);
  return ((status.signals("SigPnd") | status.signals("ShdPnd")) & ~status.signals("SigBlk")) != 0;
}

constexpr uint64_t bitOf(int signal) { return uint64_t{1} << (signal - 1); }

// What an instruction raises must not be blocked: the kernel would take the program's handler away.
constexpr uint64_t kAllButFaults =
    ~(bitOf(SIGTRAP) | bitOf(SIGSEGV) | bitOf(SIGBUS) | bitOf(SIGILL) | bitOf(SIGFPE) | bitOf(SIGSYS));

}  // namespace

int StoppedThread::stop() {
  if (request(PTRACE_SEIZE, thread_) != 0) return errno;
  isAttached_ = true;
  if (request(PTRACE_INTERRUPT, thread_) != 0) return errno;
  for (int status = 0;;) {
    if (!await(thread_, kStopNs, &status)) {
      if (status == 0) return ETIMEDOUT;
      isAttached_ = false;
      return ESRCH;
    }
    if (!WIFSTOPPED(status)) {
      isAttached_ = false;
      return ESRCH;
    }
    if (isEventStop(status)) break;
    // A signal of the program came first.
    request(PTRACE_CONT, thread_, 0, static_cast<uint64_t>(WSTOPSIG(status)));
  }
  isStopped_ = true;
  if (!saveState()) return errno != 0 ? errno : EIO;
  // Not by a signal that waits to be handled: the program expects that to end the call.
  const bool isInterrupted = static_cast<long>(registers_.rax) == -EINTR && static_cast<long>(registers_.orig_rax) >= 0 &&
                             failsWhenStopped(static_cast<long>(registers_.orig_rax)) && !hasPendingSignal(process_, thread_);
  if (isInterrupted) {
    constexpr uint64_t kSyscallBytes = 2;
    interrupted_ = registers_;
    isMadeAgain_ = true;
    registers_.rax = registers_.orig_rax;
    registers_.orig_rax = ~uint64_t{0};
    registers_.rip -= kSyscallBytes;
    isChanged_ = true;
  }
  return 0;
}

bool StoppedThread::saveState() {
  errno = 0;
  if (request(PTRACE_GETREGS, thread_, 0, reinterpret_cast<uint64_t>(&registers_)) != 0) return false;
  constexpr size_t kMostBytes = 64 << 10;
  vectors_.resize(kMostBytes);
  iovec area{vectors_.data(), vectors_.size()};
  if (request(PTRACE_GETREGSET, thread_, NT_X86_XSTATE, reinterpret_cast<uint64_t>(&area)) != 0) return false;
  vectors_.resize(area.iov_len);
  return request(PTRACE_GETSIGMASK, thread_, kSignalSetBytes, reinterpret_cast<uint64_t>(&signals_)) == 0;
}

StoppedThread::Outcome StoppedThread::call(uint64_t trap, uint64_t function, std::initializer_list<uint64_t> arguments,
                                           uint64_t stack, uint64_t mostNs, const MayLeave& mayLeave, uint64_t* result) {
  constexpr uint64_t kRedZoneBytes = 128, kCarry = 1, kDirection = 1 << 10, kTrapFlag = 1 << 8;
  user_regs_struct changed = registers_;
  unsigned long long* const places[] = {&changed.rdi, &changed.rsi, &changed.rdx, &changed.rcx, &changed.r8, &changed.r9};
  size_t used = 0;
  for (const uint64_t argument : arguments) *places[used++] = argument;
  // As after a call instruction: 8 below a multiple of 16.
  const uint64_t top = ((stack != 0 ? stack : registers_.rsp - kRedZoneBytes) & ~uint64_t{15}) - 8;
  const iovec local{&trap, sizeof trap}, remote{reinterpret_cast<void*>(top), sizeof trap};
  if (process_vm_writev(process_, &local, 1, &remote, 1, 0) != static_cast<ssize_t>(sizeof trap)) return Outcome::kCrashed;
  changed.rsp = top;
  changed.rip = function;
  changed.rax = 0;  // no vector registers with arguments
  changed.orig_rax = ~uint64_t{0};  // the system call is not made again yet
  changed.eflags &= ~(kCarry | kDirection | kTrapFlag);
  uint64_t blocked = kAllButFaults;
  isChanged_ = true;
  if (request(PTRACE_SETSIGMASK, thread_, kSignalSetBytes, reinterpret_cast<uint64_t>(&blocked)) != 0 ||
      request(PTRACE_SETREGS, thread_, 0, reinterpret_cast<uint64_t>(&changed)) != 0 ||
      request(PTRACE_CONT, thread_) != 0) {
    return errno == ESRCH ? Outcome::kEnded : Outcome::kCrashed;
  }
  isStopped_ = false;
  return awaitTrap(trap, mostNs, mayLeave, result);
}

// A thread that does not stop when it is asked to (it waits for a disk) stops later: until then it stays in the call.
StoppedThread::Outcome StoppedThread::awaitTrap(uint64_t trap, uint64_t mostNs, const MayLeave& mayLeave, uint64_t* result) {
  bool isAsked = false;  // to stop
  for (int status = 0;;) {
    if (!await(thread_, mostNs, &status)) {
      if (status < 0) break;
      isAsked = request(PTRACE_INTERRUPT, thread_) == 0;
      continue;
    }
    if (!WIFSTOPPED(status)) break;
    isStopped_ = true;
    user_regs_struct now{};
    if (request(PTRACE_GETREGS, thread_, 0, reinterpret_cast<uint64_t>(&now)) != 0) break;
    if (isEventStop(status)) {
      // Taken out of the call, it goes on where it was.
      if (isAsked && mayLeave(now)) return Outcome::kTimeout;
      isAsked = false;
      request(PTRACE_CONT, thread_);
      isStopped_ = false;
      continue;
    }
    const int signal = WSTOPSIG(status);
    if (signal == SIGTRAP && now.rip == trap + 1) {
      *result = now.rax;
      return Outcome::kReturned;
    }
    if (signal != SIGSTOP) {
      crash_ = {signal, now.rip};
      return Outcome::kCrashed;
    }
    wasStopSent_ = true;  // to be obeyed afterwards
    request(PTRACE_CONT, thread_);
    isStopped_ = false;
  }
  isAttached_ = isStopped_ = false;
  return Outcome::kEnded;
}

void StoppedThread::release() {
  if (isAttached_ && isStopped_) {
    // A signal that came since then ends the call as it would have without the stop.
    if (isMadeAgain_ && hasPendingSignal(process_, thread_)) registers_ = interrupted_;
    if (isChanged_) {
      iovec area{vectors_.data(), vectors_.size()};
      request(PTRACE_SETREGSET, thread_, NT_X86_XSTATE, reinterpret_cast<uint64_t>(&area));
      request(PTRACE_SETREGS, thread_, 0, reinterpret_cast<uint64_t>(&registers_));
      request(PTRACE_SETSIGMASK, thread_, kSignalSetBytes, reinterpret_cast<uint64_t>(&signals_));
    }
    request(PTRACE_DETACH, thread_);
    if (wasStopSent_) kill(process_, SIGSTOP);
  }
  isAttached_ = isStopped_ = isChanged_ = wasStopSent_ = isMadeAgain_ = false;
}

}  // namespace parallax::attach
