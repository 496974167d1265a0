// Virtual speed-ups of simulated programs, where the truth is another simulation with the code really
// faster. It has the real arithmetic (Account, Waker) and the rules of speedup.cpp around it, on a
// machine with a processor for each thread. No clock, so that it says the same on any machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "perturb/speedup_account.h"
#include "perturb/speedup_releases.h"

using namespace parallax::speedup;

namespace {

constexpr uint64_t kStepNs = 5000, kPeriodNs = 1000000, kOversleepNs = 60000;

enum class Op { kCold, kHot, kBarrier, kPost, kWait, kLock, kUnlock, kEnd };
struct Step {
  Op op;
  double ms = 0;   // of kCold and kHot
  int object = 0;  // of the others
};
using Code = std::vector<Step>;
using Program = std::vector<Code>;  // of each thread

class Simulation {
 public:
  // The hot code is faster by `real`, and looks faster by `expected`.
  Simulation(const Program& program, double real, double expected, unsigned seed)
      : real_(real), faster_(expected), random_(seed), threads_(program.size()) {
    releases_.start(&lastRelease_);
    for (size_t i = 0; i < program.size(); i++) {
      threads_[i].code = program[i];
      threads_[i].code.push_back({Op::kEnd});
      threads_[i].mark = static_cast<uint16_t>(i + 1);
      threads_[i].toSampleNs = period();
      threads_[i].periodNs = period();
    }
  }

  // Milliseconds, less the total.
  double run() {
    std::vector<Thread*> order;
    for (Thread& thread : threads_) order.push_back(&thread);
    while (std::any_of(threads_.begin(), threads_.end(), [](const Thread& t) { return !t.ended; })) {
      std::shuffle(order.begin(), order.end(), random_);
      for (bool more = true; more;) {
        more = false;
        for (Thread* thread : order) more |= act(*thread);
      }
      now_ += kStepNs;
      for (Thread& thread : threads_) pass(thread);
    }
    return (static_cast<double>(now_) - static_cast<double>(total_)) / 1e6;
  }

 private:
  struct Thread {
    Code code;
    size_t at = 0;
    uint64_t leftNs = 0, toSampleNs = 0, periodNs = 0, pausedNs = 0, wakeNs = 0;
    Account account;
    Waker waker;
    uint16_t mark = 0;
    bool begun = false, arrived = false, released = false, ended = false;
  };

  uint64_t slack() const { return static_cast<uint64_t>(2 * kPeriodNs * faster_); }
  uint64_t period() { return kPeriodNs / 2 + random_() % kPeriodNs; }
  Release releaseOf(const Thread& thread) const { return {thread.mark, thread.account.level()}; }

  bool mustPay(Thread& thread, uint64_t slack) {
    const uint64_t due = thread.account.due(total_, slack);
    if (due == 0) return false;
    thread.pausedNs = now_;
    thread.wakeNs = now_ + due + random_() % (2 * kOversleepNs);
    return true;
  }
  void beginWait(Thread& thread, uintptr_t object) {
    thread.waker.beginWait(releases_, object, releaseOf(thread));
    releases_.tell(object, releaseOf(thread));
    thread.account.beginWait(now_);
  }
  void endWait(Thread& thread) {
    const uint64_t before = thread.account.level();
    thread.account.endWait(thread.waker.levelOf(releases_, releaseOf(thread)), now_);
    if (thread.account.level() < before && total_ == before) total_ = thread.account.level();
  }
  bool next(Thread& thread) {
    thread.at++;
    thread.begun = thread.arrived = thread.released = false;
    return true;
  }

