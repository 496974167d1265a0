#include "interpose/tuning/safe_moment.h"

#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "base/sys.h"
#include "core/agent.h"

namespace parallax::tuning {
namespace {

// As the kernel has it.
struct KernelAction {
  void* handler;
  unsigned long flags;
  void* restorer;
  uint64_t mask;
};

// What handlers return to: one address in most programs, which have them from libc.
struct Restorers {
  static constexpr int kMost = 8;
  uint64_t at[kMost];
  int count = 0;

  Restorers() {
    for (int signal = 1; signal < NSIG; signal++) {
      KernelAction action = {};
      if (sys::call(SYS_rt_sigaction, signal, 0, sys::word(&action), sizeof action.mask) == 0) add(reinterpret_cast<uint64_t>(action.restorer));
    }
  }
  void add(uint64_t restorer) {
    if (restorer == 0 || has(restorer) || count == kMost) return;
    at[count++] = restorer;
  }
  bool has(uint64_t word) const {
    for (int i = 0; i < count; i++) {
      if (at[i] == word) return true;
    }
    return false;
  }
};

// What the kernel has put below the interrupted code.
struct HandlerFrame {
  uint64_t restorer;
  ucontext_t context;
};

bool isHandlerFrame(const uint64_t* at) {
  constexpr uint64_t kUserCode = 0x33;
  const auto& frame = *reinterpret_cast<const HandlerFrame*>(at);
  const auto& registers = frame.context.uc_mcontext.gregs;
  return reinterpret_cast<uintptr_t>(at) % 16 == 8 && (static_cast<uint64_t>(registers[REG_CSGSFS]) & 0xFFFF) == kUserCode &&
         static_cast<uint64_t>(registers[REG_RSP]) > reinterpret_cast<uintptr_t>(at);
}

}  // namespace

__attribute__((no_sanitize("address", "thread", "undefined"))) bool mayBeInHandler() {
  stack_t alternate = {};
  if (sys::call(SYS_sigaltstack, 0, sys::word(&alternate)) != 0 || (alternate.ss_flags & SS_ONSTACK) != 0) return true;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const StackBounds stack = threadStack();
  if (here < stack.low || here >= stack.high) return true;
  const Restorers restorers;
  const auto* end = reinterpret_cast<const uint64_t*>(stack.high);
  constexpr size_t kFrameWords = sizeof(HandlerFrame) / sizeof(uint64_t);
  for (const auto* at = reinterpret_cast<const uint64_t*>(here); at + kFrameWords < end; at++) {
    if (restorers.has(*at) && isHandlerFrame(at)) return true;
  }
  return false;
}

}  // namespace parallax::tuning
