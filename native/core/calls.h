// The events of intercepted routines, and of moments within them.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "core/guard.h"
#include "core/regions.h"
#include "format/format.h"

namespace parallax {

using format::Kind;

using Payload = std::initializer_list<uint64_t>;

// Events of one moment without Enter and Leave: samples, uncontended locks. The clock is read
// once, when it is made. False, and does nothing, where Guard is false. Signal handlers may
// use it. An operand of any size is written correctly, and so are payloads below 2^63.
class Instant {
 public:
  Instant() {
    if (guard_) begin();
  }
  explicit operator bool() const { return bool(guard_); }
  Thread* thread() const { return guard_.thread(); }
  uint64_t ticks() const { return ticks_; }
  void emit(Kind kind, uint32_t operand, Payload payload = {});

 private:
  void begin();

  Guard guard_;
  uint64_t ticks_ = 0;
};

// The path of an Enter of this routine, which is measured in full or flat.
uint32_t enterPath(Thread* thread, Region& region, Relevance relevance);

// An intercepted routine: Enter when it is made, Leave when it ends. False, and does nothing,
// where Guard is false, and where the routine is only counted. Left by longjmp it is ended there,
// left by an exception soon after.
class Call {
 public:
  explicit Call(Region& region);
  ~Call();
  explicit operator bool() const { return bool(guard_) && !ended_; }
  Thread* thread() const { return guard_.thread(); }
  // The time of what emit() writes now: that of the Enter, after returned() that of the Leave.
  uint64_t ticks() const { return ticks_; }
  uint64_t enterTicks() const { return enterTicks_; }

  void emit(Kind kind, uint32_t operand, Payload payload = {});
  // The real routine, which may have waited for others, has returned: reads the clock after all
  // that it has read of them. Leave follows when the object ends; without this, with a time that
  // may lie some 50 ns before what the routine read last, at half the price.
  void returned();
  // For a handler that runs while the thread unwinds past the object, which then has no end of
  // its own (cancellation): writes Leave.
  void endUnwinding();
  // In a child after fork, where the thread is a new one that has not called: writes nothing.
  void abandon() {
    ended_ = true;
    guard_.release();
  }

 private:
  void begin(Region& region);
  bool beginBriefly(Region& region, Relevance relevance);
  void end();

  Guard guard_;
  bool returned_ = false;
  bool ended_ = false;
  uint32_t path_ = 0;
  uint32_t outerPath_ = 0;
  uint64_t ticks_ = 0;
  uint64_t enterTicks_ = 0;
};

// Counts visits of the leaf of a path by this thread, which have no Enter; they are written as
// Visits where its next block begins and before ThreadEnd. Inside a Guard.
void countVisits(Thread* thread, uint32_t path, uint64_t visits = 1);

}  // namespace parallax
