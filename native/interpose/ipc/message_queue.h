// Queues of messages: System V's, which take messages by type, and POSIX's, which take them by priority. Messages of one
// queue and type come in the order in which they were sent: the k-th that is received is the k-th that was sent. A
// sender that finds the queue full waits for room; while one does, each receiver signals that it has made some.
//
// A queue that had messages when it was first seen, or into which somebody sends who is not recorded, is uneven: a receiver
// then names the last message of the type that was sent.
#pragma once

#include <errno.h>

#include "interpose/ipc/kernel_object.h"
#include "interpose/process/process_signal.h"

namespace parallax {

class MessageQueue {
 public:
  // `id` is unique among all queues of the host. Inside a Guard.
  explicit MessageQueue(uint64_t id) : id_(id), room_(kernelObject(format::SyncKind::kQueueRoom, id, id)) {}
  explicit operator bool() const { return room_ != nullptr; }

  // `messages()` gives how many there are now; it is asked once for each queue.
  template <class Messages>
  void see(Messages messages) {
    auto& traits = room_->count(kTraits);
    if (__builtin_expect((traits.load(std::memory_order_relaxed) & kSeen) != 0, true)) return;
    traits.fetch_or(messages() != 0 ? kSeen | kUneven : kSeen, std::memory_order_relaxed);
  }

  // Sends a message of a type. `attempt` does it without waiting, and `real` waits; both return 0, or -1 with errno.
  // `isFull(error)`: whether an attempt failed because the queue is full, and whether the program wants to wait.
  template <class Attempt, class IsFull, class Real>
  int send(FdCall& call, Region& region, uint64_t type, Attempt attempt, IsFull isFull, Real real) {
    KernelObject* messages = messagesOf(type);
    if (messages == nullptr) return real();
    const uint64_t ticks = call.ticksNow();
    const uint64_t number = messages->count(kSent).fetch_add(1, std::memory_order_acq_rel) + 1;
    const int before = errno;
    const int result = call.attempt(attempt, [&] { takeBack(call, messages, number, call.ticksNow()); });
    const int error = errno;
    if (result == 0) {
      call.announceAt(ticks, messages->number(), number);
    } else if (isFull(error)) {
      takeBack(call, messages, number, ticks);
      errno = before;
      return sendLater(call, region, messages, real);
    } else {
      takeBack(call, messages, number, ticks);
    }
    errno = error;
    return result;
  }

  // Receives a message. Both calls return -1 or what they have received, whose type `typeOf()` gives.
  template <class Attempt, class IsEmpty, class Real, class TypeOf>
  ssize_t receive(FdCall& call, Region& region, Attempt attempt, IsEmpty isEmpty, Real real, TypeOf typeOf) {
    const bool toldRoom = tellRoom(call);
    call.begin(region, false);
    const int before = errno;
    ssize_t result = attempt();
    int error = errno;
    const bool waits = result < 0 && isEmpty(error);
    if (waits) {
      call.enterToWait();
      errno = before;
      result = call.run(real);
      error = errno;
    }
    if (result >= 0) {
      KernelObject* messages = messagesOf(typeOf());
      const uint64_t number = messages != nullptr ? countReceived(messages) : 0;
      call.returned();
      if (messages != nullptr) call.emit(Kind::kWake, messages->number(), {number});
      call.finish();
      if (waits || !toldRoom) tellRoom(call);
    } else if (error == EINTR) {
      tellInterruption(call);
    } else if (error == ETIMEDOUT) {
      call.timedOut();
    }
    errno = error;
    return result;
  }

  // A message of this type was sent or received inside another routine.
  void distrust() { room_->count(kTraits).fetch_or(kUneven, std::memory_order_relaxed); }

 private:
  static constexpr int kSent = 0, kReceived = 1;  // of the messages of a type
  static constexpr int kRoomMade = 0, kWaiters = 1, kTraits = 2;  // of the room
  static constexpr uint64_t kSeen = 1, kUneven = 2;

  KernelObject* messagesOf(uint64_t type) const;
  // A message has its number before it is in the queue, so that no receiver takes it earlier. One that was not sent
  // gives it back. If others have numbers behind it, nobody may wait for it: it has a Signal, at the time of the call, and
  // counts as received.
  static void takeBack(FdCall& call, KernelObject* messages, uint64_t number, uint64_t ticks);
  // The number that a Wake tells.
  uint64_t countReceived(KernelObject* messages) const;
  // False if nobody waits for it.
  bool tellRoom(FdCall& call) const;

  // Takes its number after Enter, whose time the Signal gets: the message can be received before this returns.
  template <class Real>
  int sendLater(FdCall& call, Region& region, KernelObject* messages, Real real) {
    call.begin(region, true);
    const uint64_t ticks = call.entered() ? 0 : call.ticksNow();
    const uint64_t number = messages->count(kSent).fetch_add(1, std::memory_order_acq_rel) + 1;
    auto& made = room_->count(kRoomMade);
    const uint64_t before = made.load(std::memory_order_relaxed);
    room_->count(kWaiters).fetch_add(1, std::memory_order_seq_cst);
    const int result = call.run(real, [&] {
      room_->count(kWaiters).fetch_sub(1, std::memory_order_relaxed);
      takeBack(call, messages, number, call.ticksNow());
    });
    const int error = errno;
    room_->count(kWaiters).fetch_sub(1, std::memory_order_relaxed);
    const uint64_t last = made.load(std::memory_order_acquire);
    const uint64_t since = call.entered() ? call.enterTicks() : ticks;
    if (result == 0) {
      call.announceAt(since, messages->number(), number);
      call.returned();
      call.emit(Kind::kWake, room_->number(), {last != before ? last : 0});
    } else {
      takeBack(call, messages, number, since);
      if (error == EINTR) tellInterruption(call);
      if (error == ETIMEDOUT) call.timedOut();
    }
    errno = error;
    return result;
  }

  uint64_t id_;
  KernelObject* room_;
};

}  // namespace parallax
