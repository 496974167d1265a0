// Point-to-point communication: sends, receives, probes and persistent requests.
//
// A Send is recorded before the real call, so that a trace of a program that still runs never has a Receive without its
// Send. Calls with arguments that MPI will refuse are not recorded.

#include "interpose/mpi/mpi_buffered.h"
#include "interpose/mpi/mpi_comm.h"
#include "interpose/mpi/mpi_completion.h"
#include "interpose/mpi/mpi_providers.h"
#include "interpose/mpi/mpi_request.h"
#include "interpose/mpi/mpi_routine.h"

namespace parallax::mpi {
namespace {

// What a send or receive says about itself.
struct Message {
  const Communicator* communicator;
  int peer;
  int tag;
  uint64_t bytes;
};

// The communicator when `peer` is a process or, in a receive, any source; else null.
inline const Communicator* communicatorFor(Handle handle, int peer, bool receive) {
  if (peer == abi().procNull) return nullptr;
  const Communicator* c = findCommunicator(handle);
  if (c == nullptr) return nullptr;
  if (receive && peer == abi().anySource) return c;
  return peer >= 0 && static_cast<uint32_t>(peer) < c->peers() ? c : nullptr;
}

template <class C>
inline __attribute__((always_inline)) Message outgoing(C count, Handle type, int peer, int tag, Handle comm) {
  Message m{communicatorFor(comm, peer, false), peer, tag, 0};
  uint64_t element = 0;
  // A message to itself from before may be under way: the next one would be taken for it.
  const bool isOwn = __builtin_expect(isAttached, false) && m.communicator != nullptr && !m.communicator->inter() &&
                     static_cast<uint32_t>(peer) == m.communicator->rank;
  if (isOwn || count < 0 || tag < 0 || m.communicator == nullptr || !typeBytes(type, &element)) {
    m.communicator = nullptr;
  } else {
    m.bytes = static_cast<uint64_t>(count) * element;
  }
  return m;
}

Request requestOf(RequestKind kind, const Message& m) {
  Request r{};
  r.kind = m.communicator != nullptr ? kind : RequestKind::kNull;
  r.active = true;
  r.number = nextRequestNumber();
  r.communicator = m.communicator != nullptr ? m.communicator->number : 0;
  r.peer = m.peer;
  r.tag = m.tag;
  r.bytes = m.bytes;
  return r;
}

void emitPost(Scope& scope, const Request& request) {
  if (request.kind == RequestKind::kNull) return;
  if (request.kind == RequestKind::kSend) {
    scope.emit(Kind::kSend, request.communicator,
               {peerAndTag(request.peer, request.tag), request.bytes, request.number});
  } else {
    const uint64_t peer = request.peer == abi().anySource
                              ? format::kAnySource
                              : static_cast<uint32_t>(request.peer);
    const uint64_t tag =
        request.tag == abi().anyTag ? format::kAnyTag : static_cast<uint32_t>(request.tag);
    scope.emit(Kind::kReceivePost, request.communicator, {peer << 32 | tag, request.number});
  }
}

// The real call of a posted operation has returned.
void posted(Scope& scope, const Request& request, int result, const void* handle) {
  scope.returnedAtOnce();
  if (result == 0) {
    addRequest(loadHandle(handle), handle, request);
  } else {
    emitCancellation(scope, request);
  }
}

// The last event of a routine that receives.
void emitReceive(Scope& scope, const Communicator* communicator, int result,
                 const void* status) {
  if (communicator == nullptr || !consumedMessage(result)) return;
  const StatusView view = readStatus(status);
  if (view.source < 0) return;
  scope.endWith(Kind::kReceive, communicator->number,
                {peerAndTag(view.source, view.tag), receivedBytes(result, status)});
}

// ---- blocking

// MPI takes the data of such a message without the receiver, unless it has no room for it.
bool isEager(Routine routine, const Message& m) {
  constexpr uint64_t kMostBytes = 1024;
  return (routine == Routine::kSend || routine == Routine::kSend_c) && m.bytes <= kMostBytes;
}

template <class C>
int send(Target target, const void* buffer, C count, Handle type, int peer, int tag,
         Handle comm) {
  Scope scope(target, Call::Manner::kSends);
  Message m{};
  if (scope) {
    m = outgoing(count, type, peer, tag, comm);
    if (m.communicator != nullptr) {
      scope.enterWith(Kind::kSend, m.communicator->number, {peerAndTag(peer, tag), m.bytes});
    } else {
      scope.enter();
    }
  }
  int result;
  if (!mayBuffer(target.routine) || !sendBuffered(buffer, count, type, peer, tag, comm, &result)) {
    result = target.call(buffer, count, type, peer, tag, comm);
  }
  if (isEager(target.routine, m)) {
    scope.returnedSoon();
  } else {
    scope.returned();
  }
  return result;
}

template <class C>
int receive(Target target, void* buffer, C count, Handle type, int peer, int tag, Handle comm,
            void* status) {
  Scope scope(target, Call::Manner::kWaits);
  if (!scope) return target.call(buffer, count, type, peer, tag, comm, status);
  const Communicator* c = communicatorFor(comm, peer, true);
  OwnStatus own(status);
  const int result = target.call(buffer, count, type, peer, tag, comm, own.status());
  scope.returned();
  emitReceive(scope, c, result, own.status());
  return result;
}

template <class C>
int sendReceive(Target target, const void* sent, C sentCount, Handle sentType, int to, int sentTag,
                void* received, C receivedCount, Handle receivedType, int from, int receivedTag,
                Handle comm, void* status) {
  Scope scope(target);
  if (!scope) {
    return target.call(sent, sentCount, sentType, to, sentTag, received, receivedCount,
                       receivedType, from, receivedTag, comm, status);
  }
  const Message m = outgoing(sentCount, sentType, to, sentTag, comm);
  if (m.communicator != nullptr) {
    scope.emit(Kind::kSend, m.communicator->number, {peerAndTag(to, sentTag), m.bytes});
  }
  const Communicator* c = communicatorFor(comm, from, true);
  OwnStatus own(status);
  const int result =
      target.call(sent, sentCount, sentType, to, sentTag, received, receivedCount, receivedType,
                  from, receivedTag, comm, own.status());
  scope.returned();
  emitReceive(scope, c, result, own.status());
  return result;
}

template <class C>
int sendReceiveReplace(Target target, void* buffer, C count, Handle type, int to, int sentTag,
                       int from, int receivedTag, Handle comm, void* status) {
  Scope scope(target);
  if (!scope) {
    return target.call(buffer, count, type, to, sentTag, from, receivedTag, comm, status);
  }
  const Message m = outgoing(count, type, to, sentTag, comm);
  if (m.communicator != nullptr) {
    scope.emit(Kind::kSend, m.communicator->number, {peerAndTag(to, sentTag), m.bytes});
  }
  const Communicator* c = communicatorFor(comm, from, true);
  OwnStatus own(status);
  const int result =
      target.call(buffer, count, type, to, sentTag, from, receivedTag, comm, own.status());
  scope.returned();
  emitReceive(scope, c, result, own.status());
  return result;
}

// ---- non-blocking and persistent

template <class C>
int immediateSend(Target target, const void* buffer, C count, Handle type, int peer, int tag,
                  Handle comm, void* handle) {
  Scope scope(target);
  if (!scope) return target.call(buffer, count, type, peer, tag, comm, handle);
  Request request = requestOf(RequestKind::kSend, outgoing(count, type, peer, tag, comm));
  emitPost(scope, request);
  const int result = target.call(buffer, count, type, peer, tag, comm, handle);
  posted(scope, request, result, handle);
  return result;
}

template <class C>
int immediateReceive(Target target, void* buffer, C count, Handle type, int peer, int tag,
                     Handle comm, void* handle) {
  Scope scope(target);
  if (!scope) return target.call(buffer, count, type, peer, tag, comm, handle);
  Request request = requestOf(RequestKind::kReceive,
                              Message{communicatorFor(comm, peer, true), peer, tag, 0});
  emitPost(scope, request);
  const int result = target.call(buffer, count, type, peer, tag, comm, handle);
  posted(scope, request, result, handle);
  return result;
}

// One request for a send and a receive (MPI 4).
Request postBoth(Scope& scope, const Message& sent, const Message& received) {
  const Request send = requestOf(RequestKind::kSend, sent);
  Request receive = requestOf(RequestKind::kReceive, received);
  emitPost(scope, send);
  emitPost(scope, receive);
  if (receive.kind == RequestKind::kNull) return send;
  receive.isBoth = true;
  if (send.kind != RequestKind::kNull) receive.pairedSend = send.number;
  return receive;
}

template <class C>
int immediateSendReceive(Target target, const void* sent, C sentCount, Handle sentType, int to,
                         int sentTag, void* received, C receivedCount, Handle receivedType,
                         int from, int receivedTag, Handle comm, void* handle) {
  Scope scope(target);
  Request request{};
  if (scope) {
    request = postBoth(scope, outgoing(sentCount, sentType, to, sentTag, comm),
                       Message{communicatorFor(comm, from, true), from, receivedTag,
                               static_cast<uint64_t>(receivedCount) * typeBytes(receivedType)});
  }
  const int result = target.call(sent, sentCount, sentType, to, sentTag, received, receivedCount,
                                 receivedType, from, receivedTag, comm, handle);
  if (scope) posted(scope, request, result, handle);
  return result;
}

template <class C>
int immediateSendReceiveReplace(Target target, void* buffer, C count, Handle type, int to,
                                int sentTag, int from, int receivedTag, Handle comm,
                                void* handle) {
  Scope scope(target);
  Request request{};
  if (scope) {
    request = postBoth(scope, outgoing(count, type, to, sentTag, comm),
                       Message{communicatorFor(comm, from, true), from, receivedTag,
                               static_cast<uint64_t>(count) * typeBytes(type)});
  }
  const int result =
      target.call(buffer, count, type, to, sentTag, from, receivedTag, comm, handle);
  if (scope) posted(scope, request, result, handle);
  return result;
}

// The request of a persistent operation, made now and started later.
void prepared(Scope& scope, RequestKind kind, const Message& m, int result, const void* handle) {
  scope.returned();
  if (result != 0) return;
  Request request = requestOf(kind, m);
  request.persistent = true;
  request.active = false;
  addRequest(loadHandle(handle), handle, request);
}

template <class C>
int prepareSend(Target target, const void* buffer, C count, Handle type, int peer, int tag,
                Handle comm, void* handle) {
  Scope scope(target);
  const int result = target.call(buffer, count, type, peer, tag, comm, handle);
  if (scope) {
    prepared(scope, RequestKind::kSend, outgoing(count, type, peer, tag, comm), result, handle);
  }
  return result;
}

template <class C>
int prepareReceive(Target target, void* buffer, C count, Handle type, int peer, int tag,
                   Handle comm, void* handle) {
  Scope scope(target);
  const int result = target.call(buffer, count, type, peer, tag, comm, handle);
  if (scope) {
    const Message m{communicatorFor(comm, peer, true), peer, tag, 0};
    prepared(scope, RequestKind::kReceive, m, result, handle);
  }
  return result;
}

// ---- probes and matched receives

int probe(Target target, int peer, int tag, Handle comm, void* status) {
  Scope scope(target);
  if (!scope) return target.call(peer, tag, comm, status);
  const Communicator* c = communicatorFor(comm, peer, true);
  OwnStatus own(status);
  const int result = target.call(peer, tag, comm, own.status());
  scope.returned();
  if (result == 0) emitProbe(scope, c, own.status());
  return result;
}

int immediateProbe(Target target, int peer, int tag, Handle comm, int* found, void* status) {
  Scope scope(target);
  if (!scope) return target.call(peer, tag, comm, found, status);
  const Communicator* c = communicatorFor(comm, peer, true);
  OwnStatus own(status);
  const int result = target.call(peer, tag, comm, found, own.status());
  if (result == 0 && *found == 0) {
    scope.missed();
    return result;
  }
  scope.returned();
  if (result == 0 && *found != 0) emitProbe(scope, c, own.status());
  return result;
}

// A matched probe is where the receive takes its place in the order of messages: it posts the
// receive that MPI_Mrecv or MPI_Imrecv will complete.
void matched(Scope& scope, const Communicator* c, const void* status, const void* message) {
  const StatusView view = readStatus(status);
  const Handle handle = loadHandle(message);
  if (c == nullptr || view.source < 0 || handle == abi().messageNull ||
      handle == abi().messageNoProcess) {
    return;
  }
  Request request = requestOf(RequestKind::kMessage, Message{c, view.source, view.tag, 0});
  emitProbe(scope, c, status);
  emitPost(scope, request);
  addRequest(handle, message, request);
}

int matchedProbe(Target target, int peer, int tag, Handle comm, void* message, void* status) {
  Scope scope(target);
  if (!scope) return target.call(peer, tag, comm, message, status);
  const Communicator* c = communicatorFor(comm, peer, true);
  OwnStatus own(status);
  const int result = target.call(peer, tag, comm, message, own.status());
  scope.returned();
  if (result == 0) matched(scope, c, own.status(), message);
  return result;
}

int immediateMatchedProbe(Target target, int peer, int tag, Handle comm, int* found,
                          void* message, void* status) {
  Scope scope(target);
  if (!scope) return target.call(peer, tag, comm, found, message, status);
  const Communicator* c = communicatorFor(comm, peer, true);
  OwnStatus own(status);
  const int result = target.call(peer, tag, comm, found, message, own.status());
  if (result == 0 && *found == 0) {
    scope.missed();
    return result;
  }
  scope.returned();
  if (result == 0 && *found != 0) matched(scope, c, own.status(), message);
  return result;
}

template <class C>
int receiveMatched(Target target, void* buffer, C count, Handle type, void* message,
                   void* status) {
  Scope scope(target);
  if (!scope) return target.call(buffer, count, type, message, status);
  Request request;
  const bool known = takeMessage(loadHandle(message), requestMoment(), &request);
  OwnStatus own(status);
  const int result = target.call(buffer, count, type, message, own.status());
  scope.returned();
  if (known) {
    request.kind = RequestKind::kReceive;
    emitCompletion(scope, request, result, own.status());
  }
  return result;
}

template <class C>
int immediateReceiveMatched(Target target, void* buffer, C count, Handle type, void* message,
                            void* handle) {
  Scope scope(target);
  if (!scope) return target.call(buffer, count, type, message, handle);
  Request request = requestOf(RequestKind::kNull, Message{});
  if (takeMessage(loadHandle(message), requestMoment(), &request)) {
    request.kind = RequestKind::kReceive;
  }
  const int result = target.call(buffer, count, type, message, handle);
  posted(scope, request, result, handle);
  return result;
}

// ---- starting, freeing and cancelling

// Changes a request when it is started. Called under the lock of the table; the caller records the copy after the lock
// is released.
void start(Request& request, void* copy) {
  if (request.persistent) {
    request.active = true;
    request.cancelled = false;
    request.number = nextRequestNumber();
    if (request.kind == RequestKind::kCollective) request.sequence = nextSequence(request);
    if (request.isPartitioned()) ++request.sequence;
  }
  *static_cast<Request*>(copy) = request;
}

void startRequest(Scope& scope, const void* handle) {
  Request request{};
  if (!changeRequest(loadHandle(handle), handle, start, &request) || !request.persistent) return;
  if (request.kind == RequestKind::kCollective) {
    emitCollective(scope, Kind::kCollectivePost, request);
  } else if (request.isPartitioned()) {
    emitPartitioned(scope, request, format::PartitionOp::kStart, 0, 0);
  } else {
    emitPost(scope, request);
  }
}

// A start that failed leaves the request inactive.
void undoStart(Scope& scope, const void* handle) {
  Request request;
  if (takeRequest(loadHandle(handle), handle, requestMoment(), &request)) {
    emitCancellation(scope, request);
  }
}

int startOne(Target target, void* handle) {
  Scope scope(target);
  if (scope) startRequest(scope, handle);
  const int result = target.call(handle);
  scope.returned();
  if (scope && result != 0) undoStart(scope, handle);
  return result;
}

int startAll(Target target, int count, void* handles) {
  Scope scope(target);
  for (int i = 0; scope && i < count; ++i) {
    startRequest(scope, handleAt(handles, static_cast<size_t>(i)));
  }
  const int result = target.call(count, handles);
  scope.returned();
  for (int i = 0; scope && result != 0 && i < count; ++i) {
    undoStart(scope, handleAt(handles, static_cast<size_t>(i)));
  }
  return result;
}

int freeRequest(Target target, void* handle) {
  Scope scope(target);
  if (!scope) return target.call(handle);
  Request request;
  const bool known = removeRequest(loadHandle(handle), handle, &request);
  const int result = target.call(handle);
  scope.returned();
  if (known && request.active) emitCancellation(scope, request);
  if (known && !request.isOfMessage()) releaseProviders(request.providers);
  return result;
}

int cancel(Target target, void* handle) {
  Scope scope(target);
  if (scope) {
    changeRequest(
        loadHandle(handle), handle, [](Request& request, void*) { request.cancelled = true; },
        nullptr);
  }
  const int result = target.call(handle);
  scope.returned();
  return result;
}

// ---- the symbols

// Defines MPI_Name with int for C and MPI_Name_c with int64_t (MPI_Count).
#define PARALLAX_BOTH(Name, function, parameters, ...)                         \
  PARALLAX_MPI_ENTRY(Name, parameters(int), function, __VA_ARGS__)             \
  PARALLAX_MPI_ENTRY(Name##_c, parameters(int64_t), function, __VA_ARGS__)

}  // namespace

#define PARALLAX_PARAMETERS(C) \
  (const void* buffer, C count, Handle type, int peer, int tag, Handle comm)
#define PARALLAX_MPI_SEND(Name, name) \
  PARALLAX_BOTH(Name, send, PARALLAX_PARAMETERS, buffer, count, type, peer, tag, comm)
#define PARALLAX_REQUEST_PARAMETERS(C) \
  (const void* buffer, C count, Handle type, int peer, int tag, Handle comm, void* handle)
#define PARALLAX_MPI_ISEND(Name, name)                                                      \
  PARALLAX_BOTH(Name, immediateSend, PARALLAX_REQUEST_PARAMETERS, buffer, count, type, peer, \
                tag, comm, handle)
#define PARALLAX_MPI_SEND_INIT(Name, name)                                                 \
  PARALLAX_BOTH(Name, prepareSend, PARALLAX_REQUEST_PARAMETERS, buffer, count, type, peer, \
                tag, comm, handle)
#define PARALLAX_MPI(Name, name)
#define PARALLAX_MPI_COUNTED(Name, name)
#include "interpose/mpi/mpi_routines.def"

#define PARALLAX_RECV(C) \
  (void* buffer, C count, Handle type, int peer, int tag, Handle comm, void* last)
PARALLAX_BOTH(Recv, receive, PARALLAX_RECV, buffer, count, type, peer, tag, comm, last)
PARALLAX_BOTH(Irecv, immediateReceive, PARALLAX_RECV, buffer, count, type, peer, tag, comm, last)
PARALLAX_BOTH(Recv_init, prepareReceive, PARALLAX_RECV, buffer, count, type, peer, tag, comm,
              last)
#define PARALLAX_MRECV(C) (void* buffer, C count, Handle type, void* message, void* last)
PARALLAX_BOTH(Mrecv, receiveMatched, PARALLAX_MRECV, buffer, count, type, message, last)
PARALLAX_BOTH(Imrecv, immediateReceiveMatched, PARALLAX_MRECV, buffer, count, type, message,
              last)
#define PARALLAX_SENDRECV(C)                                                                   \
  (const void* sent, C sentCount, Handle sentType, int to, int sentTag, void* received,        \
   C receivedCount, Handle receivedType, int from, int receivedTag, Handle comm, void* last)
PARALLAX_BOTH(Sendrecv, sendReceive, PARALLAX_SENDRECV, sent, sentCount, sentType, to, sentTag,
              received, receivedCount, receivedType, from, receivedTag, comm, last)
PARALLAX_BOTH(Isendrecv, immediateSendReceive, PARALLAX_SENDRECV, sent, sentCount, sentType, to,
              sentTag, received, receivedCount, receivedType, from, receivedTag, comm, last)
#define PARALLAX_REPLACE(C)                                                                    \
  (void* buffer, C count, Handle type, int to, int sentTag, int from, int receivedTag,         \
   Handle comm, void* last)
PARALLAX_BOTH(Sendrecv_replace, sendReceiveReplace, PARALLAX_REPLACE, buffer, count, type, to,
              sentTag, from, receivedTag, comm, last)
PARALLAX_BOTH(Isendrecv_replace, immediateSendReceiveReplace, PARALLAX_REPLACE, buffer, count,
              type, to, sentTag, from, receivedTag, comm, last)

PARALLAX_MPI_ENTRY(Probe, (int peer, int tag, Handle comm, void* status), probe, peer, tag, comm,
                   status)
PARALLAX_MPI_ENTRY(Iprobe, (int peer, int tag, Handle comm, int* found, void* status),
                   immediateProbe, peer, tag, comm, found, status)
PARALLAX_MPI_ENTRY(Mprobe, (int peer, int tag, Handle comm, void* message, void* status),
                   matchedProbe, peer, tag, comm, message, status)
PARALLAX_MPI_ENTRY(Improbe,
                   (int peer, int tag, Handle comm, int* found, void* message, void* status),
                   immediateMatchedProbe, peer, tag, comm, found, message, status)
PARALLAX_MPI_ENTRY(Start, (void* handle), startOne, handle)
PARALLAX_MPI_ENTRY(Startall, (int count, void* handles), startAll, count, handles)
PARALLAX_MPI_ENTRY(Request_free, (void* handle), freeRequest, handle)
PARALLAX_MPI_ENTRY(Cancel, (void* handle), cancel, handle)

}  // namespace parallax::mpi
