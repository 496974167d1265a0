// The sessions of MPI 4 that the program has open, and what stands in them for MPI_COMM_WORLD.
//
// A program with sessions can do without MPI_COMM_WORLD. Its ranks are those of the process set "mpi://WORLD", which
// each session has, and which asking for needs no other process. The members of the first communicator are found by
// this group; they agree on its id, and with it on their job, by a broadcast of one number in the new communicator.
#pragma once

#include "interpose/mpi/mpi_comm.h"
#include "interpose/mpi/mpi_memory.h"

namespace parallax::mpi {

bool hasSession();

// The group mpi://WORLD of one of the sessions, which stays open as long as this lives. MPI forbids to compare groups of
// several sessions, but all libraries can do it, and a program rarely has several. Other threads that open or close
// sessions wait for this.
class WorldOfSessions {
 public:
  WorldOfSessions();
  WorldOfSessions(const WorldOfSessions&) = delete;
  WorldOfSessions& operator=(const WorldOfSessions&) = delete;

  explicit operator bool() const { return group_ != 0; }
  Handle group() const { return group_; }

 private:
  SpinGuard guard_;
  Handle group_ = 0;
};

// MPI_Init or MPI_Finalize has ended. Sessions that begin and end meanwhile do not start and stop the library.
void worldBegan();
void worldEnded();
// Those that are open are not told any more.
void forgetSessions();

// An id that all members of a new communicator get by communicating over it, which is not 0. Of an intercommunicator,
// the processes of one group, and only these, pass `isFirst`.
uint64_t agreedId(const Communicator& c, Handle handle, bool isFirst);

}  // namespace parallax::mpi
