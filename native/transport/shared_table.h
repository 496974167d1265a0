// Counters that all recorded processes of a host share, by a key of 128 bits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/trace_directory.h"

namespace parallax {

// Zero when the first process comes to it. Which of them means what is the matter of whoever
// made the key. Aligned to 32.
struct SharedCounters {
  std::atomic<uint64_t> value[4];
};

// The bytes of the files that all processes of this host have written into the trace, or null when
// there is no space for this number. It stays mapped.
std::atomic<uint64_t>* mapTraceSize(const TraceDirectory& directory, const char* name);

inline constexpr uint64_t kSharedHeaderBytes = 4096;

//   file   | header 4096 | level 0: 1024 entries | level 1: 2048 entries | level 2 ...
//   header | magic 16 | bytes of the trace on this host, where they are limited | 0 ...
//   entry  | key high, key low, 0, 0, four counters |                       64 bytes
//
// Every process maps a level when it first comes to it, after its space on the disk was reserved,
// so that no store can fail. An entry is taken by two changes from 0, of key high and then of key
// low: a process killed between them leaves an entry that the next key with the same upper half
// takes. A key has its entry in the first level in which one of its kProbes places was free, or
// half taken, when it first came; places never become free again. So all processes find the same
// entry, no step waits for another, and a kill at any instruction does no harm.
class SharedTable {
 public:
  // The entry of a key, the same in all processes that name this file; null when there is no
  // space, or when the key is 0. Keys that share their upper half and differ in the last six bits are
  // neighbours, in one page. Lock-free; signal handlers may call it.
  SharedCounters* obtain(const TraceDirectory& directory, const char* name, uint64_t keyHigh,
                         uint64_t keyLow);
  // The key of an entry. A half of 0 has become ~0.
  static uint64_t keyHigh(const SharedCounters* counters) { return key(counters)[0]; }
  static uint64_t keyLow(const SharedCounters* counters) { return key(counters)[1]; }

 private:
  struct Entry {
    std::atomic<uint64_t> keyHigh, keyLow;
    uint64_t reserved[2];
    SharedCounters counters;
  };
  static_assert(sizeof(Entry) == 64);
  static const uint64_t* key(const SharedCounters* counters) {
    return reinterpret_cast<const uint64_t*>(counters) - 4;
  }

  static constexpr int kLevels = 22;  // 128 GiB
  static constexpr int kFirstLarge = 8;  // the level of 16 MiB
  static constexpr int kProbes = 16;
  static constexpr size_t kFirstEntries = 1024;
  static constexpr size_t entriesOf(int level) { return kFirstEntries << level; }
  static constexpr uint64_t offsetOf(int level) {
    return kSharedHeaderBytes + (entriesOf(level) - kFirstEntries) * sizeof(Entry);
  }

  Entry* level(const TraceDirectory& directory, const char* name, int level);
  void boundResidentMemory();

  std::atomic<Entry*> levels_[kLevels] = {};
  std::atomic<bool> failed_{false};
  std::atomic<uint32_t> uses_{0};  // of the larger levels
};

}  // namespace parallax
