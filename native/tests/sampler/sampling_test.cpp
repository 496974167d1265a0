// The sampler in whole programs: what it tells of them, and that they do not notice it.
#include <gtest/gtest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/other_load.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::PathKind;

constexpr char kHighRate[] = "10000";

struct Sampled {
  Outcome outcome;
  Trace trace;
  std::vector<std::string> modulePaths;  // of the first process
  std::vector<std::string> buildIds;
  size_t unloads = 0;
  uint64_t agentStart = 0, agentEnd = 0;

  const TracedProcess& process() const { return trace.processes.at(0); }
  size_t samples() const { return process().count(Kind::kSample); }
};

void readModules(const std::string& directory, Sampled* sampled) {
  format::TraceFiles files;
  ASSERT_EQ("", format::findTraceFiles(directory, &files));
  ASSERT_FALSE(files.processes.empty());
  format::DefinitionsFile definitions;
  ASSERT_EQ("", definitions.open(files.processes[0].definitions));
  definitions.forEach([&](const auto& record) {
    using Record = std::decay_t<decltype(record)>;
    if constexpr (std::is_same_v<Record, format::ModuleRecord>) {
      sampled->modulePaths.emplace_back(record.path);
      sampled->buildIds.emplace_back(record.buildId);
      if (record.path == agent()) {
        sampled->agentStart = record.firstAddress;
        sampled->agentEnd = record.endAddress;
      }
      EXPECT_LT(record.firstAddress, record.endAddress);
      EXPECT_LE(record.loadBias, record.firstAddress);
    } else if constexpr (std::is_same_v<Record, format::ModuleUnloadRecord>) {
      ++sampled->unloads;
    }
  });
}

bool isWithin(const TracedProcess& process, uint64_t path, uint64_t start, uint64_t stop) {
  for (; path != 0; path = process.paths.at(static_cast<uint32_t>(path)).parent) {
    const format::CallPathRecord& node = process.paths.at(static_cast<uint32_t>(path));
    if (node.kind != PathKind::kRegion && node.value >= start && node.value < stop) return true;
  }
  return false;
}

// A thread's time in ticks, by the two states (paper, II.B): each sample stands for all time
// outside intercepted routines since the one before.
struct Weights {
  uint64_t sampled = 0;   // outside, up to the last sample
  uint64_t measured = 0;  // inside
  uint64_t rest = 0;      // outside, after the last sample
  uint64_t inSpot = 0;    // of the samples with an address in a range on their path
};
Weights weightsOf(const TracedProcess& process, const TracedThread& thread, uint64_t start = 0,
                  uint64_t stop = 0) {
  Weights weights;
  int depth = 0;
  uint64_t before = thread.events.front().ticks;
  for (const TracedEvent& event : thread.events) {
    (depth > 0 ? weights.measured : weights.rest) += event.ticks - before;
    before = event.ticks;
    if (event.kind == Kind::kEnter) ++depth;
    if (event.kind == Kind::kLeave) --depth;
    if (event.kind != Kind::kSample) continue;
    EXPECT_EQ(0, depth) << "a sample inside an intercepted routine";
    if (isWithin(process, event.operand, start, stop)) weights.inSpot += weights.rest;
    weights.sampled += weights.rest;
    weights.rest = 0;
  }
  return weights;
}

// Sampled and measured time, and the rest after the last sample, are the thread's whole time.
void expectTimesAddUp(const Trace& trace) {
  for (const TracedProcess& process : trace.processes) {
    for (const auto& [number, thread] : process.threads) {
      if (thread.events.empty()) continue;
      const Weights weights = weightsOf(process, thread);
      uint64_t inside = 0, entered = 0;
      std::vector<uint64_t> open;
      for (const TracedEvent& event : thread.events) {
        if (event.kind == Kind::kEnter) {
          if (open.empty()) entered = event.ticks;
          open.push_back(event.operand);
        } else if (event.kind == Kind::kLeave) {
          while (!open.empty() && open.back() != event.operand) open.pop_back();
          if (!open.empty()) open.pop_back();
          if (open.empty()) inside += event.ticks - entered;
        }
      }
      const uint64_t last = thread.events.back().ticks;
      if (!open.empty()) inside += last - entered;
      EXPECT_EQ(inside, weights.measured) << process.executable << " thread " << number;
      EXPECT_EQ(last - thread.events.front().ticks,
                weights.sampled + weights.measured + weights.rest)
          << process.executable << " thread " << number;
    }
  }
}

