// MPI in a process that the recorder has attached to. The others of its job may run without the agent: nothing may be agreed
// with them, and what they have sent before is not known. Each such process therefore counts as a job of its own, of which
// it is the only rank that is recorded. Its messages and collectives have their peers, bytes and times, and are matched
// with none.
#pragma once

#include "interpose/mpi/mpi_comm.h"

namespace parallax::mpi {

// Defines MPI_COMM_WORLD, if there is none yet, and the place in it. Null while MPI is not initialised.
Communicator* beginAlone();

// The process is recorded again, into another trace: what is used there is defined there. Requests from before are forgotten.
void beginAnew();

}  // namespace parallax::mpi
