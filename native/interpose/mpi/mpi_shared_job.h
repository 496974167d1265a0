// The number of the job that the recorded processes of MPI_COMM_WORLD share from MPI_Init on.
//
// Some of the processes may run without the agent. They must never miss or get a message because of it, and nobody may wait for
// them for ever. Therefore the launcher's name of the job is taken where there is one, without a message. Only processes
// that were spawned, and those of a launcher that leaves no name on all hosts, get the number from rank 0.
#pragma once

#include <cstdint>

namespace parallax::mpi {

struct Job {
  uint64_t number;
  uint64_t parents;  // the id of the intercommunicator to those who spawned it; 0 if they are not known
  uint64_t check;    // of what rank 0 sends: ~number
};

Job sharedJob();

}  // namespace parallax::mpi
