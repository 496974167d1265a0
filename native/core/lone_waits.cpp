#include "core/lone_waits.h"

#include <atomic>

#include "base/fork_generation.h"
#include "core/agent.h"

namespace parallax {
namespace {

struct Unsignalled {
  std::atomic<uint32_t> number, definedIn;
};
Unsignalled timers, others;

}  // namespace

uint32_t unsignalledObject(format::SyncKind kind) {
  Unsignalled& object = kind == format::SyncKind::kTimer ? timers : others;
  const uint32_t generation = forkGeneration();
  if (object.definedIn.load(std::memory_order_acquire) != generation) {
    object.number.store(defineSyncObject(kind, 0), std::memory_order_relaxed);
    object.definedIn.store(generation, std::memory_order_release);
  }
  return object.number.load(std::memory_order_relaxed);
}

}  // namespace parallax
