#include "perturb/speedup_samples.h"

#include <atomic>
#include <csignal>
#include <new>

#include "core/agent.h"
#include "sampler/unwinder.h"

namespace parallax::speedup {

namespace {
// What is above these on a deeper stack does not count.
constexpr size_t kMostFrames = 256;
}  // namespace

struct Walker {
  Unwinder* unwinder;
  Walker* next;
  std::atomic<bool> inUse;
  uint64_t pcs[kMostFrames];  // of the last sample; a signal stack may have no room for them
};

namespace {
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
  new (walker) Walker{unwinder, walkers.load(std::memory_order_relaxed), {true}, {}};
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

Hits hitsOf(const CodeRanges& code, Walker* walker, const ucontext_t& context) {
  // Signal context.
  const auto greg = [&](int number) {
    return static_cast<uint64_t>(context.uc_mcontext.gregs[number]);
  };
  Hits hits;
  const uint64_t pc = greg(REG_RIP);
  code.find(pc, Frame::kInnermost, &hits);
  bool own = hits.count > 0 || code.isOwn(pc);
  if (walker == nullptr || code.count() == 0 || (own && !code.hasInclusive())) return hits;
  WalkStart start;
  start.pc = pc;
  start.rsp = greg(REG_RSP);
  start.rbp = greg(REG_RBP);
  start.rbx = greg(REG_RBX);
  start.registers = context.uc_mcontext.gregs;
  if ((context.uc_stack.ss_flags & SS_DISABLE) == 0) {
    start.alternateStack.low = reinterpret_cast<uint64_t>(context.uc_stack.ss_sp);
    start.alternateStack.high = start.alternateStack.low + context.uc_stack.ss_size;
  }
  WalkEnd end;
  const uint64_t* pcs = walker->pcs;
  const size_t frames = walker->unwinder->walk(start, true, walker->pcs, kMostFrames, &end);
  for (size_t i = 1; i < frames && i < kMostFrames; i++) {
    if (own && !code.hasInclusive()) break;
    code.find(pcs[i] - 1, own ? Frame::kCaller : Frame::kInnermost, &hits);
    own = own || hits.count > 0 || code.isOwn(pcs[i] - 1);
  }
  return hits;
}

}  // namespace parallax::speedup
