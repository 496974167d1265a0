// Messages of PVM. libpvm gives those of one sender with the same tag and context in the order of
// their sending, so that they match as those of MPI do.
#include "interpose/pvm/pvm.h"

namespace parallax::pvm {
namespace {

RealPvm<int(int, int)> realSend("pvm_send"), realReceive("pvm_recv"), realPoll("pvm_nrecv"),
    realProbe("pvm_probe");
RealPvm<int(int*, int, int)> realMulticast("pvm_mcast");
RealPvm<int(int, int, void*, int, int)> realPackedSend("pvm_psend");
RealPvm<int(int, int, void*, int, int, int*, int*, int*)> realPackedReceive("pvm_precv");
RealPvm<int(int, int, void*)> realTimedReceive("pvm_trecv");

Region sendRegion("pvm_send", format::Group::kPvm);
Region receiveRegion("pvm_recv", format::Group::kPvm);
Region pollRegion("pvm_nrecv", format::Group::kPvm);
Region probeRegion("pvm_probe", format::Group::kPvm);
Region multicastRegion("pvm_mcast", format::Group::kPvm);
Region packedSendRegion("pvm_psend", format::Group::kPvm);
Region packedReceiveRegion("pvm_precv", format::Group::kPvm);
Region timedReceiveRegion("pvm_trecv", format::Group::kPvm);

// Sizes of PVM_STR .. PVM_ULONG.
constexpr uint8_t kTypeBytes[] = {1, 1, 2, 4, 4, 8, 8, 16, 8, 2, 4, 8};

int64_t bytesOf(int count, int type) {
  if (count < 0 || type < 0 || type >= static_cast<int>(sizeof kTypeBytes)) return 0;
  return int64_t{count} * kTypeBytes[type];
}

uint64_t bytesToSend() {
  MessageInfo info{};
  const int buffer = realGetSendBuffer();
  return buffer > 0 && realMessageInfo(buffer, &info) >= 0 ? static_cast<uint64_t>(info.bytes) : 0;
}

// To daemons (the highest bit is set) go requests, not messages.
bool isRecorded(int tid) {
  return tid > 0 && tid != groupServer.load(std::memory_order_relaxed);
}

void emitMessage(Call& call, Kind kind, int context, int peer, int tag, uint64_t bytes) {
  if (!isRecorded(peer)) return;
  const uint32_t communicator = communicatorOf(context);
  if (communicator == 0) return;
  call.emit(kind, communicator,
            {format::peerAndTag(static_cast<uint32_t>(peer), static_cast<uint32_t>(tag)), bytes});
}

// Calls `real`, with a Send to each of `tids` before it; after it when only the call itself makes
// this process a task. `packedBytes` below 0: those of the active send buffer.
template <class F>
int send(Region& region, const int* tids, int count, int tag, int64_t packedBytes, F real) {
  if (!wanted()) return real();
  Call call(region);
  if (!call) {
    if (asksGroupServer) groupServer.store(tids[0], std::memory_order_relaxed);
    return real();
  }
  const auto emitAll = [&] {
    const uint64_t bytes = packedBytes >= 0 ? static_cast<uint64_t>(packedBytes) : bytesToSend();
    const int context = realGetContext();
    const int own = &region == &multicastRegion ? static_cast<int>(taskId()) : 0;  // is left out
    for (int i = 0; i < count; i++) {
      if (tids[i] != own) emitMessage(call, Kind::kSend, context, tids[i], tag, bytes);
    }
  };
  const bool known = isTask();
  if (known) emitAll();
  const int result = real();
  call.returned();
  if (!known && result >= 0) {
    enrolled();
    emitAll();
  }
  return result;
}

// Calls `real`, which returns a buffer: above 0 a message is in it.
template <class F>
int receive(Region& region, Kind kind, F real) {
  if (!wanted()) return real();
  Call call(region);
  const int buffer = real();
  call.returned();
  if (!call || buffer < 0) return buffer;
  enrolled();
  MessageInfo info{};
  if (buffer > 0 && realMessageInfo(buffer, &info) >= 0) {
    emitMessage(call, kind, info.context, info.source, info.tag, static_cast<uint64_t>(info.bytes));
  }
  return buffer;
}

}  // namespace
}  // namespace parallax::pvm

using namespace parallax;
using namespace parallax::pvm;

PARALLAX_EXPORT int pvm_send(int tid, int tag) {
  return send(sendRegion, &tid, 1, tag, -1, [=] { return realSend(tid, tag); });
}

PARALLAX_EXPORT int pvm_mcast(int* tids, int count, int tag) {
  return send(multicastRegion, tids, count, tag, -1,
              [=] { return realMulticast(tids, count, tag); });
}

PARALLAX_EXPORT int pvm_psend(int tid, int tag, void* data, int count, int type) {
  return send(packedSendRegion, &tid, 1, tag, bytesOf(count, type),
              [=] { return realPackedSend(tid, tag, data, count, type); });
}

PARALLAX_EXPORT int pvm_recv(int tid, int tag) {
  return receive(receiveRegion, Kind::kReceive, [=] { return realReceive(tid, tag); });
}

PARALLAX_EXPORT int pvm_nrecv(int tid, int tag) {
  return receive(pollRegion, Kind::kReceive, [=] { return realPoll(tid, tag); });
}

PARALLAX_EXPORT int pvm_trecv(int tid, int tag, void* timeout) {
  return receive(timedReceiveRegion, Kind::kReceive,
                 [=] { return realTimedReceive(tid, tag, timeout); });
}

PARALLAX_EXPORT int pvm_probe(int tid, int tag) {
  return receive(probeRegion, Kind::kProbe, [=] { return realProbe(tid, tag); });
}

PARALLAX_EXPORT int pvm_precv(int tid, int tag, void* data, int count, int type, int* source,
                              int* actualTag, int* bytes) {
  if (!wanted()) return realPackedReceive(tid, tag, data, count, type, source, actualTag, bytes);
  int gotSource = 0, gotTag = 0, gotBytes = 0;
  Call call(packedReceiveRegion);
  const int result = realPackedReceive(tid, tag, data, count, type, &gotSource, &gotTag, &gotBytes);
  call.returned();
  if (source != nullptr) *source = gotSource;
  if (actualTag != nullptr) *actualTag = gotTag;
  if (bytes != nullptr) *bytes = gotBytes;
  if (call && result >= 0) {
    enrolled();
    emitMessage(call, Kind::kReceive, realGetContext(), gotSource, gotTag,
                static_cast<uint64_t>(gotBytes));
  }
  return result;
}
