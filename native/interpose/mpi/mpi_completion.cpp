// The wait and test families.
//
// Handles are copied before the call, since it overwrites them, and looked up after it for what
// has completed. Where the program ignores statuses it gets ours, so that peers and bytes are
// exact.

#include "interpose/mpi/mpi_completion.h"

#include "interpose/mpi/mpi_providers.h"
#include "interpose/mpi/mpi_real.h"

namespace parallax::mpi {

bool consumedMessageInSpite(int result) {
  int errorClass = 0;
  return callService(Service::kError_class, result, &errorClass) == 0 &&
         errorClass == abi().errTruncate;
}

// What was told when the operation was posted is not told again.
void emitCollective(Scope& scope, Kind kind, const Request& r) {
  const bool isTold = r.persistent && kind == Kind::kCollective;
  if (r.providers == nullptr || isTold) {
    scope.emit(kind, r.communicator, {r.opAndRoot, r.sentBytes, r.receivedBytes, r.sequence});
    return;
  }
  uint64_t payload[4 + Providers::kMostSlots] = {r.opAndRoot, r.sentBytes, r.receivedBytes, r.sequence};
  memcpy(payload + 4, r.providers->slots, r.providers->count * sizeof(uint64_t));
  scope.emit(kind, r.communicator, payload, 4 + r.providers->count);
}

void emitProbe(Scope& scope, const Communicator* communicator, const void* status) {
  const StatusView view = readStatus(status);
  if (communicator == nullptr || view.source < 0) return;
  scope.emit(Kind::kProbe, communicator->number,
             {peerAndTag(view.source, view.tag), abi().bytesOf(status)});
}

void emitPartitioned(Scope& scope, const Request& request, format::PartitionOp op, uint32_t first, uint32_t count) {
  const bool sends = request.kind == RequestKind::kPartitionedSend;
  scope.emit(sends ? Kind::kPartitionedSend : Kind::kPartitionedReceive, request.communicator,
             {peerAndTag(request.peer, request.tag), uint64_t{request.ordinal} << 32 | request.sequence,
              static_cast<uint64_t>(op) << 32 | request.partitions, uint64_t{first} << 32 | count,
              request.bytes * count});
}

void emitCancellation(Scope& scope, const Request& request) {
  if (request.kind != RequestKind::kSend && request.kind != RequestKind::kReceive) return;
  scope.emit(Kind::kRequestCancel, 0, {request.number});
  if (request.pairedSend != 0) scope.emit(Kind::kRequestCancel, 0, {request.pairedSend});
}

namespace {

struct Received {
  int source, tag;
  uint64_t bytes;
};

// MPICH 4.0 leaves in the status of MPI_Isendrecv what another request had there. It is believed
// only where it agrees with what was posted; else the message was as large as its room.
Received receivedOfBoth(const Request& request, Received received) {
  const bool sourceFits = request.peer == abi().anySource || received.source == request.peer;
  const bool tagFits = request.tag == abi().anyTag || received.tag == request.tag;
  if (sourceFits && tagFits && received.bytes <= request.bytes) return received;
  if (request.peer != abi().anySource) received.source = request.peer;
  if (request.tag != abi().anyTag) received.tag = request.tag;
  received.bytes = request.bytes;
  return received;
}

}  // namespace

void emitCompletion(Scope& scope, const Request& request, int result, const void* status) {
  if (request.file != 0) {
    scope.emit(Kind::kFile, request.file,
               {static_cast<uint64_t>(request.fileOp), result == 0 ? abi().bytesOf(status) : 0});
  }
  switch (request.kind) {
    case RequestKind::kNull:
    case RequestKind::kMessage:
    case RequestKind::kFile:
      return;
    case RequestKind::kSend: {
      // MPICH defines nothing but `cancelled` here, and only that is read.
      const bool cancelled = request.cancelled && abi().cancelledIn(status);
      scope.emit(cancelled ? Kind::kRequestCancel : Kind::kRequestDone, 0, {request.number});
      return;
    }
    case RequestKind::kReceive: {
      if (request.pairedSend != 0) scope.emit(Kind::kRequestDone, 0, {request.pairedSend});
      const StatusView view = readStatus(status);
      Received received{view.source, view.tag, 0};
      const bool arrived = consumedMessage(result) &&
                           !(request.cancelled && abi().cancelledIn(status));
      if (arrived && view.source >= 0) received.bytes = receivedBytes(result, status);
      if (arrived && request.isBoth) received = receivedOfBoth(request, received);
      if (!arrived || received.source < 0) {
        scope.emit(Kind::kRequestCancel, 0, {request.number});
      } else {
        scope.emit(Kind::kReceive, request.communicator,
                   {peerAndTag(received.source, received.tag), received.bytes, request.number});
      }
      return;
    }
    case RequestKind::kPartitionedSend:
    case RequestKind::kPartitionedReceive:
      emitPartitioned(scope, request, format::PartitionOp::kDone, 0, request.partitions);
      return;
    case RequestKind::kWindow:
      scope.emit(Kind::kWindow, request.communicator,
                 {request.opAndRoot, request.sentBytes, request.receivedBytes, request.number});
      return;
    case RequestKind::kCollective:
      if (request.newCommunicator != nullptr && result == 0) {
        defineDuplicate(loadHandle(request.newCommunicator), request.duplicate);
      }
      emitCollective(scope, Kind::kCollective, request);
      return;
  }
}

namespace {

int errorClassOf(int result) {
  int errorClass = 0;
  if (result != 0) callService(Service::kError_class, result, &errorClass);
  return errorClass;
}

// The arrays of one call, and what is recorded from them.
class Completing {
 public:
  Completing(Scope& scope, int count, const void* handles, void* statuses, bool oneStatus)
      : scope_(scope),
        count_(count > 0 ? static_cast<size_t>(count) : 0),
        where_(handles),
        moment_(requestMoment()),
        handles_(count_ * abi().handleBytes),
        ownStatuses_(ignored(statuses) ? (oneStatus ? 1 : count_) * abi().statusBytes : 0),
        statuses_(ignored(statuses) ? ownStatuses_.data() : statuses) {
    if (handles_.data() == nullptr || statuses_ == nullptr) {
      // Without memory the program goes on, and its requests do not end in the trace.
      count_ = 0;
      statuses_ = statuses;
    }
    if (count_ > 0) memcpy(handles_.data(), handles, count_ * abi().handleBytes);
  }

