// Counters that all recorded processes of this host share: for objects that exist once for
// several processes, such as pipes, connections and process-shared locks.
#pragma once

#include <cstdint>

#include "transport/shared_table.h"

namespace parallax {

// The counters of a key, initially zero. They are the same in all recorded processes of the host
// and run, also after fork, and stay valid if a process is killed. Counting is atomic, but an
// operation and its count are two steps. Keys of different kinds of objects must differ: mix a
// constant for the kind into them. Null if the key is 0, if nothing is recorded, or if there is no
// space: the object is then private, with key 0 in the trace. Lock-free, without malloc; signal
// handlers may call it. The pointer stays valid until the process ends, so frequent users keep it.
SharedCounters* sharedCounters(uint64_t keyHigh, uint64_t keyLow);

// The process is recorded into another trace from now on.
void forgetSharedCounters();

}  // namespace parallax
