#include "perturb/speedup_samples.h"

#include <atomic>
#include <csignal>
#include <new>

#include "core/agent.h"
#include "sampler/unwinder.h"

namespace parallax::speedup {

struct Walker {
  Unwinder* unwinder;
  Walker* next;
  std::atomic<bool> inUse;
};

namespace {
// Deep recursion of the system's code is nobody's.
constexpr size_t kMostFrames = 24;
std::atomic<Walker*> walkers{nullptr};
}  // namespace

Walker* obtainWalker() {
  for (Walker* w = walkers.load(std::memory_order_acquire); w != nullptr; w = w->next) {
    bool free = false;
    if (!w->inUse.compare_exchange_strong(free, true, std::memory_order_acq_rel)) continue;
    w->unwinder->attach(stackOfThread());
    return w;
  }
  auto* walker = static_cast<Walker*>(allocate(sizeof(Walker)));
  Unwinder* unwinder = Unwinder::create();
  if (walker == nullptr || unwinder == nullptr) return nullptr;
  new (walker) Walker{unwinder, walkers.load(std::memory_order_relaxed), {true}};
  unwinder->attach(stackOfThread());
  while (!walkers.compare_exchange_weak(walker->next, walker, std::memory_order_release)) {
  }
  return walker;
}

void releaseWalker(Walker* walker) {
  if (walker == nullptr) return;
  walker->unwinder->attach({});
  walker->inUse.store(false, std::memory_order_release);
}

void releaseOtherWalkers(const Walker* kept) {
  for (Walker* w = walkers.load(std::memory_order_acquire); w != nullptr; w = w->next) {
    if (w != kept) w->inUse.store(false, std::memory_order_relaxed);
  }
}

Place placeOf(const CodeRanges& code, Walker* walker, const ucontext_t& context, Hits* hits) {
  // Signal context.
  const auto greg = [&](int number) {
    return static_cast<uint64_t>(context.uc_mcontext.gregs[number]);
  };
  Place place = code.find(greg(REG_RIP), hits);
  if (place != Place::kSystem || walker == nullptr || code.count() == 0) return place;
  WalkStart start;
  start.pc = greg(REG_RIP);
  start.rsp = greg(REG_RSP);
  start.rbp = greg(REG_RBP);
  start.rbx = greg(REG_RBX);
  start.registers = context.uc_mcontext.gregs;
  if ((context.uc_stack.ss_flags & SS_DISABLE) == 0) {
    start.alternateStack.low = reinterpret_cast<uint64_t>(context.uc_stack.ss_sp);
    start.alternateStack.high = start.alternateStack.low + context.uc_stack.ss_size;
  }
  uint64_t pcs[kMostFrames];
  WalkEnd end;
  const size_t frames = walker->unwinder->walk(start, true, pcs, kMostFrames, &end);
  for (size_t i = 1; i < frames && i < kMostFrames && place == Place::kSystem; i++) {
    place = code.find(pcs[i] - 1, hits);
  }
  return place;
}

}  // namespace parallax::speedup
