// What a thread owes in a virtual speed-up (speedup.h). Arithmetic only; docs/virtual-speedup.md
// has why.
#pragma once

#include <cstdint>

namespace parallax::speedup {

class Account {
 public:
  // Less stays owed: the kernel's timers are not more exact.
  static constexpr uint64_t kLeastNs = 20000;

  constexpr Account() = default;
  explicit Account(uint64_t level) : level_(level) {}
  uint64_t level() const { return level_; }

  // What it has to pay now, if it may go on owing `slack`.
  uint64_t due(uint64_t total, uint64_t slack) const {
    return total > level_ + slack + kLeastNs ? total - level_ - slack : 0;
  }
  // It has paused so long, or run code that would have taken so much less. What it has paid too
  // much it need not pay again.
  void raise(uint64_t ns) { level_ += ns; }

  void beginWait(uint64_t now) { beganNs_ = now; }
  // Another thread of that level has let it go on. It would have come to where it waited earlier or
  // later than that one, so that the wait would have been longer or shorter by the difference.
  void endWait(uint64_t waker, uint64_t now) {
    const uint64_t waited = now - beganNs_;
    if (waker > level_) {
      level_ += least(waker - level_, waited);
    } else {
      level_ -= least(level_ - waker, waited);
    }
  }

 private:
  static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

  uint64_t level_ = 0;
  uint64_t beganNs_ = 0;
};

}  // namespace parallax::speedup