  // What takes no time. False when there is nothing more to do now.
  bool act(Thread& thread) {
    if (thread.ended || thread.wakeNs != 0) return false;
    const Step& step = thread.code[thread.at];
    const auto object = static_cast<uintptr_t>(step.object + 1);
    int& count = counts_[step.object];
    switch (step.op) {
      case Op::kCold:
      case Op::kHot:
        if (!thread.begun) {
          thread.leftNs = static_cast<uint64_t>(step.ms * 1e6 * (step.op == Op::kHot ? 1 - real_ : 1));
        }
        thread.begun = true;
        return thread.leftNs < kStepNs && next(thread);
      case Op::kEnd:
        if (mustPay(thread, 0)) return false;
        total_ = std::max(total_, thread.account.level());
        thread.ended = true;
        return false;
      case Op::kPost:
      case Op::kUnlock:
        if (mustPay(thread, slack())) return false;
        releases_.tell(object, releaseOf(thread));
        count++;
        return next(thread);
      case Op::kWait:
      case Op::kLock:
      case Op::kBarrier:
        if (!thread.begun) {
          if (mustPay(thread, slack())) return false;
          beginWait(thread, object);
          thread.begun = true;
        }
        if (step.op == Op::kBarrier ? !passes(thread, &count) : count == 0) return false;
        if (step.op != Op::kBarrier) count--;
        endWait(thread);
        return next(thread);
    }
    return false;
  }
  bool passes(Thread& thread, int* count) {
    if (thread.released) return true;
    if (!thread.arrived) ++*count;
    thread.arrived = true;
    if (*count < static_cast<int>(threads_.size())) return false;
    *count = 0;
    for (Thread& other : threads_) other.released = true;
    return true;
  }

  // A step of time.
  void pass(Thread& thread) {
    if (thread.ended) return;
    if (thread.wakeNs != 0) {
      if (now_ < thread.wakeNs) return;
      thread.account.raise(now_ - thread.pausedNs);
      thread.wakeNs = 0;
      return;
    }
    const Op op = thread.code[thread.at].op;
    if (op != Op::kCold && op != Op::kHot) return;
    thread.leftNs -= std::min(thread.leftNs, kStepNs);
    if (thread.toSampleNs > kStepNs) {
      thread.toSampleNs -= kStepNs;
      return;
    }
    if (op == Op::kHot) {
      thread.account.raise(static_cast<uint64_t>(static_cast<double>(thread.periodNs) * faster_));
      total_ = std::max(total_, thread.account.level());
    }
    thread.toSampleNs = thread.periodNs = period();
    mustPay(thread, slack());
  }

