// The clocks of a trace of Perfetto, as its snapshots tell them.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace parallax::perfetto {

class ProtoClocks {
 public:
  static constexpr uint32_t kBoottime = 6;
  static constexpr uint32_t kFirstOfSequence = 64, kFirstGlobal = 128;

  // A message ClockSnapshot of a sequence of packets.
  void snapshot(uint32_t sequence, std::string_view message);
  // The time of a packet in the clock of the trace. False if no snapshot has the clock.
  bool convert(uint32_t sequence, uint32_t clock, uint64_t time, int64_t* ns);

 private:
  struct Clock {
    bool isIncremental = false;
    uint64_t unitNs = 1;
    uint64_t last = 0;    // of an incremental one, in its units
    int64_t offset = 0;   // to the clock of the trace
  };
  static uint64_t key(uint32_t sequence, uint32_t clock) {
    const bool isOfSequence = clock >= kFirstOfSequence && clock < kFirstGlobal;
    return uint64_t{isOfSequence ? sequence : 0} << 32 | clock;
  }

  static constexpr size_t kMostClocks = 100'000;
  std::map<uint64_t, Clock> clocks_;
};

}  // namespace parallax::perfetto
