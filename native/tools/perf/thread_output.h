// Writes the events of one thread: its samples, and the times in which it had no processor.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "format/writer.h"
#include "tools/conversion/event_output.h"
#include "tools/perf/recording.h"

namespace parallax::perf {

// By which event the time of call paths is known.
struct Timing {
  uint32_t event = kNone;
  double nsPerUnit = 1;  // of its period
};

// How the times of all threads came about, in nanoseconds.
struct TimeSums {
  uint64_t wallNs = 0;       // of all threads
  uint64_t sampledNs = 0;    // what samples stand for
  uint64_t switchedNs = 0;   // on a processor between context switches
  uint64_t unplacedNs = 0;   // what samples stand for beyond the time that passed
};

class ThreadOutput {
 public:
  struct Numbers {
    std::unordered_map<uint32_t, uint32_t>* metrics;  // of an event, in this process
    std::vector<uint32_t>* paths;                     // of a node, in this process
    const std::unordered_map<uint32_t, uint32_t>* threads;
  };

  // `ticks` is the time of CLOCK_MONOTONIC less that of the original.
  ThreadOutput(Recording* recording, Thread* thread, const Timing& timing, const Numbers& numbers, TimeSums* sums)
      : recording_(*recording), thread_(*thread), timing_(timing), numbers_(numbers), sums_(*sums) {}

  // Its begin and end in the original, after prepare().
  void prepare();
  int64_t beginNs() const { return beginNs_; }
  int64_t endNs() const { return endNs_; }

  // Returns an empty string, or what went wrong.
  std::string write(const std::string& path, uint32_t number, uint64_t creatorPlusOne, const format::ClockLine& clock, int64_t baseNs);

 private:
  double needOf(const Record& record) const { return static_cast<double>(record.value) * timing_.nsPerUnit; }
  uint64_t ticks(int64_t ns) const { return clock_.ticks + static_cast<uint64_t>(ns - baseNs_); }
  void lose(conversion::EventOutput* output, int64_t ns, int64_t lostNs, uint64_t runnableNs);
  void sample(conversion::EventOutput* output, const Record& record, bool isLast);
  void put(conversion::EventOutput* output, const Record& record);
  void flush(conversion::EventOutput* output, int64_t lostUntil);
  void out(conversion::EventOutput* output, const Record& record);
  void in(conversion::EventOutput* output, int64_t ns);

  Recording& recording_;
  Thread& thread_;
  const Timing& timing_;
  const Numbers numbers_;
  TimeSums& sums_;
  format::ClockLine clock_;
  int64_t baseNs_ = 0, beginNs_ = 0, endNs_ = 0;
  int64_t lastNs_ = 0;   // of the last event that was written
  double debtNs_ = 0;    // time for which samples stand and that has no place yet; below 0: that was given too much
  uint64_t lostNs_ = 0;  // without a processor, up to now
  bool isOut_ = false;
  int64_t outNs_ = 0, wokenNs_ = kNoTime;
  uint64_t outState_ = kBlocked;
  std::vector<Record> waiting_;  // other events after the last sample
  std::unordered_map<uint32_t, uint64_t> totals_;
};

// Of the records of all threads, each in the order of time.
Timing timingOf(const Recording& recording);

}  // namespace parallax::perf
