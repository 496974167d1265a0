// What a stopped thread waits for in the kernel, if it is a lock.
#pragma once

#include <sys/user.h>

#include <cstdint>

#include "tools/attach/target.h"

namespace parallax::attach {

// Whether a thread was stopped while it waited in futex, and would go on waiting: then it has not got the lock at `lock`, and
// nobody has woken it, so that no wake-up is lost if it never goes on.
bool isLockWait(const user_regs_struct& registers, uint64_t* lock);

// Whether that is the lock of an arena of libc's allocator, which begins with it.
bool isArena(const Target& target, uint64_t lock);

}  // namespace parallax::attach
