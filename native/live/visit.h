// A visit of a routine that is measured: what of it counts in the points that name the routine.
#pragma once

#include <cstdint>

#include "live/live_agent.h"

namespace parallax::live {

class Visit {
 public:
  // Whether a point that is on names the routine.
  bool isOn() const { return !points_.isEmpty(); }
  void begin(RoutinePoints points) { points_ = points; }
  // One of its messages. The first one is counted at the end, with the time.
  void message(uint32_t peer, uint64_t bytes) {
    if (hasMoved_) return count(points_, peer, bytes, 0, false);
    hasMoved_ = true;
    peer_ = peer;
    bytes_ = bytes;
  }
  void end(uint64_t ticks) {
    count(points_, peer_, bytes_, ticks, true);
    points_ = {};
  }

 private:
  RoutinePoints points_;
  uint64_t bytes_ = 0;
  uint32_t peer_ = kOthers;
  bool hasMoved_ = false;
};

}  // namespace parallax::live
