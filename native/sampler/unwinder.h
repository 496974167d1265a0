// Walks the stack of the calling thread by the tables of unwind_table.h, in a signal handler or
// from an intercepted routine, and gives the walk as a call path.
//
// The last walk is kept, frame by frame, with the words of the stack that it read. A walk that
// comes upon a frame of the last one (the same instruction and stack pointer) compares those
// words from there on: when all are unchanged, the rest of the walk, which is a function of
// them alone, is the same again, and so is its path.
//
// On deep stacks some of the return addresses are markers (markers.h). A walk that comes upon one
// which stands where the last walk has it, in either way, is at its end: all beyond is unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ucontext.h>

#include "sampler/markers.h"
#include "sampler/unwind_rule.h"
#include "sampler/unwind_table.h"

namespace parallax {

class Region;  // core/regions.h
class Thread;  // core/thread.h

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

// Where the walk of an intercepted call begins. `exact` as for Unwinder::path().
struct CallStart {
  uint64_t pc;
  uint64_t rsp;
  uint64_t rbp;
  bool exact;
};

enum class WalkEnd : uint8_t { kRoot, kTruncated, kFailed };

// How much of what makes walks cheap is in use; each has those before it, too.
enum class Economy : uint8_t { kNone, kRuleCache, kLastWalk, kMarkers };

struct WalkCounts {
  uint64_t walks = 0;
  uint64_t frames = 0;
  uint64_t reused = 0;     // walks that ended in the last one
  uint64_t recalled = 0;   // of these, walks whose inner frames were those of an earlier one
  uint64_t known = 0;      // of these, walks of calls that were known as a whole
  uint64_t truncated = 0;  // deeper than kMaxFrames
  uint64_t failed = 0;     // ended at code without call frame information
  uint64_t scanned = 0;    // frames found by looking for a return address in the stack
  uint64_t marked = 0;     // markers put
  uint64_t unmarked = 0;   // places for one, but none was free
};

class Unwinder {
 public:
  static constexpr size_t kMaxFrames = 1024;
  static constexpr size_t kMostVisited = 16 * kMaxFrames;

  // In pages of its own (it is large); null without memory. Not for signal handlers.
  static Unwinder* create();
  // Makes it serve the calling thread, for which it counts visits: how often the functions of
  // return addresses were called, as far as the walks tell for certain. Not for signal handlers.
  void attach(AddressRange stack, Thread* thread = nullptr);
  // Paths begin below this place of the thread's own stack, and there below this code.
  void beginPathsAt(uint64_t rsp, AddressRange code) {
    if (rsp == root_ && code.low == rootCode_.low && code.high == rootCode_.high) return;
    if (rsp != root_) kept_ = 0;  // no frame of the last walk is on both sides
    forgetTops();
    ++changes_;
    root_ = rsp;
    rootCode_ = code;
  }

  // The call path of a walk; frames of the agent are left out. The first frame is an exact
  // address (of an interrupted instruction) if `exact`, else a return address. Not reentrant.
  // Signal handlers may call it.
  uint32_t path(const WalkStart& start, bool exact) { return pathOf(start, exact, false); }
  // The call path of the caller of an intercepted routine, in which this thread is. It may put
  // markers on the stack. Not for a signal handler that samples. With `region`: below the path of the caller.
  uint32_t pathOfCall(const CallStart& start, parallax::Region* region = nullptr);

  // Whether an instruction is the agent's, or in the same module as `other`; true if that cannot be known. Not reentrant.
  // Signal handlers may call it.
  bool isAgentOrBeside(uint64_t other, uint64_t pc);

  // The frames of a walk, the innermost first, without use of the last one; for tests. Returns
  // their number.
  size_t walk(const WalkStart& start, bool exact, uint64_t* pcs, size_t capacity, WalkEnd* end);
  // Shows the frames of such a walk to `visit`, the innermost first, until it returns false; at most kMostVisited.
  // Not reentrant. Signal handlers may call it.
  using Visit = bool(void* data, uint64_t pc);
  void visitFrames(const WalkStart& start, bool exact, Visit* visit, void* data);

