// Polling: a thread waits that asks again and again for something that is not there yet, and does nothing else.
//
// The trace has an episode of polling as one call, however many attempts it has:
//
//   Enter                the first attempt begins
//   Poll                 the last one has ended: the number of attempts without success
//   Receive, Acquire...  what ended the wait, if an attempt had success
//   Leave
//
// If the attempt with success has another call path than the first one, its Enter and Leave are inside, after Poll. An
// attempt without success costs no bytes and no walk of the stack.
//
// If the only attempt of an episode was a wait until its time was over, there is a Wake by a timer instead of the Poll.
//
// Any other event ends the episode at the end of its last attempt, and so does a pause in which the thread works. The
// program works in a pause of more CPU time than `freeTicks`, unless the thread has credit: it earns some by polling,
// and spends it in longer pauses. So a page fault or another hiccup in a long wait does not end it.
//
//   idle ──first attempt without success──▶ noted ──another one, or a long one──▶ open
//   idle ──first attempt of a kind that is recorded each time────────────────────▶ open
//   noted, open ──success, any other event, or work──▶ idle
#pragma once

#include <cstdint>

namespace parallax {

class Region;
class Thread;

// Zeroed memory is a thread that does not poll.
struct Polling {
  enum class State : uint8_t {
    kIdle,
    kNoted,  // attempts without an event so far
    kOpen,   // Enter is written
  };
  State state;
  uint32_t path;          // of the Enter
  uint32_t timer;         // the object of timers, if the first attempt was a wait until its time was over, else 0
  uint64_t attempts;      // without success
  uint64_t beginTicks;    // of the first attempt
  uint64_t endTicks;      // of the last attempt, or of the pause after it
  uint64_t freeTicks;     // a pause of less than this is no work
  uint64_t lostNs;        // of CPU time since the last Cpu event, when it was last looked at
  uint64_t workTicks;     // in longer pauses of the episode
  int64_t earnedTicks;    // of all episodes; less what was spent
};

// An attempt that is not told unless it is a part of polling, such as a trylock. At an attempt with success, this object
// stands for the Enter and Leave of the episode that it ends. False: the thread did not poll, and nothing is written.
// Inside a Guard.
class PolledCall {
 public:
  PolledCall(Thread* thread, Region& region);
  ~PolledCall() {
    if (thread_ != nullptr) end();
  }
  PolledCall(const PolledCall&) = delete;
  PolledCall& operator=(const PolledCall&) = delete;
  explicit operator bool() const { return thread_ != nullptr; }
  // The time of the events inside.
  uint64_t ticks() const { return ticks_; }

 private:
  void begin(Thread* thread, Region& region);
  void end();

  Thread* thread_ = nullptr;
  uint64_t ticks_ = 0;
  uint32_t path_ = 0, outerPath_ = 0;
};

// The same attempt had no success. `begin`: when it began, if that is known.
void missedAttempt(Thread* thread, Region& region, uint64_t begin = 0);

// Around a short pause of the program between two attempts, such as a sleep: it is a part of the polling. False if the
// thread does not poll, or if the pause is longer. Outside of a Guard.
class PollingPause {
 public:
  // `durationNs()` is only asked if the thread polls.
  template <class Duration>
  explicit PollingPause(Duration durationNs) {
    if (__builtin_expect(mayBegin(), false) && durationNs() <= kLongestNs) begin();
  }
  ~PollingPause() {
    if (polls_) end();
  }
  PollingPause(const PollingPause&) = delete;
  PollingPause& operator=(const PollingPause&) = delete;
  explicit operator bool() const { return polls_; }

 private:
  static constexpr uint64_t kLongestNs = 10000000;
  static bool mayBegin();
  void begin();
  void end();

  bool polls_ = false;
};

}  // namespace parallax
