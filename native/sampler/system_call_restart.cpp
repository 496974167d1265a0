#include "system_call_restart.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/syscall.h>

namespace parallax {

namespace {

std::atomic<bool> handlesSignals{false};

bool isRestartable(uint32_t number) {
  switch (number) {
    case SYS_poll: case SYS_ppoll: case SYS_select: case SYS_pselect6:
    case SYS_epoll_wait: case SYS_epoll_pwait: case SYS_nanosleep: case SYS_clock_nanosleep:
    case SYS_futex: case SYS_semop: case SYS_semtimedop: case SYS_msgrcv: case SYS_msgsnd:
    case SYS_pause: case SYS_rt_sigsuspend: case SYS_rt_sigtimedwait: case SYS_io_getevents:
    case SYS_recvfrom: case SYS_recvmsg: case SYS_recvmmsg: case SYS_sendto: case SYS_sendmsg:
    case SYS_accept: case SYS_accept4: case SYS_read: case SYS_write:
      return true;
    default:
      return false;
  }
}

// Between the number and the call, compilers put loads of arguments: mov disp8(%rsp), reg and
// mov reg, reg. Returns the length of the one at `at`, or 0.
size_t moveLength(const uint8_t* at, const uint8_t* end) {
  const uint8_t* p = at;
  if ((*p & 0xf0) == 0x40 && p + 1 < end) ++p;  // REX
  if (p + 2 <= end && *p == 0x89 && (p[1] & 0xc0) == 0xc0) return static_cast<size_t>(p + 2 - at);
  if (p + 4 <= end && *p == 0x8b && (p[1] & 0xc7) == 0x44 && p[2] == 0x24) {
    return static_cast<size_t>(p + 4 - at);
  }
  return 0;
}

// The number that `mov $number, %eax` gave to the system call whose instruction ends at `pc`;
// UINT32_MAX when the code does not look like that.
uint32_t numberOfCall(uint64_t pc) {
  constexpr uint64_t kPageMask = 4095;
  constexpr size_t kMoveBytes = 5, kCallBytes = 2, kMostBetween = 24;
  const auto* call = reinterpret_cast<const uint8_t*>(pc - kCallBytes);
  const uint64_t inPage = reinterpret_cast<uint64_t>(call) & kPageMask;
  if (call[0] != 0x0f || call[1] != 0x05) return UINT32_MAX;
  for (size_t between = 0; between <= kMostBetween && between + kMoveBytes <= inPage; ++between) {
    const uint8_t* move = call - between - kMoveBytes;
    if (move[0] != 0xb8) continue;
    const uint8_t* at = move + kMoveBytes;
    while (at < call) {
      const size_t length = moveLength(at, call);
      if (length == 0) break;
      at += length;
    }
    if (at != call) continue;
    uint32_t number;
    memcpy(&number, move + 1, sizeof number);
    return number;
  }
  return UINT32_MAX;
}

}  // namespace

void restartSystemCall(ucontext_t* context) {
  // Signal context.
  greg_t* gregs = context->uc_mcontext.gregs;
  if (gregs[REG_RAX] != -EINTR || handlesSignals.load(std::memory_order_relaxed)) return;
  const uint64_t pc = static_cast<uint64_t>(gregs[REG_RIP]);
  if ((pc & 4095) < 2) return;
  const uint32_t number = numberOfCall(pc);
  if (!isRestartable(number)) return;
  gregs[REG_RAX] = static_cast<greg_t>(number);
  gregs[REG_RIP] -= 2;
}

void programHandlesSignals() { handlesSignals.store(true, std::memory_order_relaxed); }

}  // namespace parallax
