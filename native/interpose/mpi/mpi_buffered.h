// MPI_Send that returns at once, as if the library took larger messages eagerly: for libraries whose limit of eager messages cannot be
// changed after MPI_Init.
//
// A message is copied to memory of the agent and sent by MPI_Isend. MPI keeps the order of messages between the two routines. The
// tunable variable "mpi_buffered_send" has the largest size of such a message in bytes; 0: none, as at first.
//
// Most libraries move a message only inside of calls of MPI, and a receiver can have to wait for that. Therefore each call of a routine
// that the agent intercepts lets pending messages go on, of MPI or not. Before a call that may wait outside of MPI, such as on a pipe, a
// semaphore or another process, they are completed, so that nobody is waited for who waits for them. That is what the program's own
// MPI_Send would have done earlier. Sleeps are divided into short ones. What calls nothing is not seen: a loop that only reads memory.
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

extern int64_t mostBufferedBytes;  // the variable

// Whether sendBuffered() must be asked.
inline bool mayBuffer(Routine routine) {
  const bool isUsed = __atomic_load_n(&mostBufferedBytes, __ATOMIC_RELAXED) != 0;
  return __builtin_expect(isUsed, false) && (routine == Routine::kSend || routine == Routine::kSend_c);
}
// False: the message is for the library's own routine. Else it is sent, or `result` is the error.
bool sendBuffered(const void* buffer, int64_t count, Handle type, int peer, int tag, Handle comm, int* result);

// Waits until MPI has sent all, as MPI_Finalize and MPI_Comm_disconnect demand.
void completeBufferedSends();

// The agent is about to leave the process: no more messages are copied. False: some are still under way, which the program's next calls
// complete.
bool endBufferedSends();

}  // namespace parallax::mpi
