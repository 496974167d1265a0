// Counters that all recorded processes of a host share, by a key of 128 bits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/trace_directory.h"

namespace parallax {

// Zero when the first process obtains them. The owner of the key defines their meaning. Aligned to
// 32 bytes.
struct SharedCounters {
  std::atomic<uint64_t> value[4];
};

// The size in bytes of all files that processes of this host have written to the trace, or null if
// there is no space for this number. It stays mapped.
std::atomic<uint64_t>* mapTraceSize(const TraceDirectory& directory, const char* name);

inline constexpr uint64_t kSharedHeaderBytes = 4096;

// Pauses of recording. Changes are appended, and counted after their time is written: after an odd number
// of them recording is paused. The times of the last ones are held.
struct SwitchLog {
  static constexpr uint32_t kHeld = 256;
  std::atomic<uint32_t> changes{0};
  uint32_t used = 0;  // 1 once a process has mapped it
  std::atomic<uint64_t> ns[kHeld] = {};  // CLOCK_MONOTONIC

  // Pauses or resumes now; false if that is so already. Lock-free; signal handlers may call it.
  bool change(bool pauses);
  // Both at once, by the only thread that changes it.
  void pauseUntil(uint64_t fromNs, uint64_t untilNs);
};
inline constexpr uint64_t kSwitchOffset = 64;
static_assert(kSwitchOffset + sizeof(SwitchLog) <= kSharedHeaderBytes);

// The switch of all processes of this host, or null if there is no space for it. `pauses`: recording is paused if
// this is the first use. It stays mapped.
SwitchLog* mapSwitch(const TraceDirectory& directory, const char* name, bool pauses);

//   file   | header 4096 | level 0: 1024 entries | level 1: 2048 entries | level 2 ...
//   header | magic 16 | bytes of the trace on this host, where they are limited | 0 ... | at 64: SwitchLog | 0 ...
//   entry  | key high, key low, 0, 0, four counters |                       64 bytes
//
// A process maps a level at the first access, after its space on the disk has been reserved,
// because a store to a page without space would raise SIGBUS. An entry is taken by two exchanges
// from 0, first of key high, then of key low. If a process is killed between them, the next key
// with the same upper half takes the entry. A key is stored in the first level in which one of its
// kProbes places was free, or half taken, at its first access; places never become free again. So
// all processes find the same entry, no step waits for another process, and a kill at any
// instruction leaves a valid table.
class SharedTable {
 public:
  // The entry of a key, the same in all processes that use this file; null if there is no space, or
  // if the key is 0. Keys with the same upper half that differ only in the last six bits are
  // neighbours in one page. Lock-free; signal handlers may call it.
  SharedCounters* obtain(const TraceDirectory& directory, const char* name, uint64_t keyHigh,
                         uint64_t keyLow);
  // Another file follows. What was given out stays.
  void forget() {
    for (auto& level : levels_) level.store(nullptr, std::memory_order_release);
    failed_.store(false, std::memory_order_release);
  }
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
