// The communicators of the process: their numbers in the trace, sizes and sequences.
#pragma once

#include <atomic>
#include <cstdint>

#include "interpose/mpi/mpi_abi.h"

namespace parallax::mpi {

// Ranks of a window, in room that is used again.
struct Ranks {
  uint32_t* at;
  uint32_t count, capacity;
};

inline constexpr uint32_t kNullNeighbour = UINT32_MAX;

// A communicator, or the processes of a window, which have a number, an id and sequences as those of a
// communicator have.
struct Communicator {
  uint32_t number;      // operand of events
  uint32_t size;        // of the own group
  uint32_t remoteSize;  // 0 unless it is an intercommunicator
  uint32_t rank;
  bool isShared;       // all members know its id
  bool isBetweenJobs;  // not all members are in MPI_COMM_WORLD
  bool isOfSession;    // of MPI's sessions, which do without MPI_COMM_WORLD
  bool isSecondGroup;  // between jobs: this process is of the group that comes second in its collectives
  uint64_t globalId;
  std::atomic<uint64_t> sequence;  // of the next collective
  // Neighbours of its topology, and which of them are the null process (bit i: the i-th; only
  // Cartesian topologies have such, at most 64).
  uint32_t sources, destinations;
  uint64_t nullNeighbours;
  Ranks neighbours;  // the sources of its topology, kNullNeighbour for the null process; none if they are not known
  // Of a window: its group, and the ranks of its current access and exposure epochs.
  Handle group;
  Ranks access, exposure;
  // Of a file: its number in the trace, and the sequence of its split collective.
  uint32_t file;
  uint64_t split;
  Communicator* nextUnused;

  bool inter() const { return remoteSize != 0; }
  // Processes that this one exchanges data with.
  uint32_t peers() const { return inter() ? remoteSize : size; }
  // Its collectives come one after the other, as MPI demands.
  uint64_t nextSequence() {
    const uint64_t next = sequence.load(std::memory_order_relaxed);
    sequence.store(next + 1, std::memory_order_relaxed);
    return next;
  }
};

// How the global id of a new communicator is told from those with the same members: by what
// all its members know and no other communicator of theirs shares.
uint64_t originOf(uint64_t parentId, uint64_t sequence);

// How many times this process has called it with `id` before.
uint64_t countEarlier(uint64_t id);

// Defines MPI_COMM_WORLD and MPI_COMM_SELF. The job keeps the global ids of several programs in
// one trace apart.
void defineWorld(uint64_t job);
// Null before MPI_Init.
extern Communicator* knownWorld;
inline const Communicator* worldCommunicator() { return knownWorld; }

// Defines a communicator that MPI has just created by a collective on `parent`, the origin by this. Null for
// MPI_COMM_NULL.
Communicator* defineCommunicator(Handle handle, const Communicator& parent, Handle parentHandle, uint64_t origin);

// The same for a duplicate, whose parent may be freed before it is there.
struct Duplication {
  uint64_t origin;
  uint64_t idBetweenJobs;  // if not all members are in MPI_COMM_WORLD
  bool isSecondGroup;
  bool isOfSession;
};
Duplication duplicationOf(const Communicator& parent, Handle handle, uint64_t sequence);
Communicator* defineDuplicate(Handle handle, const Duplication& of);

// The same for one whose members share no sequence, but its tag. The members of one without a `parent` are in
// MPI_COMM_WORLD, or it is shared with none.
Communicator* defineCommunicatorAmong(Handle handle, const Communicator* parent, Handle parentHandle, int tag);

// Defines one that was made from groups, or an intercommunicator of such ones. `tag`: the program's, the same in all
// members. A collective on it if the members do not know that they are of one job. Null for MPI_COMM_NULL.
Communicator* defineFromGroups(Handle handle, uint64_t tag);

// Defines the process set mpi://WORLD of the sessions, of which MPI has no communicator.
Communicator* defineWorldOfSessions(uint32_t rank, uint32_t size, uint64_t job);

// Defines an intercommunicator between jobs. Both sides have agreed on the id, or it is 0 and shared with none.
enum class Side : uint8_t { kFirst, kSecond, kSpawned };
Communicator* defineBetweenJobs(Handle handle, uint64_t id, Side side);

// The communicator of a handle, or null when it is none. One that is not known (from
// MPI_Comm_spawn, MPI_Comm_get_parent, MPI_Comm_connect, ...) is defined at first use.
// Thread-safe, lock-free where the communicator is known.
Communicator* findOtherCommunicator(Handle handle);
inline Communicator* findCommunicator(Handle handle) {
  handle = normalised(handle);
  return __builtin_expect(handle == abi().world && knownWorld != nullptr, true) ? knownWorld : findOtherCommunicator(handle);
}

// All of them, MPI_COMM_WORLD as well, and all windows and files.
void forgetAllCommunicators();

// The handle is about to be freed.
void forgetCommunicator(Handle handle);

// Defines a window that MPI has just created by a collective on `parent`, as a communicator of its processes.
Communicator* defineWindow(Handle handle, const Communicator& parent, uint64_t sequence);

// The window of a handle; null for one that was created past the agent. Lock-free.
Communicator* findWindow(Handle handle);
void forgetWindow(Handle handle);

// The same for a file, whose handle is a pointer in all libraries; `file` is its number in the trace.
Communicator* defineFile(Handle handle, uint32_t file, const Communicator& parent, uint64_t sequence);
Communicator* findFile(Handle handle);
void forgetFile(Handle handle);

// Sets `into` to the ranks in a window of the members of a group; to none if they cannot be known.
void ranksIn(const Communicator& window, Handle group, Ranks* into);

}  // namespace parallax::mpi