  double real_, faster_;
  std::mt19937 random_;
  std::vector<Thread> threads_;
  Releases releases_;
  std::atomic<uint64_t> lastRelease_{0};
  uint64_t total_ = 0, now_ = 0;
  int counts_[8] = {0, 0, 0, 0, 1, 1, 1, 1};  // objects from 4 on are locks that nobody holds
};

// ----------------------------------------------------------------- programs

Program times(int count, const Program& round) {
  Program whole(round.size());
  for (size_t i = 0; i < round.size(); i++) {
    for (int k = 0; k < count; k++) whole[i].insert(whole[i].end(), round[i].begin(), round[i].end());
  }
  return whole;
}
Step hot(double ms) { return {Op::kHot, ms}; }
Step cold(double ms) { return {Op::kCold, ms}; }
const Step kMeet{Op::kBarrier, 0, 0}, kPost{Op::kPost, 0, 1}, kTake{Op::kWait, 0, 1},
    kFree{Op::kPost, 0, 2}, kRoom{Op::kWait, 0, 2}, kLock{Op::kLock, 0, 4}, kUnlock{Op::kUnlock, 0, 4},
    kLockOther{Op::kLock, 0, 5}, kUnlockOther{Op::kUnlock, 0, 5};

// tests/programs/bench_causal.cpp, with this one of its functions hot.
Program causal(int rounds, int function, double scale) {
  const auto work = [&](int f, double ms) { return f == function ? hot(ms * scale) : cold(ms * scale); };
  return times(rounds, {{work(0, 2), kMeet, work(1, 7), kMeet, work(3, 0.8), kLock, kPost, kUnlock,
                         work(3, 0.8), kLock, kPost, kUnlock, kMeet},
                        {kMeet, work(2, 3), kMeet, kTake, kLock, kUnlock, work(4, 1.8), kTake, kLock,
                         kUnlock, work(4, 1.8), kMeet}});
}

struct Case {
  const char* name;
  Program program;
  double tolerance;  // in points
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class SpeedupSimulated : public testing::TestWithParam<Case> {};

double meanMs(const Program& program, double real, double expected) {
  constexpr unsigned kRuns = 4;
  double sum = 0;
  for (unsigned seed = 1; seed <= kRuns; seed++) sum += Simulation(program, real, expected, seed).run();
  return sum / kRuns;
}

TEST_P(SpeedupSimulated, IsWhatTheRealOneGains) {
  const Program& program = GetParam().program;
  const double as = meanMs(program, 0, 0);
  for (const double percent : {25, 50}) {
    const double gained = 100 * (1 - meanMs(program, percent / 100, 0) / as);
    const double expected = 100 * (1 - meanMs(program, 0, percent / 100) / as);
    EXPECT_NEAR(expected, gained, GetParam().tolerance) << percent << " %";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, SpeedupSimulated,
    testing::Values(
        Case{"halves", {{hot(300)}, {cold(200)}}, 0.3}, Case{"aside", {{cold(300)}, {hot(200)}}, 0.3},
        Case{"longRounds", times(30, {{hot(10), kMeet}, {cold(6), kMeet}}), 0.3},
        Case{"shortRounds", times(1500, {{hot(0.2), kMeet}, {cold(0.12), kMeet}}), 1},
        Case{"shortRoundsOfBoth", times(1500, {{hot(0.2), kMeet}, {hot(0.2), kMeet}}), 1},
        Case{"shortRoundsAside", times(1500, {{cold(0.2), kMeet}, {hot(0.2), kMeet}}), 0.3},
        Case{"halfOfEqualRounds", times(100, {{hot(2), cold(2), kMeet}, {hot(2), cold(2), kMeet}}), 2},
        Case{"underOneLock", times(60, {{kLock, hot(2.25), kUnlock, cold(0.75)},
                                        {kLock, hot(2.25), kUnlock, cold(0.75)}}), 1.6},
        Case{"besideALock", times(60, {{kLock, cold(2.25), kUnlock, hot(0.75)},
                                       {kLock, cold(2.25), kUnlock, hot(0.75)}}), 0.5},
        Case{"consumer", times(150, {{cold(1.2), kRoom, kPost}, {kFree, kTake, hot(2)}}), 0.5},
        Case{"producerAside", times(150, {{hot(1.2), kRoom, kPost}, {kFree, kTake, cold(2)}}), 0.5},
        Case{"fourThreads", times(100, {{hot(3), kMeet}, {cold(2), kMeet}, {cold(2), kMeet},
                                        {cold(2), kMeet}}), 0.3},
        Case{"othersLetGoOfOtherLocks",
             {times(60, {{hot(5), kPost, kRoom}})[0], times(60, {{cold(2), kTake, cold(3), kFree}})[0],
              times(1500, {{cold(0.3), kLockOther, kUnlockOther}})[0]}, 0.5},
        Case{"parse", causal(30, 0, 1), 0.5}, Case{"compress", causal(30, 1, 1), 0.5},
        Case{"hash", causal(30, 2, 1), 0.3}, Case{"emit", causal(30, 3, 1), 0.5},
        Case{"store", causal(30, 4, 1), 0.5}, Case{"shortParse", causal(150, 0, 0.2), 0.5},
        Case{"shortCompress", causal(150, 1, 0.2), 1.5}, Case{"shortHash", causal(150, 2, 0.2), 0.5},
        Case{"shortEmit", causal(150, 3, 0.2), 2.5}, Case{"shortStore", causal(150, 4, 0.2), 2}),
    [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

}  // namespace
