// The part of a thread in the transport `shared`: a ring in the memory that it shares with the writer.
#pragma once

#include <cstdint>

#include "transport/ring_file.h"
#include "transport/trace_directory.h"

namespace parallax {

// Why a thread has no ring: its blocks are to be mapped.
inline constexpr int kNoRing = 5101;

namespace event_rings {

// Maps what all processes of the host share with the writer, before the first thread of the process begins: `path` is the file
// that the recorder has made. Where that is not there, or belongs to the trace of another directory, there is no writer.
void attach(const char* path, const TraceDirectory& directory);
// Rings that an earlier program of this process had, before it executed this one, are left to the writer. Also in a
// child after fork.
void beginProcess();
// Whether there may be a free ring.
bool mayBeTaken();
// Null: there is no writer.
const Control* control();
const char* path();
// False has the trace say so.
bool writerLives();
// Waits between looks for the writer's life are as long, and a thread makes as many of them for a writer that does nothing.
inline constexpr uint32_t kWaitMs = 50;
int mostWaits();
// After these: the process takes the writer for one that has ended.
void giveUp();
// At the end of the process, when the writer has ended: writes what is in the rings of threads that run on. Returns how many
// events could not be written. Blocks signals.
uint64_t writeOwn();
// Whether the thread that has held a lock since then is gone, also if another one has got its number.
bool isGone(const Control& control, uint32_t thread, uint64_t sinceMs);
// Once for each reason: what the trace is to say of threads that write by themselves; null for nothing.
const char* takeNote();

}  // namespace event_rings

// Zeroed memory is a thread without a ring. All functions may be used in signal handlers, which may leave them by
// longjmp.
class EventRing {
 public:
  bool isTaken() const { return ring_ != nullptr; }
  // For a file `name` of the trace, which has `usedBytes` in it, and no space for more, or which is not made yet; the next
  // block has the number `block`. Returns false when there is none.
  bool take(const char* name, bool isMade, uint64_t block, uint64_t usedBytes);
  // Zeroed memory for a block. Waits for the writer. Returns 0, -kNoRing if there is no writer any more, or a negative
  // reason (trace_space.h). Adds the events of blocks that could not be written to `dropped`, for this reason.
  int place(uint64_t block, char** memory, uint32_t* dropped, int* reason);
  // The blocks below `end` are closed.
  void close(uint64_t end);
  // Leaves the ring to the writer, or writes what it has left if it has ended. With `moves` this process itself writes later
  // blocks of the file. Returns how many events could not be written, for this reason. Blocks signals.
  uint32_t leave(bool moves, int* reason);

 private:
  event_rings::Ring* ring_;
  char* blocks_;
};

}  // namespace parallax
