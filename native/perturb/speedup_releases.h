// The levels of threads that released others: a thread continues after a wait at the level of the
// thread that released it (speedup_account.h). That thread is not known. The last thread of the
// same process that released the same object, such as a mutex, is assumed, or else the last one of
// the trial. This can be wrong if more than two threads of different levels release others at the
// same time. The error is at most the amount that a thread may owe. Signal handlers may call all
// functions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parallax::speedup {

// A release by one thread, packed into one word so that it is read and written atomically: 16 bits
// of the thread's ID, 48 bits of the level (78 hours).
struct Release {
  uint16_t thread = 0;  // 0: nobody
  uint64_t level = 0;

  static uint16_t mark(int tid) { return static_cast<uint16_t>(tid % 0xFFFF + 1); }
  static Release of(uint64_t word) {
    return {static_cast<uint16_t>(word >> kLevelBits), word & ((uint64_t{1} << kLevelBits) - 1)};
  }
  uint64_t word() const { return uint64_t{thread} << kLevelBits | level; }

 private:
  static constexpr unsigned kLevelBits = 48;
};

class Releases {
 public:
  // The value of `object` that no thread waits for.
  static constexpr uintptr_t kNoObject = 0;

  // `shared` is of all processes.
  void start(std::atomic<uint64_t>* shared) { shared_ = shared; }

  void tell(uintptr_t object, const Release& release) {
    if (object != kNoObject) cellOf(object).store(release.word(), std::memory_order_release);
    shared_->store(release.word(), std::memory_order_release);
  }
  Release last(uintptr_t object) const {
    return Release::of(cellOf(object).load(std::memory_order_acquire));
  }
  Release lastOfAll() const { return Release::of(shared_->load(std::memory_order_acquire)); }

 private:
  // Two objects can share a cell. This is rare, and the error is the same as above.
  static constexpr size_t kCells = 1024;
  std::atomic<uint64_t>& cellOf(uintptr_t object) const {
    return cells_[object * 0x9E3779B97F4A7C15u >> 54];
  }

  mutable std::atomic<uint64_t> cells_[kCells] = {};
  std::atomic<uint64_t>* shared_ = nullptr;
};

// The knowledge of a waiting thread about other threads.
class Waker {
 public:
  // Before the thread tells its own release.
  void beginWait(const Releases& releases, uintptr_t object, const Release& own) {
    object_ = object;
    objectBefore_ = object != Releases::kNoObject ? releases.last(object) : Release{};
    const Release last = releases.lastOfAll();
    if (isOther(last, own)) allBefore_ = last;  // else unchanged: a polling thread calls this again
  }
  // The level of the thread that released this one; its own level if there is none.
  uint64_t levelOf(const Releases& releases, const Release& own) const {
    if (object_ != Releases::kNoObject) {
      const Release now = releases.last(object_);
      if (isOther(now, own)) return now.level;
      if (isOther(objectBefore_, own)) return objectBefore_.level;
    }
    const Release now = releases.lastOfAll();
    if (isOther(now, own)) return now.level;
    return isOther(allBefore_, own) ? allBefore_.level : own.level;
  }

 private:
  static bool isOther(const Release& release, const Release& own) {
    return release.thread != 0 && release.thread != own.thread;
  }

  uintptr_t object_ = Releases::kNoObject;
  Release objectBefore_, allBefore_;
};

}  // namespace parallax::speedup
