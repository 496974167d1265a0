// What the processes of one MPI job tell those of another when MPI joins them.
#pragma once

#include "interpose/mpi/mpi_comm.h"

namespace parallax::mpi {

// The job of processes that are spawned over an intercommunicator with this id.
uint64_t jobOfSpawned(uint64_t intercommunicatorId);

// Before MPI_Init: tells the processes that spawn this one that it is recorded.
void tellArrival();

// After MPI_Init, in a process that others have spawned: receives the id of the intercommunicator to them, in rank 0.
// 0 in the other ranks, where nobody has spawned this process, and where the parents are not recorded.
uint64_t receiveFromParents();

}  // namespace parallax::mpi
