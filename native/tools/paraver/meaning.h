// What event types, values and states of a trace mean, by their numbers and names.
#pragma once

#include "tools/paraver/trace.h"

namespace parallax::paraver {

inline constexpr uint64_t kPointToPoint = 50000001, kCollectiveType = 50000002, kLastMpi = 50000005;
inline constexpr uint64_t kUserFunction = 60000019;

inline bool isMpi(const EventType& type) { return type.number >= kPointToPoint && type.number <= kLastMpi; }

// Decides the roles of the types, and the regions of the states. All records are read.
void classify(Trace* trace);

// The region of a value of a type that has calls. The value is not 0.
uint32_t regionOf(Trace* trace, EventType* type, uint64_t value);

// The name of the type, for reports and metrics.
std::string nameOf(const Trace& trace, const EventType& type);

}  // namespace parallax::paraver
