#include "transport/shared_table.h"

#include "base/file_size_signal.h"
#include "base/signals_blocked.h"
#include "base/sys.h"
#include "transport/trace_space.h"

namespace parallax {
namespace {

constexpr char kMagic[16] = {'P', 'L', 'K', 'S', 'H', 'A', 'R', 'E', 1};

constexpr int kNeighbourBits = 6;
constexpr size_t kStep = 1u << kNeighbourBits;  // to the next probe: neighbours go on side by side

uint64_t hash(uint64_t keyHigh, uint64_t keyLow) {
  uint64_t mixed = keyHigh * 0xD6E8FEB86659FD93u;
  mixed ^= mixed >> 32;
  mixed = mixed * 0xD6E8FEB86659FD93u >> 24;
  return mixed << kNeighbourBits | (keyLow & ((1u << kNeighbourBits) - 1));
}

// Whether the word is `wanted` now, having been that or 0.
bool take(std::atomic<uint64_t>& word, uint64_t wanted) {
  uint64_t found = word.load(std::memory_order_acquire);
  return found == wanted ||
         (found == 0 && (word.compare_exchange_strong(found, wanted, std::memory_order_acq_rel) ||
                         found == wanted));
}

int openShared(const TraceDirectory& directory, const char* name) {
  const int fd = directory.openShared(name);
  if (fd < 0) return fd;
  if (const int error = reserveSharedFileSpace(fd, 0, kSharedHeaderBytes)) {
    sys::close(fd);
    return error;
  }
  withoutFileSizeSignal([&] { return sys::pwrite(fd, kMagic, sizeof kMagic, 0); });
  return fd;
}

}  // namespace

bool SwitchLog::change(bool pauses) {
  const uint64_t now = sys::clockNs(CLOCK_MONOTONIC);
  uint32_t seen = changes.load(std::memory_order_acquire);
  while ((seen & 1) != (pauses ? 1u : 0u)) {
    ns[seen % kHeld].store(now, std::memory_order_relaxed);
    if (changes.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) return true;
  }
  return false;
}

void SwitchLog::pauseUntil(uint64_t fromNs, uint64_t untilNs) {
  const uint32_t seen = changes.load(std::memory_order_relaxed);
  ns[seen % kHeld].store(fromNs, std::memory_order_relaxed);
  ns[(seen + 1) % kHeld].store(untilNs, std::memory_order_relaxed);
  changes.store(seen + 2, std::memory_order_release);
}

namespace {

// A handler that left it by longjmp would leave a descriptor, as below.
char* mapHeader(const TraceDirectory& directory, const char* name) {
  const SignalsBlocked blocked;
  const int fd = openShared(directory, name);
  if (fd < 0) return nullptr;
  void* header = sys::mmap(kSharedHeaderBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
  sys::close(fd);
  return static_cast<char*>(header);
}

}  // namespace

std::atomic<uint64_t>* mapTraceSize(const TraceDirectory& directory, const char* name) {
  char* header = mapHeader(directory, name);
  return header == nullptr ? nullptr : reinterpret_cast<std::atomic<uint64_t>*>(header + sizeof kMagic);
}

SwitchLog* mapSwitch(const TraceDirectory& directory, const char* name, bool pauses) {
  char* header = mapHeader(directory, name);
  if (header == nullptr) return nullptr;
  auto* log = reinterpret_cast<SwitchLog*>(header + kSwitchOffset);
  uint32_t unused = 0;
  if (__atomic_compare_exchange_n(&log->used, &unused, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) && pauses) {
    log->change(true);
  }
  return log;
}

SharedTable::Entry* SharedTable::level(const TraceDirectory& directory, const char* name,
                                       int level) {
  Entry* entries = levels_[level].load(std::memory_order_acquire);
  if (__builtin_expect(entries != nullptr, true)) return entries;
  const SignalsBlocked blocked;
  const int fd = openShared(directory, name);
  if (fd < 0) return nullptr;
  const size_t bytes = entriesOf(level) * sizeof(Entry);
  if (reserveSharedFileSpace(fd, offsetOf(level), bytes) == 0) {
    entries = static_cast<Entry*>(
        sys::mmap(bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, offsetOf(level)));
  }
  sys::close(fd);
  if (entries == nullptr) return nullptr;
  Entry* winner = nullptr;
  if (levels_[level].compare_exchange_strong(winner, entries, std::memory_order_acq_rel)) {
    return entries;
  }
  sys::munmap(entries, bytes);
  return winner;
}

// Keys are spread over the whole of a level, so that in time all of it would be resident. The pages stay in
// the file: what is used again comes back at the price of a fault.
void SharedTable::boundResidentMemory() {
  constexpr uint32_t kUses = 4096;
  if (uses_.fetch_add(1, std::memory_order_relaxed) % kUses != kUses - 1) return;
  for (int at = kFirstLarge; at < kLevels; at++) {
    Entry* entries = levels_[at].load(std::memory_order_acquire);
    if (entries != nullptr) sys::madvise(entries, entriesOf(at) * sizeof(Entry), MADV_DONTNEED);
  }
}

SharedCounters* SharedTable::obtain(const TraceDirectory& directory, const char* name,
                                    uint64_t keyHigh, uint64_t keyLow) {
  if ((keyHigh | keyLow) == 0 || failed_.load(std::memory_order_relaxed)) return nullptr;
  if (keyHigh == 0) keyHigh = ~uint64_t{0};  // 0 is a free place
  if (keyLow == 0) keyLow = ~uint64_t{0};
  for (int at = 0; at < kLevels; at++) {
    Entry* entries = level(directory, name, at);
    if (at == kFirstLarge) boundResidentMemory();
    if (entries == nullptr) {
      // Not tried again: what the key had been given then would differ between processes.
      failed_.store(true, std::memory_order_relaxed);
      return nullptr;
    }
    const size_t mask = entriesOf(at) - 1;
    size_t place = hash(keyHigh, keyLow) & mask;
    for (int probe = 0; probe < kProbes; probe++, place = (place + kStep) & mask) {
      Entry& entry = entries[place];
      if (take(entry.keyHigh, keyHigh) && take(entry.keyLow, keyLow)) return &entry.counters;
    }
  }
  return nullptr;
}

}  // namespace parallax
