// The fields of a record, of which the event tells which there are.
#pragma once

#include "tools/perf/data_file.h"

namespace parallax::perf {

struct SampleFields {
  uint64_t ip = 0, time = 0, id = 0, period = 0;
  int64_t pid = -1, tid = -1;
  int32_t cpu = -1;
  bool hasTime = false;
  std::string_view chain, raw;  // addresses; what a tracepoint tells
  uint64_t userIp = 0;          // of the registers of the user
  bool hasUserStack = false, isCut = false;
};

// Of a sample.
SampleFields sampleOf(std::string_view body, bool isSwapped, const Attr& attr, bool isX86);
// What other records have at their end.
SampleFields trailerOf(std::string_view body, bool isSwapped, const Attr& attr);
// The id of the event of a sample. All events have it in the same place.
uint64_t idOf(std::string_view body, bool isSwapped, const Attr& any);

}  // namespace parallax::perf
