// What the processes of one MPI job tell those of another when MPI joins them.
#pragma once

#include "interpose/mpi/mpi_comm.h"

namespace parallax::mpi {

// The job of processes that are spawned over an intercommunicator with this id.
uint64_t jobOfSpawned(uint64_t intercommunicatorId);

// Before MPI_Init: tells the processes that spawn this one that it is recorded.
void tellArrival();

// After MPI_Init, in rank 0: receives the id of the intercommunicator to the processes that have spawned this one. 0 if
// there are none, or if they are not recorded. Then all ranks call leaveParents().
uint64_t receiveFromParents();
void leaveParents();

}  // namespace parallax::mpi
