// Where the time of OpenMP programs goes: into waits, and samples of what works.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/openmp_fixture.h"
#include "tests/other_load.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

// Runs that are tried until one is told in time: a busy machine wakes threads late.
constexpr int kRuns = 5;

// What is wrong with a time in ms, or nothing.
std::string wrongTime(const char* what, double expected, double found, double tolerance) {
  if (std::abs(found - expected) <= tolerance) return "";
  return std::string(what) + " is " + std::to_string(found) + " ms, not " + std::to_string(expected) + "; ";
}

double milliseconds(const TracedProcess& process, uint64_t ticks) {
  return 1000.0 * static_cast<double>(ticks) / static_cast<double>(process.process.tickHz);
}

// Addresses of a path, outermost first.
std::vector<uint64_t> framesOf(const TracedProcess& process, uint64_t path) {
  std::vector<uint64_t> frames;
  for (auto at = process.paths.find(static_cast<uint32_t>(path)); at != process.paths.end();
       at = process.paths.find(at->second.parent)) {
    frames.insert(frames.begin(), at->second.value);
  }
  return frames;
}

// Time between Enter and Leave of all calls of a routine.
double timeIn(const TracedProcess& process, const TracedThread& thread, const std::string& routine) {
  uint64_t sum = 0;
  for (const auto& call : process.calls(thread, routine)) {
    sum += call.back().ticks - call.front().ticks;
  }
  return milliseconds(process, sum);
}

bool hasRoutine(const TracedProcess& process, const TracedThread& thread,
                const std::string& routine) {
  return !process.calls(thread, routine).empty();
}

// Which share of the outermost region a thread has: its name says so.
int shareOf(const TracedProcess& process, uint32_t thread) {
  const auto name = process.threadNames.find(thread);
  const std::string prefix = "OpenMP worker ";
  if (name == process.threadNames.end() || name->second.rfind(prefix, 0) != 0) return 0;
  return atoi(name->second.c_str() + prefix.size());
}

TEST_P(OpenMp, ImbalanceIsWaitingAtTheBarrier) {
  // The planted waits are 120, 80, 40 and 0 ms.
  EXPECT_TIMES(kRuns, [&](int) -> std::string {
    const TracedProcess process = traceOf("cases", {"imbalance", "4"});
    EXPECT_EQ(4u, process.threads.size());
    expectTeamsConsistent(process);
    std::map<int, double> waits;
    for (const auto& [number, thread] : process.threads) {
      waits[shareOf(process, number)] = timeIn(process, thread, "omp implicit barrier") +
                                        timeIn(process, thread, "omp barrier");
    }
    EXPECT_EQ(4u, waits.size());
    std::string wrong;
    for (const auto& [share, wait] : waits) wrong += wrongTime("a wait", 40.0 * (3 - share), wait, 20);
    return wrong;
  });
}

TEST_P(OpenMp, SpinningIsNotWork) {
  setenv("OMP_WAIT_POLICY", "active", 1);
  EXPECT_TIMES(kRuns, [&](int) -> std::string {
    const TracedProcess process = traceOf("cases", {"spin", "2"}, {"--sample-hz", "1000"});
    EXPECT_EQ(2u, process.threads.size());
    expectTeamsConsistent(process);
    const size_t busy = process.threads.at(0).count(Kind::kSample);
    EXPECT_LE(process.threads.at(1).count(Kind::kSample), 3u) << "while it spins";
    // 120 samples, on a machine that can take so many.
    const double spinning = timeIn(process, process.threads.at(1), "omp implicit barrier") +
                            timeIn(process, process.threads.at(1), "omp barrier");
    if (busy > 60 && spinning > 80) return "";
    return std::to_string(busy) + " samples, " + std::to_string(spinning) + " ms of spinning";
  });
}

