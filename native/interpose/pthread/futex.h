// Waits on words of memory, as futex.cpp has them.
#pragma once

#include <errno.h>

#include "core/lone_waits.h"
#include "core/sync_objects.h"
#include "core/thread.h"
#include "interpose/process/interruption.h"

namespace parallax {

// A thread waits for a word, from here until returned() or end(). False: nothing is recorded of it.
class WordWait {
 public:
  WordWait(Region& region, const void* word, bool mayBeShared) : call_(region, Call::Manner::kWaits) {
    if (!call_) return;
    object_ = syncObject(format::SyncKind::kFutex, word, mayBeShared);
    if (object_ == nullptr) return;
    before_ = object_->count(Count::kSignals).load(std::memory_order_relaxed);
    object_->count(Count::kWaiters).fetch_add(1, std::memory_order_seq_cst);
  }
  explicit operator bool() const { return object_ != nullptr; }
  // The real call has returned 0, or failed with this error.
  void returned(int error) {
    if (object_ == nullptr) return;
    leave();
    if (error == EINTR) return tellInterruption(call_);
    // Known before the clock is read, or the Wake could be earlier than this Signal.
    const uint64_t last = object_->count(Count::kSignals).load(std::memory_order_acquire);
    call_.returned();
    if (error == ETIMEDOUT) return tellTimedOut(call_);
    const bool woken = error == 0;
    call_.emit(Kind::kWake, object_->number(), {woken && last != before_ ? last : 0});
  }
  // The thread does something else from here on, still inside the real call: writes Leave.
  void end() {
    if (object_ != nullptr) leave();
    object_ = nullptr;
    call_.endUnwinding();
  }

 private:
  void leave() { object_->count(Count::kWaiters).fetch_sub(1, std::memory_order_relaxed); }

  Call call_;
  SyncObject* object_ = nullptr;
  uint64_t before_ = 0;
};

// The word is woken; called before the real wake, so that the thread that wakes up finds the number.
void signalWord(const void* word, bool mayBeShared);

}  // namespace parallax
