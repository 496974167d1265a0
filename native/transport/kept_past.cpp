#include "transport/kept_past.h"

#include <errno.h>

#include <atomic>
#include <cstddef>

#include "base/file_size_signal.h"
#include "base/signals_blocked.h"
#include "transport/trace_space.h"
#include "transport/transport_mode.h"

namespace parallax {
namespace {

using format::Kind;
using format::KeptWhat;

std::atomic<uint64_t> keptTicks{0};
std::atomic<uint32_t> pausePath{0};

// Of the process.
constexpr uint32_t kNoHoles = 1, kReceivedElsewhere = 2;
std::atomic<uint32_t> saidNotes{0}, waitingNotes{0};

void say(uint32_t note) {
  if ((saidNotes.fetch_or(note, std::memory_order_relaxed) & note) == 0) waitingNotes.fetch_or(note, std::memory_order_release);
}

// Then no thread knows which of its receives are open.
bool isReceivedElsewhere() { return (saidNotes.load(std::memory_order_relaxed) & kReceivedElsewhere) != 0; }

constexpr size_t kObjectBytes = (sizeof(KeptPast) + 4095) / 4096 * 4096;

bool matches(uint64_t pattern, uint64_t peerAndTag) {
  const uint32_t peer = format::peerOf(pattern), tag = format::tagOf(pattern);
  return (peer == format::kAnySource || peer == format::peerOf(peerAndTag)) &&
         (tag == format::kAnyTag || tag == format::tagOf(peerAndTag));
}

// An Enter and the Leave of the same path: most of all pairs.
bool isCallWithoutEvents(uint64_t event, uint64_t next) {
  return format::kindOf(event) == Kind::kEnter && format::kindOf(next) == Kind::kLeave &&
         format::operandOf(event) == format::operandOf(next) && !format::isPayload(next);
}

size_t hashOf(KeptWhat what, uint32_t operand, uint64_t key, uint64_t request) {
  uint64_t hash = (key ^ static_cast<uint64_t>(operand) << 40 ^ static_cast<uint64_t>(what) << 60) * 0x9E3779B97F4A7C15u;
  hash = (hash ^ hash >> 29 ^ request) * 0xBF58476D1CE4E5B9u;
  return static_cast<size_t>(hash ^ hash >> 32);
}

}  // namespace

void keepLast(uint64_t ticks) {
  keptTicks.store(ticks, std::memory_order_relaxed);
  pausePath.store(0, std::memory_order_relaxed);
  saidNotes.store(0, std::memory_order_relaxed);
  waitingNotes.store(0, std::memory_order_relaxed);
}
void tellPausePath(uint32_t path) { pausePath.store(path, std::memory_order_relaxed); }
bool keepsLast() { return keptTicks.load(std::memory_order_relaxed) != 0; }

const char* takeKeptNote() {
  const uint32_t waiting = waitingNotes.load(std::memory_order_acquire);
  if (waiting == 0) return nullptr;
  const uint32_t first = waiting & ~(waiting - 1);
  if ((waitingNotes.fetch_and(~first, std::memory_order_acq_rel) & first) == 0) return nullptr;
  return first == kNoHoles ? "All events are kept in spite of --keep-last: the file system of the trace cannot give back space "
                             "within a file. Choose another disk with -o."
                           : "Messages after the events that --keep-last gave back can be matched wrongly: threads complete "
                             "receives that other threads have posted, so the receives that were open then are not known.";
}

KeptPast* KeptPast::make() {
  if (!keepsLast() || transportMode.kind != TransportMode::Kind::kMapped) return nullptr;
  void* pages = sys::pages(kObjectBytes);
  if (pages != nullptr) sys::madvise(pages, kObjectBytes, MADV_DONTFORK);
  return static_cast<KeptPast*>(pages);
}

void KeptPast::release() {
  calls_.release();
  openPhases_.release();
  counts_.release();
  postedReceives_.release();
  postedCollectives_.release();
  sys::munmap(this, kObjectBytes);
}

// ------------------------------------------------------------------ the state

void KeptPast::add(const format::BlockHeader* block, const uint64_t* end) {
  const SignalsBlocked blocked;
  if (block->number < nextNumber_) return;
  nextNumber_ = block->number + 1;
  cpuNs_ = block->cpuNs;
  cpuTicks_ = block->baseTicks;
  if (block->lost > 0) {
    missesPosted_ = true;  // perhaps
    depth_ = 0;
    if (block->openPath != 0) enter(block->openPath, block->baseTicks);
  }
  const uint32_t pause = pausePath.load(std::memory_order_relaxed);
  for (const auto* slot = reinterpret_cast<const uint64_t*>(block + 1); slot < end;) {
    const uint64_t event = *slot++;
    if (slot < end && isCallWithoutEvents(event, *slot) && format::operandOf(event) != pause) {
      slot++;
      continue;
    }
    const uint64_t* payload = slot;
    while (slot < end && format::isPayload(*slot)) slot++;
    auto count = static_cast<uint32_t>(slot - payload);
    uint32_t operand = format::operandOf(event);
    if (operand == format::kOperandEscape && count > 0) {
      operand = static_cast<uint32_t>(format::payloadOf(*payload++));
      count--;
    }
    const Kind kind = format::kindOf(event);
    if (count >= format::payloadSlotsOf(kind)) {
      addEvent(kind, operand, block->baseTicks + format::ticksOf(event), payload, count);
    }
  }
}

void KeptPast::addEvent(Kind kind, uint32_t operand, uint64_t ticks, const uint64_t* payload, uint32_t count) {
  using format::payloadOf;
  switch (kind) {
    case Kind::kEnter: return enter(operand, ticks);
    case Kind::kLeave: return leave(operand);
    case Kind::kCpu:
      cpuNs_ = payloadOf(payload[0]);
      cpuTicks_ = ticks;
      return;
    case Kind::kSend: return this->count(KeptWhat::kSends, operand, payloadOf(payload[0]), 0, 1);
    case Kind::kReceivePost: return post(operand, payload);
    case Kind::kReceive: return received(operand, payload, count > 2);
    case Kind::kRequestCancel:
      for (size_t i = firstPosted_; i < posted_; i++) {
        if (postedReceives_[i].request == payloadOf(payload[0])) return forgetPosted(i);
      }
      return;
    case Kind::kCollectivePost: return collective(operand, payload, true);
    case Kind::kCollective: return collective(operand, payload, false);
    case Kind::kPhaseBegin:
      if (openPhases_.reserve(phases_)) openPhases_[phases_++] = operand;
      return;
    case Kind::kPhaseEnd: return endPhase(operand);
    case Kind::kWindow: {
      const auto op = static_cast<format::WindowOp>(payloadOf(payload[0]) >> 31);
      if (op >= format::WindowOp::kPost && op <= format::WindowOp::kWait) {
        this->count(KeptWhat::kEpochs, operand, payloadOf(payload[0]), 0, 1);
      }
      return;
    }
    default: return;
  }
}

// Collectives that complete in a pause are not told, as those that are posted in it.
void KeptPast::enter(uint32_t path, uint64_t ticks) {
  if (path == pausePath.load(std::memory_order_relaxed)) collectives_ = 0;
  if (calls_.reserve(depth_)) calls_[depth_++] = {ticks, cpuNs_, cpuTicks_, path};
}

// Also ends the calls inside of it, which were left by an exception or longjmp.
void KeptPast::leave(uint32_t path) {
  for (size_t i = depth_; i-- > 0;) {
    if (calls_[i].path != path) continue;
    depth_ = i;
    return;
  }
}

void KeptPast::endPhase(uint32_t region) {
  for (size_t i = phases_; i-- > 0;) {
    if (openPhases_[i] != region) continue;
    phases_ = i;
    return;
  }
}

// What there is no room for is not counted: messages of channels that are used once still match.
void KeptPast::count(KeptWhat what, uint32_t operand, uint64_t key, uint64_t request, uint64_t count) {
  if (2 * counted_ >= counts_.capacity() && !makeRoomForCounts()) return;
  Count* found = placeOf(what, operand, key, request);
  if (found->what == KeptWhat::kNone) {
    if (counted_ >= counts_.capacity() - counts_.capacity() / 8) return;
    *found = {key, request, 0, operand, what};
    counted_++;
    zeros_++;
  }
  if (found->count == 0) zeros_--;
  found->count += count;
}

// Or where it would be; there is a free place.
KeptPast::Count* KeptPast::placeOf(KeptWhat what, uint32_t operand, uint64_t key, uint64_t request) {
  const size_t mask = counts_.capacity() - 1;
  for (size_t i = hashOf(what, operand, key, request) & mask;; i = (i + 1) & mask) {
    Count& each = counts_[i];
    const bool isSame = each.what == what && each.operand == operand && each.key == key && each.request == request;
    if (isSame || each.what == KeptWhat::kNone) return &each;
  }
}

// Returns whether there is any.
bool KeptPast::makeRoomForCounts() {
  const size_t capacity = counts_.capacity();
  const bool areManyZero = capacity > 0 && 8 * zeros_ >= capacity;
  if (!areManyZero && moveCounts(counts_.next())) return true;
  if (areManyZero) moveCounts(capacity);
  return capacity > 0;
}

// Without those that have become 0.
bool KeptPast::moveCounts(size_t capacity) {
  Count* moved = counts_.pages(capacity);
  if (moved == nullptr) return false;
  counted_ = zeros_ = 0;
  for (size_t from = 0; from < counts_.capacity(); from++) {
    const Count& each = counts_[from];
    if (each.count == 0) continue;
    size_t to = hashOf(each.what, each.operand, each.key, each.request) & (capacity - 1);
    while (moved[to].what != KeptWhat::kNone) to = (to + 1) & (capacity - 1);
    moved[to] = each;
    counted_++;
  }
  counts_.replace(moved, capacity);
  return true;
}

void KeptPast::post(uint32_t communicator, const uint64_t* payload) {
  if (isReceivedElsewhere()) return forgetReceives();
  const bool isFull = posted_ == postedReceives_.capacity();
  if (isFull && firstPosted_ > (posted_ < kMostPosted / 2 ? posted_ / 2 : 0)) {
    for (size_t i = firstPosted_; i < posted_; i++) postedReceives_[i - firstPosted_] = postedReceives_[i];
    posted_ -= firstPosted_;
    firstPosted_ = 0;
  }
  if (!postedReceives_.reserve(posted_)) {
    missesPosted_ = true;
    if (posted_ == 0) return;
    // Perhaps other threads complete them.
    for (size_t oldest = posted_ / 4 + 1; oldest > 0 && firstPosted_ < posted_; oldest--) forgetPosted(firstPosted_);
    return post(communicator, payload);
  }
  postedReceives_[posted_++] = {format::payloadOf(payload[0]), format::payloadOf(payload[1]), communicator, false};
}

// Receives that were posted before it, and are still open, have an earlier place on its channel.
void KeptPast::received(uint32_t communicator, const uint64_t* payload, bool isPosted) {
  const uint64_t peerAndTag = format::payloadOf(payload[0]);
  if (isReceivedElsewhere()) forgetReceives();
  size_t index = posted_;
  if (isPosted && !isReceivedElsewhere()) {
    const uint64_t request = format::payloadOf(payload[2]);
    for (index = firstPosted_; index < posted_ && postedReceives_[index].request != request;) index++;
    if (index == posted_ && !missesPosted_) {
      say(kReceivedElsewhere);
      forgetReceives();
      index = posted_;
    }
  }
  for (size_t i = firstPosted_; i < index; i++) {
    Posted& earlier = postedReceives_[i];
    if (earlier.communicator != communicator || !matches(earlier.peerAndTag, peerAndTag)) continue;
    earlier.isOvertaken = true;
    count(KeptWhat::kOvertaking, communicator, peerAndTag, earlier.request, 1);
  }
  count(KeptWhat::kReceives, communicator, peerAndTag, 0, 1);
  if (index < posted_) forgetPosted(index);
}

// Those that are posted; with what has overtaken them.
void KeptPast::forgetReceives() {
  if (posted_ == 0) return;
  firstPosted_ = posted_ = 0;
  for (size_t i = 0; i < counts_.capacity(); i++) {
    if (counts_[i].what == KeptWhat::kOvertaking) forgetCount(&counts_[i]);
  }
}

void KeptPast::forgetCount(Count* count) {
  if (count->count != 0) zeros_++;
  count->count = 0;
}

void KeptPast::forgetPosted(size_t index) {
  const Posted gone = postedReceives_[index];
  const bool isWild = format::peerOf(gone.peerAndTag) == format::kAnySource || format::tagOf(gone.peerAndTag) == format::kAnyTag;
  if (gone.isOvertaken && counts_.capacity() > 0 && !isWild) {
    forgetCount(placeOf(KeptWhat::kOvertaking, gone.communicator, gone.peerAndTag, gone.request));
  } else if (gone.isOvertaken) {
    for (size_t i = 0; i < counts_.capacity(); i++) {
      if (counts_[i].what == KeptWhat::kOvertaking && counts_[i].request == gone.request) forgetCount(&counts_[i]);
    }
  }
  if (index == firstPosted_) {
    firstPosted_++;
  } else {
    for (size_t i = index; i + 1 < posted_; i++) postedReceives_[i] = postedReceives_[i + 1];
    posted_--;
  }
  if (firstPosted_ == posted_) firstPosted_ = posted_ = 0;
}

void KeptPast::collective(uint32_t communicator, const uint64_t* payload, bool isPost) {
  constexpr size_t kSequence = 3;
  if (isPost) {
    if (!postedCollectives_.reserve(collectives_)) return;
    Collective& added = postedCollectives_[collectives_++];
    added.communicator = communicator;
    for (size_t i = 0; i < 4; i++) added.payload[i] = format::payloadOf(payload[i]);
    return;
  }
  for (size_t i = 0; i < collectives_; i++) {
    const Collective& each = postedCollectives_[i];
    if (each.communicator != communicator || each.payload[kSequence] != format::payloadOf(payload[kSequence])) continue;
    for (collectives_--; i < collectives_; i++) postedCollectives_[i] = postedCollectives_[i + 1];
    return;
  }
}

// ----------------------------------------------------------- windows and blocks

// Space is given back when a window begins, and begins at one: some four of them are enough.
uint32_t KeptPast::blocksOfWindow(uint32_t usual, uint32_t before, uint64_t ticks) const {
  const uint64_t least = keptTicks.load(std::memory_order_relaxed) / 16;
  if (windowTicks_ == 0 || before == 0 || ticks - windowTicks_ < least) return usual;
  if (ticks - windowTicks_ < 4 * least) return before;
  return before <= 4 ? 1 : before / 4;
}

// A state that takes many blocks stands in fewer windows.
void KeptPast::beginWindow(uint64_t block, uint64_t ticks) {
  constexpr uint64_t kBlocksForOne = 4, kSlotsOfItem = 5;
  windowTicks_ = ticks;
  if (isReceivedElsewhere()) forgetReceives();
  const uint64_t stateBlocks = (items() * kSlotsOfItem + format::kBlockSlots) / format::kBlockSlots;
  isDue_ = !isRefused_ && block > 0 && (stateBlocks == 1 || block - lastState_ >= kBlocksForOne * stateBlocks);
}

void KeptPast::mark(uint64_t block, uint64_t ticks) {
  lastState_ = block;
  if (marked_ == kMarks) {  // each second one is enough
    for (size_t i = 0; i < kMarks / 2; i++) marks_[i] = marks_[2 * i + 1];
    marked_ = kMarks / 2;
  }
  marks_[marked_++] = {block, ticks};
}

bool KeptPast::giveBack(int fd, uint64_t ticks, bool isNoSpace) {
  if (isRefused_) return false;
  const uint64_t kept = keptTicks.load(std::memory_order_relaxed);
  size_t last = marked_;
  while (last > 0 && marks_[last - 1].ticks + kept > ticks) last--;
  if (isNoSpace) {  // the next one
    for (last = 0; last < marked_ && marks_[last].block <= (keptFrom_ == 0 ? 1 : keptFrom_);) last++;
    last = last < marked_ ? last + 1 : 0;
  }
  if (last == 0) return false;
  const FileSizeSignalBlocked blocked;  // and all others: a handler could leave it by longjmp
  const uint64_t from = marks_[last - 1].block, begin = keptFrom_ == 0 ? 1 : keptFrom_;
  for (size_t i = last - 1; i < marked_; i++) marks_[i - last + 1] = marks_[i];
  marked_ = marked_ - last + 1;
  if (from <= keptFrom_) return false;
  const auto tell = [&](uint64_t block) {
    const auto told = static_cast<uint32_t>(block);
    const long written = sys::pwrite(fd, &told, sizeof told, offsetof(format::BlockHeader, keptFrom));
    if (written == -EFBIG) blocked.take();
    return written == static_cast<long>(sizeof told);
  };
  // First what readers go by: a process may be killed in between.
  if (!tell(from)) return false;
  constexpr int kPunchHole = 3;  // linux/falloc.h: without a change of the size
  const uint64_t bytes = (from - begin) * format::kBlockBytes;
  const long error = bytes == 0 ? 0 : sys::call(SYS_fallocate, fd, kPunchHole, static_cast<long>(begin * format::kBlockBytes),
                                                static_cast<long>(bytes));
  if (error != 0) {  // others may pass: the next window tries it again
    tell(keptFrom_);
    isRefused_ = error == -EOPNOTSUPP || error == -ENOSYS;
    if (isRefused_) say(kNoHoles);
    return false;
  }
  giveBackFileSpace(bytes);
  keptFrom_ = from;
  return true;
}

}  // namespace parallax