  // The statuses to pass to MPI.
  void* statuses() { return statuses_; }

  void completed(size_t index, size_t statusIndex, int result) {
    if (index >= count_) return;
    const Handle handle = loadHandle(handleAt(handles_.data(), index));
    Request request;
    if (handle == abi().requestNull ||
        !takeRequest(handle, handleAt(where_, index), moment_, &request)) {
      return;
    }
    emitCompletion(scope_, request, result, statusAt(statuses_, statusIndex));
  }

  // Several have completed, or failed when `result` is MPI_ERR_IN_STATUS: then each status
  // tells. MPI_ERR_PENDING stands in those that are still under way.
  void completedAll(size_t index, size_t statusIndex, int result) {
    if (errorClassOf(result) == abi().errInStatus) {
      if (index >= count_) return;
      result = readStatus(statusAt(statuses_, statusIndex)).error;
      if (errorClassOf(result) == abi().errPending) return;
    } else if (result != 0) {
      return;
    }
    completed(index, statusIndex, result);
  }

  size_t count() const { return count_; }

 private:
  Scope& scope_;
  size_t count_;
  const void* where_;
  uint64_t moment_;
  CallBuffer handles_;
  CallBuffer ownStatuses_;
  void* statuses_;
};

bool failedInStatus(int result) {
  return result != 0 && errorClassOf(result) == abi().errInStatus;
}

// The one status of MPI_Wait, MPI_Waitany and their like stands at index 0.
int wait(Target target, void* handle, void* status) {
  Scope scope(target);
  if (!scope) return target.call(handle, status);
  Completing completing(scope, 1, handle, status, true);
  const int result = target.call(handle, completing.statuses());
  scope.returned();
  completing.completed(0, 0, result);
  return result;
}

int test(Target target, void* handle, int* flag, void* status) {
  Scope scope(target);
  if (!scope) return target.call(handle, flag, status);
  Completing completing(scope, 1, handle, status, true);
  const int result = target.call(handle, flag, completing.statuses());
  if (result == 0 && *flag == 0) {
    scope.missed();
    return result;
  }
  scope.returned();
  if (*flag != 0) completing.completed(0, 0, result);
  return result;
}

int waitAll(Target target, int count, void* handles, void* statuses) {
  Scope scope(target);
  if (!scope) return target.call(count, handles, statuses);
  Completing completing(scope, count, handles, statuses, false);
  const int result = target.call(count, handles, completing.statuses());
  scope.returned();
  for (size_t i = 0; i < completing.count(); ++i) completing.completedAll(i, i, result);
  return result;
}

int testAll(Target target, int count, void* handles, int* flag, void* statuses) {
  Scope scope(target);
  if (!scope) return target.call(count, handles, flag, statuses);
  Completing completing(scope, count, handles, statuses, false);
  const int result = target.call(count, handles, flag, completing.statuses());
  if (result == 0 && *flag == 0) {
    scope.missed();
    return result;
  }
  scope.returned();
  if (*flag != 0 || failedInStatus(result)) {
    for (size_t i = 0; i < completing.count(); ++i) completing.completedAll(i, i, result);
  }
  return result;
}

int waitAny(Target target, int count, void* handles, int* index, void* status) {
  Scope scope(target);
  if (!scope) return target.call(count, handles, index, status);
  Completing completing(scope, count, handles, status, true);
  const int result = target.call(count, handles, index, completing.statuses());
  scope.returned();
  if (*index >= 0) completing.completed(static_cast<size_t>(*index), 0, result);
  return result;
}

int testAny(Target target, int count, void* handles, int* index, int* flag, void* status) {
  Scope scope(target);
  if (!scope) return target.call(count, handles, index, flag, status);
  Completing completing(scope, count, handles, status, true);
  const int result = target.call(count, handles, index, flag, completing.statuses());
  if (result == 0 && *flag == 0) {
    scope.missed();
    return result;
  }
  scope.returned();
  if (*flag != 0 && *index >= 0) completing.completed(static_cast<size_t>(*index), 0, result);
  return result;
}

// MPI_Waitsome and MPI_Testsome.
int some(Target target, int count, void* handles, int* completedCount, int* indices,
         void* statuses) {
  Scope scope(target);
  if (!scope) return target.call(count, handles, completedCount, indices, statuses);
  Completing completing(scope, count, handles, statuses, false);
  const int result =
      target.call(count, handles, completedCount, indices, completing.statuses());
  if (result == 0 && *completedCount == 0) scope.missed();
  scope.returned();
  const bool told = result == 0 || failedInStatus(result);
  for (int i = 0; told && i < *completedCount; ++i) {
    if (indices[i] >= 0) {
      completing.completedAll(static_cast<size_t>(indices[i]), static_cast<size_t>(i), result);
    }
  }
  return result;
}

// It takes nothing, so that what the thread waited for is told by the call that does.
int getStatus(Target target, Handle handle, int* flag, void* status) {
  Scope scope(target);
  const int result = target.call(handle, flag, status);
  scope.missed();
  return result;
}

}  // namespace

PARALLAX_MPI_ENTRY(Request_get_status, (Handle handle, int* flag, void* status), getStatus, handle,
                   flag, status)
PARALLAX_MPI_ENTRY(Wait, (void* handle, void* status), wait, handle, status)
PARALLAX_MPI_ENTRY(Test, (void* handle, int* flag, void* status), test, handle, flag, status)
PARALLAX_MPI_ENTRY(Waitall, (int count, void* handles, void* statuses), waitAll, count, handles,
                   statuses)
PARALLAX_MPI_ENTRY(Testall, (int count, void* handles, int* flag, void* statuses), testAll, count,
                   handles, flag, statuses)
PARALLAX_MPI_ENTRY(Waitany, (int count, void* handles, int* index, void* status), waitAny, count,
                   handles, index, status)
PARALLAX_MPI_ENTRY(Testany, (int count, void* handles, int* index, int* flag, void* status),
                   testAny, count, handles, index, flag, status)
PARALLAX_MPI_ENTRY(Waitsome,
                   (int count, void* handles, int* completed, int* indices, void* statuses), some,
                   count, handles, completed, indices, statuses)
PARALLAX_MPI_ENTRY(Testsome,
                   (int count, void* handles, int* completed, int* indices, void* statuses), some,
                   count, handles, completed, indices, statuses)

}  // namespace parallax::mpi
