// The dummy messages of perturbed processes (perturb/).
#pragma once

namespace parallax::mpi {

// On a communicator of their own, after MPI_Init has returned and before MPI_Finalize begins. All
// processes of the job have the same plan. Nothing where it wants no messages.
void startDummyMessages();
void endDummyMessages();

}  // namespace parallax::mpi
