#include "interpose/async/async_request.h"

#include "base/sys.h"

namespace parallax {
namespace {

bool isTransfer(AsyncOp op) { return op == AsyncOp::kSend || op == AsyncOp::kReceive; }

}  // namespace

void beginRequest(FdCall& call, AsyncRequest& request) {
  if (request.op == AsyncOp::kNone || request.op == AsyncOp::kReady || request.op == AsyncOp::kAccept ||
      request.op == AsyncOp::kConnect) {
    return;
  }
  Descriptor& descriptor = request.descriptor;
  const bool isRecorded = describe(request.fd, &descriptor) &&
      (descriptor.kind == FdKind::kFile ||
       (isTransfer(request.op) && (isStream(descriptor) || descriptor.kind == FdKind::kPacket)));
  const bool sends = request.op == AsyncOp::kSend;
  if (!isRecorded || (descriptor.kind != FdKind::kFile &&
                      (sends ? descriptor.send.id : descriptor.receive.id) == 0)) {
    request.op = AsyncOp::kNone;
    return;
  }
  if (!sends || !isStream(descriptor) || request.bytes == 0) return;
  request.offset = countSentAhead(descriptor.send, request.bytes);
  call.emit(Kind::kStreamSend, descriptor.send.id, {request.offset, request.bytes});
}

void endRequest(FdCall& call, const AsyncRequest& request, int64_t result) {
  const uint64_t bytes = result > 0 ? static_cast<uint64_t>(result) : 0;
  const Descriptor& descriptor = request.descriptor;
  const bool sends = request.op == AsyncOp::kSend;
  switch (request.op) {
    case AsyncOp::kNone:
    case AsyncOp::kReady:
      return;
    case AsyncOp::kAccept:
      if (result >= 0) describeNew(static_cast<int>(result), Sight::kAccepted);
      return;
    case AsyncOp::kConnect:
      if (result == 0) describeNew(request.fd, Sight::kConnected);
      return;
    case AsyncOp::kSend:
    case AsyncOp::kReceive:
    case AsyncOp::kSync:
      break;
  }
  if (descriptor.kind == FdKind::kFile) {
    const auto op = request.op == AsyncOp::kSync ? format::FileOp::kSync
                    : sends ? format::FileOp::kWrite : format::FileOp::kRead;
    if (result >= 0) call.emit(Kind::kFile, descriptor.file, {static_cast<uint64_t>(op), bytes});
  } else if (descriptor.kind == FdKind::kPacket) {
    const uint32_t id = sends ? descriptor.send.id : descriptor.receive.id;
    if (result >= 0) call.emit(sends ? Kind::kStreamSend : Kind::kStreamReceive, id, {0, bytes});
  } else if (sends) {
    if (bytes < request.bytes) retractSent(descriptor, request.offset, request.bytes, bytes);
  } else if (bytes > 0 || (result == 0 && request.bytes > 0)) {
    call.emit(Kind::kStreamReceive, descriptor.receive.id, {countReceived(descriptor, bytes), bytes});
  }
}

void distrustRequest(const AsyncRequest& request) {
  if (!isTransfer(request.op) || !isStream(request.descriptor)) return;
  distrust(request.descriptor,
           request.op == AsyncOp::kSend ? request.descriptor.send : request.descriptor.receive);
}

bool BriefLock::lock() {
  constexpr int kPatience = 1 << 14;
  for (int i = 0; i < kPatience; i++) {
    uint32_t expected = kFree;
    if (held_.compare_exchange_weak(expected, kHeld, std::memory_order_acquire,
                                    std::memory_order_relaxed)) {
      return true;
    }
    if (expected == kGivenUp) return false;
    asm volatile("pause");
  }
  uint32_t expected = kHeld;
  held_.compare_exchange_strong(expected, kGivenUp, std::memory_order_relaxed);
  return false;
}

bool AsyncRequests::open(uint32_t capacity) {
  uint32_t power = 1;
  while (power < capacity) power *= 2;
  void* memory = sys::mmap(power * (sizeof(Slot) + sizeof(uint32_t)), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
  if (memory == nullptr) return false;
  slots_ = static_cast<Slot*>(memory);
  buckets_ = reinterpret_cast<uint32_t*>(slots_ + power);
  capacity_ = power;
  free_ = fresh_ = used_ = 0;
  return true;
}

void AsyncRequests::close() {
  if (slots_ != nullptr) sys::munmap(slots_, capacity_ * (sizeof(Slot) + sizeof(uint32_t)));
  slots_ = nullptr;
}

uint32_t* AsyncRequests::bucket(uint64_t key) const {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;
  return &buckets_[(key * kGolden >> 32) & (capacity_ - 1)];
}

bool AsyncRequests::add(const AsyncRequest& request) {
  uint32_t number = free_;
  if (number != 0) {
    free_ = slots_[number - 1].next;
  } else if (fresh_ < capacity_) {
    number = ++fresh_;
  } else {
    return false;
  }
  slots_[number - 1] = {request, 0};
  uint32_t* link = bucket(request.key);
  while (*link != 0) link = &slots_[*link - 1].next;
  *link = number;
  used_++;
  return true;
}

AsyncRequest* AsyncRequests::find(uint64_t key) {
  for (uint32_t number = *bucket(key); number != 0; number = slots_[number - 1].next) {
    if (slots_[number - 1].request.key == key) return &slots_[number - 1].request;
  }
  return nullptr;
}

bool AsyncRequests::isAmbiguous(const AsyncRequest* request) const {
  for (uint32_t number = *bucket(request->key); number != 0; number = slots_[number - 1].next) {
    const AsyncRequest& other = slots_[number - 1].request;
    if (other.key == request->key && (other.fd != request->fd || other.op != request->op)) return true;
  }
  return false;
}

void AsyncRequests::remove(AsyncRequest* request) {
  for (uint32_t* link = bucket(request->key); *link != 0; link = &slots_[*link - 1].next) {
    const uint32_t number = *link;
    if (&slots_[number - 1].request != request) continue;
    *link = slots_[number - 1].next;
    slots_[number - 1].next = free_;
    free_ = number;
    used_--;
    return;
  }
}

void AsyncRequests::lose() {
  for (uint32_t i = 0; i < capacity_; i++) {
    for (uint32_t number = buckets_[i]; number != 0; number = slots_[number - 1].next) {
      distrustRequest(slots_[number - 1].request);
    }
    buckets_[i] = 0;
  }
  free_ = fresh_ = used_ = 0;
}

}  // namespace parallax