// The two states of each thread: outside, in its share, as long as the program's own clock says;
// inside for the rest. Samples are of the share, called from the region's function.
TEST_P(OpenMp, SampledTimeIsThatOfTheShare) {
  EXPECT_TIMES(kRuns, [&](int attempt) -> std::string {
    const std::string directory = scratch_ / ("work" + std::to_string(attempt));
    const Outcome outcome = run(recorded(directory, {"timeout", "60", program("cases"), "work", "3"},
                                         {"--quiet", "--sample-hz", "500"}));
    EXPECT_EQ(0, outcome.status) << outcome.errors;
    struct Share {
      long long ns;
      uint64_t caller;
    };
    std::map<int, Share> shares;
    std::istringstream lines(outcome.output);
    int number;
    Share share;
    while (lines >> std::dec >> number >> share.ns >> std::hex >> share.caller) {
      shares[number] = share;
    }
    EXPECT_EQ(3u, shares.size()) << outcome.output;
    const Trace trace = loadTrace(directory);
    const TracedProcess* process = trace.ofExecutable(baseName(program("cases")));
    EXPECT_NE(nullptr, process);
    if (process == nullptr) return "";
    EXPECT_EQ(3u, process->threads.size());
    expectTeamsConsistent(*process);
    std::string wrong;
    for (const auto& [id, thread] : process->threads) {
      const int own = shareOf(*process, id);
      uint64_t inside = 0, entered = 0, samples = 0, ofRuntime = 0;
      int depth = 0;
      for (const TracedEvent& event : thread.events) {
        if (event.kind == Kind::kEnter && depth++ == 0) entered = event.ticks;
        if (event.kind == Kind::kLeave && --depth == 0) inside += event.ticks - entered;
        if (event.kind != Kind::kSample || own == 0) continue;
        EXPECT_EQ(0, depth);
        samples++;
        const std::vector<uint64_t> frames = framesOf(*process, event.operand);
        if (frames.empty() || frames.front() == shares[own].caller) continue;
        // In the share's own code around its call, or below another call that is there.
        constexpr uint64_t kMostBytes = 512;
        if (frames[0] + kMostBytes - shares[own].caller < 2 * kMostBytes) continue;
        ofRuntime++;
      }
      // The runtime takes some instructions from the begin of the share to the call of its code.
      EXPECT_LE(ofRuntime, 1u) << "of " << samples << " samples of thread " << own;
      if (own == 0) continue;  // it is outside before and after the region, too
      EXPECT_GT(samples, 0u) << "thread " << own;
      const uint64_t whole = thread.events.back().ticks - thread.events.front().ticks;
      wrong += wrongTime("a share", 1e-6 * static_cast<double>(shares[own].ns),
                         milliseconds(*process, whole - inside), 5);
    }
    return wrong;
  });
}

TEST_P(OpenMp, CriticalSectionsFollowOneAnother) {
  const TracedProcess process = traceOf("cases", {"critical", "3"});
  ASSERT_EQ(3u, process.threads.size());
  expectTeamsConsistent(process);
  EXPECT_EQ(1u, process.objectsOf(SyncKind::kOpenMpLock));
  // Whoever has to wait does so for one turn or two of 4 ms, but for the first of the three.
  size_t acquired = 0, waited = 0;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (!acquiresOmp(process, event)) continue;
      acquired++;
      waited += event.payload[0] & 1;
    }
  }
  EXPECT_EQ(15u, acquired);
  EXPECT_GE(waited, 2u);
  double time = 0;
  for (const auto& [number, thread] : process.threads) {
    time += timeIn(process, thread, "omp critical") +
            timeIn(process, thread, "omp implicit barrier");
  }
  EXPECT_GT(time, 100);  // 3 threads for 60 ms, of which each works a third
}

TEST_P(OpenMp, TaskwaitWaitsForTheTask) {
  EXPECT_TIMES(kRuns, [&](int) -> std::string {
    const TracedProcess process = traceOf("cases", {"taskwait"});
    expectTeamsConsistent(process);
    // Until the task's end, which wakes it: a busy machine lets it go on later.
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> signals;
    for (const auto& [number, thread] : process.threads) {
      for (const TracedEvent& event : thread.events) {
        if (event.kind == Kind::kSignal) signals[{event.operand, event.payload[0]}] = event.ticks;
      }
    }
    double waited = 0;
    size_t wakes = 0;
    for (const auto& [number, thread] : process.threads) {
      for (const auto& call : process.calls(thread, "omp taskwait")) {
        for (const TracedEvent& event : call) {
          if (event.kind != Kind::kWake) continue;
          wakes++;
          waited = milliseconds(process, signals[{event.operand, event.payload[0]}] - call.front().ticks);
        }
      }
    }
    EXPECT_LE(wakes, 1u);
    return wrongTime("the wait", 38, waited, 12);
  });
}

TEST_P(OpenMp, BetweenRegionsWorkersAreIdle) {
  EXPECT_TIMES(kRuns, [&](int) -> std::string {
    const TracedProcess process = traceOf("cases", {"idle", "2"});
    EXPECT_EQ(2u, process.threads.size());
    expectTeamsConsistent(process);
    const TracedThread& worker = process.threads.at(1);
    const double idle = timeIn(process, worker, "[OpenMP idle]");
    const double waiting = timeIn(process, worker, "omp implicit barrier");
    EXPECT_FALSE(hasRoutine(process, process.threads.at(0), "[OpenMP idle]"));
    EXPECT_EQ(0u, process.threadNames.at(1).find("OpenMP worker"));
    EXPECT_EQ(1u, process.threads.at(0).count(Kind::kThreadCreate));
    return wrongTime("idling", 60, idle, 20) + wrongTime("the wait", 0, waiting, 20);
  });
}

}  // namespace
}  // namespace parallax::tests
