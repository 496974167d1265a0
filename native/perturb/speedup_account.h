// What a thread owes in a virtual speed-up (speedup.h). Arithmetic only; docs/virtual-speedup.md
// has why.
#pragma once

#include <cstdint>

namespace parallax::speedup {

class Account {
 public:
  // Smaller debts are not paid, because the kernel's timers are not more precise.
  static constexpr uint64_t kLeastNs = 20000;

  constexpr Account() = default;
  explicit Account(uint64_t level) : level_(level) {}
  uint64_t level() const { return level_; }

  // The amount to pay now, if the thread may still owe `slack` afterwards.
  uint64_t due(uint64_t total, uint64_t slack) const {
    return total > level_ + slack + kLeastNs ? total - level_ - slack : 0;
  }
  // The thread has paused for this time, or has run code that would have taken this much less. An
  // overpayment counts for later debts.
  void raise(uint64_t ns) { level_ += ns; }

  void beginWait(uint64_t now) { beganNs_ = now; }
  // A thread with level `waker` has ended the wait. In virtual time, this thread would have begun
  // the wait earlier or later relative to that thread, so the wait would have been longer or
  // shorter by the difference of their levels.
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
