#include "unwinder.h"

#include <atomic>
#include <cstring>
#include <new>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include "agent/agent.h"
#include "agent/sys.h"

// Everything here but create(), attach() and stackOfThread() runs in signal context: it must
// not allocate, lock, or read memory that is not known to be there.

extern "C" void* __libc_stack_end;  // of the dynamic linker: where the first stack begins

namespace parallax {

namespace {

constexpr uint64_t kRedZoneBytes = 128;
constexpr uint64_t kPageBytes = 4096;
constexpr size_t kMaxScannedWords = 512;

// The order of gregs in a ucontext, by DWARF number.
constexpr uint8_t kGregOf[kRegisterCount] = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
    REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};

// Where gregs lie in the kernel's signal frame, seen from rsp in the restorer: after uc_flags,
// uc_link and uc_stack.
constexpr uint64_t kGregsInSignalFrame = 40;

Region truncatedRegion("[call stack truncated]", format::Group::kAgent);
Region incompleteRegion("[call stack incomplete]", format::Group::kAgent);

const uint64_t* wordAt(uint64_t address) { return reinterpret_cast<const uint64_t*>(address); }

// What the address sanitizer keeps from the program between its variables is read, too.
__attribute__((no_sanitize("address"), no_sanitize("thread"))) uint64_t read(const uint64_t* word) {
  uint64_t value;
  memcpy(&value, word, sizeof value);  // stacks need not be aligned
  return value;
}

}  // namespace

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
};

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
  generation_ = 0;
  kept_ = 0;
  counts_ = WalkCounts{};
  markAll_ = allMarkersWanted();
  thread_ = thread;
}

AddressRange stackOfThread() {
  // The main thread's may be as large as the address space; what lies deeper than this is
  // read with a check.
  constexpr uint64_t kMaxBytes = uint64_t{1} << 30;
  AddressRange stack;
  // glibc would read /proc/self/maps for the main thread, and allocate for it.
  rlimit limit{};
  sys::call(SYS_prlimit64, 0, RLIMIT_STACK, 0, sys::word(&limit));
  stack.high = reinterpret_cast<uint64_t>(__libc_stack_end);
  stack.low = stack.high - (limit.rlim_cur < kMaxBytes ? limit.rlim_cur : kMaxBytes);
  if (stack.contains(reinterpret_cast<uint64_t>(__builtin_frame_address(0)))) return stack;
  stack = AddressRange{};
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    stack.low = reinterpret_cast<uint64_t>(low);
    stack.high = stack.low + size;
  }
  pthread_attr_destroy(&attributes);
  return stack;
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

inline bool Unwinder::load(const Region& region, uint64_t address, uint64_t* value) {
  if (address - region.range.low > region.range.high - region.range.low - sizeof *value) {
    return false;
  }
  if (__builtin_expect(region.checked, false)) return loadChecked(address, value);
  *value = read(wordAt(address));
  return true;
}

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
    cached.rule = table.find(pc);
    cached.pc = pc;
    cached.markable = CachedRule::kUnknown;
  }
  return cached;
}

inline Rule Unwinder::ruleFor(const UnwindTable& table, uint64_t pc) {
  if (__builtin_expect(economy_ == Economy::kNone, false)) return table.find(pc);
  return cachedRule(table, pc).rule;
}

// ----------------------------------------------------------------------- steps

