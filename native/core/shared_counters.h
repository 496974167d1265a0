// Counters that all recorded processes of this host share: for objects that exist once for
// several processes, such as pipes, connections and process-shared locks.
#pragma once

#include <cstdint>

#include "transport/shared_table.h"

namespace parallax {

// The counters of a key, zero at first; the same in all recorded processes of the host and run,
// also after fork, and not hurt by the kill of any process. Counting on them is atomic, but an
// operation and its count are not one step. Keys of different kinds of objects must differ: mix a
// constant of the kind into them. Null when the key is 0, when nothing is recorded, or when there
// is no space: the object is then private, with key 0 in the trace. Lock-free, without malloc;
// signal handlers may call it. Whoever needs the counters often keeps the pointer, which stays
// valid until the process ends.
SharedCounters* sharedCounters(uint64_t keyHigh, uint64_t keyLow);

}  // namespace parallax