Sampled sample(const Words& arguments, const std::string& hz, int expectedStatus = 0,
               const std::function<void()>& inChild = {}, const Words& more = {}) {
  Sampled sampled;
  TemporaryDirectory scratch;
  Words command{guest("sampled")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Words options{"--quiet", "--sample-hz", hz};
  options.insert(options.end(), more.begin(), more.end());
  sampled.outcome = run(recorded(scratch / "trace", command, options), inChild);
  EXPECT_EQ(expectedStatus, sampled.outcome.status) << sampled.outcome.errors;
  sampled.trace = loadTrace(scratch / "trace");
  EXPECT_FALSE(sampled.trace.processes.empty());
  readModules(scratch / "trace", &sampled);
  expectTimesAddUp(sampled.trace);
  // What the agent does is not part of any call path.
  EXPECT_NE(0u, sampled.agentEnd);
  for (const auto& [number, path] : sampled.process().paths) {
    EXPECT_FALSE(path.kind != PathKind::kRegion && path.value >= sampled.agentStart &&
                 path.value < sampled.agentEnd);
  }
  return sampled;
}

// Perf events, which high rates need, can be denied; then a note says so.
bool rateRefused(const Sampled& sampled) {
  for (const std::string& note : sampled.process().notes) {
    if (note.find("refused the perf events") != std::string::npos) return true;
  }
  return false;
}
#define SKIP_IF_REFUSED(sampled) \
  if (rateRefused(sampled)) GTEST_SKIP() << "perf events are denied here"

// What is wrong with a number, or nothing.
std::string atLeast(double least, double found) {
  return found >= least ? "" : std::to_string(found) + " instead of " + std::to_string(least);
}
std::string near(double expected, double found, double tolerance) {
  return std::abs(found - expected) <= tolerance
             ? ""
             : std::to_string(found) + " instead of " + std::to_string(expected);
}

// Samples a program until there are so many. The kernel counts CPU time in ticks, which threads miss that lose their
// processor to others.
#define SAMPLE_AT_LEAST(least, sampled, ...)                                     \
  Sampled sampled;                                                               \
  EXPECT_TIMES(kAttempts, [&](int) {                                             \
    (sampled) = sample(__VA_ARGS__);                                             \
    return rateRefused(sampled)                                                  \
               ? ""                                                              \
               : atLeast(static_cast<double>(least), static_cast<double>((sampled).samples())); \
  })

double cpuSecondsOf(const TracedThread& thread) {
  double last = 0;
  for (const TracedEvent& event : thread.events) {
    if (event.kind == Kind::kCpu) last = static_cast<double>(event.payload[0]) * 1e-9;
  }
  return last;
}

// How many samples have an address in [start, stop) on their path.
long samplesIn(const TracedProcess& process, uint64_t start, uint64_t stop) {
  long count = 0;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind != Kind::kSample) continue;
      for (uint64_t path = event.operand; path != 0;) {
        const format::CallPathRecord& node = process.paths.at(static_cast<uint32_t>(path));
        if (node.kind != PathKind::kRegion && node.value >= start && node.value < stop) {
          ++count;
          break;
        }
        path = node.parent;
      }
    }
  }
  return count;
}

// Samples whose path has this region of the agent at its root.
long samplesUnder(const TracedProcess& process, const std::string& region) {
  long count = 0;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind != Kind::kSample) continue;
      uint64_t root = event.operand;
      while (root != 0 && process.paths.at(static_cast<uint32_t>(root)).parent != 0) {
        root = process.paths.at(static_cast<uint32_t>(root)).parent;
      }
      if (root != 0 && process.leafOf(root) == region) ++count;
    }
  }
  return count;
}
// What a report shows as their number.
uint64_t visitsOf(const TracedProcess& process, const std::string& region) {
  uint64_t visits = 0;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind != Kind::kVisits || process.leafOf(event.operand) != region) continue;
      visits += event.payload.at(0);
    }
  }
  return visits;
}
constexpr char kTruncated[] = "[call stack truncated]";
constexpr char kIncomplete[] = "[call stack incomplete]";
// gcc's start and end of modules (__do_global_dtors_aux) has no call frame information.
constexpr long kFewIncomplete = 2;

