// A walk on its way: what unwinder.cpp, which runs for each frame, shares with unwinder_steps.cpp, which takes the rare
// steps, and with unwinder_calls.cpp. All of it runs in signal context.
#pragma once

#include <atomic>
#include <cstring>

#include "sampler/unwinder.h"

namespace parallax {

// For what runs for every frame: how its loops lie in cache lines makes up to a third of its time,
// which must not depend on what the linker puts before it.
#define OWN_LINES __attribute__((aligned(64)))

inline const uint64_t* wordAt(uint64_t address) {
  return reinterpret_cast<const uint64_t*>(address);
}

// What the address sanitizer keeps from the program between its variables is read, too.
__attribute__((no_sanitize("address"), no_sanitize("thread"))) inline uint64_t read(
    const uint64_t* word) {
  uint64_t value;
  memcpy(&value, word, sizeof value);  // stacks need not be aligned
  return value;
}

// The state of a walk: the registers of the frame it has reached, and what is known of them.
struct Unwinder::Walk {
  const UnwindTable* table;
  Region region;
  AddressRange alternateStack;
  uint64_t pc, rsp, rbp, rbx;
  bool exact;
  bool rbxKnown;
  const greg_t* registers;  // of this frame, or null
  greg_t copied[kRegisterCount + 6];  // those of a signal frame

  size_t count = 0;     // frames so far
  size_t next = 0;      // where in last_ to look for a frame to join
  size_t standing = kMaxFrames;  // where in last_ the walk has met a marker that stands
  size_t returned = 0;  // in last_, if it has joined there: all up to this were called anew
  bool joined = false;  // the walk goes on at last_[next]
  bool mayJoin = true;
  bool keepable = true;
  WalkEnd end = WalkEnd::kFailed;

  // The frame whose step last read rbp, and where; -1: rbp is still that of the start.
  long rbpReader = -1;
  const uint64_t* rbpWord = nullptr;
  size_t rbpMarked = 0;  // frames below this are marked already

  // The walk goes on from where it is, as from its start.
  void forgetFrames() {
    count = rbpMarked = 0;
    rbpReader = -1;
    rbpWord = nullptr;
    end = WalkEnd::kFailed;
  }
};

inline bool Unwinder::load(const Region& region, uint64_t address, uint64_t* value) {
  if (address - region.range.low > region.range.high - region.range.low - sizeof *value) {
    return false;
  }
  if (__builtin_expect(region.checked, false)) return loadChecked(address, value);
  *value = read(wordAt(address));
  return true;
}

inline Rule Unwinder::ruleFor(const UnwindTable& table, uint64_t pc) {
  if (__builtin_expect(economy_ == Economy::kNone, false)) return table.find(pc, scratch_);
  return cachedRule(table, pc).rule;
}

// The walk has used rbp: notes in the frames that depend on it, and where it was read.
inline void Unwinder::useRbp(Walk& walk) {
  const size_t first = static_cast<size_t>(walk.rbpReader + 1);
  if (walk.rbpReader >= 0) frames_[walk.rbpReader].rbpWord = walk.rbpWord;
  for (size_t i = walk.rbpMarked > first ? walk.rbpMarked : first; i < walk.count; ++i) {
    frames_[i].needsRbp = true;
  }
  walk.rbpMarked = walk.count;
}

// The first frame of the last walk, from this one on, whose words have changed, or which has to be looked at: it has a
// marker, depends on more, or is the outermost one.
inline size_t Unwinder::skipUnchanged(size_t index) const {
  for (; index + 1 < kMaxFrames; ++index) {
    const Frame& frame = last_[index];
    const Frame& next = last_[index + 1];
    if (frame.dependent || frame.marker != 0 || read(frame.ripWord) != next.pc) break;
    if (frame.rbpWord != nullptr && read(frame.rbpWord) != next.rbp) break;
    if (frame.otherWord != nullptr && read(frame.otherWord) != frame.other) break;
  }
  return index;
}

// Whether the last walk is the same beyond this frame, at which skipUnchanged() has ended.
inline bool Unwinder::isEnd(size_t index) const {
  const Frame& frame = last_[index];
  if (frame.dependent) return false;
  if (index + 1 == kMaxFrames) return frame.ripWord == nullptr || read(frame.ripWord) == 0;
  return frame.marker != 0 && read(frame.ripWord) == addressOf(frame.marker);
}

}  // namespace parallax
