// Reading from and writing to a descriptor.
#pragma once

#include <sys/uio.h>

#include "core/process.h"
#include "interpose/descriptors/event_counter.h"
#include "interpose/descriptors/fd_call.h"
#include "interpose/descriptors/stream_count.h"
#include "interpose/process/process_signal.h"

namespace parallax {

enum class Way : uint8_t { kSend, kReceive };

// What is to be counted of one call.
struct Transfer {
  int fd;
  Way way;
  uint64_t bytes;            // at most so many; of a receiver, whether it wanted any
  bool counts = true;        // false: a look at what remains there
  bool distrusted = false;   // it takes bytes out of the order of the stream
  bool neverWaits = false;
  const void* bytesAt = nullptr;  // where the bytes are, if that is one place
};

// What the call did: events, counters, and whether the descriptor is one that does not wait.
// `result` is the number of bytes or -1, `error` the errno of that.
void transferred(FdCall& call, const Transfer& transfer, const Descriptor& descriptor,
                 int64_t result, int error);
// For calls inside other intercepted routines, such as calls of a signal handler: counts bytes, and writes no event.
void countNested(const Transfer& transfer, const Descriptor& descriptor, int64_t result);

// Of read, write and close, which libc's stdio makes past the symbols, too.
extern FdRegions readRegions, writeRegions, closeRegions;

bool isRegularFile(int fd);
inline bool isStream(const Descriptor& descriptor) { return descriptor.kind == FdKind::kStream; }

inline void announceTransfer(const Transfer& transfer, const Descriptor& descriptor) {
  if (!isStream(descriptor)) return;
  if (__builtin_expect(transfer.distrusted, false)) {
    distrust(descriptor, descriptor.send);
    distrust(descriptor, descriptor.receive);
  }
  if (transfer.way == Way::kSend) announce(descriptor.send, transfer.bytes);
}

template <class Real>
auto transferNested(const Transfer& transfer, Real real) {
  Descriptor descriptor;
  if (!transfer.counts || !knownDescriptor(transfer.fd, &descriptor)) return real();
  if (descriptor.kind == FdKind::kEvents) {
    const auto result = real();
    if (result > 0) countNestedEvents(transfer.way == Way::kSend, descriptor);
    return result;
  }
  if (!isStream(descriptor)) return real();
  announceTransfer(transfer, descriptor);
  const auto result = real();
  countNested(transfer, descriptor, result);
  return result;
}

// Makes the real call and records it.
template <class Real>
auto transfer(FdRegions& regions, const Transfer& what, Real real) {
  if (hasBeforeCalls() && !isRegularFile(what.fd)) beforeWait();
  if (!fdCallsWanted()) return real();
  FdCall call;
  if (!call) return transferNested(what, real);
  Descriptor descriptor;
  if (!describe(what.fd, &descriptor) || descriptor.kind == FdKind::kQuiet) {
    call.release();
    return real();
  }
  const bool waits = !descriptor.regular && !descriptor.nonBlocking && !what.neverWaits;
  if (what.counts) announceTransfer(what, descriptor);
  if (descriptor.kind == FdKind::kEvents && what.way == Way::kSend) {
    return addEvents(call, regions.stream, descriptor, what.bytesAt, waits, real);
  }
  const bool file = descriptor.kind == FdKind::kFile;
  // A thread that polls for room writes in the manner that does not wait.
  const bool polled = !file && (what.way == Way::kReceive || !waits);
  call.begin(file ? regions.file : regions.stream, waits, polled ? FdCall::Polled::kMaybe : FdCall::Polled::kNever);
  const auto result = call.run(real);
  const int error = errno;
  if (descriptor.kind == FdKind::kEvents && result > 0) {
    const uint64_t write = takeEvents(descriptor);
    call.returned();
    call.emit(Kind::kWake, descriptor.receive.id, {write});
  } else if (result < 0 && error == EINTR) {
    tellInterruption(call);
  }
  call.returned();
  transferred(call, what, descriptor, static_cast<int64_t>(result), error);
  return result;
}

// async/uring_calls.cpp: the descriptor of a ring that was made by system calls.
void forgetUring(int fd);

// Closes what was known as `descriptor`; `real` does it and returns as close does.
template <class Real>
int closeKnown(const Descriptor& descriptor, Real real) {
  FdCall call;
  // A child after vfork closes its own descriptor; the table and the events belong to its parent.
  if (!call || !process.isOurs()) return real();
  const bool file = descriptor.kind == FdKind::kFile;
  call.begin(file ? closeRegions.file : closeRegions.stream, false, FdCall::Polled::kNever);
  const int result = real();
  call.returned();
  if (file) {
    call.emit(Kind::kFile, descriptor.file, {static_cast<uint64_t>(format::FileOp::kClose), 0});
  } else if (isStream(descriptor) && descriptor.send.id != 0) {
    call.emit(Kind::kStreamSend, descriptor.send.id, {countSent(descriptor.send, 0, 0), 0});
  } else if (call.duration() > FdCall::shortTicks()) {
    call.keep();
  }
  return result;
}

// The same of a number, of which nothing is known from now on.
template <class Real>
int closeDescriptor(int fd, Real real) {
  Descriptor descriptor;
  const bool known = knownDescriptor(fd, &descriptor);
  // Before the real call: after it, another thread may get the same number, and its new entry would be lost.
  forgetDescriptor(fd);
  forgetUring(fd);
  if (!known || descriptor.kind == FdKind::kQuiet || !fdCallsWanted()) return real();
  return closeKnown(descriptor, real);
}

// The kernel takes no more in one call. Of calls on parts, whose sizes only the kernel may read
// before it has found that they can be read.
inline constexpr uint64_t kMostBytes = 0x7ffff000;

inline uint64_t totalBytes(const iovec* parts, int64_t count) {
  uint64_t bytes = 0;
  for (int64_t i = 0; i < count && i < 1024; i++) bytes += parts[i].iov_len;
  return bytes;
}

// A call that receives into parts. `wanted` gives their size, once the call has succeeded.
template <class Real, class Wanted>
auto receiveParts(FdRegions& regions, Transfer what, Real real, Wanted wanted) {
  return transfer(regions, what, [&] {
    const auto result = real();
    if (result == 0) what.bytes = wanted();
    return result;
  });
}

}  // namespace parallax
