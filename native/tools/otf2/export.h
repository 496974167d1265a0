// Writes a trace as an archive of OTF2.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parallax::otf2 {

// How the ticks of a machine become nanoseconds since the start of the trace, as the Java reader has it (MachineClock):
// ((ticks - referenceTicks) << shift) * multiplier >> 64, plus offsetNs.
struct HostClock {
  std::string host;
  uint64_t referenceTicks = 0;
  int64_t multiplier = 0;
  int shift = 0;
  int64_t offsetNs = 0;

  int64_t timeNs(uint64_t ticks) const {
    const auto delta = static_cast<int64_t>((ticks - referenceTicks) << shift);
    return static_cast<int64_t>(static_cast<__int128>(delta) * multiplier >> 64) + offsetNs;
  }
};

struct ExportOptions {
  std::string trace;            // its directory
  std::string directory;        // of the archive; it does not exist
  std::string name = "traces";  // of the anchor file, without .otf2
  std::vector<HostClock> clocks;  // of hosts without one, the rate of the Process record is taken
  uint64_t epochNs = 0;         // CLOCK_REALTIME at time 0
  std::string corrections;      // a file of more corrections of times, if there are some
  std::function<void(uint64_t read, uint64_t all)> progress;  // blocks of events
};

// Of each kind of event by its number: how many there are, and how many have no record in the archive.
struct ExportCounts {
  static constexpr size_t kKinds = 64;
  std::array<uint64_t, kKinds> read{}, left{};
  uint64_t damagedBlocks = 0;  // whose events are missing
  std::vector<std::string> notes;  // what else is missing, a sentence without an end each
};

// Returns an empty string, or why there is no archive: a sentence without an end. The directory is removed then.
std::string exportTrace(const ExportOptions& options, ExportCounts* counts);

}  // namespace parallax::otf2
