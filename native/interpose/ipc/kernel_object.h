// Objects that the kernel has for processes, known by numbers rather than by addresses: signals to a process or thread,
// eventfds, semaphores and message queues, locks of files. What is counted of them is shared by all recorded processes of
// the host.
#pragma once

#include <atomic>
#include <cstdint>

#include "format/format.h"
#include "transport/shared_table.h"

namespace parallax {

struct KernelObject {
  static constexpr int kCounts = 3;

  std::atomic<uint32_t> number_;    // in the trace
  std::atomic<uint32_t> definedIn;  // forkGeneration()
  std::atomic<SharedCounters*> counters;

  uint32_t number() const { return number_.load(std::memory_order_relaxed); }
  std::atomic<uint64_t>& count(int which) const {
    return counters.load(std::memory_order_relaxed)->value[which];
  }
};

// The object of a kind that has this id, which is unique among those of the kind on this host; defined at first use in
// the process. `address` is how the trace shows it. Null if there is no space to count. Lock-free; signal handlers may
// call it. Inside a Guard.
KernelObject* kernelObject(format::SyncKind kind, uint64_t id, uint64_t address);

// A hash of both.
inline uint64_t mixIds(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

}  // namespace parallax
