// The counter of an eventfd. Writes are counted, and each is a Signal before the real call, whose number a read tells. A
// read takes all writes since the last one: the first of them has ended the wait. If each read takes 1, its write is the
// one that made this token: as of a semaphore, if all writes add 1, else the last write.
#pragma once

#include <cstdint>

#include "interpose/descriptors/fd_call.h"
#include "interpose/process/process_signal.h"

namespace parallax {

// A new eventfd, before anybody else can have it. Numbers of eventfds are given anew: what was counted of an earlier one
// is settled.
void beginEvents(int fd, unsigned value, bool tokens);
// Fills in what the kernel tells of an eventfd.
void describeEvents(int fd, Descriptor* result);

// A write is about to be made. Returns its number.
uint64_t countEvents(const Descriptor& descriptor);
// A write of other than 1 has been made, one that was not counted, or one that failed.
void noteUnevenEvents(const Descriptor& descriptor);
// For a call inside another intercepted routine: a write is not counted, and is not told.
inline void countNestedEvents(bool writes, const Descriptor& descriptor);
// A read has been made: the number of the write that it tells, or 0 if that is not known.
uint64_t takeEvents(const Descriptor& descriptor);

inline void countNestedEvents(bool writes, const Descriptor& descriptor) {
  if (!writes) takeEvents(descriptor);
  if (writes && descriptor.tokens) noteUnevenEvents(descriptor);
}

// Whether the counter can be so large that a write waits for a read: somebody has added that much.
bool canBeFull(const Descriptor& descriptor);
void noteLargeEvents(const Descriptor& descriptor);

// Makes a real write and records it. `value`: where it writes from, or null; may be no memory, which the real call finds.
// `waits`: if there is no room.
template <class Real>
auto addEvents(FdCall& call, Region& region, const Descriptor& descriptor, const void* value, bool waits, Real real) {
  const bool mayWait = waits && __builtin_expect(canBeFull(descriptor), false);
  if (mayWait) call.begin(region, true, FdCall::Polled::kNever);
  call.announce(descriptor.send.id, [&] { return countEvents(descriptor); });
  const auto result = call.run(real);
  if (mayWait) {
    const int error = errno;
    if (result < 0 && error == EINTR) tellInterruption(call);
    call.returned();
    if (result > 0 && call.duration() > FdCall::shortTicks()) {
      call.emit(Kind::kWake, unsignalledObject(format::SyncKind::kEventSource), {0});
    }
    errno = error;
  }
  uint64_t added = 0;
  if (result > 0 && value != nullptr) __builtin_memcpy(&added, value, sizeof added);
  if (__builtin_expect(added >> 32 != 0, false)) noteLargeEvents(descriptor);
  if (descriptor.tokens && added != 1) noteUnevenEvents(descriptor);
  return result;
}

}  // namespace parallax
