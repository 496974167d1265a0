#include "transport/shared_table.h"

#include <errno.h>

#include "agent/sys.h"

namespace parallax {
namespace {

constexpr char kMagic[16] = {'P', 'L', 'K', 'S', 'H', 'A', 'R', 'E', 1};

// Space on the disk; other processes may be using what is there already. Where the file system
// cannot reserve it the file is made sparse, always with the same size.
int reserveShared(int fd, uint64_t offset, uint64_t sizeBytes, uint64_t fullBytes) {
  int error;
  do {
    error = sys::fallocate(fd, offset, sizeBytes);
  } while (error == -EINTR);
  if (error != -EOPNOTSUPP && error != -ENOSYS) return error;
  return sys::ftruncate(fd, fullBytes);
}

uint64_t hash(uint64_t keyHigh, uint64_t keyLow) {
  uint64_t mixed = (keyHigh ^ (keyLow * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  mixed ^= mixed >> 32;
  return mixed * 0xD6E8FEB86659FD93u >> 24;
}

// Whether the word is `wanted` now, having been that or 0.
bool take(std::atomic<uint64_t>& word, uint64_t wanted) {
  uint64_t found = word.load(std::memory_order_acquire);
  return found == wanted ||
         (found == 0 && (word.compare_exchange_strong(found, wanted, std::memory_order_acq_rel) ||
                         found == wanted));
}

}  // namespace

SharedTable::Entry* SharedTable::level(const TraceDirectory& directory, const char* name,
                                       int level) {
  Entry* entries = levels_[level].load(std::memory_order_acquire);
  if (__builtin_expect(entries != nullptr, true)) return entries;
  const int fd = directory.openShared(name);
  if (fd < 0) return nullptr;
  const size_t bytes = entriesOf(level) * sizeof(Entry);
  int error = reserveShared(fd, 0, kHeaderBytes, offsetOf(kLevels));
  if (error == 0) error = reserveShared(fd, offsetOf(level), bytes, offsetOf(kLevels));
  if (error == 0) {
    sys::pwrite(fd, kMagic, sizeof kMagic, 0);
    entries = static_cast<Entry*>(
        sys::mmap(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offsetOf(level)));
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

SharedCounters* SharedTable::obtain(const TraceDirectory& directory, const char* name,
                                    uint64_t keyHigh, uint64_t keyLow) {
  if ((keyHigh | keyLow) == 0 || failed_.load(std::memory_order_relaxed)) return nullptr;
  if (keyHigh == 0) keyHigh = ~uint64_t{0};  // 0 is a free place
  if (keyLow == 0) keyLow = ~uint64_t{0};
  for (int at = 0; at < kLevels; at++) {
    Entry* entries = level(directory, name, at);
    if (entries == nullptr) {
      // Not tried again: what the key had been given then would differ between processes.
      failed_.store(true, std::memory_order_relaxed);
      return nullptr;
    }
    const size_t mask = entriesOf(at) - 1;
    size_t place = hash(keyHigh, keyLow) & mask;
    for (int probe = 0; probe < kProbes; probe++, place = (place + 1) & mask) {
      Entry& entry = entries[place];
      if (take(entry.keyHigh, keyHigh) && take(entry.keyLow, keyLow)) return &entry.counters;
    }
  }
  return nullptr;
}

}  // namespace parallax