size_t depthOf(const TracedProcess& process, uint64_t path) {
  size_t depth = 0;
  for (; path != 0; path = process.paths.at(static_cast<uint32_t>(path)).parent) ++depth;
  return depth;
}

// ----------------------------------------------------------------- rate and shares

TEST(Sampling, HundredSamplesInASecondOfCpuTime) {
  // A busy machine lets the thread miss ticks, and makes samples rare; never frequent.
  EXPECT_TIMES(5, [](int) {
    const Sampled sampled = sample({"shares", "2"}, "100");
    EXPECT_LE(sampled.samples(), 210u);
    EXPECT_LE(samplesUnder(sampled.process(), kIncomplete), kFewIncomplete);
    return atLeast(190, static_cast<double>(sampled.samples()));
  });
}

struct Rate {
  const char* hz;
  const char* cpuSeconds;
  double least, most;  // samples; others may take the processor so often that ticks must do
};
class SampleRates : public testing::TestWithParam<Rate> {};

TEST_P(SampleRates, SharesOfPlantedSpots) {
  SAMPLE_AT_LEAST(GetParam().least, sampled, {"shares", GetParam().cpuSeconds}, GetParam().hz);
  SKIP_IF_REFUSED(sampled);
  const double all = static_cast<double>(sampled.samples());
  EXPECT_LT(all, GetParam().most);
  std::istringstream spots(sampled.outcome.output);
  std::string name;
  int known = 0;
  uint64_t start, stop;
  while (spots >> name >> std::hex >> start >> stop) {
    const double share = name == "spotSixty" ? 0.6 : name == "spotThirty" ? 0.3 : 0.1;
    // Four standard deviations of a binomial distribution.
    const double tolerance = 4 * std::sqrt(share * (1 - share) / all);
    const double found = static_cast<double>(samplesIn(sampled.process(), start, stop)) / all;
    printf("%s: %.4f of %.0f samples, expected %.1f +- %.4f\n", name.c_str(), found, all, share,
           tolerance);
    EXPECT_NEAR(share, found, tolerance) << name;
    ++known;
  }
  EXPECT_EQ(3, known);
}

INSTANTIATE_TEST_SUITE_P(All, SampleRates,
                         testing::Values(Rate{"100", "4", 300, 440}, Rate{"1000", "3", 700, 3300},
                                         Rate{"10000", "2", 450, 22000}));

// CPU time inside an intercepted routine has no samples, that after it has.
TEST(Sampling, SamplesInsideAreDropped) {
  for (const char* hz : {"100", "1000"}) {
    EXPECT_TIMES(kAttempts, [&](int) -> std::string {
      const Sampled sampled = sample({"spinning"}, hz);
      EXPECT_GT(std::stod(sampled.outcome.output), 0.1) << "the lock was free too soon";
      const TracedThread& thread = sampled.process().threads.at(1);
      const auto calls = sampled.process().calls(thread, "pthread_spin_lock");
      EXPECT_EQ(1u, calls.size());
      if (calls.empty()) return "";
      const uint64_t end = calls[0].back().ticks;
      size_t before = 0, after = 0;
      for (const TracedEvent& event : thread.events) {
        if (event.kind == Kind::kSample) ++(event.ticks < end ? before : after);
      }
      EXPECT_LE(before, 1u);  // where the thread begins
      return atLeast(8, static_cast<double>(after));
    });
  }
}

TEST(Sampling, NoSamplesAtZeroHertz) {
  const Sampled sampled = sample({"shares", "0.3"}, "0");
  EXPECT_EQ(0u, sampled.samples());
  EXPECT_GE(sampled.modulePaths.size(), 4u);
}

void allowNoPendingSignals() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_SIGPENDING, &none);
}

// Makes the kernel refuse perf_event_open, as a strict perf_event_paranoid does.
void refusePerfEvents() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    _exit(98);
  }
}

