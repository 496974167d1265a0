// The signal of a file that grows beyond the limit of the process.
#pragma once

#include <errno.h>
#include <signal.h>
#include <time.h>

#include <cstdint>

#include "base/sys.h"

namespace parallax {

// Writing beyond the limit would end the program, and another thread, or process, can lower the limit at any moment. While the
// object exists, all signals of the thread wait: a handler that ran in between could leave by longjmp, with the signal blocked.
class FileSizeSignalBlocked {
 public:
  FileSizeSignalBlocked() {
    const uint64_t all = ~uint64_t{0};
    isBlocked_ = sys::call(SYS_rt_sigprocmask, SIG_SETMASK, sys::word(&all), sys::word(&before_), sizeof all) == 0;
  }
  ~FileSizeSignalBlocked() {
    if (isBlocked_) sys::call(SYS_rt_sigprocmask, SIG_SETMASK, sys::word(&before_), 0, sizeof before_);
  }
  FileSizeSignalBlocked(const FileSizeSignalBlocked&) = delete;
  FileSizeSignalBlocked& operator=(const FileSizeSignalBlocked&) = delete;

  // Not where the program has forbidden it.
  bool isBlocked() const { return isBlocked_; }
  // Takes the signal of a call that has failed for the limit.
  void take() const {
    const timespec now{};
    if (isBlocked_) sys::call(SYS_rt_sigtimedwait, sys::word(&kSet), 0, sys::word(&now), sizeof kSet);
  }

 private:
  static constexpr uint64_t kSet = uint64_t{1} << (SIGXFSZ - 1);
  uint64_t before_ = 0;
  bool isBlocked_ = false;
};

// Makes a system call that may let a file grow, and returns its result.
template <class Call>
auto withoutFileSizeSignal(Call call) {
  const FileSizeSignalBlocked blocked;
  const auto result = call();
  if (result == -EFBIG) blocked.take();
  return result;
}

}  // namespace parallax
