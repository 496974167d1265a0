// How far the clocks of a job's hosts are apart.
#pragma once

namespace parallax::mpi {

// After MPI_Init, in all processes of a job, if PARALLAX_CLOCK_OFFSETS asks for it: if these are on several hosts, the first
// process of each host measures the offset to the clock of rank 0's host by round trips, of which the shortest counts, and records
// it. Nobody is asked without the setting: a process that could not load the agent would not answer.
void beginOffsets();
// The same before MPI_Finalize, if beginOffsets() has measured.
void endOffsets();

}  // namespace parallax::mpi
