// Writes the events of one thread. Unlike format::EventWriter, it can complete events that it wrote earlier: an
// original can say only at the end of a non-blocking operation what the operation was.
#pragma once

#include <deque>
#include <initializer_list>
#include <memory>
#include <string>

#include "format/slots.h"
#include "format/writer.h"

namespace parallax::conversion {

class EventOutput {
 public:
  // The first slot of an event that was written.
  struct Place {
    uint64_t block = 0;
    uint64_t ticks = 0;
    uint32_t slot = 0;
  };

  // `mostHeld` blocks at most are kept in memory for events that are not complete. Later completions change the file.
  EventOutput(const std::string& path, uint32_t thread, const format::ClockLine& clock, size_t mostHeld = 64);
  ~EventOutput();

  // Times may not decrease. Operands must fit into a slot.
  void event(format::Kind kind, uint32_t operand, uint64_t ticks, std::initializer_list<uint64_t> payload = {}) {
    uint64_t* slot = reserve(1 + static_cast<uint32_t>(payload.size()), ticks);
    *slot++ = format::eventSlot(kind, operand, ticks - base_);
    for (const uint64_t value : payload) *slot++ = format::payloadSlot(value);
  }
  // An Enter or Leave, whose path is any 32-bit number.
  void call(format::Kind kind, uint64_t ticks, uint64_t path) {
    if (format::fitsOperand(path)) {
      uint64_t* slot = reserve(1, ticks);  // before the base is read, which it can change
      *slot = format::eventSlot(kind, static_cast<uint32_t>(path), ticks - base_);
      return;
    }
    uint64_t* slot = reserve(2, ticks);
    slot[0] = format::eventSlot(kind, format::kOperandEscape, ticks - base_);
    slot[1] = format::payloadSlot(path);
  }
  void setOpenPath(uint32_t path) { openPath_ = path; }
  // How long the thread had no processor up to now, since the time of the clock line.
  void setLost(uint64_t ns) { lostNs_ = ns; }

  // Keeps a place for an event with as many payload slots. Until it is complete, and if it never is, the place means
  // nothing.
  Place hold(uint64_t ticks, uint32_t payload);
  // Puts the event there, at the time at which the place was held.
  void complete(Place place, format::Kind kind, uint32_t operand, std::initializer_list<uint64_t> payload);
  // Nothing comes in this place.
  void release(Place place);

  void close();
  uint64_t slots() const { return slotCount_; }
  const std::string& error() const { return patchError_.empty() ? file_.error() : patchError_; }

 private:
  struct Block {
    format::BlockHeader header;
    uint64_t slots[format::kBlockSlots];
    uint32_t used = 0;
    uint32_t held = 0;  // places that are not complete
  };

  uint64_t* reserve(uint32_t count, uint64_t ticks) {
    if (current_ == nullptr || current_->used + count > format::kBlockSlots || !format::fitsTime(ticks - base_)) {
      beginBlock(ticks);
    }
    uint64_t* slot = current_->slots + current_->used;
    current_->used += count;
    return slot;
  }
  void beginBlock(uint64_t ticks);
  void writeBlocks(size_t mostLeft);
  Block* find(Place place);
  static void put(Block* block, Place place, format::Kind kind, uint32_t operand,
                  std::initializer_list<uint64_t> payload);
  bool transfer(Block* block, uint64_t number, bool isRead);
  // Whether the event before this slot is one that has no payload, so that further slots of it are ignored.
  bool followsCall(uint32_t slot) const;

  format::OutputFile file_;
  std::string path_, patchError_;
  int patched_ = -1;  // the file, for changes of blocks that are written
  std::deque<std::unique_ptr<Block>> blocks_;  // the last one is current
  std::unique_ptr<Block> spare_;
  Block* current_ = nullptr;
  uint64_t base_ = 0;
  uint64_t firstBlock_ = 0;  // number of the first in `blocks_`
  uint32_t thread_;
  uint32_t openPath_ = 0;
  uint64_t lostNs_ = 0;
  format::ClockLine clock_;
  size_t mostHeld_;
  uint64_t slotCount_ = 0;
};

}  // namespace parallax::conversion
