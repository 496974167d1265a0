#include "tests/watched_calls.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <utility>

namespace parallax::tests {
namespace {

[[maybe_unused]] std::string fileOf(pid_t pid, unsigned long long descriptor) {
  char path[PATH_MAX];
  const std::string link = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : "";
}

}  // namespace

WatchedCalls::WatchedCalls(pid_t pid, Judge judge) : judge_(std::move(judge)) {
  std::promise<bool> attached;
  std::future<bool> result = attached.get_future();
  thread_ = std::thread([this, pid, &attached] { run(pid, &attached); });
  watches_ = result.get();
}

WatchedCalls::~WatchedCalls() { thread_.join(); }

#if defined(__x86_64__)
constexpr bool kIsKnown = true;

void WatchedCalls::enter(pid_t pid) {
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, pid, nullptr, &registers) != 0) return;
  auto number = static_cast<long>(registers.orig_rax);
  if (number == SYS_pwritev) number = SYS_pwrite64;
  error_ = 0;
  if (number != SYS_close && number != SYS_pwrite64) return;
  error_ = judge_({number, fileOf(pid, registers.rdi)});
  if (error_ == 0 || number == SYS_close) return;
  registers.orig_rax = ~0ULL;  // none
  ptrace(PTRACE_SETREGS, pid, nullptr, &registers);
}

void WatchedCalls::leave(pid_t pid) {
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, pid, nullptr, &registers) != 0) return;
  const auto result = static_cast<long>(registers.rax);
  if (registers.orig_rax == SYS_openat && result >= 0) error_ = judge_({SYS_openat, fileOf(pid, registers.rax)});
  if (error_ == 0) return;
  registers.rax = static_cast<unsigned long long>(-error_);
  ptrace(PTRACE_SETREGS, pid, nullptr, &registers);
}

#else
constexpr bool kIsKnown = false;

void WatchedCalls::enter(pid_t) {}
void WatchedCalls::leave(pid_t) {}
#endif

void WatchedCalls::run(pid_t pid, std::promise<bool>* attached) {
  const bool isAttached = kIsKnown && ptrace(PTRACE_SEIZE, pid, nullptr, PTRACE_O_TRACESYSGOOD) == 0 &&
                          ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr) == 0;
  int status = 0;
  if (isAttached) waitpid(pid, &status, __WALL);
  attached->set_value(isAttached);
  bool isInside = false;
  while (isAttached && WIFSTOPPED(status)) {
    constexpr int kCall = SIGTRAP | 0x80;
    int signal = 0;
    if (WSTOPSIG(status) == kCall) {
      isInside ? leave(pid) : enter(pid);
      isInside = !isInside;
    } else if (status >> 16 == 0) {
      signal = WSTOPSIG(status);
    }
    if (ptrace(PTRACE_SYSCALL, pid, nullptr, signal) != 0) break;
    if (waitpid(pid, &status, __WALL) != pid) break;
  }
}

}  // namespace parallax::tests
