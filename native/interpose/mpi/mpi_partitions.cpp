// Partitioned communication: a persistent message whose partitions the sender makes ready one by one.
//
// A partition is recorded as ready before the real call, so that a trace of a program that still runs never has a
// message that arrived before. The k-th partitioned send of a process to a peer with a tag, in the order of
// MPI_Psend_init, meets the k-th partitioned receive there, in the order of MPI_Precv_init.

#include "interpose/mpi/mpi_comm.h"
#include "interpose/mpi/mpi_completion.h"
#include "interpose/mpi/mpi_request.h"
#include "interpose/mpi/mpi_routine.h"

namespace parallax::mpi {
namespace {

using format::PartitionOp;

Request requestOf(RequestKind kind, int partitions, int64_t count, Handle type, int peer, int tag, Handle comm) {
  Request r{};
  r.persistent = true;
  const Communicator* c = peer >= 0 && tag >= 0 && partitions > 0 && count >= 0 && isDatatype(type)
                              ? findCommunicator(comm)
                              : nullptr;
  if (c == nullptr || static_cast<uint32_t>(peer) >= c->peers()) return r;
  r.kind = kind;
  r.communicator = c->number;
  r.peer = peer;
  r.tag = tag;
  r.partitions = static_cast<uint32_t>(partitions);
  r.bytes = static_cast<uint64_t>(count) * typeBytes(type);
  r.sequence = UINT64_MAX;  // the first start makes it 0
  const uint64_t pair = originOf(~c->globalId, peerAndTag(peer, tag));
  r.ordinal = static_cast<uint32_t>(countEarlier(originOf(pair, static_cast<uint64_t>(kind)))) & INT32_MAX;
  return r;
}

template <RequestKind kKind, class Buffer>
int prepare(Target target, Buffer buffer, int partitions, int64_t count, Handle type, int peer, int tag, Handle comm,
            Handle info, void* handle) {
  Scope scope(target);
  const int result = target.call(buffer, partitions, count, type, peer, tag, comm, info, handle);
  scope.returned();
  if (scope && result == 0) {
    addRequest(loadHandle(handle), handle, requestOf(kKind, partitions, count, type, peer, tag, comm));
  }
  return result;
}

// A copy of the started request of a handle. False if there is none of this kind.
bool findStarted(Handle handle, RequestKind kind, Request* request) {
  return changeRequest(
             normalised(handle), nullptr,
             [](Request& found, void* copy) { *static_cast<Request*>(copy) = found; }, request) &&
         request->kind == kind && request->active;
}

// Tells of partitions, successive ones together. Those that MPI refuses are not told.
class Ready {
 public:
  Ready(Scope& scope, Handle handle) : scope_(scope) {
    known_ = scope && findStarted(handle, RequestKind::kPartitionedSend, &request_);
  }
  ~Ready() { tell(); }
  Ready(const Ready&) = delete;
  Ready& operator=(const Ready&) = delete;

  void add(int first, int count) {
    if (!known_ || first < 0 || count <= 0 || static_cast<int64_t>(first) + count > request_.partitions) return;
    if (first != first_ + count_) {
      tell();
      first_ = first;
    }
    count_ += count;
  }

 private:
  void tell() {
    if (count_ > 0) {
      emitPartitioned(scope_, request_, PartitionOp::kPartitions, static_cast<uint32_t>(first_),
                      static_cast<uint32_t>(count_));
    }
    count_ = 0;
  }

  Scope& scope_;
  Request request_;
  bool known_;
  int first_ = -1, count_ = 0;
};

int ready(Target target, int partition, Handle handle) {
  Scope scope(target);
  Ready(scope, handle).add(partition, 1);
  const int result = target.call(partition, handle);
  scope.returned();
  return result;
}

int readyRange(Target target, int low, int high, Handle handle) {
  Scope scope(target);
  if (high < INT32_MAX) Ready(scope, handle).add(low, high - low + 1);
  const int result = target.call(low, high, handle);
  scope.returned();
  return result;
}

int readyList(Target target, int count, const int* partitions, Handle handle) {
  Scope scope(target);
  {
    Ready ready(scope, handle);
    for (int i = 0; i < count; ++i) ready.add(partitions[i], 1);
  }
  const int result = target.call(count, partitions, handle);
  scope.returned();
  return result;
}

int arrived(Target target, Handle handle, int partition, int* flag) {
  Scope scope(target);
  if (!scope) return target.call(handle, partition, flag);
  Request request;
  const bool known = findStarted(handle, RequestKind::kPartitionedReceive, &request);
  const int result = target.call(handle, partition, flag);
  if (result == 0 && *flag == 0) {
    scope.missed();
    return result;
  }
  scope.returned();
  if (result == 0 && known && partition >= 0 && static_cast<uint32_t>(partition) < request.partitions) {
    emitPartitioned(scope, request, PartitionOp::kPartitions, static_cast<uint32_t>(partition), 1);
  }
  return result;
}

}  // namespace

PARALLAX_MPI_ENTRY(Psend_init,
                   (const void* buffer, int partitions, int64_t count, Handle type, int peer, int tag, Handle comm,
                    Handle info, void* handle),
                   prepare<RequestKind::kPartitionedSend>, buffer, partitions, count, type, peer, tag, comm, info,
                   handle)
PARALLAX_MPI_ENTRY(Precv_init,
                   (void* buffer, int partitions, int64_t count, Handle type, int peer, int tag, Handle comm,
                    Handle info, void* handle),
                   prepare<RequestKind::kPartitionedReceive>, buffer, partitions, count, type, peer, tag, comm, info,
                   handle)
PARALLAX_MPI_ENTRY(Pready, (int partition, Handle handle), ready, partition, handle)
PARALLAX_MPI_ENTRY(Pready_range, (int low, int high, Handle handle), readyRange, low, high, handle)
PARALLAX_MPI_ENTRY(Pready_list, (int count, const int* partitions, Handle handle), readyList, count, partitions,
                   handle)
PARALLAX_MPI_ENTRY(Parrived, (Handle handle, int partition, int* flag), arrived, handle, partition, flag)

}  // namespace parallax::mpi
