// The definitions of a process, appended in place by all its threads and signal handlers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "format/format.h"
#include "transport/trace_directory.h"

namespace parallax {

//   0        16
//   +--------+----------+----------+-----+------+- - - - - - -
//   | header | record   | record   | ... | 0    |  zeros, space reserved on the disk
//   +--------+----------+----------+-----+------+- - - - - - -
//                                        ^ end_                ^ grown_      capacity_ ^
//
// A record is reserved by changing the size word at the end from 0 to its size: whoever fails
// finds the size of the other and moves the end for it. Thus no step waits for another thread,
// a signal handler may append while it interrupts an append, and a kill at any instruction
// leaves a chain of sizes that a reader can walk. The type is stored last (publishRecord).
class DefinitionsFile {
 public:
  // Makes the file `name`, which must not exist. Returns 0 or -errno.
  int open(const TraceDirectory& directory, const char* name);
  bool isOpen() const { return base_ != nullptr; }

  // Appends an encoded record. Returns its place, or null when there is no space left.
  // Lock-free; signal handlers may call it.
  void* append(const void* record, size_t sizeBytes);
  // Appends a record of zeros, whose body stays mapped and may be written in place; null likewise.
  void* appendZeros(format::Record type, size_t sizeBytes);
  // Takes a record back: readers skip it.
  static void retract(void* record);

  // Forgets the file without touching it: for the child after fork.
  void forget();
  uint64_t lostRecords() const { return lost_.load(std::memory_order_relaxed); }

 private:
  bool grow(uint64_t neededBytes);
  void* reserve(size_t sizeBytes);

  const TraceDirectory* directory_ = nullptr;
  char name_[256] = {};
  char* base_ = nullptr;
  uint64_t capacity_ = 0;
  std::atomic<uint64_t> end_{0};
  std::atomic<uint64_t> grown_{0};
  std::atomic<uint64_t> lost_{0};
};

}  // namespace parallax
