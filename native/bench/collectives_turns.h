// What tuning costs a program after its decisions: in one run, the tuner is paused and goes on in turns. Two runs of a program
// differ by many percent, because its processes and their memory are placed anew; two moments of one run do not.
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace parallax::bench {

// The program had begun so many calls at a time, in ns of CLOCK_MONOTONIC.
struct CallMark {
  double ns, calls;
};
// Of the lines `NS CALLS` of a file; none if there is no such file.
std::vector<CallMark> readCallMarks(const std::string& path);

struct TunerTurn {
  double beginNs, endNs;
  bool isOn;
};

// The time of a call while the tuner is on, divided by that while it is paused: of each two turns that follow each other, by the median
// of all averages of two (Hodges and Lehmann). What is near a switch belongs to neither.
struct TurnsRatio {
  double ratio = 0;  // 0: there was no pair
  size_t pairs = 0;
  double pausedNs = 0;  // the median of a call's time while the tuner is paused
};
TurnsRatio ratioOf(const std::vector<TunerTurn>& turns, const std::vector<CallMark>& marks);

// Pauses a session of `parallax tune` in turns, from the moment at which the file `marks` is there.
class TunerTurns {
 public:
  TunerTurns(const std::string& control, const std::string& marks);
  ~TunerTurns();
  TunerTurns(const TunerTurns&) = delete;
  TunerTurns& operator=(const TunerTurns&) = delete;

  // The program has ended.
  const std::vector<TunerTurn>& end();

 private:
  void run();
  bool tell(const char* command) const;

  const std::string control_, marks_;
  std::atomic<bool> isEnded_{false};
  std::vector<TunerTurn> turns_;
  std::thread thread_;
};

}  // namespace parallax::bench
