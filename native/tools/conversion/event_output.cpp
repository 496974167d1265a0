#include "tools/conversion/event_output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

namespace parallax::conversion {

using namespace format;

EventOutput::EventOutput(const std::string& path, uint32_t thread, const ClockLine& clock, size_t mostHeld)
    : path_(path), thread_(thread), clock_(clock), mostHeld_(mostHeld) {
  file_.open(path);
}

EventOutput::~EventOutput() {
  if (patched_ >= 0) ::close(patched_);
}

void EventOutput::beginBlock(uint64_t ticks) {
  writeBlocks(mostHeld_);
  std::unique_ptr<Block> block = spare_ != nullptr ? std::move(spare_) : std::make_unique<Block>();
  BlockHeader& header = block->header;
  header = BlockHeader{};
  header.magic = kBlockMagic;
  header.version = kVersion;
  header.thread = thread_;
  header.baseTicks = ticks;
  header.number = firstBlock_ + blocks_.size();
  header.monotonicNs = clock_.monotonicAt(ticks);
  // Where an original has no CPU times, they run with the wall time.
  const uint64_t wallNs = ticks > clock_.ticks ? header.monotonicNs - clock_.monotonicNs : 0;
  header.cpuNs = wallNs > lostNs_ ? wallNs - lostNs_ : 0;
  header.openPath = openPath_;
  block->used = block->held = 0;
  base_ = ticks;
  current_ = block.get();
  blocks_.push_back(std::move(block));
}

// Writes the blocks before the first with places to complete, and further ones while more than `mostLeft` are left.
void EventOutput::writeBlocks(size_t mostLeft) {
  while (!blocks_.empty() && (blocks_.front()->held == 0 || blocks_.size() > mostLeft)) {
    Block& block = *blocks_.front();
    closeBlock(&block.header, block.used);
    slotCount_ += block.used;
    const bool isLast = mostLeft == 0 && blocks_.size() == 1;
    if (!isLast) memset(block.slots + block.used, 0, (kBlockSlots - block.used) * sizeof(uint64_t));
    file_.write(&block.header, sizeof(BlockHeader) + (isLast ? block.used : kBlockSlots) * sizeof(uint64_t));
    spare_ = std::move(blocks_.front());
    blocks_.pop_front();
    firstBlock_++;
  }
}

EventOutput::Place EventOutput::hold(uint64_t ticks, uint32_t payload) {
  uint64_t* slot = reserve(1 + payload, ticks);
  const auto at = static_cast<uint32_t>(slot - current_->slots);
  // Payload of the call that begins before, which readers ignore; else no visit of the empty path.
  slot[0] = followsCall(at) ? payloadSlot(0) : eventSlot(Kind::kVisits, 0, ticks - base_);
  for (uint32_t i = 1; i <= payload; i++) slot[i] = payloadSlot(0);
  current_->held++;
  return {current_->header.number, ticks, at};
}

bool EventOutput::followsCall(uint32_t slot) const {
  while (slot > 0 && isPayload(current_->slots[slot - 1])) slot--;
  if (slot == 0) return false;
  const uint64_t before = current_->slots[slot - 1];
  return kindOf(before) == Kind::kEnter && operandOf(before) != kOperandEscape;
}

EventOutput::Block* EventOutput::find(Place place) {
  return place.block < firstBlock_ || place.block - firstBlock_ >= blocks_.size() ? nullptr
                                                                                  : blocks_[place.block - firstBlock_].get();
}

void EventOutput::put(Block* block, Place place, Kind kind, uint32_t operand,
                      std::initializer_list<uint64_t> payload) {
  uint64_t* slot = block->slots + place.slot;
  *slot = eventSlot(kind, operand, place.ticks - block->header.baseTicks);
  for (const uint64_t value : payload) *++slot = payloadSlot(value);
}

// Reads a block of the file, or writes it again. All blocks but the last are whole, and the last is in memory.
bool EventOutput::transfer(Block* block, uint64_t number, bool isRead) {
  char* at = reinterpret_cast<char*>(&block->header);
  for (size_t done = 0; done < kBlockBytes;) {
    const auto from = static_cast<off_t>(number * kBlockBytes + done);
    const ssize_t moved = isRead ? pread(patched_, at + done, kBlockBytes - done, from)
                                 : pwrite(patched_, at + done, kBlockBytes - done, from);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) {
      patchError_ = "cannot change " + path_ + ": " + strerror(moved == 0 ? EIO : errno);
      return false;
    }
    done += static_cast<size_t>(moved);
  }
  return true;
}

void EventOutput::complete(Place place, Kind kind, uint32_t operand, std::initializer_list<uint64_t> payload) {
  if (Block* block = find(place)) {
    put(block, place, kind, operand, payload);
    block->held--;
    return;
  }
  if (!error().empty()) return;
  if (patched_ < 0) patched_ = ::open(path_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (patched_ < 0) {
    patchError_ = "cannot change " + path_ + ": " + strerror(errno);
    return;
  }
  const auto block = std::make_unique<Block>();
  if (!transfer(block.get(), place.block, true)) return;
  put(block.get(), place, kind, operand, payload);
  closeBlock(&block->header, block->header.used);
  transfer(block.get(), place.block, false);
}

void EventOutput::release(Place place) {
  Block* block = find(place);
  if (block != nullptr) block->held--;
}

void EventOutput::close() {
  writeBlocks(0);
  current_ = nullptr;
  file_.close();
}

}  // namespace parallax::conversion
