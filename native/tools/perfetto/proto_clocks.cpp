#include "tools/perfetto/proto_clocks.h"

#include <vector>

#include "tools/perfetto/proto_fields.h"

namespace parallax::perfetto {

void ProtoClocks::snapshot(uint32_t sequence, std::string_view message) {
  struct Reading {
    uint32_t id = 0;
    uint64_t time = 0, unitNs = 1;
    bool isIncremental = false;
  };
  std::vector<Reading> readings;
  ProtoFields fields(message);
  while (fields.next()) {
    if (fields.field() != 1) continue;
    Reading reading;
    ProtoFields clock(fields.bytes());
    while (clock.next()) {
      switch (clock.field()) {
        case 1: reading.id = static_cast<uint32_t>(clock.number()); break;
        case 2: reading.time = clock.number(); break;
        case 3: reading.isIncremental = clock.number() != 0; break;
        case 4: reading.unitNs = clock.number(); break;
        default: break;
      }
    }
    readings.push_back(reading);
  }
  // Boot time is the clock of the trace. Without it, any clock that is known already leads there.
  int64_t traceNs = 0;
  bool isKnown = false;
  for (const Reading& each : readings) {
    if (each.id != kBoottime) continue;
    traceNs = static_cast<int64_t>(each.time * each.unitNs);
    isKnown = true;
  }
  for (const Reading& each : readings) {
    const auto known = clocks_.find(key(sequence, each.id));
    if (isKnown || known == clocks_.end() || each.isIncremental) continue;
    traceNs = static_cast<int64_t>(each.time * each.unitNs + static_cast<uint64_t>(known->second.offset));
    isKnown = true;
  }
  if (!isKnown && !readings.empty()) traceNs = static_cast<int64_t>(readings[0].time * readings[0].unitNs);
  for (const Reading& each : readings) {
    if (clocks_.size() >= kMostClocks) return;
    Clock& clock = clocks_[key(sequence, each.id)];
    clock.isIncremental = each.isIncremental;
    clock.unitNs = each.unitNs;
    clock.last = each.time;
    clock.offset = static_cast<int64_t>(static_cast<uint64_t>(traceNs) - each.time * each.unitNs);
  }
}

bool ProtoClocks::convert(uint32_t sequence, uint32_t id, uint64_t time, int64_t* ns) {
  const auto known = clocks_.find(key(sequence, id));
  if (known == clocks_.end()) {
    *ns = static_cast<int64_t>(time);
    return id == kBoottime;
  }
  Clock& clock = known->second;
  if (clock.isIncremental) time = clock.last += time;
  *ns = static_cast<int64_t>(time * clock.unitNs + static_cast<uint64_t>(clock.offset));
  return true;
}

}  // namespace parallax::perfetto
