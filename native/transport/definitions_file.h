// The definitions of a process, appended in place by all its threads and signal handlers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "format/format.h"
#include "transport/trace_directory.h"

namespace parallax {

//   file:  | header | record | record | ... | filler |  record | record ... | 0   zeros
//          '------------- segment -------------------'---------- segment -------------- ...
//
// A segment is a part of the file that is mapped as a whole, after its space on the disk has been
// reserved. Segments grow from 64 KiB to 4 MiB, each twice as large as the one before: a small file
// needs little of the program's address space, and a large file has no limit. The first segment
// stays mapped. Any other is unmapped after the next one exists and no thread writes to it any
// more.
//
// A record is reserved by a compare-and-exchange of the size word at the end, from 0 to the size of
// the record. A writer that loses finds the size of the other record and moves the end past it. If
// a record does not fit and there is a next segment, a filler is reserved in the same way for the
// rest. So no step waits for another thread, a signal handler can append while it interrupts an
// append, and a kill at any instruction leaves a chain of sizes that a reader can follow. The type
// is stored last (publishRecord).
class DefinitionsFile {
 public:
  // Creates the file `name`, which must not exist, or uses the empty file that an earlier call left
  // for lack of space. The first segment has room for `firstBytes`. Returns 0, or a reason like
  // reserveFileSpace.
  int open(const TraceDirectory& directory, const char* name, size_t firstBytes = 0);
  bool isOpen() const { return current_.load(std::memory_order_acquire) != nullptr; }

  // Appends an encoded record. Returns 0, or why there is no space for it. Lock-free; signal handlers
  // may call it.
  int append(const void* record, size_t sizeBytes);
  // The same for a record that changes later: returns its address, which stays mapped. Only
  // directly after open(), within `firstBytes`.
  void* appendFixed(const void* record, size_t sizeBytes);
  // Appends a record of zeros, whose body may be written in place; null when there is no space. It stays
  // mapped until `hold` is let go of.
  void* appendZeros(format::Record type, size_t sizeBytes, void** hold);
  void letGo(void* hold);
  // Reserves space for records of this many bytes, so that they need no system call later.
  bool provide(uint64_t bytes);

  // Forgets the file without changing it: for the child after fork.
  void forget() {
    leftEmpty_ = false;
    current_.store(nullptr, std::memory_order_release);
  }

 private:
  struct Segment {
    char* base;
    uint64_t offset;  // in the file
    uint64_t sizeBytes;
    bool stays;  // mapped
    std::atomic<uint64_t> end;
    std::atomic<uint32_t> users;
    std::atomic<bool> mapped;
  };

  int makeSegment(int fd, uint64_t offset, uint64_t wantedBytes, uint64_t neededBytes,
                  Segment** made);
  int extend(Segment* full, size_t neededBytes);
  Segment* use();
  void release(Segment* segment);
  static void* reserve(Segment* segment, size_t sizeBytes, bool filler);

  const TraceDirectory* directory_ = nullptr;
  char name_[256] = {};
  bool leftEmpty_ = false;  // by open(), for lack of space
  std::atomic<Segment*> current_{nullptr};
};

}  // namespace parallax
