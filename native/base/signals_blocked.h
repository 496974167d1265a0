// Blocks all signals of the calling thread while the object exists, so that no handler runs in
// between, and none leaves the code by longjmp.
#pragma once

#include <signal.h>

#include <cstdint>

#include "base/sys.h"

namespace parallax {

class SignalsBlocked {
 public:
  SignalsBlocked() {
    const uint64_t all = ~uint64_t{0};
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
