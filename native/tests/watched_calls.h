// The system calls of a process of one thread on files, of which some can be made to fail. Knows the registers of x86-64 only:
// elsewhere it watches nothing.
#pragma once

#include <sys/types.h>

#include <functional>
#include <future>
#include <string>
#include <thread>

namespace parallax::tests {

struct WatchedCall {
  long number;       // SYS_openat, SYS_close, or SYS_pwrite64, which stands for pwritev, too
  std::string file;  // its path
};

// Watches a process (ptrace) from its construction to the end of the process, for which the destructor waits.
class WatchedCalls {
 public:
  // `judge` is called, by a thread of its own, before a close or write of a file, and after an open that has succeeded.
  // Returns the errno that the program gets, 0 for the true result. A close is made in any case, a write that is to fail is not.
  using Judge = std::function<int(const WatchedCall&)>;
  WatchedCalls(pid_t pid, Judge judge);
  ~WatchedCalls();
  WatchedCalls(const WatchedCalls&) = delete;
  WatchedCalls& operator=(const WatchedCalls&) = delete;

  // False where one may not watch others, or cannot.
  bool watches() const { return watches_; }

 private:
  void run(pid_t pid, std::promise<bool>* attached);
  // At the stop of a call. Returns false if the process is gone.
  void enter(pid_t pid);
  void leave(pid_t pid);

  const Judge judge_;
  int error_ = 0;  // that the call is to give
  bool watches_ = false;
  std::thread thread_;
};

}  // namespace parallax::tests