  // An upper bound to what it does, for measurements.
  void setEconomy(Economy most) {
    economy_ = most;
    comparable_ = false;
    ++changes_;
  }
  // Marks every frame that a walk finds new, not just some: visits are then counted as exactly
  // as the walks allow (paper, II.A.5), and each such frame returns through a stub.
  void setMarkAll(bool all) { markAll_ = all; }

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
    Marker marker;       // in *ripWord, for the pc of the next frame; 0: none
    bool exact : 1;      // the pc is that of an instruction, not a return address
    bool needsRbp : 1;   // the walk from here on depends on rbp
    bool dependent : 1;  // it depends on more than the words above say
    bool agent : 1;
    bool plain : 1;      // its return address lies just below its CFA, which is rsp or rbp plus
                         // a constant
  };
  static_assert(sizeof(Frame) == 64);

  struct CachedRule {
    uint64_t pc;
    Rule rule;
    enum : uint8_t { kUnknown, kYes, kNo } markable;  // the return address after `pc`
  };
  static constexpr size_t kCachedRules = 1024;

  // The inner frames of an earlier walk from an intercepted call, up to the frame that it shared with the walk before it.
  // A later walk that begins like it takes them from here if the words that they read are unchanged.
  static constexpr size_t kTopFrames = 5;
  static constexpr size_t kTops = 16;
  struct Top {
    uint64_t pc, rsp;          // of its start
    const uint64_t* siteWord;  // the return address of the routine, which differs from one place of calls to the next
    uint64_t site;
    uint64_t nextPc, nextRsp;  // of the shared frame, which stood in last_[next]
    size_t next;
    const uint64_t* rbpWord;   // where its rbp is; null: it is that of the start
    bool tellsRbp;             // the frames say so
    uint32_t nextPath;
    uint32_t count;
    Frame frames[kTopFrames];
  };

  // A call whose walk would be the last one but for the place of the call in its function: all words on which the walk
  // depends, from its start to its end or to a marker that stands.
  static constexpr size_t kKnownCalls = 32;
  static constexpr size_t kKnownWords = 36;
  struct KnownCall {
    CallStart start;
    uint64_t changes;          // of the last walk, when this was found out
    parallax::Region* region;
    uint32_t path;             // of the region, if there is one
    uint16_t count;
    bool needsRbp;
    struct Word {
      const uint64_t* at;
      uint64_t value;
    } words[kKnownWords];
  };

  // A marker is put kMarkAt frames from the top when there is none within kMarkBeyond, and more
  // of them beyond it at distances that double: after some frames have returned, so many more
  // have to be compared at most.
  static constexpr size_t kMarkAt = 12;
  static constexpr size_t kMarkBeyond = 24;

  // Memory that the walk may read, and how.
  struct Region {
    AddressRange range;
    bool checked;  // every read goes through the kernel, which refuses what is not mapped
    bool own;      // the thread's stack proper
  };

  struct Walk;

