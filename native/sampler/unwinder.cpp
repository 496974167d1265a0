#include "sampler/unwinder_walk.h"

#include <atomic>
#include <cstring>
#include <new>
#include <sys/uio.h>

#include "base/sys.h"
#include "core/agent.h"

// Everything here but create(), attach() and stackOfThread() runs in signal context: it must
// not allocate, lock, or read memory that is not known to be there.

namespace parallax {

namespace {

constexpr uint64_t kRedZoneBytes = 128;
constexpr uint64_t kPageBytes = 4096;

Region truncatedRegion("[call stack truncated]", format::Group::kAgent);
Region incompleteRegion("[call stack incomplete]", format::Group::kAgent);

std::atomic<OriginalOfCopy*> originalOfCopies{nullptr};

}  // namespace

void setOriginalOfCopies(OriginalOfCopy* original) { originalOfCopies.store(original, std::memory_order_release); }

Unwinder* Unwinder::create() {
  void* pages = sys::pages(sizeof(Unwinder));
  if (pages == nullptr) return nullptr;
  auto* unwinder = new (pages) Unwinder;
  registerReader(&unwinder->reader_);
  prepareMarkers();
  return unwinder;
}

void Unwinder::attach(AddressRange stack, Thread* thread) {
  stack_ = stack;
  root_ = UINT64_MAX;
  rootCode_ = AddressRange{};
  kept_ = 0;
  forgetTops();
  ++changes_;
  counts_ = WalkCounts{};
  markAll_ = allMarkersWanted();
  thread_ = thread;
}

AddressRange stackOfThread() {
  const StackBounds bounds = stackOfCaller();
  return {bounds.low, bounds.high};
}

// ---------------------------------------------------------------------- memory

Unwinder::Region Unwinder::regionOf(uint64_t rsp, const AddressRange& alternateStack) const {
  const AddressRange* stack = stack_.contains(rsp)           ? &stack_
                              : alternateStack.contains(rsp) ? &alternateStack
                                                             : nullptr;
  // A fiber's: nothing is known of it but that the thread runs on it.
  if (stack == nullptr) return {{rsp - kRedZoneBytes, UINT64_MAX - kPageBytes}, true, false};
  const uint64_t low = rsp - kRedZoneBytes > stack->low ? rsp - kRedZoneBytes : stack->low;
  return {{low, stack->high}, false, stack == &stack_};
}

// Rare, but here: step(), which calls it through load(), takes a sixth longer where the compiler
// does not see that nothing keeps the pointer to the value.
bool Unwinder::loadChecked(uint64_t address, uint64_t* value) {
  const uint64_t page = address & ~(kPageBytes - 1);
  if (((address + sizeof *value - 1) & ~(kPageBytes - 1)) != page) return false;
  if (page != pageAddress_) {
    iovec to{page_, kPageBytes};
    iovec from{reinterpret_cast<void*>(page), kPageBytes};
    pageAddress_ = 0;
    if (sys::call(SYS_process_vm_readv, sys::getpid(), sys::word(&to), 1, sys::word(&from), 1, 0) !=
        static_cast<long>(kPageBytes)) {
      return false;
    }
    pageAddress_ = page;
  }
  memcpy(value, page_ + (address - page), sizeof *value);
  return true;
}

Unwinder::CachedRule& Unwinder::cachedRule(const UnwindTable& table, uint64_t pc) {
  CachedRule& cached = rules_[(pc ^ (pc >> 10)) % kCachedRules];
  if (__builtin_expect(cached.pc != pc, false)) {
    cached.rule = table.find(pc, scratch_);
    cached.pc = pc;
    cached.markable = CachedRule::kUnknown;
  }
  return cached;
}

// ----------------------------------------------------------------------- steps

// The caller's rbp cannot be read, usually because of wrong call frame information for the last
// instructions of a routine.
void Unwinder::loseRbp(Walk& walk, Frame& frame) {
  walk.rbp = 0;
  frame.dependent = true;
}

// Whether the marker stands where the last walk has it.
bool Unwinder::stands(Marker marker, uint64_t address) const {
  const MarkerEntry& entry = entryOf(marker);
  const size_t index = entry.frame;
  return entry.state == MarkerEntry::kStanding && index >= kMaxFrames - kept_ &&
         index + 1 < kMaxFrames && last_[index].marker == marker &&
         last_[index].ripWord == wordAt(address);
}

// The return address at `address` is that of a stub: returns the real one. When the marker is
// known from the last walk, this one is at its end.
uint64_t Unwinder::throughMarker(Walk& walk, Frame& frame, uint64_t address, uint64_t pc) {
  const Marker marker = markerAt(pc);
  if (addressOf(marker) != pc || marker % kMarkersOfPage == 0) return pc;  // nonsense
  frame.marker = marker;
  if (walk.mayJoin && stands(marker, address)) walk.standing = entryOf(marker).frame;
  return entryOf(marker).target;
}

// From the frame that the walk stands in to its caller. Returns false at the end, having set
// `walk.end`. `frame` is the current one, the last of frames_.
OWN_LINES inline bool Unwinder::step(Walk& walk, Frame& frame) {
  const Rule rule = ruleFor(*walk.table, walk.exact ? walk.pc : walk.pc - 1);
  uint64_t cfa;
  if (__builtin_expect(rule.kind == RuleKind::kRsp, true)) {
    cfa = walk.rsp + static_cast<int64_t>(rule.cfaOffset);
  } else if (rule.kind == RuleKind::kRbp) {
    useRbp(walk);
    cfa = walk.rbp + static_cast<int64_t>(rule.cfaOffset);
  } else if (rule.kind == RuleKind::kExtended) {
    return stepExtended(walk, frame, extendedRule(rule.cfaOffset));
  } else if (rule.kind == RuleKind::kSignal) {
    return stepSignal(walk, frame);
  } else if (rule.kind == RuleKind::kEnd) {
    walk.end = WalkEnd::kRoot;
    return false;
  } else {
    return stepByScan(walk, frame);
  }
  uint64_t pc;
  if (cfa <= walk.rsp || !load(walk.region, cfa - 8, &pc)) return false;
  if (__builtin_expect(isMarker(pc), false)) pc = throughMarker(walk, frame, cfa - 8, pc);
  frame.plain = true;
  if (rule.rbpSlot != 0) {
    const uint64_t address = cfa + 8 * static_cast<int64_t>(rule.rbpSlot);
    // Without it the caller is still known, and perhaps its caller, too.
    if (!load(walk.region, address, &walk.rbp)) loseRbp(walk, frame);
    walk.rbpReader = static_cast<long>(walk.count - 1);
    walk.rbpWord = wordAt(address);
  }
  if (rule.rbxSlot != 0) {
    walk.rbxKnown =
        load(walk.region, cfa + 8 * static_cast<int64_t>(rule.rbxSlot), &walk.rbx);
  }
  frame.ripWord = wordAt(cfa - 8);
  walk.pc = pc;
  walk.rsp = cfa;
  walk.exact = false;
  walk.registers = nullptr;
  return true;
}

// ------------------------------------------------------------------------ walks

// Whether the frame that the walk has reached is one of the last walk, and all beyond it too.
OWN_LINES inline bool Unwinder::join(Walk& walk) {
  while (walk.next < kMaxFrames && last_[walk.next].rsp < walk.rsp) ++walk.next;
  if (walk.next == kMaxFrames) return false;
  const Frame& known = last_[walk.next];
  if (!isAt(known, walk.pc, walk.rsp, walk.rbp, walk.exact)) return false;
  size_t i = walk.next;
  for (;;) {
    i = skipUnchanged(i);
    Frame& frame = last_[i];
    if (isEnd(i)) {
      if (frame.marker != 0) walk.standing = i;
      if (known.needsRbp) useRbp(walk);
      return true;
    }
    // A marked frame has returned. If it was called again from the same place the comparison goes on.
    if (i + 1 == kMaxFrames || frame.dependent || frame.marker == 0 || read(frame.ripWord) != last_[i + 1].pc) break;
    frame.marker = 0;
    walk.returned = i + 1;
  }
  walk.next = i + 1;  // each frame of the last walk is compared once
  return false;
}

OWN_LINES void Unwinder::run(Walk& walk) {
  for (;;) {
    if (walk.next < kMaxFrames && join(walk)) {
      walk.joined = true;
      walk.end = WalkEnd::kRoot;
      return;
    }
    if (walk.count == kMaxFrames) {
      walk.end = WalkEnd::kTruncated;
      return;
    }
    if (__builtin_expect(isMarker(walk.pc), false)) {  // interrupted in a stub
      const uint64_t r11 = walk.registers != nullptr
                               ? static_cast<uint64_t>(walk.registers[REG_R11])
                               : entryOf(markerAt(walk.pc)).target;
      walk.pc = targetOfInterrupted(walk.pc, r11);
      walk.exact = false;
    }
    Frame& frame = frames_[walk.count++];
    frame.pc = walk.pc;
    frame.rsp = walk.rsp;
    frame.rbp = walk.rbp;
    frame.ripWord = frame.rbpWord = frame.otherWord = nullptr;
    frame.exact = walk.exact;
    frame.needsRbp = frame.dependent = frame.plain = false;
    frame.marker = 0;
    frame.agent = walk.table->isAgent(walk.pc);
    if (!step(walk, frame)) return;
    if (__builtin_expect(walk.standing != kMaxFrames, false)) {
      walk.next = walk.standing + 1;
      walk.joined = true;
      walk.end = WalkEnd::kRoot;
      return;
    }
    if (__builtin_expect(walk.rsp >= root_, false) && walk.region.own) {
      frame.ripWord = nullptr;  // nothing beyond is of interest
      walk.end = WalkEnd::kRoot;
      return;
    }
    // Hand-written starts of threads mark the outermost frame by a return address of 0.
    if (__builtin_expect(walk.pc == 0, false)) {
      walk.end = WalkEnd::kRoot;
      return;
    }
  }
}

// How many of the frames of a walk, the innermost ones, have certainly been called since the last
// walk: those called from where the last walk has not been, and those inside a marked frame that
// has returned. Where two walks part within one function, it may be the same call of it. The walk has joined the
// last one at last_[next].
size_t Unwinder::newFrames(const Frame* frames, size_t count, size_t next) const {
  const size_t top = kMaxFrames - kept_;
  for (size_t i = next; count > 0; --count) {
    if (i == top) return count;  // further out than this the last walk was in an intercepted call
    const Frame& now = frames[count - 1];
    const Frame& was = last_[--i];
    // It was marked on the way out of this frame, and has returned since.
    if (was.marker != 0 && was.marker != now.marker && was.ripWord == now.ripWord) return count;
    if (now.rsp != was.rsp || now.pc != was.pc) return count - 1;
  }
  return 0;
}

void Unwinder::countVisit(const Frame& frame) {
  if (frame.path != 0 && !frame.agent && !frame.exact) parallax::countVisits(thread_, frame.path);
}

// Of a walk that is about to become the last one.
void Unwinder::countVisits(const Walk& walk) {
  const size_t next = walk.joined ? walk.next : kMaxFrames;
  const bool allAreNew = walk.joined && walk.returned >= walk.next;
  for (size_t i = allAreNew ? walk.count : newFrames(frames_, walk.count, next); i-- > 0;) countVisit(frames_[i]);
  // A frame that the walk shares with the last one stands, or has been called anew, from the same
  // place, inside a marked one that has returned.
  for (size_t i = next; i < walk.returned; ++i) countVisit(last_[i]);
}

// Makes a walk the last one. The frames that it shares with that, from last_[next] on, stay where they are.
void Unwinder::keep(const Frame* frames, size_t count, size_t next) {
  if (count > next) return;
  ++changes_;
  kept_ = 0;  // a handler of the program may leave this by longjmp
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const size_t top = next - count;
  for (size_t i = 0; i < count; ++i) {
    last_[top + i] = frames[i];
    if (const Marker marker = frames[i].marker) {
      entryOf(marker).frame = static_cast<uint16_t>(top + i);
    }
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  kept_ = kMaxFrames - top;
  comparable_ = true;
}

// An interrupted instruction may be the copy of one.
void Unwinder::leaveCopy(Walk* walk) {
  OriginalOfCopy* original = originalOfCopies.load(std::memory_order_acquire);
  if (__builtin_expect(original != nullptr, false) && walk->exact) original(&walk->pc, &walk->rsp);
}

// Fills the walk. Returns false, and then nothing is being read, when there is no table yet.
bool Unwinder::prepare(const WalkStart& start, bool exact, Walk* walk) {
  const UnwindTable* table = reader_.begin();
  if (table == nullptr) {
    reader_.end();
    return false;
  }
  if (table->generation() != generation_) {
    generation_ = table->generation();
    memset(rules_, 0, sizeof rules_);
    scratch_.forget();
    forgetTops();
    ++changes_;
    comparable_ = false;  // markers stand nevertheless: a frame keeps its module
  }
  pageAddress_ = 0;
  walk->table = table;
  walk->alternateStack = start.alternateStack;
  walk->region = regionOf(start.rsp, start.alternateStack);
  walk->pc = start.pc;
  walk->rsp = start.rsp;
  walk->rbp = start.rbp;
  walk->rbx = start.rbx;
  walk->exact = exact;
  walk->rbxKnown = start.registers != nullptr;
  walk->registers = start.registers;
  leaveCopy(walk);
  walk->mayJoin = economy_ >= Economy::kLastWalk;
  walk->next = walk->region.own && walk->mayJoin && comparable_ ? kMaxFrames - kept_ : kMaxFrames;
  walk->keepable = walk->region.own && walk->mayJoin;
  return true;
}

bool Unwinder::isAgentOrBeside(uint64_t other, uint64_t pc) {
  const UnwindTable* table = reader_.begin();
  const bool result = table == nullptr || table->isAgent(pc) || table->moduleOf(pc) == table->moduleOf(other);
  reader_.end();
  return result;
}

uint32_t Unwinder::pathOf(const WalkStart& start, bool exact, bool call) {
  Walk walk;
  if (!prepare(start, exact, &walk)) return 0;
  run(walk);

  ++counts_.walks;
  counts_.frames += walk.count;
  counts_.reused += walk.joined;
  uint32_t path = 0;
  if (walk.joined) {
    path = last_[walk.next].path;
  } else if (walk.end != WalkEnd::kRoot) {
    const bool truncated = walk.end == WalkEnd::kTruncated;
    ++(truncated ? counts_.truncated : counts_.failed);
    path = (truncated ? truncatedRegion : incompleteRegion).path(0);
    if (thread_ != nullptr) parallax::countVisits(thread_, path);
  }
  for (size_t i = walk.count; i-- > 0;) {
    Frame& frame = frames_[i];
    if (!frame.agent && (path != 0 || !rootCode_.contains(frame.pc))) {
      const auto kind =
          frame.exact ? format::PathKind::kAddress : format::PathKind::kReturnAddress;
      path = callPath(path, kind, frame.pc);
    }
    frame.path = path;
  }
  const bool keeps = walk.keepable && walk.end == WalkEnd::kRoot;
  if (keeps) {
    if (thread_ != nullptr) countVisits(walk);
    if (call && walk.joined) keepTop(start, walk);
    keep(frames_, walk.count, walk.joined ? walk.next : kMaxFrames);
    const size_t apart = walk.standing - (kMaxFrames - kept_);
    if (call && __builtin_expect(apart > kMarkBeyond || markAll_, false)) {
      mark(*walk.table, walk.standing);
    }
  }
  reader_.end();
  return path;
}

size_t Unwinder::walk(const WalkStart& start, bool exact, uint64_t* pcs, size_t capacity,
                      WalkEnd* end) {
  *end = WalkEnd::kFailed;
  Walk walk;
  if (!prepareAlone(start, exact, &walk)) return 0;
  run(walk);
  *end = walk.end;
  for (size_t i = 0; i < walk.count && i < capacity; ++i) pcs[i] = frames_[i].pc;
  reader_.end();
  return walk.count;
}

bool Unwinder::prepareAlone(const WalkStart& start, bool exact, Walk* walk) {
  if (!prepare(start, exact, walk)) return false;
  walk->next = kMaxFrames;
  walk->mayJoin = false;
  return true;
}

void Unwinder::visitFrames(const WalkStart& start, bool exact, Visit* visit, void* data) {
  Walk walk;
  if (!prepareAlone(start, exact, &walk)) return;
  bool wanted = true;
  for (size_t visited = 0; wanted && visited < kMostVisited; visited += walk.count) {
    walk.forgetFrames();
    run(walk);
    for (size_t i = 0; wanted && i < walk.count; ++i) wanted = visit(data, frames_[i].pc);
    if (walk.end != WalkEnd::kTruncated) break;
  }
  reader_.end();
}

}  // namespace parallax
