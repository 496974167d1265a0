#include "transport/block_buffer.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/signals_blocked.h"
#include "base/sys.h"
#include "base/text.h"
#include "format/format.h"
#include "format/slots.h"
#include "transport/event_message.h"
#include "transport/event_ring.h"
#include "transport/file_write.h"
#include "transport/trace_space.h"
#include "transport/transport_mode.h"

namespace parallax {
namespace {

std::atomic<BlockBuffer*> buffers{nullptr};

// For each buffer, and at the end of the process beyond that for all: beside other programs, a thread that has one may get no processor for long.
constexpr int kTries = 200, kMoreTries = 2000;
constexpr int kTriesOfExecution = 10000;  // where the program is on a slow disk

void storeInOrder() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// Yielding alone would never let a thread of lower priority run on the same processor.
void pauseBriefly() {
  const timespec brief{0, 100000};
  sys::call(SYS_nanosleep, sys::word(&brief), 0);
}

}  // namespace

BlockBuffer* BlockBuffer::take(uint32_t blocks, const TraceDirectory& directory, const char* name, const BlockBuffer* other) {
  BlockBuffer* found = buffers.load(std::memory_order_acquire);
  for (; found != nullptr; found = found->next_) {
    const char* taker = nullptr;
    if (found != other && found->capacityBlocks_ >= blocks &&
        (found->taker_.compare_exchange_strong(taker, name, std::memory_order_acq_rel) || (taker == name && !found->isLost_))) {
      found->enter();
      break;
    }
  }
  if (found == nullptr) {
    static_assert(sizeof(BlockBuffer) <= kHeaderBytes);
    const SignalsBlocked blocked;  // until others can find it
    const size_t bytes = kHeaderBytes + blocks * format::kBlockBytes;
    void* memory = sys::pages(bytes);
    if (memory == nullptr) return nullptr;
    sys::madvise(memory, bytes, MADV_DONTFORK);
    found = new (memory) BlockBuffer;
    found->capacityBlocks_ = blocks;
    found->taker_.store(name, std::memory_order_relaxed);
    found->holder_.store(kOwner, std::memory_order_relaxed);
    found->writtenBytes_ = blocks * format::kBlockBytes;  // nothing is to be written
    BlockBuffer* first = buffers.load(std::memory_order_relaxed);
    do {
      found->next_ = first;
    } while (!buffers.compare_exchange_weak(first, found, std::memory_order_acq_rel));
  }
  found->directory_ = &directory;
  found->name_[appendText(found->name_, 0, sizeof found->name_ - 1, name)] = 0;
  return found;
}

void BlockBuffer::release() {
  writtenBytes_ = capacityBlocks_ * format::kBlockBytes;
  async_.dropTarget();
  leave();
  if (isLost_) return;
  taker_.store(nullptr, std::memory_order_release);
}

void BlockBuffer::enter() {
  for (;;) {
    uint32_t holder = kNobody;
    if (holder_.compare_exchange_strong(holder, kOwner, std::memory_order_acquire) || holder == kOwner) return;
    pauseBriefly();
  }
}

// A thread that writes for long, on a slow disk, or has left the buffer by longjmp, does not keep the process.
bool BlockBuffer::enterAsOther(int* more) {
  for (int i = 0; i < kTries || --*more > 0; i++) {
    uint32_t holder = kNobody;
    if (holder_.compare_exchange_strong(holder, kOther, std::memory_order_acquire)) return true;
    pauseBriefly();
  }
  return false;
}

void BlockBuffer::moveTo(uint64_t fileOffset) {
  finishWrite();
  writtenBytes_ = capacityBlocks_ * format::kBlockBytes;  // until the rest is true
  storeInOrder();
  memset(blocks(), 0, capacityBlocks_ * format::kBlockBytes);
  fileOffset_ = fileOffset;
  storeInOrder();
  writtenBytes_ = 0;
}

// Returns -kNoRing where it is to be written here. Who receives the beginning of a block writes its header last.
int BlockBuffer::send(uint64_t begin, uint64_t end) {
  while (begin < end) {
    const uint64_t bytes = end - begin < kMostMessageBytes ? end - begin : kMostMessageBytes;
    if (const int error = sendEvents(name_, blocks() + begin, bytes, fileOffset_ + begin)) return error;
    begin += bytes;
  }
  return 0;
}

int BlockBuffer::write(uint64_t endBytes) {
  uint64_t done;
  if (transportMode.isDiscarded()) {
    if (writtenBytes_ < endBytes) writtenBytes_ = endBytes;
    return 0;
  }
  if (transportMode.isSent() && endBytes > sizeof(format::BlockHeader)) {
    const int error = send(writtenBytes_, endBytes);
    if (error == 0 && writtenBytes_ < endBytes) writtenBytes_ = endBytes;
    if (error != -kNoRing) return error;
  }
  const int error = writeBlocks(*directory_, name_, blocks(), writtenBytes_, endBytes, fileOffset_, &done);
  if (done > writtenBytes_) writtenBytes_ = done;
  return error;
}

int BlockBuffer::writeHeader(uint64_t blockBegin) {
  const uint64_t end = blockBegin + sizeof(format::BlockHeader);
  if (transportMode.isDiscarded()) return 0;
  const int error = transportMode.isSent() ? send(blockBegin, end) : -kNoRing;
  return error == -kNoRing ? writeBlockHeader(*directory_, name_, blocks(), blockBegin, fileOffset_) : error;
}

void BlockBuffer::willBeginWrite(int fd, uint32_t blocks) {
  async_.setTarget(fd, fileOffset_, blocks * format::kBlockBytes);
}

bool BlockBuffer::beginWrite(uint64_t endBytes, AsyncRing* ring) {
  if (begunBytes_ != 0) return true;  // a signal handler jumped out after it
  const SignalsBlocked blocked;       // so it cannot before the write has begun
  ring_ = ring->isOpen() ? ring : nullptr;
  storeInOrder();
  begunBytes_ = endBytes;
  storeInOrder();
  if (ring_ != nullptr && ring->begin(blocks(), endBytes, sizeof(format::BlockHeader), fileOffset_)) return true;
  if (ring_ == nullptr && async_.begin(blocks(), endBytes, sizeof(format::BlockHeader))) return true;
  begunBytes_ = 0;
  return false;
}

// When it has ended, as far as any thread can see.
void BlockBuffer::settle() {
  if (ring_ == nullptr && async_.isDone() && writtenBytes_ < begunBytes_) writtenBytes_ = begunBytes_;
}

int BlockBuffer::finishWrite() {
  if (begunBytes_ == 0) return 0;
  if (ring_ == nullptr) {
    async_.await();
    settle();
  } else {
    const AsyncRing::Result result = ring_->await();
    if (result == AsyncRing::Result::kDone && writtenBytes_ < begunBytes_) writtenBytes_ = begunBytes_;
    isLost_ = isLost_ || result == AsyncRing::Result::kUnknown;
  }
  const int error = writtenBytes_ < begunBytes_ ? write(begunBytes_) : 0;
  begunBytes_ = 0;
  return error;
}

uint64_t BlockBuffer::endOfEvents() const {
  const char* const memory = const_cast<BlockBuffer*>(this)->blocks();
  const uint64_t all = capacityBlocks_ * format::kBlockBytes;
  uint64_t end = writtenBytes_;
  for (uint64_t begin = end / format::kBlockBytes * format::kBlockBytes; begin < all; begin += format::kBlockBytes) {
    const auto* header = reinterpret_cast<const format::BlockHeader*>(memory + begin);
    if (__atomic_load_n(&header->magic, __ATOMIC_ACQUIRE) != format::kBlockMagic) break;
    uint64_t at = begin + sizeof(format::BlockHeader);
    if (at < end) at = end;
    while (at < begin + format::kBlockBytes &&
           __atomic_load_n(reinterpret_cast<const uint64_t*>(memory + at), __ATOMIC_ACQUIRE) != 0) {
      at += sizeof(uint64_t);
    }
    end = at;
  }
  return end;
}

uint32_t BlockBuffer::countUnwritten(uint64_t endBytes) const {
  const char* const memory = const_cast<BlockBuffer*>(this)->blocks();
  uint32_t events = 0;
  for (uint64_t at = writtenBytes_, end; at < endBytes; at = end) {
    end = std::min((at / format::kBlockBytes + 1) * format::kBlockBytes, endBytes);
    if (at % format::kBlockBytes == 0) at = std::min(at + sizeof(format::BlockHeader), end);
    events += format::countEvents(reinterpret_cast<const uint64_t*>(memory + at), (end - at) / sizeof(uint64_t));
  }
  return events;
}

BlockBuffer::Unwritten BlockBuffer::writeAll(bool ends) {
  Unwritten left;
  BlockBuffer* buffer = buffers.load(std::memory_order_acquire);
  if (buffer == nullptr) return left;
  const SignalsBlocked blocked;
  int more = ends ? kMoreTries : 0;
  for (; buffer != nullptr; buffer = buffer->next_) {
    if (buffer->taker_.load(std::memory_order_acquire) == nullptr) continue;
    const bool entered = buffer->enterAsOther(&more);
    if (entered && buffer->begunBytes_ != 0) {
      // After a while it is written once more: the same bytes.
      for (int i = 0; i < kTries && buffer->async_.isRunning(); i++) pauseBriefly();
      if (!buffer->async_.isRunning()) buffer->settle();
    }
    const uint64_t end = buffer->endOfEvents();
    const int error = entered ? buffer->write(end) : -EBUSY;
    if (error != 0) {
      left.events += buffer->countUnwritten(end);
      left.error = error;
    }
    if (entered) buffer->leave();
  }
  return left;
}

void BlockBuffer::awaitWrites() {
  for (auto* buffer = buffers.load(std::memory_order_acquire); buffer != nullptr; buffer = buffer->next_) {
    buffer->async_.awaitEnd();
  }
}

void BlockBuffer::forgetAll() {
  buffers.store(nullptr, std::memory_order_release);
  stoppedBy_.store(0, std::memory_order_seq_cst);
}

void BlockBuffer::stopForExecution() {
  int nobody = 0;
  stoppedBy_.compare_exchange_strong(nobody, sys::gettid());
}

void BlockBuffer::goOn() {
  int self = sys::gettid();
  stoppedBy_.compare_exchange_strong(self, 0);
}

bool BlockBuffer::awaitGoOn() {
  for (int i = 0; i < kTriesOfExecution; i++) {
    const int by = stoppedBy_.load(std::memory_order_seq_cst);
    if (by == 0) return true;
    if (by == kEnd || by == sys::gettid()) return false;
    pauseBriefly();
  }
  return true;
}

}  // namespace parallax
