// Where a thread may be made to call a function: where it holds no lock that the function takes, and nothing of it is
// half done.
#pragma once

#include <sys/user.h>

#include <cstdint>
#include <vector>

#include "tools/attach/callers.h"
#include "tools/attach/target.h"

namespace parallax::attach {

// The dynamic linker, the memory allocator, and functions that hold a lock of libc while they call others, must not be
// among the callers of the place, nor may a handler of a signal, which can have interrupted them. Callers are found as
// return addresses on the stack. A leftover of an earlier call can look like one: then the frames are walked. If that is
// not possible, the place counts as unsafe, and another thread, or a later moment, serves.
class SafePoints {
 public:
  // Reads the modules of the process, which takes some ms: before a thread is stopped.
  explicit SafePoints(Target* target);
  // Of a stopped thread.
  bool isSafe(pid_t thread, const user_regs_struct& registers);
  // A breakpoint instruction (a byte 0xCC) in the code of libc, to which a call can return; 0 if there is none.
  uint64_t trap() const { return trap_; }

 private:
  void avoidFunctions(const Module& module);
  void avoidAllocator(const Module& libc);
  void searchCode(const Module& libc);
  bool isAvoided(uint64_t address) const;
  bool isReturnAddress(uint64_t address) const;
  bool isStackSafe(uint64_t stackPointer) const;
  bool areCallersSafe(pid_t thread);

  Target* target_;
  Callers callers_;
  std::vector<Range> avoided_;
  std::vector<uint64_t> restorers_;  // where handlers of signals return to
  uint64_t trap_ = 0;
  bool hasSequences_ = false;  // libc registers an area for restartable sequences of each thread
};

}  // namespace parallax::attach
