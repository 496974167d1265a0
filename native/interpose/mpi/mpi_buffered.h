// MPI_Send that returns at once, as if the library took larger messages eagerly: for libraries whose limit of eager messages cannot be
// changed after MPI_Init.
//
// A message is copied to memory of the agent and sent by MPI_Isend. MPI keeps the order of messages between the two routines. The
// tunable variable "mpi_buffered_send" has the largest size of such a message in bytes; 0: none, as at first.
//
// Messages stay as they are, with the library's own MPI_Send, where the other way could be noticed: of derived datatypes, on
// communicators with another error handler than MPI_ERRORS_ARE_FATAL, with sessions, and if there is no room.
#pragma once

#include <atomic>
#include <cstdint>

#include "interpose/mpi/mpi_abi.h"
#include "interpose/mpi/mpi_routine.h"

namespace parallax::mpi {

// In MPI_Init: declares the variable, if the process is tuned and only one of its threads calls MPI.
void declareBufferedSends(int threadLevel);

struct BufferedSends {
  int64_t mostBytes;  // the variable
  uint32_t pending;   // messages whose memory is in use
};
extern BufferedSends bufferedSends;

// Whether sendBuffered() must be asked.
inline bool mayBuffer(Routine routine) {
  const bool isUsed = __atomic_load_n(&bufferedSends.mostBytes, __ATOMIC_RELAXED) != 0 || bufferedSends.pending != 0;
  return __builtin_expect(isUsed, false) && (routine == Routine::kSend || routine == Routine::kSend_c);
}
// False: the message is for the library's own routine. Else it is sent, or `result` is the error.
bool sendBuffered(const void* buffer, int64_t count, Handle type, int peer, int tag, Handle comm, int* result);

// Waits until MPI has sent all, as MPI_Finalize and MPI_Comm_disconnect demand.
void completeBufferedSends();

}  // namespace parallax::mpi
