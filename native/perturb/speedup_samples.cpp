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

namespace {

struct Search {
  const CodeRanges& code;
  Hits hits;
  bool own = false;    // the innermost code of the program has been found
  bool begun = false;  // the walk has shown the interrupted instruction

  // Returns whether callers of this code are of interest. Signal context.
  bool find(uint64_t address) {
    code.find(address, own ? Frame::kCaller : Frame::kInnermost, &hits);
    own = own || hits.count > 0 || code.isOwn(address);
    return !own || code.hasInclusive();
  }
};

bool onFrame(void* data, uint64_t pc) {
  // Signal context.
  auto& search = *static_cast<Search*>(data);
  if (search.begun) return search.find(pc - 1);
  search.begun = true;
  return true;
}

}  // namespace

Hits hitsOf(const CodeRanges& code, Walker* walker, const ucontext_t& context) {
  // Signal context.
  const auto greg = [&](int number) {
    return static_cast<uint64_t>(context.uc_mcontext.gregs[number]);
  };
  const uint64_t pc = greg(REG_RIP);
  Search search{code, {}};
  if (code.count() == 0 || !search.find(pc) || walker == nullptr) return search.hits;
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
  walker->unwinder->visitFrames(start, true, onFrame, &search);
  return search.hits;
}

}  // namespace parallax::speedup
