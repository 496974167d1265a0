// Whether events are recorded now: switched from outside for all processes of the host
// (`parallax control`), and by the program for its own process (parallax_pause, parallax_resume).
#pragma once

#include <atomic>
#include <cstdint>

#include "core/regions.h"
#include "transport/shared_table.h"

namespace parallax {

// The switch of the host is one that nobody switches, unless the run can be controlled. The others are those of the
// process: its program's, and that of its rate.
extern std::atomic<SwitchLog*> hostSwitch;
extern SwitchLog ownSwitch, rateSwitch;
// Pauses or resumes by the program's switch.
void switchOwn(bool pauses);

// Limits what the threads of the process may write in a second, in bytes; 0 for no limit. Before the first event.
void limitRate(uint64_t bytesPerSecond);
// A thread begins to write `bytes` more. If that is too much for this second, recording is paused for the rest of it.
void countForRate(uint64_t bytes);

// Changes of the switches of the process.
extern std::atomic<uint32_t> processChanges;
// Grows with each change of any switch. Two loads of memory that changes only then.
inline uint32_t switchChanges() {
  return hostSwitch.load(std::memory_order_relaxed)->changes.load(std::memory_order_relaxed) +
         processChanges.load(std::memory_order_relaxed);
}

// What a thread has seen of the switches, in the order of their times.
class SwitchReader {
 public:
  // A thread begins. If recording is paused, it has yet to see the pause.
  void begin();
  bool isPaused() const { return ((seen_[0] | seen_[1] | seen_[2]) & 1) != 0; }
  bool hasSeenAll() const;
  // The next change at or before `ticks`: sets `at` to its time. False if there is none.
  bool next(uint64_t ticks, uint64_t* at);
  bool hasNext(uint64_t ticks) const;

 private:
  static constexpr int kSwitches = 3;
  // The switch whose change that is, or -1.
  int findNext(uint64_t ticks, uint64_t* at) const;
  static SwitchLog& log(int index);
  uint32_t seen_[kSwitches] = {};
};

// Whether recording is paused now. Signal handlers may call it.
bool isRecordingPaused();

// Stands for the time that is not recorded.
extern Region notRecorded;

// Maps the switch of the host if the run can be controlled (PARALLAX_CONTROL). Before the first event.
void openHostSwitch();

}  // namespace parallax
