// The events of intercepted routines, and of moments within them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "core/guard.h"
#include "core/regions.h"
#include "format/format.h"
#include "live/visit.h"

namespace parallax {

using format::Kind;

using Payload = std::initializer_list<uint64_t>;

// Events at one time without Enter and Leave: samples, uncontended locks. The clock is read once,
// at the construction. False, and without effect, if its Guard is false. Signal handlers may use
// it. Operands can have any size, payloads must be below 2^63.
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
uint32_t enterPath(Thread* thread, Region& region, Relevance relevance, RoutineFrame frame = nullptr);

// An intercepted routine: the constructor writes Enter, the destructor Leave. False, and without
// effect, if its Guard is false or the routine is only counted. If longjmp leaves the routine, it
// ends at the longjmp; if an exception leaves it, it ends soon afterwards.
class Call {
 public:
  enum class Manner : uint8_t {
    kPlain,
    kTries,  // it never waits: call either returned() or missed(). It has its Enter from the former, or is polling.
    kWaits,  // it can continue the wait of the polling before it (polling.h)
    kSends,  // enter() or enterWith() follows, with what it sends
  };
  // `frame`: of the interposed function, if that is known.
  explicit Call(Region& region, Manner manner = Manner::kPlain, RoutineFrame frame = nullptr);
  ~Call();
  explicit operator bool() const { return bool(guard_) && !ended_; }
  Thread* thread() const { return guard_.thread(); }
  // The time of what emit() writes now: that of the Enter, after returned() that of the Leave.
  uint64_t ticks() const { return ticks_; }
  uint64_t enterTicks() const { return enterTicks_; }

  void emit(Kind kind, uint32_t operand) { emit(kind, operand, nullptr, 0); }
  // With a payload of at most kMostSlots slots.
  template <size_t N>
  void emit(Kind kind, uint32_t operand, const uint64_t (&payload)[N]);
  // The same with a payload whose length is known only when it is made, at most 128 slots.
  void emit(Kind kind, uint32_t operand, const uint64_t* payload, size_t count);
  // Of one that sends: the Enter, and at the same time this event.
  void enter();
  template <size_t N>
  void enterWith(Kind kind, uint32_t operand, const uint64_t (&payload)[N]);
  // Call this when the real routine, which may have waited for others, has returned. It reads the
  // clock after all earlier loads, so that the Leave is not earlier than the event for which the
  // routine waited. Without it, the time of the Leave can be about 50 ns before the last loads of
  // the routine, at half the cost.
  void returned();
  // The same for a routine that never waits for others: the clock is read as at the Enter.
  void returnedAtOnce();
  // The same for a routine that waits for others only if it takes long, and has told nothing that comes from them.
  void returnedSoon();
  // After it: the same as emit() and the Leave.
  template <size_t N>
  void endWith(Kind kind, uint32_t operand, const uint64_t (&payload)[N]);
  static constexpr size_t kMostSlots = 5;
  // Its call path is that of the caller here, also if it only tries and code of a library stands between this and the end
  // of the attempt.
  void setPath();
  // Instead of returned(): there was nothing yet of what it tried to get. No events follow.
  void missed();
  // For a cleanup handler that runs while cancellation unwinds the stack, because then the
  // destructor does not run: writes Leave.
  void endUnwinding();
  // In a child after fork, where the thread is a new one that has not called: writes nothing.
  void abandon() {
    ended_ = true;
    visit_ = {};
    guard_.release();
  }

 private:
  void begin(Region& region, Manner manner, RoutineFrame frame);
  void beginTrying(Thread* thread, Region& region, Relevance relevance);
  void succeed();
  bool beginBriefly(Region& region, Relevance relevance);
  void end();
  // Live tuning (live/live_page.h): a monitor asks for something.
  void attend(Region& region, Manner manner);
  bool beginSilently(Region& region, Relevance relevance);
  void measure(Kind kind, const uint64_t* payload);
  void endVisit();

  Guard guard_;
  bool returned_ = false;
  bool ended_ = false;
  bool isMeasured_ = false;    // its messages are counted
  bool isSilent_ = false;      // nothing is written
  bool isCompletion_ = false;  // what it tells of collectives was counted when they began
  Relevance relevance_ = Relevance::kUnknown;
  uint32_t path_ = 0;
  uint32_t outerPath_ = 0;
  Region* tried_ = nullptr;  // while neither returned() nor missed() was called
  RoutineFrame frame_ = nullptr;  // then
  uint64_t ticks_ = 0;
  uint64_t enterTicks_ = 0;
  uint64_t visitTicks_ = 0;
  live::Visit visit_;
};

// A visit of a routine that has no Call, such as a lock that was free. Inside a Guard; what is not ended is not counted.
class LoneVisit {
 public:
  explicit LoneVisit(Region& region) {
    if (__builtin_expect(live::isAsked(), false)) begin(region);
  }
  // It has done so much, which counts as bytes.
  void amount(uint64_t bytes) {
    if (__builtin_expect(visit_.isOn(), false)) visit_.message(live::kOthers, bytes);
  }
  void end() {
    if (__builtin_expect(visit_.isOn(), false)) endNow();
  }

 private:
  void begin(Region& region);
  void endNow();

  live::Visit visit_;
  uint64_t ticks_ = 0;
};

// Takes the actions that are asked for this routine. Called at the begin of a routine that is not called by another one, inside
// its Guard; bound in interpose/tuning.
extern std::atomic<void (*)(const char* routine, format::Group group)> takeActions;
// Called in the same way in routines of MPI that are measured, if it is not null.
extern std::atomic<void (*)()> attendMeasuredMpi;

// Counts visits of the leaf of a path by this thread, which have no Enter; they are written as
// Visits where its next block begins and before ThreadEnd. Inside a Guard.
void countVisits(Thread* thread, uint32_t path, uint64_t visits = 1);

}  // namespace parallax
