// The requests that are under way, by handle.
//
// What a request is cannot be asked of MPI: MPICH leaves source and tag of a completed send
// undefined, and a handle says nothing about its communicator.
//
// Handles are not unique. The libraries give one shared handle to all operations that are complete when they begin.
// And when the wait of one thread has released a handle, another thread may get the same handle before the first thread
// looks here. A handle therefore has a list of requests, newest first. takeRequest() skips requests that were added after
// the completing call began, and prefers the request that was stored in the same variable.
//
// Assumptions: (1) no two threads complete the same request at once, which MPI forbids.
// Guarantees: (1) all functions are thread-safe; (2) each request added is taken at most once,
// a persistent one at most once for each start.
#pragma once

#include <cstdint>

#include "format/format.h"
#include "interpose/mpi/mpi_abi.h"
#include "interpose/mpi/mpi_comm.h"

namespace parallax::mpi {

struct Providers;

enum class RequestKind : uint8_t {
  kNull,        // to or from the null process: completes without an event
  kSend,
  kReceive,
  kCollective,
  kMessage,     // matched by a probe, still to be received
  kWindow,      // an operation on a window
  kFile,        // a read or write of one process
  kPartitionedSend,
  kPartitionedReceive,
};

// What is known of any request, and all that is of a message.
struct MessageRequest {
  RequestKind kind;
  bool persistent;
  bool active;
  bool cancelled;         // MPI_Cancel was called for it
  uint32_t communicator;  // number in this process
  uint64_t number;        // of the events
  int32_t peer, tag;      // sends; receives: as posted
  uint64_t bytes;         // sends; MPI_Isendrecv: room for the message; partitioned: of one partition
  uint64_t pairedSend;    // the number of the send of MPI_Isendrecv, else 0
  uint32_t file;          // reads and writes: of what, 0 for none
  bool isBoth;            // MPI_Isendrecv: a receive, and maybe a send beside it

  bool isOfMessage() const {
    return kind == RequestKind::kSend || kind == RequestKind::kReceive || kind == RequestKind::kMessage;
  }
};

struct Request : MessageRequest {
  // Partitioned: how many partitions, and how many such requests this process made before with this peer and tag. Their
  // `sequence` is the number of the start.
  uint32_t partitions, ordinal;
  // Collectives: the payload of their events. Windows: opAndRoot and bytes.
  uint64_t opAndRoot, sentBytes, receivedBytes, sequence;
  const Providers* providers;   // collectives: null if the payload says it all
  Communicator* sequences;      // persistent ones: where the sequence of a start comes from
  format::FileOp fileOp;
  const void* newCommunicator;  // creations: where the handle will stand
  Duplication duplicate;

  bool isPartitioned() const {
    return kind == RequestKind::kPartitionedSend || kind == RequestKind::kPartitionedReceive;
  }
};

// A number for the events of one request: unique in the process.
uint64_t nextRequestNumber();

// Adds what an MPI call returned: `handle`, stored by it at `where`. Messages of MPI_Mprobe and
// requests share handle values in MPICH, and are told apart by their kind.
void addRequest(Handle handle, const void* where, const Request& request);

// The moment up to which takeRequest() looks; to be read before a completing call.
uint64_t requestMoment();

// Takes the newest request of `handle` added before `moment` out of the table, or, if it is
// persistent, makes it inactive. False when there is none (that is active).
bool takeRequest(Handle handle, const void* where, uint64_t moment, Request* taken);
bool takeMessage(Handle handle, uint64_t moment, Request* taken);

// Takes a request whatever its state. False when there is none.
bool removeRequest(Handle handle, const void* where, Request* removed);

// Takes all out of the table.
void forgetAllRequests();

// Calls change(request, context) on the newest request of `handle` under its lock. False when
// there is none.
bool changeRequest(Handle handle, const void* where, void (*change)(Request&, void*),
                   void* context);

}  // namespace parallax::mpi
