#include "perturb/speedup.h"

#include <pthread.h>

#include <atomic>

#include "base/sys.h"
#include "core/agent.h"
#include "perturb/counts.h"
#include "perturb/speedup_account.h"
#include "perturb/speedup_ranges.h"
#include "perturb/speedup_releases.h"
#include "perturb/speedup_samples.h"
#include "perturb/speedup_timer.h"
#include "sampler/sampler.h"
#include "sampler/unwind_table.h"

namespace parallax::speedup {

bool active = false;

namespace {

// The longest pause. A thread can wait for a paused thread by polling a variable that no
// intercepted routine protects, in code that counts as infinitely fast. Each poll would then extend
// the pause, and both would wait forever.
constexpr uint64_t kMostPauseNs = 2000000000;

// The number of samples that a thread may owe, because threads that execute the code at the same
// time are sampled one after the other, and not equally often.
constexpr uint64_t kSlackSamples = 2;

struct ThreadState {
  bool begun = false;
  bool busy = false;   // the thread is in this code: skip a sample
  int pid = 0;         // of the process whose thread is sampled
  uint32_t waits = 0;  // nested ones
  uint16_t mark = 0;   // in releases
  Account account;
  Waker waker;
  SpeedupTimer timer;
  Walker* walker = nullptr;
};
thread_local ThreadState state __attribute__((tls_model("initial-exec")));

const perturb::Plan* plan = nullptr;
std::atomic<uint64_t>* sharedTotal = nullptr;  // of all processes
uint64_t slackNs = 0;
std::atomic<const CodeRanges*> ranges{nullptr};
Releases releases;
pthread_key_t threadKey;

// Prevents samples of the thread while it exists.
class Busy {
 public:
  Busy() : before_(state.busy) {
    state.busy = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Busy() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    state.busy = before_;
  }
  bool nested() const { return before_; }