TEST(Sampling, RefusedTimersAreReplaced) {
  SAMPLE_AT_LEAST(45, sampled, {"shares", "0.5"}, "100", 0, allowNoPendingSignals);
  SKIP_IF_REFUSED(sampled);
  EXPECT_EQ("perf", sampled.process().settings.at("sample-source"));
  EXPECT_LE(sampled.samples(), 55u);
}

TEST(Sampling, RefusedPerfEventsLeaveTheTick) {
  SAMPLE_AT_LEAST(95, sampled, {"shares", "1"}, "1000", 0, refusePerfEvents);
  EXPECT_EQ("timer", sampled.process().settings.at("sample-source"));
  ASSERT_FALSE(sampled.process().notes.empty());
  EXPECT_NE(std::string::npos, sampled.process().notes[0].find("fewer samples"));
}

TEST(Sampling, RefusedTimersAndPerfEventsAreTold) {
  const Sampled sampled = sample({"shares", "0.3"}, "100", 0, [] {
    allowNoPendingSignals();
    refusePerfEvents();
  });
  EXPECT_EQ("none", sampled.process().settings.at("sample-source"));
  EXPECT_EQ(0u, sampled.samples());
  ASSERT_FALSE(sampled.process().notes.empty());
  EXPECT_NE(std::string::npos, sampled.process().notes[0].find("no samples"));
}

// ------------------------------------------------------------------------ modules

TEST(Sampling, ModulesAreDefined) {
  const Sampled sampled = sample({"shares", "0.1"}, "100");
  int program = 0, libc = 0;
  for (size_t i = 0; i < sampled.modulePaths.size(); ++i) {
    const std::string& path = sampled.modulePaths[i];
    if (path == guest("sampled")) ++program;
    if (path.find("/libc.so.6") != std::string::npos) ++libc;
    EXPECT_TRUE(path[0] == '/' || path.find("vdso") != std::string::npos) << path;
    EXPECT_EQ(0u, sampled.buildIds[i].size() % 2);
    EXPECT_FALSE(sampled.buildIds[i].empty()) << path;
  }
  EXPECT_EQ(1, program);
  EXPECT_EQ(1, libc);
  EXPECT_EQ(0u, sampled.unloads);
}

TEST(Sampling, LoadingAndUnloadingModulesAtTheHighestRate) {
  Sampled sampled;
  EXPECT_TIMES(kAttempts, [&](int) -> std::string {
    const auto start = std::chrono::steady_clock::now();
    sampled = sample({"modules", PARALLAX_SAMPLER_PLUGIN}, kHighRate);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%s samples %zu, modules %zu, unloads %zu, %.1f s\n", sampled.outcome.errors.c_str(),
           sampled.samples(), sampled.modulePaths.size(), sampled.unloads, seconds);
    // Three, and what recording and reading take.
    if (seconds >= 15) return std::to_string(seconds) + " s";
    return rateRefused(sampled) ? "" : atLeast(1000, static_cast<double>(sampled.samples()));
  });
  EXPECT_GT(sampled.unloads, 10u);
  SKIP_IF_REFUSED(sampled);
  EXPECT_LE(samplesUnder(sampled.process(), kIncomplete),
            static_cast<long>(sampled.samples()) / 100);
}

TEST(Sampling, ModulesWithoutSearchTable) {
  SAMPLE_AT_LEAST(41, sampled, {"inModule", PARALLAX_SAMPLER_PLUGIN_NO_HEADER}, "100");
  EXPECT_LE(samplesUnder(sampled.process(), kIncomplete), kFewIncomplete);
}

TEST(Sampling, ModulesFoundByTheRunpathOfTheirLoader) {
  SAMPLE_AT_LEAST(41, sampled, {"inFoundModule", PARALLAX_SAMPLER_LOADER}, "100");
  EXPECT_LE(samplesUnder(sampled.process(), kIncomplete), kFewIncomplete);
}

// ------------------------------------------------------------------------- stacks

