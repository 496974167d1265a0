// Routines that are intercepted, and call paths.
#pragma once

#include <atomic>
#include <cstdint>

#include "format/definitions.h"
#include "format/format.h"
#include "live/live_agent.h"

namespace parallax {

// How a routine is measured.
enum class Relevance : uint8_t {
  kUnknown,
  kFull,     // Enter and Leave with the call path
  kFlat,     // Enter and Leave; the stack is not walked
  kCounted,  // no Enter, no Leave and no other event; its calls are counted (Visits)
  kOff,      // not at all: its adapter is off
  kSilent,   // nothing is written, and it is followed while a point asks for it (live tuning without a trace)
  kFollowed, // nothing is written, and it is followed always: what others need to be measured
};

// A routine that is intercepted. Constant-initialised, so that it is usable before any
// constructor; meant for static storage (the agent keeps a pointer). Defined at first use.
class Region {
 public:
  constexpr Region(const char* name, format::Group group) : name_(name), group_(group) {}
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  // The number in the trace. Lock-free; signal handlers may call it.
  uint32_t id();
  const char* name() const { return name_; }
  format::Group group() const { return group_; }
  // The points of live tuning that it counts in.
  live::RoutinePoints points() { return live::pointsOf(name_, group_, points_); }

 private:
  friend class Regions;
  const char* name_;
  format::Group group_;
  Relevance resolve();
  std::atomic<Relevance> relevance_{Relevance::kUnknown};
  std::atomic<bool> defined_{false};
  std::atomic<uint64_t> points_{0};
  std::atomic<uint32_t> id_{0};
  std::atomic<uint32_t> path_{0};  // the path of this region below the empty path, once known
  Region* next_ = nullptr;         // list of all regions in use

 public:
  // Path (parent, this region). Lock-free; signal handlers may call it.
  uint32_t path(uint32_t parent);
  // As PARALLAX_COUNT, PARALLAX_FLAT and PARALLAX_FULL say. One load.
  Relevance relevance() {
    const Relevance known = relevance_.load(std::memory_order_relaxed);
    return __builtin_expect(known != Relevance::kUnknown, true) ? known : resolve();
  }
};

// The frame of an interposed function, of which a call path can be found without a walk through the agent: there are the
// caller's rbp, the return address, and beyond them the stack of the caller. It stands until the function returns, or
// jumps to what it calls last, which keepFrame() prevents.
//
//   frame -> | rbp | return address | ...
using RoutineFrame = const uint64_t*;
#define PARALLAX_FRAME static_cast<parallax::RoutineFrame>(__builtin_frame_address(0))
// To be called after the last call that is given the frame.
__attribute__((always_inline)) inline void keepFrame() { asm volatile(""); }

// Returns the number of the path (parent, kind, value), defining it at first use: the same
// number for the same three. Lock-free; signal handlers may call it. Returns `parent` when
// memory has run out.
uint32_t callPath(uint32_t parent, format::PathKind kind, uint64_t value);

}  // namespace parallax
