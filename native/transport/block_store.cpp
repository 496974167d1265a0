#include "transport/block_store.h"

#include <errno.h>
#include <sys/stat.h>

#include <atomic>

#include "base/signals_blocked.h"
#include "base/sys.h"
#include "base/text.h"
#include "format/format.h"
#include "format/slots.h"
#include "transport/file_cache.h"
#include "transport/trace_space.h"
#include "transport/transport_mode.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace parallax {
namespace {

// A signal handler may jump out of what follows, between any two of these: the store is then used again, and
// what had been stored by then must make sense.
void storeInOrder() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// Windows grow with the file: a thread of few events costs one block, a busy one few calls.
constexpr uint32_t kLargestWindowBlocks = 16;

uint32_t bufferBlocks() {
  const uint64_t bytes = transportMode.bufferBytes;
  return bytes <= format::kBlockBytes ? 1 : static_cast<uint32_t>((bytes + format::kBlockBytes - 1) / format::kBlockBytes);
}

// Which ends when space is given back.
bool isLackOfSpace(int error) {
  using format::LossCause;
  const LossCause cause = error == 0 ? LossCause::kNone : lossCause(error);
  return cause == LossCause::kDiskFull || cause == LossCause::kDiskReserved || cause == LossCause::kTraceTooLarge ||
         cause == LossCause::kProcessTooLarge;
}

// Cuts off what a failed reservation has left. A file that ends before, whose last blocks were lost, does not grow.
void cutAfter(int fd, uint64_t sizeBytes) {
  struct stat status {};
  const bool isKnown = sys::call(SYS_fstat, fd, sys::word(&status)) == 0;
  if (isKnown && static_cast<uint64_t>(status.st_size) > sizeBytes) sys::ftruncate(fd, sizeBytes);
}

// Beside the caller.
bool otherThreadsRun() {
  struct stat status {};
  constexpr unsigned kLinksOfOne = 3;
  return sys::call(SYS_newfstatat, AT_FDCWD, sys::word("/proc/self/task"), sys::word(&status), 0) == 0 &&
         status.st_nlink > kLinksOfOne;
}

// The owner's part of a buffer.
class Held {
 public:
  explicit Held(BlockBuffer* buffer) : buffer_(buffer) { buffer->enter(); }
  ~Held() { buffer_->leave(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  BlockBuffer* const buffer_;
};

}  // namespace

void BlockStore::open(const TraceDirectory& directory, const char* name) {
  name_[appendText(name_, 0, sizeof name_ - 1, name)] = 0;
  past_ = KeptPast::make();
  directory_ = &directory;
}

// A handler may have jumped out right after the file was made.
int BlockStore::openOwnFile() {
  const int fd = made_ ? directory_->openFile(name_, O_RDWR) : directory_->openShared(name_);
  if (fd >= 0) made_ = true;
  return fd;
}

// Behind the last block. If the caller cannot do with less, blocks give room that would have been kept longer.
int BlockStore::reserveWindow(int fd, uint64_t sizeBytes, uint64_t ticks, bool isLeast) {
  const uint64_t offset = blocks_ * format::kBlockBytes;
  int error = reserveFileSpace(fd, offset, sizeBytes);
  while (isLeast && isLackOfSpace(error) && past_ != nullptr && past_->giveBack(fd, ticks, true)) {
    cutAfter(fd, offset);
    error = reserveFileSpace(fd, offset, sizeBytes);
  }
  return error;
}

// A handler that left it by longjmp would leave a descriptor, and a mapping.
int BlockStore::mapWindow(uint32_t wanted, uint64_t ticks) {
  const SignalsBlocked blocked;
  uint32_t blocks = windowBlocks_ == 0 ? 1 : windowBlocks_ * 4;
  if (blocks > kLargestWindowBlocks) blocks = kLargestWindowBlocks;
  if (past_ != nullptr) blocks = past_->blocksOfWindow(blocks, windowBlocks_, ticks);
  if (wanted != 0) blocks = wanted;
  const int fd = openOwnFile();
  if (fd < 0) return fd;
  // After the last block, which the window before may have been given up in the middle of.
  const uint64_t offset = blocks_ * format::kBlockBytes;
  if (past_ != nullptr) past_->giveBack(fd, ticks, false);
  int error = 0;
  for (;; blocks = 1) {
    const uint64_t size = blocks * format::kBlockBytes;
    error = reserveWindow(fd, size, ticks, blocks == 1 || wanted != 0);
    if (error == 0) {
      reservedBytes_ = offset + size;
      if (blocks > 1 && wanted == 0) fillCache(fd, offset, size);
      void* mapped = sys::mmap(size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
      if (mapped != nullptr) {
        windowBlocks_ = blocks;
        windowFirst_ = blocks_;
        storeInOrder();
        window_ = static_cast<char*>(mapped);
        break;
      }
      error = -ENOMEM;
      giveBackFileSpace(size);
    }
    cutAfter(fd, offset);  // a part may have been reserved
    reservedBytes_ = offset;
    if (blocks == 1) break;  // the last blocks of a full disk are taken one by one
  }
  sys::close(fd);
  if (error != 0) return error;
  sys::madvise(window_, blocks * format::kBlockBytes, MADV_DONTFORK);
  // Faults now instead of between the events. Older kernels fault later.
  if (blocks > 1 && wanted == 0) sys::madvise(window_, blocks * format::kBlockBytes, MADV_POPULATE_WRITE);
  if (past_ != nullptr) past_->beginWindow(blocks_, ticks);
  return 0;
}

void BlockStore::unmapWindow() {
  char* window = window_;
  window_ = nullptr;  // twice would be once too often
  storeInOrder();
  if (window != nullptr && buffer_ == nullptr && !ring_.isTaken()) sys::munmap(window, windowBlocks_ * format::kBlockBytes);
}

// A window in private memory, after all of the last one is written.
int BlockStore::takeBuffer() {
  if (!BlockBuffer::awaitGoOn()) return -kProcessEnds;
  uint32_t blocks = bufferBlocks();
  if (buffer_ == behind_) buffer_ = nullptr;  // a signal handler jumped out of putBehind()
  if (buffer_ == nullptr) {
    BlockBuffer* taken = BlockBuffer::take(blocks, *directory_, name_, behind_);
    if (taken == nullptr) return -ENOMEM;
    buffer_ = taken;
  }
  const Held held(buffer_);
  const uint64_t offset = blocks_ * format::kBlockBytes;
  if (transportMode.isDiscarded()) {
    buffer_->moveTo(offset);
    beginWindow(blocks);
    return 0;
  }
  if (transportMode.isAsync()) awaitWriters();
  const SignalsBlocked blocked;  // a handler that left it by longjmp would leave a descriptor
  const int fd = openOwnFile();
  if (fd < 0) return fd;
  int error;
  for (;; blocks = 1) {
    error = reserveFileSpace(fd, offset, blocks * format::kBlockBytes);
    if (error != 0) cutAfter(fd, offset);
    reservedBytes_ = error == 0 ? offset + blocks * format::kBlockBytes : offset;
    if (error == 0 || blocks == 1) break;
  }
  if (error == 0) {
    buffer_->moveTo(offset);
    if (transportMode.isAsync()) prepareBehind(fd, blocks);
  }
  sys::close(fd);
  if (error == 0) beginWindow(blocks);
  return error;
}

void BlockStore::beginWindow(uint32_t blocks) {
  windowBlocks_ = blocks;
  windowFirst_ = blocks_;
  storeInOrder();
  window_ = buffer_->blocks();
}

void BlockStore::releaseBuffer() {
  BlockBuffer* buffer = buffer_;
  if (buffer == nullptr) return;
  window_ = nullptr;
  storeInOrder();
  buffer_ = nullptr;
  windowBlocks_ = 0;
  buffer->enter();
  buffer->release();
}

// The threads of the kernel stay as long as the thread that writes, and would keep a program of one thread from what only such a
// program may do (unshare). The first thread may be the only one later.
void BlockStore::prepareBehind(int fd, uint32_t blocks) {
  if (triesRing() && sys::gettid() != sys::getpid() && otherThreadsRun()) asyncRing_.open(fd);
  if (!asyncRing_.isOpen()) buffer_->willBeginWrite(fd, blocks);
}

bool BlockStore::triesRing() const {
  return transportMode.mayUseRing && !asyncRing_.isOpen() && (blocks_ & (blocks_ - 1)) == 0;
}

// Threads of its own are no others.
void BlockStore::awaitWriters() {
  if (!triesRing()) return;
  buffer_->awaitWriter();
  if (behind_ != nullptr) behind_->awaitWriter();
}

// Has the full window written while the next one is filled. Returns false if the owner has to write it.
bool BlockStore::putBehind(uint64_t endBytes) {
  if (buffer_->writtenBytes() != 0 || !buffer_->beginWrite(endBytes, &asyncRing_)) return false;
  behindFirst_ = windowFirst_;
  behindBytes_ = endBytes;
  window_ = nullptr;
  storeInOrder();
  behind_ = buffer_;
  storeInOrder();
  buffer_ = nullptr;
  return true;
}

// The window before is in the file, or all events from there up to `end` are dropped.
int BlockStore::finishBehind(const void* end) {
  BlockBuffer* behind = behind_;
  if (behind == nullptr) return 0;
  behind->enter();
  const int error = behind->finishWrite();
  if (error == 0) {
    behind_ = nullptr;
    storeInOrder();
    behind->release();
    return 0;
  }
  if (window_ != nullptr) dropped_ += buffer_->countUnwritten(bytesTo(end));
  if (buffer_ != behind) releaseBuffer();
  behind_ = nullptr;
  buffer_ = behind;
  windowFirst_ = behindFirst_;
  drop(behindBytes_);
  behind->leave();
  return error;
}

// The writer makes the file, and reserves its space: the disk may be slow.
int BlockStore::takeRing() {
  if (!event_rings::mayBeTaken()) return -kNoRing;
  unmapWindow();
  reservedBytes_ = blocks_ * format::kBlockBytes;
  return ring_.take(name_, made_, blocks_, usedBytes_) ? 0 : -kNoRing;
}

// A window of one block.
int BlockStore::nextInRing() {
  if (!ring_.isTaken()) {
    if (const int error = takeRing()) return error;
  }
  char* memory;
  const int error = ring_.place(blocks_, &memory, &dropped_, &dropReason_);
  if (error == -kNoRing) leaveRing();
  if (error != 0) return error;
  windowBlocks_ = 1;
  windowFirst_ = blocks_;
  storeInOrder();
  window_ = memory;
  return 0;
}

void BlockStore::leaveRing() {
  if (!ring_.isTaken()) return;
  window_ = nullptr;
  windowBlocks_ = 0;
  storeInOrder();
  dropped_ += ring_.leave(true, &dropReason_);
}

// All that finished blocks have in the window.
int BlockStore::writeWindow() {
  if (buffer_ == nullptr || window_ == nullptr) return finishBehind(nullptr);
  const uint64_t begin = windowFirst_ * format::kBlockBytes;
  const void* end = window_ + (usedBytes_ > begin ? usedBytes_ - begin : 0);
  return end != window_ ? write(end) : finishBehind(end);
}

int BlockStore::next(uint32_t windowBlocks, uint64_t ticks, void** memory) {
  if (windowBlocks != 0 || window_ == nullptr || blocks_ - windowFirst_ >= windowBlocks_) {
    if (windowBlocks != 0 || window_ != nullptr) {  // else it may be written meanwhile
      if (const int error = writeWindow()) return error;
    }
    int error = -kNoRing;
    if (windowBlocks == 0 && transportMode.isShared()) error = nextInRing();
    if (error == -kNoRing) {
      leaveRing();
      unmapWindow();
      const bool isMapped = windowBlocks != 0 || !transportMode.isPrivate();
      if (isMapped) releaseBuffer();
      error = isMapped ? mapWindow(windowBlocks, ticks) : takeBuffer();
    }
    if (error != 0) return error;
  }
  *memory = window_ + (blocks_ - windowFirst_) * format::kBlockBytes;
  return 0;
}

bool BlockStore::isInWindow(const void* at) const {
  const char* byte = static_cast<const char*>(at);
  return window_ != nullptr && byte >= window_ && byte < window_ + windowBlocks_ * format::kBlockBytes;
}

int BlockStore::finish(format::BlockHeader* block, const uint64_t* end) {
  const auto used = static_cast<uint32_t>(end - reinterpret_cast<const uint64_t*>(block + 1));
  if (past_ != nullptr) past_->add(block, end);
  if (!isInWindow(block)) {
    format::closeBlock(block, used);
    return 0;
  }
  const uint64_t begin = bytesTo(block), endBytes = bytesTo(end);
  usedBytes_ = windowFirst_ * format::kBlockBytes + endBytes;
  if (buffer_ == nullptr) {
    format::closeBlock(block, used);
    if (ring_.isTaken()) ring_.close(windowFirst_ + 1);
    return 0;
  }
  const bool isLast = begin + format::kBlockBytes == windowBlocks_ * format::kBlockBytes;
  if (isLast) {
    if (const int error = finishBehind(end)) return error;
  }
  const Held held(buffer_);
  format::closeBlock(block, used);
  const bool isBegun = buffer_->writtenBytes() > begin;  // its header is in the file, and says that it is open
  if (!isBegun && !isLast) return 0;
  if (isLast && transportMode.isAsync() && putBehind(endBytes)) return 0;
  if (const int error = writeHeld(endBytes)) return error;
  return isBegun ? buffer_->writeHeader(begin) : 0;
}

uint64_t* BlockStore::limit(uint64_t* next, size_t slots, uint64_t* blockEnd) const {
  if (buffer_ == nullptr || !isInWindow(next)) return blockEnd;
  uint64_t* least = next + slots;
  if (transportMode.kind == TransportMode::Kind::kUnbuffered) return least;
  if (transportMode.bufferBytes >= format::kBlockBytes) return blockEnd;  // a full window is written
  auto* full = reinterpret_cast<uint64_t*>(window_ + buffer_->writtenBytes() + transportMode.bufferBytes);
  if (full < least) full = least;
  return full < blockEnd ? full : blockEnd;
}

bool BlockStore::writesEach() const {
  return buffer_ != nullptr && transportMode.kind == TransportMode::Kind::kUnbuffered;
}

int BlockStore::write(const void* end) {
  if (const int error = finishBehind(end)) return error;
  if (buffer_ == nullptr || window_ == nullptr) return 0;
  const Held held(buffer_);
  return writeHeld(bytesTo(end));
}

int BlockStore::writeHeld(uint64_t endBytes) {
  const int error = buffer_->write(endBytes);
  if (error != 0) drop(endBytes);
  return error;
}

// The file ends after the last block of which something is in it.
void BlockStore::drop(uint64_t endBytes) {
  dropped_ += buffer_->countUnwritten(endBytes);
  const uint64_t kept = (buffer_->writtenBytes() + format::kBlockBytes - 1) / format::kBlockBytes;
  blocks_ = windowFirst_ + kept;
  // With the part of a block that is in the file: its slots end at the first zero.
  usedBytes_ = blocks_ * format::kBlockBytes;
  buffer_->moveTo(0);
  window_ = nullptr;
  giveBackAfter(blocks_ * format::kBlockBytes);
}

// The space of the file that is not used.
void BlockStore::giveBackAfter(uint64_t sizeBytes) {
  if (reservedBytes_ <= sizeBytes) return;
  const SignalsBlocked blocked;
  const int fd = directory_->openFile(name_, O_RDWR);
  if (fd < 0) return;
  if (sys::ftruncate(fd, sizeBytes) == 0) {
    giveBackFileSpace(reservedBytes_ - sizeBytes);
    reservedBytes_ = sizeBytes;
  }
  sys::close(fd);
}

uint32_t BlockStore::takeDropped() {
  const uint32_t dropped = dropped_;
  dropped_ = 0;
  return dropped;
}

// What the writer has reserved, which has ended.
void BlockStore::cutOff() {
  const SignalsBlocked blocked;
  const int fd = directory_->openFile(name_, O_RDWR);
  if (fd < 0) return;
  struct stat status {};
  if (sys::call(SYS_fstat, fd, sys::word(&status)) == 0 && static_cast<uint64_t>(status.st_size) > usedBytes_) {
    sys::ftruncate(fd, usedBytes_);
  }
  sys::close(fd);
}

void BlockStore::leave() {
  unmapWindow();
  directory_ = nullptr;
}

void BlockStore::close() {
  if (ring_.isTaken()) {  // the writer cuts the file off
    window_ = nullptr;
    storeInOrder();
    dropped_ += ring_.leave(false, &dropReason_);
    if (!event_rings::writerLives()) cutOff();
    directory_ = nullptr;
    return;
  }
  writeWindow();
  unmapWindow();
  releaseBuffer();
  asyncRing_.close();
  if (KeptPast* past = past_) {
    past_ = nullptr;
    past->release();
  }
  giveBackAfter(usedBytes_);
  directory_ = nullptr;
}

}  // namespace parallax
