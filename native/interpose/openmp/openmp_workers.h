// Threads of a runtime's pool, which wait between their shares. If the process ends, the thread that
// ends it writes the last events of those that wait.
#pragma once

#include "interpose/openmp/openmp_team.h"

namespace parallax::openmp {

// On a thread of the runtime, once it is recorded: it is idle.
void beginWorker(Thread* thread);
// It takes part in a region, as this number of the team.
void nameWorker(unsigned number);

// What the thread has written is complete: another one can write the end of the process for it.
void startWaiting(State& s);
// False when the process has ended meanwhile.
bool stopWaiting(State& s);

// Writes the end of the barrier that a worker has waited in; from then on it was idle.
void writeEnd(State& s, Thread* thread, uint64_t now);

}  // namespace parallax::openmp