  Unwinder() = default;
  uint32_t pathOf(const WalkStart& start, bool exact, bool call);
  bool prepare(const WalkStart& start, bool exact, Walk* walk);
  // Without use of the last walk.
  bool prepareAlone(const WalkStart& start, bool exact, Walk* walk);
  void run(Walk& walk);
  void loseRbp(Walk& walk, Frame& frame);
  static void leaveCopy(Walk* walk);
  bool step(Walk& walk, Frame& frame);
  bool stepExtended(Walk& walk, Frame& frame, const ExtendedRule& rule);
  bool stepSignal(Walk& walk, Frame& frame);
  bool stepByScan(Walk& walk, Frame& frame);
  static bool isAt(const Frame& frame, uint64_t pc, uint64_t rsp, uint64_t rbp, bool exact) {
    return frame.rsp == rsp && frame.pc == pc && frame.exact == exact && (!frame.needsRbp || frame.rbp == rbp);
  }
  size_t skipUnchanged(size_t index) const;
  bool isEnd(size_t index) const;
  bool join(Walk& walk);
  bool isComparable() const {
    return kept_ != 0 && comparable_ && generation_ == TableReader::currentGeneration();
  }
  // The place of a call from there: one of two, so that two calls in turns do not drive each other out.
  KnownCall& knownAt(uint64_t pc) {
    const size_t index = static_cast<size_t>(pc * 0x9E3779B97F4A7C15u >> 32) % kKnownCalls;
    KnownCall& first = knownCalls_[index];
    if (first.start.pc == pc) return first;
    KnownCall& second = knownCalls_[index ^ 1];
    return second.start.pc == pc || first.changes == changes_ ? second : first;
  }
  bool isKnown(const KnownCall& known, const CallStart& start, const parallax::Region* region) const;
  static bool addWords(KnownCall& known, const Frame& frame, uint64_t nextPc, uint64_t nextRbp);
  void remember(const CallStart& start, const Frame& first, size_t next, size_t end);
  bool isLastCall(const CallStart& start);
  uint32_t recall(const CallStart& start);
  void useRbp(Walk& walk);
  void keep(const Frame* frames, size_t count, size_t next);
  void forgetTops() { topsUsed_ = topsNext_ = lastTop_ = 0; }
  const Top* findTop(const CallStart& start);
  bool holds(const Top& top, const CallStart& start) const;
  void keepTop(const WalkStart& start, const Walk& walk);
  void keepTopAgain(const Top& top, size_t end);
  size_t newFrames(const Frame* frames, size_t count, size_t next) const;
  void countVisit(const Frame& frame);
  bool stands(Marker marker, uint64_t address) const;
  uint64_t throughMarker(Walk& walk, Frame& frame, uint64_t address, uint64_t pc);
  void countVisits(const Walk& walk);
  void mark(const UnwindTable& table, size_t standing);
  bool markFrame(size_t index);
  bool markable(const UnwindTable& table, size_t index);
  bool mayReplace(const UnwindTable& table, CachedRule& cached);
  CachedRule& cachedRule(const UnwindTable& table, uint64_t pc);
  Rule ruleFor(const UnwindTable& table, uint64_t pc);
  Region regionOf(uint64_t rsp, const AddressRange& alternateStack) const;
  bool load(const Region& region, uint64_t address, uint64_t* value);
  bool loadChecked(uint64_t address, uint64_t* value);

  TableReader reader_;
  AddressRange stack_;
  Thread* thread_ = nullptr;
  uint64_t root_ = UINT64_MAX;
  AddressRange rootCode_;
  uint64_t generation_ = 0;
  WalkCounts counts_;
  uint64_t pageAddress_ = 0;  // which page of a foreign stack page_ is a copy of
  size_t kept_ = 0;           // frames at the end of last_
  bool comparable_ = false;   // those frames were found with the present tables
  bool markAll_ = false;
  Economy economy_ = Economy::kMarkers;
  MarkerPool markers_ = {};
  CachedRule rules_[kCachedRules];
  Frame frames_[kMaxFrames];  // of the present walk, the innermost first
  Frame last_[kMaxFrames];    // of the last walk, the outermost at the end
  size_t topsUsed_ = 0;
  size_t topsNext_ = 0;  // where the next one is put
  size_t lastTop_ = 0;   // the calls of a loop come in the order of their places
  Top tops_[kTops];
  uint64_t changes_ = 0;  // of the last walk
  KnownCall knownCalls_[kKnownCalls] = {};
  uint8_t page_[4096];
  FrameScratch scratch_;
};

// Whether the bytes before `pc` are a call instruction. Signal handlers may call it; there need
// not be code.
bool followsCallInstruction(uint64_t pc);

// Instructions of loaded modules may run as copies elsewhere, for which nothing says how to get to the caller:
// `original` changes the address of such a copy to that of the original, and the stack pointer to what it
// is there; false if it is none. Signal handlers call it.
using OriginalOfCopy = bool(uint64_t* pc, uint64_t* rsp);
void setOriginalOfCopies(OriginalOfCopy* original);

// The bounds of the calling thread's stack. Not for signal handlers.
AddressRange stackOfThread();

}  // namespace parallax
