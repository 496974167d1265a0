#include "interpose/descriptors/stream_count.h"

#include <sys/ioctl.h>

#include "base/sys.h"
#include "core/agent.h"
#include "format/definitions.h"

namespace parallax {
namespace {

constexpr uint64_t kSendingBegun = 1, kReceivingBegun = 2, kDistrusted = 4, kSeveralReceivers = 8,
                   kSenderSeen = 16, kSentAhead = 32;
constexpr int kReceiverShift = 32;  // the process that received first

bool setFlag(SharedCounters* counters, uint64_t flag) {
  return (counters->value[kFlags].fetch_or(flag, std::memory_order_acq_rel) & flag) == 0;
}

uint64_t waiting(int fd) {
  int bytes = 0;
  return sys::call(SYS_ioctl, fd, FIONREAD, sys::word(&bytes)) == 0 && bytes > 0
             ? static_cast<uint64_t>(bytes) : 0;
}

void addSent(SharedCounters* counters, uint64_t bytes) {
  if (bytes == 0) return;
  counters->value[kAnnounced].fetch_add(bytes, std::memory_order_acq_rel);
  counters->value[kSent].fetch_add(bytes, std::memory_order_acq_rel);
}

uint64_t ownMark() { return static_cast<uint64_t>(sys::getpid()) << kReceiverShift; }

// Whether nobody has come to receive from the stream before, in any process.
bool isFirstReceiver(SharedCounters* counters) {
  uint64_t flags = counters->value[kFlags].load(std::memory_order_acquire);
  while (flags >> kReceiverShift == 0) {
    if (counters->value[kFlags].compare_exchange_weak(flags, flags | ownMark(),
                                                      std::memory_order_acq_rel)) {
      return true;
    }
  }
  if (flags >> kReceiverShift << kReceiverShift != ownMark()) setFlag(counters, kSeveralReceivers);
  return false;
}

// Whether this process is the only one that has received from the stream so far.
bool isOnlyReceiver(SharedCounters* counters) {
  const uint64_t flags = counters->value[kFlags].load(std::memory_order_acquire);
  return flags >> kReceiverShift << kReceiverShift == ownMark() && (flags & kSeveralReceivers) == 0;
}

// Where nobody who can send is seen, the sender may be in another trace.
bool senderSeen(SharedCounters* counters) {
  return (counters->value[kFlags].load(std::memory_order_acquire) & kSenderSeen) != 0;
}

}  // namespace

void seeSender(SharedCounters* counters) {
  if (counters != nullptr) setFlag(counters, kSenderSeen);
}

void beginSending(SharedCounters* counters, uint64_t sentBefore) {
  if (counters != nullptr && setFlag(counters, kSendingBegun)) addSent(counters, sentBefore);
  seeSender(counters);
}

void beginReceiving(SharedCounters* counters, uint64_t receivedBefore) {
  if (counters != nullptr && setFlag(counters, kReceivingBegun) && receivedBefore > 0) {
    counters->value[kReceived].fetch_add(receivedBefore, std::memory_order_acq_rel);
  }
}

void beginPipe(int fd, SharedCounters* counters) {
  if (counters == nullptr) return;
  // Asked before the flag is set: nobody who is recorded has sent any of it.
  const uint64_t bytes = waiting(fd);
  if (setFlag(counters, kSendingBegun | kReceivingBegun)) addSent(counters, bytes);
}

void checkFirstReceive(int fd, const Descriptor& descriptor) {
  SharedCounters* counters = descriptor.receive.counters;
  if (counters == nullptr) return;
  // `sent` is read first and `announced` last, so that bytes that are sent meanwhile make neither check fail.
  const uint64_t sent = counters->value[kSent].load(std::memory_order_acquire);
  const uint64_t received = counters->value[kReceived].load(std::memory_order_acquire);
  const uint64_t there = waiting(fd);
  const uint64_t announced = counters->value[kAnnounced].load(std::memory_order_acquire);
  // Whoever receives comes here before. After the first one, bytes may be taken that are not counted
  // yet.
  const bool first = isFirstReceiver(counters);
  const bool tooMany = received + there > announced && senderSeen(counters);
  const bool tooFew = first && received + there < sent &&
                      (counters->value[kFlags].load(std::memory_order_acquire) & kSentAhead) == 0;
  if (tooMany || tooFew) distrust(descriptor, descriptor.receive);
}

uint64_t countReceived(const Descriptor& descriptor, uint64_t bytes) {
  SharedCounters* counters = descriptor.receive.counters;
  if (counters == nullptr) return 0;
  const uint64_t offset = bytes == 0
      ? counters->value[kReceived].load(std::memory_order_acquire)
      : counters->value[kReceived].fetch_add(bytes, std::memory_order_acq_rel);
  if (!descriptor.local) return offset;
  const uint64_t announced = counters->value[kAnnounced].load(std::memory_order_acquire);
  if (__builtin_expect(offset + bytes > announced, false)) {
    if (senderSeen(counters)) distrust(descriptor, descriptor.receive);
  } else if (bytes == 0 && offset < counters->value[kSent].load(std::memory_order_acquire) &&
             isOnlyReceiver(counters)) {
    distrust(descriptor, descriptor.receive);  // somebody else has taken bytes
  }
  return offset;
}

uint64_t countSentAhead(const StreamEnd& end, uint64_t bytes) {
  if (end.counters == nullptr) return 0;
  setFlag(end.counters, kSentAhead);
  announce(end, bytes);
  return countSent(end, bytes, bytes);
}

void retractSent(const Descriptor& descriptor, uint64_t offset, uint64_t counted, uint64_t sent) {
  SharedCounters* counters = descriptor.send.counters;
  if (counters == nullptr) return;
  uint64_t end = offset + counted;
  if (!counters->value[kSent].compare_exchange_strong(end, offset + sent, std::memory_order_acq_rel)) {
    distrust(descriptor, descriptor.send);
    return;
  }
  counters->value[kAnnounced].fetch_sub(counted - sent, std::memory_order_acq_rel);
}

void distrust(const Descriptor& descriptor, const StreamEnd& end) {
  if (end.counters == nullptr || !setFlag(end.counters, kDistrusted)) return;
  format::StreamRecord record;
  record.stream = end.id;
  record.kind = descriptor.stream;
  record.flags = format::kStreamUntrusted;
  record.keyHigh = SharedTable::keyHigh(end.counters);
  record.keyLow = SharedTable::keyLow(end.counters);
  define(record);
}

}  // namespace parallax
