// What `parallax study pvm-library` measures.
#pragma once

#include <string>
#include <vector>

#include "bench/pvm_machine.h"

namespace parallax::bench {

struct Route {
  static constexpr char kIndirect[] = "default", kDirect[] = "direct";
};
struct Encoding {
  static constexpr char kXdr[] = "default", kRaw[] = "raw", kInPlace[] = "in-place";
};
inline constexpr int kKilobyte = 1024, kDefaultFragment = 4 * kKilobyte;

// Which runs are repetitions of each other.
struct PvmCell {
  std::string place, route, encoding;
  int fragment = kDefaultFragment, bytes = 1;

  std::vector<std::string> keys() const;
  static PvmCell of(const std::vector<std::string>& keys);
  static std::vector<std::string> keyNames();
};

struct PvmSettings {
  std::vector<std::string> places = {Place::kOne, Place::kThree};
  std::vector<int> modeBytes = {1, 10, 100, 1000, 10000, 100000, 1000000};  // of Tables 1 and 2
  std::vector<int> fragmentBytes;                                           // of Table 3
  std::vector<int> fragments;
  std::string type = "int";
  int rounds = 7;
  unsigned seed = 2003;
  int milliseconds = 50;  // of a run
  int leastTrips = 4;  // of which the shortest is told

  PvmSettings();
  // A little of everything.
  void makeQuick();

  // Each setting of routes, encodings and fragment sizes with one place and message size. Data in place are not divided
  // into fragments by the library: their fragment size is always the default.
  std::vector<PvmCell> modes(const std::string& place, int bytes) const;      // with the default fragment size
  std::vector<PvmCell> allFragments(const std::string& place, int bytes) const;
  // All of one round, in the order of the tables; those of a message size are compared with each other.
  std::vector<std::vector<PvmCell>> blocks(const std::string& place) const;

  // All on which the figures depend, a line for each. More rounds and other places add to what there is.
  std::string comparable() const;
};

}  // namespace parallax::bench
