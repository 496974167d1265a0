// What one event costs, by ours and by the others: nanoseconds and bytes.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

enum class Origin { kPlain, kOurs, kPeer };

struct Cost {
  std::string group;   // what happens in the program
  std::string name;    // who records it
  Origin origin;
  double events = 0;   // that it makes of one
  bool timed = true;   // events with a time; else only counters
  bool missing = false;    // it is not installed, or not built
  std::string failure;
  double leastNs = 0;  // of one, the plain cost taken off
  double meanNs = 0;
  double bytes = 0;    // an event; 0: not known
};

struct Costs {
  double clockBeginNs = 0;  // a read of the clock as at the beginning and the end of a routine
  double clockEndNs = 0;
  std::vector<Cost> rows;

  const Cost* find(const std::string& group, const std::string& name) const;
};

inline constexpr char kFunctionGroup[] = "a routine entered and left";
inline constexpr char kLockGroup[] = "a mutex locked and unlocked";
inline constexpr char kSendGroup[] = "MPI_Send to itself, Open MPI";
inline constexpr char kOursWithoutPath[] = "Parallax, Enter and Leave";
inline constexpr char kOursAfterWait[] = "Parallax, end of a wait";
inline constexpr char kOurs[] = "Parallax";
inline constexpr char kEztrace[] = "EZTrace";

Costs measureCosts(int rounds, bool quick, const std::string& scratch, unsigned seed,
                   const std::string& lockFile);

}  // namespace parallax::bench
