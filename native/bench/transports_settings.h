// What `parallax study intrusion` and `parallax bench transports` measure.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

inline constexpr char kUntraced[] = "none";        // the mode of runs without tracing
inline constexpr char kDiscarded[] = "discard";    // of runs that keep no event
inline constexpr char kDefaultMode[] = "default";  // of runs that name no transport

inline constexpr int kQuickLatencyUs = 200;  // so that one write for each event ends soon

struct Store {
  static constexpr char kPlain[] = "plain", kContended[] = "contended";
};

struct TransportSettings {
  std::vector<std::string> classes = {"A"};
  std::vector<int> processes = {2, 4, 8, 16, 32, 64};
  std::vector<std::string> modes;
  std::vector<std::string> stores = {Store::kPlain, Store::kContended};
  int rounds = 7;
  unsigned seed = 1994;
  int repeats = 1;       // of the ten iterations of a run
  int mostSeconds = 20;  // of a run, which is ended then
  int latencyUs = 1000;  // of the contended store, for each request
  int bytesPerSecond = 4000000;

  // All on which the figures depend, a line for each. Results of other settings are not comparable. (More rounds
  // and other process counts add to what there is.)
  std::string comparable() const;
};

// Every mode of `record --transport`, in the order of its help; of one with a size, one for each of some sizes: those
// of the paper as whole blocks, or with `few` one.
std::vector<std::string> transportModes(bool few);
bool isTransportMode(const std::string& text);

// Reads process counts from 1 to 1024, with commas. Returns false for anything else.
bool parseCounts(const std::string& list, std::vector<int>* counts);

}  // namespace parallax::bench