// The walk has used rbp: notes in the frames that depend on it, and where it was read.
inline void Unwinder::useRbp(Walk& walk) {
  const size_t first = static_cast<size_t>(walk.rbpReader + 1);
  if (walk.rbpReader >= 0) frames_[walk.rbpReader].rbpWord = walk.rbpWord;
  for (size_t i = walk.rbpMarked > first ? walk.rbpMarked : first; i < walk.count; ++i) {
    frames_[i].needsRbp = true;
  }
  walk.rbpMarked = walk.count;
}

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
inline bool Unwinder::step(Walk& walk, Frame& frame) {
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

bool Unwinder::stepExtended(Walk& walk, Frame& frame, const ExtendedRule& rule) {
  const auto registerValue = [&](uint8_t reg, uint64_t* value) {
    if (reg == kRegRsp) {
      *value = walk.rsp;
    } else if (reg == kRegRbp) {
      useRbp(walk);
      *value = walk.rbp;
    } else {
      frame.dependent = true;
      if (reg == kRegRbx && walk.rbxKnown) {
        *value = walk.rbx;
      } else if (walk.registers != nullptr) {
        *value = static_cast<uint64_t>(walk.registers[kGregOf[reg]]);
      } else {
        return false;
      }
    }
    return true;
  };

  uint64_t base;
  if (!registerValue(rule.cfa.reg, &base)) return false;
  uint64_t cfa = base + static_cast<int64_t>(rule.cfa.offset);
  if (rule.cfa.form == CfaRule::kDeref) {
    frame.otherWord = wordAt(cfa);
    if (!load(walk.region, cfa, &cfa)) return false;
    frame.other = cfa;
    cfa += static_cast<int64_t>(rule.cfa.offsetAfter);
  } else if (rule.cfa.form == CfaRule::kPlt && (walk.pc & 15) >= rule.cfa.threshold) {
    cfa += 8;
  }

  const uint64_t* word = nullptr;
  const auto locate = [&](const Location& location, uint64_t same, uint64_t* value) {
    word = nullptr;
    uint64_t address = cfa;
    switch (location.form) {
      case Location::kSame:
      case Location::kUndefined: *value = same; return true;
      case Location::kCfaPlus: *value = cfa + static_cast<int64_t>(location.offset); return true;
      case Location::kInRegister: return registerValue(location.reg, value);
      case Location::kAtRegister:
        if (!registerValue(location.reg, &address)) return false;
        break;
      case Location::kAtCfa: break;
      default: return false;
    }
    address += static_cast<int64_t>(location.offset);
    word = wordAt(address);
    return load(walk.region, address, value);
  };

  uint64_t pc, rsp, rbp, rbx;
  if (!locate(rule.rip, 0, &pc)) return false;
  if (word == nullptr) {
    frame.dependent = true;
  } else if (isMarker(pc)) {
    pc = throughMarker(walk, frame, reinterpret_cast<uint64_t>(word), pc);
  }
  frame.ripWord = word;
  if (!locate(rule.rsp, cfa, &rsp)) return false;
  if (rule.rsp.form != Location::kSame) frame.dependent = true;
  const bool rbpRead = rule.rbp.form != Location::kSame && rule.rbp.form != Location::kUndefined;
  if (!locate(rule.rbp, walk.rbp, &rbp)) {
    loseRbp(walk, frame);
    rbp = walk.rbp;
  }
  const uint64_t* rbpWord = word;
  const bool rbxRead = rule.rbx.form != Location::kSame && rule.rbx.form != Location::kUndefined;
  walk.rbxKnown = locate(rule.rbx, walk.rbx, &rbx) && (rbxRead || walk.rbxKnown);
  // Not below; in longjmp, whose caller is where it goes, it may have arrived already.
  if (rsp < walk.rsp) return false;
  if (rbpRead) {
    if (rbpWord == nullptr) frame.dependent = true;
    walk.rbpReader = static_cast<long>(walk.count - 1);
    walk.rbpWord = rbpWord;
  }
  walk.pc = pc;
  walk.rsp = rsp;
  walk.rbp = rbp;
  if (walk.rbxKnown) walk.rbx = rbx;
  walk.exact = false;
  walk.registers = nullptr;
  return true;
}

bool Unwinder::stepSignal(Walk& walk, Frame& frame) {
  frame.dependent = true;
  for (size_t i = 0; i <= REG_RIP; ++i) {
    uint64_t value;
    if (!load(walk.region, walk.rsp + kGregsInSignalFrame + i * sizeof(greg_t), &value)) {
      return false;
    }
    walk.copied[i] = static_cast<greg_t>(value);
  }
  const auto greg = [&](int number) { return static_cast<uint64_t>(walk.copied[number]); };
  walk.pc = greg(REG_RIP);
  walk.rsp = greg(REG_RSP);
  walk.rbp = greg(REG_RBP);
  walk.rbx = greg(REG_RBX);
  walk.rbxKnown = true;
  walk.rbpReader = static_cast<long>(walk.count - 1);
  walk.rbpWord = nullptr;
  walk.exact = true;
  walk.registers = walk.copied;
  // The handler may run on another stack than what it interrupted.
  if (!walk.region.range.contains(walk.rsp)) {
    walk.region = regionOf(walk.rsp, walk.alternateStack);
    walk.keepable = false;
    walk.next = kMaxFrames;
  }
  return true;
}

// The kernel reads the code for us: its module may be on its way out.
bool followsCallInstruction(uint64_t pc) {
  uint8_t code[7];
  iovec to{code, sizeof code};
  iovec from{reinterpret_cast<void*>(pc - sizeof code), sizeof code};
  if (sys::call(SYS_process_vm_readv, sys::getpid(), sys::word(&to), 1, sys::word(&from), 1, 0) !=
      static_cast<long>(sizeof code)) {
    return false;
  }
  bool call = code[2] == 0xe8;  // call rel32
  for (size_t length = 2; length <= 7 && !call; ++length) {  // call r/m64
    const uint8_t* at = code + sizeof code - length;
    call = at[0] == 0xff && (at[1] & 0x38) == 0x10;
  }
  return call;
}

// Code without call frame information: assembly kernels, code generated at run time. If the
// thread is executing it, takes the first word of the stack that is an address in known code
// right after a call instruction. A mere return address into such code is not trusted so far.
bool Unwinder::stepByScan(Walk& walk, Frame& frame) {
  frame.dependent = true;
  if (!walk.exact) return false;
  uint64_t address = (walk.rsp + 7) & ~uint64_t{7};
  for (size_t i = 0; i < kMaxScannedWords; ++i, address += 8) {
    uint64_t pc;
    if (!load(walk.region, address, &pc)) return false;
    if (isMarker(pc)) {
      if (!stands(markerAt(pc), address)) continue;  // left behind by a frame that has returned
      pc = throughMarker(walk, frame, address, pc);
    }
    const RuleKind kind = ruleFor(*walk.table, pc - 1).kind;
    if (kind == RuleKind::kNone || kind == RuleKind::kSignal) continue;
    if (!followsCallInstruction(pc)) continue;
    ++counts_.scanned;
    frame.ripWord = wordAt(address);
    walk.pc = pc;
    walk.rsp = address + 8;
    walk.exact = false;
    walk.rbxKnown = false;
    walk.registers = nullptr;
    return true;
  }
  return false;
}

// ------------------------------------------------------------------------ walks

// Whether the frame that the walk has reached is one of the last walk, and all beyond it too.
inline bool Unwinder::join(Walk& walk) {
  while (walk.next < kMaxFrames && last_[walk.next].rsp < walk.rsp) ++walk.next;
  if (walk.next == kMaxFrames) return false;
  const Frame& known = last_[walk.next];
  if (known.rsp != walk.rsp || known.pc != walk.pc || known.exact != walk.exact ||
      (known.needsRbp && known.rbp != walk.rbp)) {
    return false;
  }
  size_t i = walk.next;
  for (; i + 1 < kMaxFrames; ++i) {
    Frame& frame = last_[i];
    if (frame.dependent) break;
    const uint64_t word = read(frame.ripWord);
    if (frame.marker != 0) {
      if (word == addressOf(frame.marker)) {
        walk.standing = i;
        if (known.needsRbp) useRbp(walk);
        return true;
      }
      // It has returned. If it was called again from the same place the comparison goes on.
      if (word != last_[i + 1].pc) break;
      frame.marker = 0;
      walk.returned = i + 1;
    }
    if (word != last_[i + 1].pc) break;
    if (frame.rbpWord != nullptr && read(frame.rbpWord) != last_[i + 1].rbp) break;
    if (frame.otherWord != nullptr && read(frame.otherWord) != frame.other) break;
  }
  const Frame& root = last_[kMaxFrames - 1];
  if (i + 1 == kMaxFrames && !root.dependent &&
      (root.ripWord == nullptr || read(root.ripWord) == 0)) {
    if (known.needsRbp) useRbp(walk);
    return true;
  }
  walk.next = i + 1;  // each frame of the last walk is compared once
  return false;
}

void Unwinder::run(Walk& walk) {
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

// How many of this walk's frames, the innermost ones, have certainly been called since the last
// walk: those called from where the last walk has not been, and those inside a marked frame that
// has returned. Where two walks part within one function, it may be the same call of it.
size_t Unwinder::newFrames(const Walk& walk) const {
  const size_t top = kMaxFrames - kept_;
  size_t count = walk.count;
  if (walk.joined && walk.returned >= walk.next) return count;
  for (size_t i = walk.joined ? walk.next : kMaxFrames; count > 0; --count) {
    if (i == top) return count;  // further out than this the last walk was in an intercepted call
    const Frame& now = frames_[count - 1];
    const Frame& was = last_[--i];
    // It was marked on the way out of this frame, and has returned since.
    if (was.marker != 0 && was.marker != now.marker && was.ripWord == now.ripWord) return count;
    if (now.rsp != was.rsp || now.pc != was.pc) return count - 1;
  }
  return 0;
}

// Of a walk that is about to become the last one.
void Unwinder::countVisits(const Walk& walk) {
  const auto visit = [&](const Frame& frame) {
    if (frame.path != 0 && !frame.agent && !frame.exact) {
      parallax::countVisits(thread_, frame.path);
    }
  };
  for (size_t i = newFrames(walk); i-- > 0;) visit(frames_[i]);
  if (!walk.joined) return;
  // A frame that the walk shares with the last one stands, or has been called anew, from the same
  // place, inside a marked one that has returned.
  for (size_t i = walk.next; i < walk.returned; ++i) visit(last_[i]);
}

// Makes this walk the last one. The frames that it shares with the last one stay where they are.
void Unwinder::keep(const Walk& walk) {
  const size_t shared = walk.joined ? walk.next : kMaxFrames;
  if (walk.count > shared) return;
  kept_ = 0;  // a handler of the program may leave this by longjmp
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const size_t top = shared - walk.count;
  for (size_t i = 0; i < walk.count; ++i) {
    last_[top + i] = frames_[i];
    if (const Marker marker = frames_[i].marker) {
      entryOf(marker).frame = static_cast<uint16_t>(top + i);
    }
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  kept_ = kMaxFrames - top;
  comparable_ = true;
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
  walk->mayJoin = economy_ >= Economy::kLastWalk;
  walk->next = walk->region.own && walk->mayJoin && comparable_ ? kMaxFrames - kept_ : kMaxFrames;
  walk->keepable = walk->region.own && walk->mayJoin;
  return true;
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
    keep(walk);
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
  if (!prepare(start, exact, &walk)) return 0;
  walk.next = kMaxFrames;
  walk.mayJoin = false;
  run(walk);
  *end = walk.end;
  for (size_t i = 0; i < walk.count && i < capacity; ++i) pcs[i] = frames_[i].pc;
  reader_.end();
  return walk.count;
}

}  // namespace parallax
