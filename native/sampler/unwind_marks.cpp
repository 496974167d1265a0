// Where markers are put, and where not: a return address that is replaced must be one beyond
// doubt, or the program crashes.
#include <atomic>

#include "sampler/unwinder.h"

namespace parallax {

namespace {

// Frames next to this one are tried when it may not be marked.
constexpr size_t kTries = 8;

bool isPlain(const Rule& rule) {
  return rule.kind == RuleKind::kRsp || rule.kind == RuleKind::kRbp;
}

}  // namespace

// Whether the return address after the cached instruction may be replaced, as far as the code there
// tells; looked up once while it is cached.
bool Unwinder::mayReplace(const UnwindTable& table, CachedRule& cached) {
  if (cached.markable == CachedRule::kUnknown) {
    const uint64_t pc = cached.pc + 1;
    const ModuleFrames* module = table.moduleOf(cached.pc);
    // A handler of exceptions is known to the runtime by what is called from its frame. That must
    // not change while the exception is on its way, and cleanups on the way are code like any
    // other, which may come to put a marker.
    const bool good = isPlain(cached.rule) && module != nullptr && followsCallInstruction(pc) &&
                      !mayCatch(module->ehFrameHeader, module->ehFrameSegment, pc);
    cached.markable = good ? CachedRule::kYes : CachedRule::kNo;
  }
  return cached.markable == CachedRule::kYes;
}

// Whether the return address of last_[index] may be replaced. No frame further in is dependent.
bool Unwinder::markable(const UnwindTable& table, size_t index) {
  const Frame& frame = last_[index];
  const Frame& caller = last_[index + 1];
  if (frame.marker != 0 || !frame.plain || frame.exact || frame.agent || caller.agent ||
      !caller.plain || caller.exact) {
    return false;
  }
  const auto address = reinterpret_cast<uint64_t>(frame.ripWord);
  if (address % sizeof(uint64_t) != 0 || !stack_.contains(address) || *frame.ripWord != caller.pc) {
    return false;
  }
  return mayReplace(table, cachedRule(table, caller.pc - 1));
}

// Returns whether there may be more.
bool Unwinder::markFrame(size_t index) {
  const Marker marker = markers_.take();
  if (marker == 0) {
    ++counts_.unmarked;
    return false;
  }
  // The program's own handlers may leave this at any point by longjmp: at worst an entry is lost.
  Frame& frame = last_[index];
  MarkerEntry& entry = entryOf(marker);
  entry.state = MarkerEntry::kStanding;
  entry.target = *frame.ripWord;
  entry.frame = static_cast<uint16_t>(index);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  *const_cast<volatile uint64_t*>(frame.ripWord) = addressOf(marker);
  frame.marker = marker;
  ++counts_.marked;
  return true;
}

// Puts markers between the top of the walk that was just kept, which began in an intercepted
// call, and the first one that stands already, at last_[standing].
void Unwinder::mark(const UnwindTable& table, size_t standing) {
  const size_t top = kMaxFrames - kept_;
  if (economy_ < Economy::kMarkers || !markersAllowed()) return;
  size_t wanted = markAll_ ? top : top + kMarkAt;
  size_t distance = kMarkAt;
  // The outermost frame, and its callee, are left alone.
  for (size_t i = top; i < standing && i + 2 < kMaxFrames; ++i) {
    const Frame& frame = last_[i];
    // What is beyond a signal frame may have been found by wrong information.
    if (frame.dependent || (frame.exact && i != top)) return;
    if (i < wanted) continue;
    if (!markable(table, i)) {
      if (i - wanted >= kTries) wanted = i + distance;
      continue;
    }
    if (!markFrame(i)) return;
    if (markAll_) continue;
    wanted = i + distance;
    distance *= 2;
    if (wanted + kMarkAt > standing) return;
  }
}

}  // namespace parallax
