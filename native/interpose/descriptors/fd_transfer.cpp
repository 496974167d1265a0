#include "interpose/descriptors/fd_transfer.h"

#include <sys/stat.h>

#include "base/sys.h"
#include "core/lone_waits.h"
#include "interpose/process/process_signal.h"

namespace parallax {
namespace {

// Learns whether calls on a descriptor wait.
void learn(const FdCall& call, const Transfer& transfer, const Descriptor& descriptor,
           int64_t result, int error) {
  constexpr uint64_t kWaitedPart = 1000;  // of a second
  if (result < 0 && error == EAGAIN && call.entered() && call.duration() < call.shortTicks()) {
    setNonBlocking(transfer.fd, true);
  } else if (descriptor.nonBlocking && result >= 0 && !transfer.neverWaits &&
             call.duration() > clockSettings.tickHz / kWaitedPart) {
    setNonBlocking(transfer.fd, false);
  }
}

}  // namespace

bool isRegularFile(int fd) {
  struct stat status;
  return sys::call(SYS_fstat, fd, sys::word(&status)) == 0 && S_ISREG(status.st_mode);
}

void transferred(FdCall& call, const Transfer& transfer, const Descriptor& descriptor,
                 int64_t result, int error) {
  const uint64_t bytes = result > 0 ? static_cast<uint64_t>(result) : 0;
  const bool sends = transfer.way == Way::kSend;
  if (descriptor.kind == FdKind::kFile) {
    const auto op = sends ? format::FileOp::kWrite : format::FileOp::kRead;
    if (result >= 0) {
      call.emit(Kind::kFile, descriptor.file, {static_cast<uint64_t>(op), bytes});
    } else if (call.duration() > FdCall::shortTicks()) {
      call.keep();
    }
    return;
  }
  // The number was closed, and given anew, past all symbols: nobody writes to the end to read from.
  const bool isOther = (sends ? descriptor.send.id : descriptor.receive.id) == 0 && result > 0 &&
                       (isStream(descriptor) || descriptor.kind == FdKind::kPacket);
  if (__builtin_expect(isOther, false)) {
    forgetDescriptor(transfer.fd);
    return;
  }
  if (isStream(descriptor) && transfer.counts) {
    if (sends) {
      const uint64_t offset = countSent(descriptor.send, transfer.bytes, bytes);
      if (bytes > 0) call.emit(Kind::kStreamSend, descriptor.send.id, {offset, bytes});
    } else if (bytes > 0 || (result == 0 && transfer.bytes > 0)) {
      const uint64_t offset = countReceived(descriptor, bytes);
      call.emit(Kind::kStreamReceive, descriptor.receive.id, {offset, bytes});
    }
  } else if (descriptor.kind == FdKind::kPacket && result >= 0 && transfer.counts) {
    const uint32_t id = sends ? descriptor.send.id : descriptor.receive.id;
    call.emit(sends ? Kind::kStreamSend : Kind::kStreamReceive, id, {0, bytes});
  } else if (descriptor.kind == FdKind::kSignals && transfer.bytesAt != nullptr && !sends) {
    takeSignals(transfer.bytesAt, bytes, [&](const TakenSignal& taken) {
      call.emit(Kind::kWake, taken.object, {taken.sending});
    });
  }
  if (!sends && result > 0) {
    if (descriptor.kind == FdKind::kTimer) {
      call.emit(Kind::kWake, unsignalledObject(format::SyncKind::kTimer), {0});
    } else if (descriptor.kind == FdKind::kSource) {
      call.emit(Kind::kWake, unsignalledObject(format::SyncKind::kEventSource), {0});
    }
  } else if (result < 0 && error == EAGAIN) {
    call.missed();
  }
  if (call.duration() > FdCall::shortTicks()) call.keep();
  learn(call, transfer, descriptor, result, error);
}

void countNested(const Transfer& transfer, const Descriptor& descriptor, int64_t result) {
  const uint64_t bytes = result > 0 ? static_cast<uint64_t>(result) : 0;
  if (transfer.way == Way::kSend) {
    countSent(descriptor.send, transfer.bytes, bytes);
  } else if (bytes > 0) {
    countReceived(descriptor, bytes);
  }
}

}  // namespace parallax