 private:
  bool before_;
};

uint64_t total() { return sharedTotal->load(std::memory_order_acquire); }

void raiseTotal(uint64_t level) {
  uint64_t present = total();
  while (present < level &&
         !sharedTotal->compare_exchange_weak(present, level, std::memory_order_acq_rel)) {
  }
}

// The thread with the highest level has fallen back to `level`, because it began its wait too
// early.
void lowerTotal(uint64_t from, uint64_t level) {
  sharedTotal->compare_exchange_strong(from, level, std::memory_order_acq_rel);
}

Release release() { return {state.mark, state.account.level()}; }

void sleepUntil(uint64_t monotonicNs) {
  constexpr uint64_t kNsPerSecond = 1000000000;
  const timespec until{static_cast<time_t>(monotonicNs / kNsPerSecond),
                       static_cast<long>(monotonicNs % kNsPerSecond)};
  sys::call(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, sys::word(&until));
}

// The total may rise during the pause, so this repeats.
void payOwed(uint64_t slack) {
  uint64_t paid = 0;
  while (const uint64_t due = state.account.due(total(), slack)) {
    const uint64_t begin = monotonicNs();
    sleepUntil(begin + due);
    const uint64_t paused = monotonicNs() - begin;  // some 60 us longer, or less: a signal
    state.account.raise(paused);
    paid += paused;
    if (paid > kMostPauseNs) break;
  }
}

// ------------------------------------------------------------------ threads

// False in a child that runs in the memory of its parent (vfork), because the timer belongs to the
// parent.
bool isSampledHere() { return state.begun && state.pid == sys::getpid(); }

void beginSampling() {
  state.pid = sys::getpid();
  constexpr uint64_t kTrap = uint64_t{1} << (SIGTRAP - 1);
  const uint64_t set = kTrap;  // threads are often created with all signals blocked
  sys::call(SYS_rt_sigprocmask, SIG_UNBLOCK, sys::word(&set), 0, sizeof set);
  if (const int error = state.timer.start()) {
    log("cannot sample a thread for a virtual speed-up: error", -error);
  }
}

void begin(uint64_t level) {
  const Busy busy;
  state.begun = true;
  state.waits = 0;
  state.mark = Release::mark(sys::gettid());
  state.account = Account(level);
  state.walker = obtainWalker();
  pthread_setspecific(threadKey, &state);
  beginSampling();
}

// False where there is nothing to do.
bool payDown(uint64_t slack) {
  if (state.waits > 0 || state.busy) return false;
  if (__builtin_expect(!state.begun, false)) begin(total());  // its creation was not seen
  const Busy busy;
  payOwed(slack);
  return true;
}

// A destructor of thread-specific data, so that it also runs after pthread_exit and cancellation,
// and before threads that join this one continue. Code in later destructors is not sampled.
void endThread(void*) {
  if (state.waits > 0) {
    state.waits = 1;
    endWait(true);
  }
  payAll(static_cast<uintptr_t>(pthread_self()));
  const Busy busy;
  state.timer.stop();
  releaseWalker(state.walker);
  state.walker = nullptr;
}

// One for each factor, in the cells after those of the plan's IDs.
void count(const Hits& hits, uint64_t periodNs) {
  using namespace perturb;
  if (threadCells.generation != forkGeneration()) claimCells();
  for (uint32_t i = 0; i < hits.count; i++) {
    Cell& cell = threadCells.cells[plan->ids + hits.factors[i]];
    const Treatment& level = plan->factors[hits.factors[i]];
    const uint64_t permille = level.action == Action::kSpeedup ? level.amount : 0;
    add(&cell.count, 1, threadCells.shared);
    add(&cell.requestedNs, periodNs * permille / 1000, threadCells.shared);
    add(&cell.achievedNs, periodNs, threadCells.shared);
  }
}

bool onTrap(siginfo_t* info, ucontext_t* context) {
  // Signal context, all signals blocked.
  if (!SpeedupTimer::sentByAny(*info)) return false;
  if (!state.begun || state.busy || !state.timer.sent(*info)) return true;
  const Busy busy;
  const uint64_t periodNs = state.timer.takePeriod();
  if (state.waits > 0 || perturb::threadCells.treats) return true;
  const CodeRanges& code = *ranges.load(std::memory_order_acquire);
  const Hits hits = hitsOf(code, state.walker, *context);
  if (hits.count > 0) {
    count(hits, periodNs);
    state.account.raise(periodNs * hits.permille / 1000);
    raiseTotal(state.account.level());
  }
  payOwed(slackNs);
  return true;
}

}  // namespace

// -------------------------------------------------------------------- hooks

void pay(uintptr_t object) {
  if (payDown(slackNs)) releases.tell(object, release());
}

void payAll(uintptr_t object) {
  if (!payDown(0)) return;
  raiseTotal(state.account.level());  // an overpayment has also delayed the program
  releases.tell(object, release());
}

void beginWait(uintptr_t object) {
  if (state.waits == 0) {
    payDown(slackNs);
    state.waker.beginWait(releases, object, release());
    releases.tell(object, release());
    state.account.beginWait(monotonicNs());
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  state.waits++;
}

void endWait(bool byOthers) {
  if (state.waits == 0) return;
  if (state.waits == 1 && byOthers) {
    const uint64_t before = state.account.level();
    const uint64_t waker = state.waker.levelOf(releases, release());
    state.account.endWait(waker, monotonicNs());
    if (state.account.level() < before) lowerTotal(before, state.account.level());
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  state.waits--;
}

uint32_t OutOfWait::leaveWaits() {
  const uint32_t waits = state.waits;
  if (waits > 0) {
    state.waits = 1;
    endWait(true);
  }
  return waits;
}

void OutOfWait::enterWaits(uint32_t waits) {
  beginWait();
  state.waits = waits;
}

// ------------------------------------------------------------------ threads

uint64_t levelOfChild() { return state.begun ? state.account.level() : total(); }

void beginThread(uint64_t level) { begin(level); }

void afterFork() {
  releaseOtherWalkers(state.walker);
  if (!state.begun) return;
  const Busy busy;
  state.timer.forget();
  state.mark = Release::mark(sys::gettid());
  beginSampling();
}

void pauseSampling() {
  payAll();
  if (!isSampledHere()) return;
  const Busy busy;
  state.timer.stop();
}

void resumeSampling() {
  if (!isSampledHere()) return;
  const Busy busy;
  beginSampling();
}

// ------------------------------------------------------------------ process

void modulesChanged() {
  if (!active) return;
  const Busy busy;
  refreshModules();
  if (const CodeRanges* made = CodeRanges::make(*plan)) {
    ranges.store(made, std::memory_order_release);
  }
}

const char* start(const perturb::Plan& of) {
  plan = &of;
  sharedTotal = &perturb::virtualDelayNs();
  ranges.store(CodeRanges::make(of), std::memory_order_release);
  if (ranges.load(std::memory_order_relaxed) == nullptr) return "no virtual speed-up: not enough "
      "memory";
  if (!SpeedupTimer::available()) {
    return "no virtual speed-up: the kernel refused perf events (see perf_event_paranoid)";
  }
  if (pthread_key_create(&threadKey, endThread) != 0 || !sampler::claimTraps(onTrap)) {
    return "no virtual speed-up: SIGTRAP is not available (a debugger?)";
  }
  uint64_t mostPermille = 0;
  for (const perturb::Treatment& level : of.factors) {
    if (level.action == perturb::Action::kSpeedup && level.amount > mostPermille) {
      mostPermille = level.amount;
    }
  }
  slackNs = kSlackSamples * SpeedupTimer::kMeanPeriodNs * mostPermille / 1000;
  releases.start(&perturb::lastReleaseWord());
  refreshModules();
  active = true;
  begin(total());
  return nullptr;
}

}  // namespace parallax::speedup
