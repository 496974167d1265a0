// What is recorded when operations complete.
#pragma once

#include "interpose/mpi/mpi_comm.h"
#include "interpose/mpi/mpi_memory.h"
#include "interpose/mpi/mpi_request.h"
#include "interpose/mpi/mpi_routine.h"

namespace parallax::mpi {

// The status of one call: the program's, or one of our own where the program ignores it.
class OwnStatus {
 public:
  explicit OwnStatus(void* programs) : status_(ignored(programs) ? own_ : programs) {}
  void* status() { return status_; }

 private:
  void* status_;
  alignas(8) unsigned char own_[kMostStatusBytes];
};

// The bytes of a message that was received with this result. No library defines them if it was truncated: then 0.
inline uint64_t receivedBytes(int result, const void* status) { return result == 0 ? abi().bytesOf(status) : 0; }

// Whether a receive with this result has taken a message: a truncated one has.
bool consumedMessageInSpite(int result);
inline bool consumedMessage(int result) { return __builtin_expect(result == 0, true) || consumedMessageInSpite(result); }

// The events of a completed request. `result` is its own error.
void emitCompletion(Scope& scope, const Request& request, int result, const void* status);

// A request of a send or receive ends without its message.
void emitCancellation(Scope& scope, const Request& request);

// kCollectivePost or kCollective from the request of a collective.
void emitCollective(Scope& scope, Kind kind, const Request& request);
inline uint64_t nextSequence(const Request& request) { return request.sequences->nextSequence(); }

// What the process says of a partitioned request: its start, partitions [first, first + count), or its completion.
void emitPartitioned(Scope& scope, const Request& request, format::PartitionOp op, uint32_t first, uint32_t count);

void emitProbe(Scope& scope, const Communicator* communicator, const void* status);

}  // namespace parallax::mpi