// The path of an intercepted routine is that of its caller.
TEST(Sampling, CallersOfInterceptedRoutines) {
  const Sampled sampled = sample({"callers"}, "0");
  const TracedProcess& process = sampled.process();
  std::istringstream spot(sampled.outcome.output);
  std::string name;
  uint64_t start = 0, stop = 0;
  ASSERT_TRUE(spot >> name >> std::hex >> start >> stop);
  std::map<uint64_t, int> fromSpot, fromElsewhere;
  for (const auto& call : process.calls(process.threads.at(0), "pthread_join")) {
    const uint64_t path = call.front().operand;
    const uint32_t caller = process.paths.at(static_cast<uint32_t>(path)).parent;
    ASSERT_NE(0u, caller);
    const format::CallPathRecord& frame = process.paths.at(caller);
    ASSERT_EQ(PathKind::kReturnAddress, frame.kind);
    const bool inSpot = frame.value > start && frame.value <= stop;
    ++(inSpot ? fromSpot : fromElsewhere)[path];
    EXPECT_GE(depthOf(process, path), 5u);  // _start, __libc_start_main, main, ...
  }
  ASSERT_EQ(1u, fromSpot.size());
  EXPECT_EQ(20, fromSpot.begin()->second);
  // From three depths, 7, 7 and 6 times.
  EXPECT_EQ(3u, fromElsewhere.size());
}

TEST(Sampling, DeepRecursionIsTruncated) {
  SAMPLE_AT_LEAST(40, sampled, {"deepRecursion"}, "100");
  const long truncated = samplesUnder(sampled.process(), kTruncated);
  EXPECT_GE(truncated, 35);
  EXPECT_EQ(static_cast<uint64_t>(truncated), visitsOf(sampled.process(), kTruncated));
  for (const auto& [number, thread] : sampled.process().threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind != Kind::kSample) continue;
      EXPECT_LE(depthOf(sampled.process(), event.operand), 1025u);
    }
  }
}

TEST(Sampling, TinyStacks) {
  SAMPLE_AT_LEAST(3 * 3000, sampled, {"tinyStacks"}, kHighRate);
  SKIP_IF_REFUSED(sampled);
  EXPECT_EQ(4u, sampled.process().threads.size());
  EXPECT_LE(samplesUnder(sampled.process(), kIncomplete), kFewIncomplete);
}

TEST(Sampling, Exceptions) {
  SAMPLE_AT_LEAST(8000, sampled, {"exceptions"}, kHighRate);
  SKIP_IF_REFUSED(sampled);
  EXPECT_LE(samplesUnder(sampled.process(), kIncomplete),
            static_cast<long>(sampled.samples()) / 50);
}

TEST(Sampling, Fibers) {
  SAMPLE_AT_LEAST(41, sampled, {"fibers"}, "100");
}

// ------------------------------------------------------- what the program may notice

TEST(Sampling, TheProgramsProfilingTimerIsItsOwn) {
  // Ticks are late where the machine is shared; not every time.
  EXPECT_TIMES(kAttempts, [](int) {
    const Sampled sampled = sample({"ownProfilingTimer"}, "100");
    long own = 0;
    EXPECT_EQ(1, sscanf(sampled.outcome.output.c_str(), "SIGPROF %ld", &own));
    // The kernel counts it in ticks, roughly where the machine is shared.
    return atLeast(76, static_cast<double>(own)) + near(150, static_cast<double>(sampled.samples()), 10);
  });
}

TEST(Sampling, TheProgramsRealTimeSignalIsItsOwn) {
  const Sampled sampled = sample({"ownRealTimeSignal"}, "1000", 128 + SIGRTMAX);
  EXPECT_EQ("SIGRTMAX 3\n", sampled.outcome.output);
  EXPECT_GT(sampled.samples(), 10u);
}

TEST(Sampling, BlockedAndAwaitedSignals) {
  const Sampled sampled = sample({"blockedSignals"}, "100");
  EXPECT_EQ("got SIGUSR1, no more\n", sampled.outcome.output);
  ASSERT_EQ(2u, sampled.process().threads.size());
  for (const auto& [number, thread] : sampled.process().threads) {
    // Fifty, on a machine that is not so busy that ticks miss some.
    EXPECT_GE(thread.count(Kind::kSample), 25u) << "thread " << number;
  }
}

