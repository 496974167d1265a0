// Finds the unwind rules of all loaded modules: for each instruction, the way to the caller's
// frame. A rule is created from call frame information on demand, because a short process needs
// only a few of the many thousands of rules of its modules.
//
// A table is immutable. When modules were loaded or unloaded, refreshModules() publishes a new
// table through an atomic pointer. Readers, which may be signal handlers, announce the table that
// they read through a TableReader. A table is unmapped only when no reader has announced it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sampler/cfi.h"
#include "sampler/frame_memory.h"
#include "sampler/unwind_rule.h"

namespace parallax {

struct ModuleFrames {
  uint64_t start = 0;
  uint64_t end = 0;
  SearchTable table;         // in the module itself, as long as it is loaded, or in own memory
  ByteRange ehFrameHeader;   // in the module itself
  ByteRange ehFrameSegment;

  Rule find(uint64_t pc, FrameScratch& scratch) const;
};

class UnwindTable {
 public:
  // The rule for the instruction at `pc`; kind kNone if it is unknown. Signal handlers may call it.
  Rule find(uint64_t pc, FrameScratch& scratch) const;

  // The module of the instruction at `pc`, or null. Signal handlers may call it.
  const ModuleFrames* moduleOf(uint64_t pc) const;

  // Code of the agent, whose frames are left out of call paths.
  bool isAgent(uint64_t pc) const { return pc - agentStart_ < agentSize_; }
  // The number of this table in the process. Unlike addresses, it is never reused.
  uint64_t generation() const { return generation_; }
  size_t moduleCount() const { return count_; }
  // Functions that the tables of all modules name.
  size_t functionCount() const;

 private:
  friend class ModuleList;
  uint64_t generation_;
  uint64_t agentStart_;
  uint64_t agentSize_;
  size_t count_;
  size_t mappedBytes_;
  UnwindTable* nextRetired_;
  ModuleFrames modules_[1];  // count_ of them, by address
};

// The table that a thread currently reads. It is never freed; another thread may reuse it after the
// end of its thread.
class TableReader {
 public:
  // The current table, or null when none was built; it stays until end(). Does not nest.
  // Signal handlers may call both.
  const UnwindTable* begin();
  // The generation of the current table, or of the one before it. Signal handlers may call it.
  static uint64_t currentGeneration() { return generation_.load(std::memory_order_acquire); }
  void end() { reading_.store(nullptr, std::memory_order_release); }

 private:
  friend class ModuleList;
  friend void registerReader(TableReader* reader);
  static std::atomic<uint64_t> generation_;
  std::atomic<const UnwindTable*> reading_{nullptr};
  TableReader* next_ = nullptr;
};

// Registers a reader; once per reader. Lock-free.
void registerReader(TableReader* reader);

// Brings the table and the module definitions of the trace up to date with what is loaded.
// Cheap when nothing changed. Not for signal handlers: takes the loader's lock.
void refreshModules();

// Modules may have changed, but the caller cannot look at them now: the next call of
// refreshStaleModules(), by any thread, does. Signal handlers may call this.
void markModulesStale();
extern std::atomic<bool> modulesStale;
inline void refreshStaleModules() {
  if (__builtin_expect(modulesStale.load(std::memory_order_relaxed), false)) refreshModules();
}

// In a child after fork, where nobody else reads. The definitions are those of the parent's
// trace; redefineModules() writes them into the child's. Signal handlers may call both.
void resetModulesAfterFork();
void redefineModules();

}  // namespace parallax
