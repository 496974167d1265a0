// Whether events are recorded now: switched from outside for all processes of the host
// (`parallax control`), and by the program for its own process (parallax_pause, parallax_resume).
#pragma once

#include <atomic>
#include <cstdint>

#include "core/regions.h"
#include "transport/shared_table.h"

namespace parallax {

// Both switches. That of the host is one that nobody switches, unless the run can be controlled.
extern std::atomic<SwitchLog*> hostSwitch;
extern SwitchLog ownSwitch;

// Grows with each change of either switch. Two loads of memory that changes only then.
inline uint32_t switchChanges() {
  return hostSwitch.load(std::memory_order_relaxed)->changes.load(std::memory_order_relaxed) +
         ownSwitch.changes.load(std::memory_order_relaxed);
}

// What a thread has seen of the two switches, in the order of their times.
class SwitchReader {
 public:
  // A thread begins. If recording is paused, it has yet to see the pause.
  void begin();
  bool isPaused() const { return ((hostSeen_ | ownSeen_) & 1) != 0; }
  bool hasSeenAll() const;
  // The next change at or before `ticks`: sets `at` to its time. False if there is none.
  bool next(uint64_t ticks, uint64_t* at);

 private:
  uint32_t hostSeen_ = 0;
  uint32_t ownSeen_ = 0;
};

// Whether recording is paused now. Signal handlers may call it.
bool isRecordingPaused();

// Stands for the time that is not recorded.
extern Region notRecorded;

// Maps the switch of the host if the run can be controlled (PARALLAX_CONTROL). Before the first event.
void openHostSwitch();

}  // namespace parallax