// Samples do not pile up until the kernel has no place for them and sends SIGIO.
TEST(Sampling, SignalsBlockedForLong) {
  const auto fewPendingSignals = [] {
    const rlimit few{1500, 1500};
    setrlimit(RLIMIT_SIGPENDING, &few);
  };
  // The limit is one of the user: what else the user runs at the moment counts.
  SAMPLE_AT_LEAST(2501, sampled, {"blockedInTheKernel"}, kHighRate, 0, fewPendingSignals);
  SKIP_IF_REFUSED(sampled);
}

TEST(Sampling, SystemCallsAreNotInterrupted) {
  for (const char* hz : {"200", kHighRate}) {
    // Those of them that the adapter would intercept are to be met by samples.
    const Sampled sampled = sample({"interruptedCalls"}, hz, 0,
                                   [] { setenv("PARALLAX_ADAPTERS", "-stream", 1); });
    EXPECT_EQ("interrupted 0\n", sampled.outcome.output) << sampled.outcome.errors;
    EXPECT_GT(sampled.samples(), 5u);
  }
}

// On wall time sleeps are measured, and the samples are left with the time of the work.
TEST(Sampling, WaitsOnWallTime) {
  for (const std::string clock : {"wall", "cpu"}) {
    const Sampled sampled = sample({"waitsAndWork"}, "250", 0, {}, {"--sample-clock", clock});
    const TracedProcess& process = sampled.process();
    EXPECT_EQ(clock, process.settings.at("sample-clock"));
    std::istringstream output(sampled.outcome.output);
    std::string name;
    uint64_t start = 0, stop = 0;
    double waited = 0, worked = 0;
    output >> name >> std::hex >> start >> stop >> name >> waited >> name >> worked;
    ASSERT_GT(worked, 0.0) << sampled.outcome.output;
    uint64_t measuredTicks = 0;
    const auto sleeps = process.calls(process.threads.at(0), "nanosleep");
    for (const auto& call : sleeps) {
      measuredTicks += call.back().ticks - call.front().ticks;
      EXPECT_TRUE(isWithin(process, call.front().operand, start, stop));
    }
    EXPECT_EQ(clock == "wall" ? 300u : 0u, sleeps.size());
    const double measured =
        static_cast<double>(measuredTicks) / static_cast<double>(process.process.tickHz);
    EXPECT_NEAR(clock == "wall" ? waited : 0, measured, 0.02 * (waited + worked));
    EXPECT_GT(sampled.samples(), 20u);
    EXPECT_LE(samplesIn(process, start, stop), static_cast<long>(sampled.samples() / 20));
  }
}

TEST(Sampling, ForkedChildren) {
  EXPECT_TIMES(kAttempts, [](int) {
    const Sampled sampled = sample({"forks"}, "100");
    EXPECT_EQ(2u, sampled.trace.processes.size());
    std::string wrong;
    for (const TracedProcess& process : sampled.trace.processes) {
      const bool child = process.process.parentPid == sampled.trace.processes[0].process.pid ||
                         process.process.parentPid == sampled.trace.processes.back().process.pid;
      wrong += near(child ? 60 : 30, static_cast<double>(process.count(Kind::kSample)), 8);
      EXPECT_EQ(sampled.trace.processes[0].modules, process.modules);
      EXPECT_LE(samplesUnder(process, kIncomplete), kFewIncomplete);
    }
    return wrong;
  });
}

TEST(Sampling, ExecutedPrograms) {
  for (const char* hz : {"200", kHighRate}) {
    const Sampled sampled = sample({"executions", "15"}, hz);
    EXPECT_EQ("done\n", sampled.outcome.output);
    EXPECT_EQ(16u, sampled.trace.processes.size());
  }
}

TEST(Sampling, ManyShortThreads) {
  SAMPLE_AT_LEAST(5000, sampled, {"shortThreads"}, kHighRate);
  EXPECT_EQ(1201u, sampled.process().threads.size());
  SKIP_IF_REFUSED(sampled);
  double cpuSeconds = 0;
  for (const auto& [number, thread] : sampled.process().threads) cpuSeconds += cpuSecondsOf(thread);
  EXPECT_GT(cpuSeconds, 0.5);
}

}  // namespace
}  // namespace parallax::tests
