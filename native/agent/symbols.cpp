#include <dlfcn.h>

#include "agent/agent.h"
#include "agent/thread.h"

namespace parallax {

// dlsym takes the dynamic linker's lock and may allocate, with the program's malloc. What that
// calls passes straight through.
void* nextSymbol(const char* name) {
  const void* inside = local.inside;
  if (inside == nullptr) local.inside = kAgentWork;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  void* symbol = dlsym(RTLD_NEXT, name);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  local.inside = inside;
  return symbol;
}

}  // namespace parallax
