// Use of MPI that the agent does not see.
#pragma once

namespace parallax::mpi {

// MPI_Init has come to the agent.
void useIsSeen();

// To be called when the process exits: a note if MPI was used past the agent, with the cause.
void noteUnseenUse();

}  // namespace parallax::mpi
