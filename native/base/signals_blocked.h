// Blocks all signals of the calling thread while the object exists, so that no handler runs in
// between, and none leaves the code by longjmp.
#pragma once

#include <signal.h>

#include <cstdint>

#include "base/sys.h"

namespace parallax {

class SignalsBlocked {
 public:
  // But for those of a set (bit n - 1: signal n).
  explicit SignalsBlocked(uint64_t except = 0) {
    const uint64_t all = ~except;
    sys::call(SYS_rt_sigprocmask, SIG_SETMASK, sys::word(&all), sys::word(&before_), sizeof all);
  }
  ~SignalsBlocked() {
    sys::call(SYS_rt_sigprocmask, SIG_SETMASK, sys::word(&before_), 0, sizeof before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  uint64_t before_ = 0;
};

}  // namespace parallax
