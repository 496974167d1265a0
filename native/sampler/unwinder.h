// Walks the stack of the calling thread by the tables of unwind_table.h, in a signal handler or
// from an intercepted routine, and gives the walk as a call path.
//
// The last walk is kept, frame by frame, with the words of the stack that it read. A walk that
// comes upon a frame of the last one (the same instruction and stack pointer) compares those
// words from there on: when all are unchanged, the rest of the walk, which is a function of
// them alone, is the same again, and so is its path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ucontext.h>

#include "unwind_rule.h"
#include "unwind_table.h"

namespace parallax {

struct AddressRange {
  uint64_t low = 0;
  uint64_t high = 0;
  bool contains(uint64_t address) const { return address - low < high - low; }
};

// Where a walk begins.
struct WalkStart {
  uint64_t pc = 0;
  uint64_t rsp = 0;
  uint64_t rbp = 0;
  uint64_t rbx = 0;
  const greg_t* registers = nullptr;  // all of them, when known
  AddressRange alternateStack;        // of signal handlers, when the thread has one
};

enum class WalkEnd : uint8_t { kRoot, kTruncated, kFailed };

struct WalkCounts {
  uint64_t walks = 0;
  uint64_t frames = 0;
  uint64_t reused = 0;     // walks that ended in the last one
  uint64_t truncated = 0;  // deeper than kMaxFrames
  uint64_t failed = 0;     // ended at code without call frame information
  uint64_t scanned = 0;    // frames found by looking for a return address in the stack
};

class Unwinder {
 public:
  static constexpr size_t kMaxFrames = 1024;

  // In pages of its own (it is large); null without memory. Not for signal handlers.
  static Unwinder* create();
  // Makes it serve the calling thread. Not for signal handlers.
  void attach(AddressRange stack);

  // The call path of a walk; frames of the agent are left out. The first frame is an exact
  // address (of an interrupted instruction) if `exact`, else a return address. Not reentrant.
  // Signal handlers may call it.
  uint32_t path(const WalkStart& start, bool exact);

  // The frames of a walk, the innermost first, without use of the last one; for tests. Returns
  // their number.
  size_t walk(const WalkStart& start, bool exact, uint64_t* pcs, size_t capacity, WalkEnd* end);

  const WalkCounts& counts() const { return counts_; }

 private:
  // A cache line: what a walk must know of a frame to find its path again.
  struct alignas(64) Frame {
    uint64_t pc;
    uint64_t rsp;
    uint64_t rbp;
    const uint64_t* ripWord;    // where the pc of the next frame was read
    const uint64_t* rbpWord;    // where its rbp was read, if any frame beyond needs it
    const uint64_t* otherWord;  // one word more that decides on the next frame
    uint64_t other;
    uint32_t path;
    bool exact;      // the pc is that of an instruction, not a return address
    bool needsRbp;   // the walk from here on depends on rbp
    bool dependent;  // it depends on more than the words above say
    bool agent;
  };
  static_assert(sizeof(Frame) == 64);

  struct CachedRule {
    uint64_t pc;
    Rule rule;
  };
  static constexpr size_t kCachedRules = 1024;

  // Memory that the walk may read, and how.
  struct Region {
    AddressRange range;
    bool checked;  // every read goes through the kernel, which refuses what is not mapped
    bool own;      // the thread's stack proper
  };

  struct Walk;

  Unwinder() = default;
  bool prepare(const WalkStart& start, bool exact, Walk* walk);
  void run(Walk& walk);
  void loseRbp(Walk& walk, Frame& frame);
  bool step(Walk& walk, Frame& frame);
  bool stepExtended(Walk& walk, Frame& frame, const ExtendedRule& rule);
  bool stepSignal(Walk& walk, Frame& frame);
  bool stepByScan(Walk& walk, Frame& frame);
  bool join(Walk& walk);
  void useRbp(Walk& walk);
  void keep(const Walk& walk);
  Rule ruleFor(const UnwindTable& table, uint64_t pc);
  Region regionOf(uint64_t rsp, const AddressRange& alternateStack) const;
  bool load(const Region& region, uint64_t address, uint64_t* value);
  bool loadChecked(uint64_t address, uint64_t* value);

  TableReader reader_;
  AddressRange stack_;
  uint64_t generation_ = 0;
  WalkCounts counts_;
  uint64_t pageAddress_ = 0;  // which page of a foreign stack page_ is a copy of
  size_t kept_ = 0;           // frames at the end of last_
  CachedRule rules_[kCachedRules];
  Frame frames_[kMaxFrames];  // of the present walk, the innermost first
  Frame last_[kMaxFrames];    // of the last walk, the outermost at the end
  uint8_t page_[4096];
};

// The bounds of the calling thread's stack. Not for signal handlers.
AddressRange stackOfThread();

}  // namespace parallax
