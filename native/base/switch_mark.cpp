#include "base/switch_mark.h"

#include <errno.h>

#include "base/sys.h"

namespace parallax::switch_mark {
namespace {

// The part of `struct rseq` that is used; older headers have none.
struct ThreadArea {
  uint32_t cpuIdStart;
  int32_t cpuId;       // negative: the thread is not registered
  uint64_t sequence;   // rseq_cs
};

struct alignas(32) Sequence {
  uint32_t version;
  uint32_t flags;
  uint64_t startIp;
  uint64_t lengthBytes;
  uint64_t abortIp;
};

// The kernel requires this word, glibc's signature for the architecture, before the abort address.
// It never jumps there, because a sequence of no bytes contains no address.
constexpr uint32_t kSignature = 0x53053053;
struct {
  uint32_t signature = kSignature;
  uint32_t target = 0;
} const abortTarget;

// The abort address is never used, because a sequence of no bytes contains no address.
const Sequence* emptySequence() {
  static Sequence sequence{};
  __atomic_store_n(&sequence.abortIp, reinterpret_cast<uintptr_t>(&abortTarget.target),
                   __ATOMIC_RELAXED);
  return &sequence;
}

}  // namespace

uint64_t* word(intptr_t areaOffset) {
  if (areaOffset == 0) return nullptr;
  auto* area = reinterpret_cast<ThreadArea*>(static_cast<char*>(__builtin_thread_pointer()) +
                                             areaOffset);
  return __atomic_load_n(&area->cpuId, __ATOMIC_RELAXED) >= 0 ? &area->sequence : nullptr;
}

// A repeated registration fails with the first of these errors that applies: different address or
// size, different signature, already registered.
bool mayHaveSignature(intptr_t areaOffset, size_t areaBytes) {
  constexpr size_t kFirstBytes = 32, kAlign = 32;  // glibc rounds up the size that it states
  if (word(areaOffset) == nullptr) return true;  // the thread has no sequences at all
  auto* area = static_cast<char*>(__builtin_thread_pointer()) + areaOffset;
  const size_t rounded = (areaBytes + kAlign - 1) & ~(kAlign - 1);
  const auto isOther = [area](size_t bytes) {
    return sys::call(SYS_rseq, sys::word(area), static_cast<long>(bytes), 0, kSignature) == -EPERM;
  };
  return !isOther(kFirstBytes) && !isOther(rounded);
}

uint64_t value() { return reinterpret_cast<uintptr_t>(emptySequence()); }

// A kernel could leave the mark unchanged if a thread loses the processor inside a system call,
// where sequences are not allowed.
bool marksWaits(uint64_t* word) {
  constexpr int kTries = 3;  // a sleep of a nanosecond can end before it begins
  bool cleared = false;
  for (int i = 0; i < kTries && !cleared; i++) {
    __atomic_store_n(word, value(), __ATOMIC_RELAXED);
    timespec moment{0, 1};
    sys::call(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, sys::word(&moment), 0);
    cleared = __atomic_load_n(word, __ATOMIC_RELAXED) == 0;
  }
  __atomic_store_n(word, uint64_t{0}, __ATOMIC_RELAXED);
  return cleared;
}

}  // namespace parallax::switch_mark
