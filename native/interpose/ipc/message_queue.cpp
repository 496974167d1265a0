#include "interpose/ipc/message_queue.h"

namespace parallax {

KernelObject* MessageQueue::messagesOf(uint64_t type) const {
  return kernelObject(format::SyncKind::kMessageQueue, mixIds(id_, type), id_);
}

void MessageQueue::takeBack(FdCall& call, KernelObject* messages, uint64_t number, uint64_t ticks) {
  uint64_t last = number;
  if (messages->count(kSent).compare_exchange_strong(last, number - 1, std::memory_order_acq_rel)) return;
  call.announceAt(ticks, messages->number(), number);
  messages->count(kReceived).fetch_add(1, std::memory_order_acq_rel);
}

uint64_t MessageQueue::countReceived(KernelObject* messages) const {
  const uint64_t number = messages->count(kReceived).fetch_add(1, std::memory_order_acq_rel) + 1;
  auto& traits = room_->count(kTraits);
  if (__builtin_expect(number > messages->count(kSent).load(std::memory_order_acquire), false)) {
    traits.fetch_or(kUneven, std::memory_order_relaxed);
  }
  return (traits.load(std::memory_order_relaxed) & kUneven) != 0
             ? messages->count(kSent).load(std::memory_order_acquire) : number;
}

bool MessageQueue::tellRoom(FdCall& call) const {
  if (room_->count(kWaiters).load(std::memory_order_seq_cst) == 0) return false;
  call.announce(room_->number(),
                [this] { return room_->count(kRoomMade).fetch_add(1, std::memory_order_acq_rel) + 1; });
  return true;
}

}  // namespace parallax
