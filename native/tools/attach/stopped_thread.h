// A thread of another process that is stopped for a moment, to call functions of its process.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

namespace parallax::attach {

// While it exists, the thread is stopped, except in a call. Then everything of the thread is as before: registers with
// those of vectors, the mask of signals, and the system call in which it was, which goes on. Other threads run all the time.
class StoppedThread {
 public:
  explicit StoppedThread(pid_t process, pid_t thread) : process_(process), thread_(thread) {}
  ~StoppedThread() { release(); }
  StoppedThread(const StoppedThread&) = delete;
  StoppedThread& operator=(const StoppedThread&) = delete;

  // Returns 0, or an errno: ESRCH when it has ended, ETIMEDOUT when the kernel does not stop it (a thread that waits
  // for a disk, or for a child of vfork).
  int stop();
  const user_regs_struct& registers() const { return registers_; }
  // Those that it does not take, a bit each.
  uint64_t blockedSignals() const { return signals_; }
  pid_t id() const { return thread_; }

  enum class Outcome { kReturned, kCrashed, kEnded, kTimeout };
  // Whether the thread, which has these registers, may be taken out of a call.
  using MayLeave = std::function<bool(const user_regs_struct&)>;
  // Calls a function, which returns to the instruction at `trap`. `stack`: where its stack begins; 0: below that of the
  // thread. Each time that `mostNs` are over, the thread is taken out of the function if `mayLeave` says so. 0: never.
  Outcome call(uint64_t trap, uint64_t function, std::initializer_list<uint64_t> arguments, uint64_t stack, uint64_t mostNs,
               const MayLeave& mayLeave, uint64_t* result);
  // After kCrashed: the signal, 0 if the function was not begun.
  struct Crash {
    int signal = 0;
    uint64_t pc = 0;
  };
  const Crash& crash() const { return crash_; }
  void release();

 private:
  bool saveState();
  Outcome awaitTrap(uint64_t trap, uint64_t mostNs, const MayLeave& mayLeave, uint64_t* result);

  pid_t process_, thread_;
  bool isAttached_ = false, isStopped_ = false, isChanged_ = false, wasStopSent_ = false;
  user_regs_struct registers_{};
  user_regs_struct interrupted_{};  // as the system call has ended, if it is to be made again
  bool isMadeAgain_ = false;
  std::vector<uint8_t> vectors_;
  uint64_t signals_ = 0;
  Crash crash_;
};

}  // namespace parallax::attach
