#include "tools/attach/lock_wait.h"

#include <linux/futex.h>
#include <sys/syscall.h>

namespace parallax::attach {

// The kernel's own error numbers for a call that it makes again: a thread that was woken, or whose lock was free, has another
// result.
bool isLockWait(const user_regs_struct& registers, uint64_t* lock) {
  constexpr long kRestart = -512, kRestartBlock = -516;  // ERESTARTSYS, ERESTART_RESTARTBLOCK
  const auto result = static_cast<long>(registers.rax);
  const long operation = static_cast<long>(registers.rsi) & FUTEX_CMD_MASK;
  *lock = registers.rdi;
  return static_cast<long>(registers.orig_rax) == SYS_futex && (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) &&
         (result == kRestart || result == kRestartBlock);
}

// An arena has 127 lists of free blocks, most of which are empty at any time. An empty one points to itself, 16 bytes before
// its first word. Nothing else looks like many of them.
bool isArena(const Target& target, uint64_t lock) {
  constexpr size_t kBytes = 2048, kLeastEmpty = 32;  // an arena is longer
  constexpr uint64_t kHead = 16;
  uint64_t words[kBytes / sizeof(uint64_t)];
  const uint64_t begin = (lock + 7) & ~uint64_t{7};
  if (!target.read(begin, words, sizeof words)) return false;
  size_t empty = 0;
  for (size_t i = 0; i + 1 < sizeof words / sizeof words[0]; i++) {
    if (words[i] == begin + i * sizeof(uint64_t) - kHead && words[i + 1] == words[i]) empty++;
  }
  return empty >= kLeastEmpty;
}

}  // namespace parallax::attach
