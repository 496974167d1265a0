// OpenMP programs of tests/programs/openmp under GNU's and LLVM's runtime.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::SyncKind;

// Runs that are tried until one is told in time: a busy machine wakes threads late.
constexpr int kAttempts = 5;

// The parameter is the ending of the programs.
class OpenMp : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (access(program("cases").c_str(), X_OK) != 0) {
      GTEST_SKIP() << "no programs for " << GetParam() << ": its compiler is not installed";
    }
    // Threads that wait give the processor away, so that a busy machine can tell the time.
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("OMP_CANCELLATION", "true", 1);
  }
  void TearDown() override {
    unsetenv("OMP_WAIT_POLICY");
    unsetenv("OMP_CANCELLATION");
  }

  std::string program(const std::string& name) const {
    return std::string(PARALLAX_PROGRAMS_DIR "/openmp_") + name + "." + GetParam();
  }
  // Runs it with and without the agent; the result must be the same.
  TracedProcess traceOf(const std::string& name, const Words& arguments,
                        const Words& options = {}) {
    Words command{"timeout", "60", program(name)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Outcome plain = run(command);
    Words all{"--quiet"};
    all.insert(all.end(), options.begin(), options.end());
    const std::string directory = scratch_ / ("trace" + std::to_string(++traces_));
    const Outcome traced = run(recorded(directory, command, all));
    EXPECT_EQ(plain.status, traced.status);
    EXPECT_EQ(plain.output, traced.output);
    EXPECT_EQ(plain.errors, traced.errors);
    const Trace trace = loadTrace(directory);
    const TracedProcess* process = trace.ofExecutable(baseName(program(name)));
    EXPECT_NE(nullptr, process);
    return process != nullptr ? *process : TracedProcess{};
  }
  static std::string baseName(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
  }

  TemporaryDirectory scratch_;
  int traces_ = 0;
};

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

bool isOfOmpLock(const TracedProcess& process, const TracedEvent& event) {
  const auto object = process.objects.find(static_cast<uint32_t>(event.operand));
  return object != process.objects.end() && object->second.kind == SyncKind::kOpenMpLock;
}

bool acquiresOmp(const TracedProcess& process, const TracedEvent& event) {
  return event.kind == Kind::kAcquire && isOfOmpLock(process, event);
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

// What holds for every trace of a program that ended in order.
void expectTeamsConsistent(const TracedProcess& process) {
  struct Passing {
    uint64_t participants, count, lastEnter, firstLeave;
  };
  std::map<std::pair<uint64_t, uint64_t>, Passing> barriers;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> signals;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind != Kind::kSignal) continue;
      const bool isNew = signals.emplace(std::pair(event.operand, event.payload[0]), event.ticks)
                             .second;
      EXPECT_TRUE(isNew) << "signal " << event.payload[0] << " of object " << event.operand;
    }
  }
  for (const auto& [number, thread] : process.threads) {
    EXPECT_EQ(thread.count(Kind::kEnter), thread.count(Kind::kLeave)) << "thread " << number;
    // Threads of other libraries end with the process.
    if (number == 0 || thread.count(Kind::kBarrier) > 0) {
      EXPECT_EQ(1u, thread.count(Kind::kThreadEnd)) << "thread " << number;
    }
    EXPECT_EQ(0u, thread.lost);
    uint64_t enter = 0;  // of the barrier, after the last task that was executed within it
    for (const TracedEvent& event : thread.events) {
      if (event.kind == Kind::kEnter) enter = event.ticks;
      if (event.kind == Kind::kWake && event.payload[0] != 0) {
        const auto signal = signals.find(std::pair(event.operand, event.payload[0]));
        ASSERT_NE(signals.end(), signal) << "thread " << number;
        EXPECT_LE(signal->second, event.ticks);
      }
      if (event.kind != Kind::kBarrier) continue;
      Passing& passing = barriers[{event.operand, event.payload[0]}];
      passing.participants = event.payload[1];
      passing.lastEnter = std::max(passing.lastEnter, enter);
      passing.firstLeave =
          passing.count++ == 0 ? event.ticks : std::min(passing.firstLeave, event.ticks);
    }
  }
  for (const auto& [key, passing] : barriers) {
    EXPECT_EQ(passing.participants, passing.count) << "generation " << std::hex << key.second;
    EXPECT_LE(passing.lastEnter, passing.firstLeave) << "generation " << std::hex << key.second;
  }
  expectLocksConsistent(process);
}

TEST_P(OpenMp, ImbalanceIsWaitingAtTheBarrier) {
  // The planted waits are 120, 80, 40 and 0 ms.
  std::map<int, double> waits;
  double error = 1000;
  for (int attempt = 0; attempt < kAttempts && error > 20; attempt++) {
    const TracedProcess process = traceOf("cases", {"imbalance", "4"});
    ASSERT_EQ(4u, process.threads.size());
    expectTeamsConsistent(process);
    waits.clear();
    for (const auto& [number, thread] : process.threads) {
      waits[shareOf(process, number)] = timeIn(process, thread, "omp implicit barrier") +
                                        timeIn(process, thread, "omp barrier");
    }
    ASSERT_EQ(4u, waits.size());
    error = 0;
    for (const auto& [share, wait] : waits) {
      error = std::max(error, std::abs(40.0 * (3 - share) - wait));
    }
  }
  EXPECT_LE(error, 20) << testing::PrintToString(waits);
}

TEST_P(OpenMp, SpinningIsNotWork) {
  setenv("OMP_WAIT_POLICY", "active", 1);
  const TracedProcess process = traceOf("cases", {"spin", "2"}, {"--sample-hz", "1000"});
  ASSERT_EQ(2u, process.threads.size());
  expectTeamsConsistent(process);
  const size_t busy = process.threads.at(0).count(Kind::kSample);
  const size_t spinning = process.threads.at(1).count(Kind::kSample);
  EXPECT_GT(busy, 60u);  // 120 of them, on a machine that can take so many
  EXPECT_LE(spinning, 3u);
  EXPECT_GT(timeIn(process, process.threads.at(1), "omp implicit barrier") +
                timeIn(process, process.threads.at(1), "omp barrier"),
            80);
}

// The two states of each thread: outside, in its share, as long as the program's own clock says;
// inside for the rest. Samples are of the share, called from the region's function.
TEST_P(OpenMp, SampledTimeIsThatOfTheShare) {
  double error = 1000;
  for (int attempt = 0; attempt < kAttempts && error > 5; attempt++) {
    const std::string directory = scratch_ / ("work" + std::to_string(attempt));
    const Outcome outcome = run(recorded(directory, {"timeout", "60", program("cases"), "work", "3"},
                                         {"--quiet", "--sample-hz", "500"}));
    ASSERT_EQ(0, outcome.status) << outcome.errors;
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
    ASSERT_EQ(3u, shares.size()) << outcome.output;
    const Trace trace = loadTrace(directory);
    const TracedProcess* process = trace.ofExecutable(baseName(program("cases")));
    ASSERT_NE(nullptr, process);
    ASSERT_EQ(3u, process->threads.size());
    expectTeamsConsistent(*process);
    error = 0;
    for (const auto& [id, thread] : process->threads) {
      const int own = shareOf(*process, id);
      uint64_t inside = 0, entered = 0, samples = 0;
      int depth = 0;
      for (const TracedEvent& event : thread.events) {
        if (event.kind == Kind::kEnter && depth++ == 0) entered = event.ticks;
        if (event.kind == Kind::kLeave && --depth == 0) inside += event.ticks - entered;
        if (event.kind != Kind::kSample || own == 0) continue;
        EXPECT_EQ(0, depth);
        samples++;
        const std::vector<uint64_t> frames = framesOf(*process, event.operand);
        if (frames.empty() || frames.front() == shares[own].caller) continue;
        // In the share's own code, around its call.
        constexpr uint64_t kMostBytes = 512;
        if (frames.size() == 1 && frames[0] + kMostBytes - shares[own].caller < 2 * kMostBytes) continue;
        ADD_FAILURE() << "thread " << own << " is sampled at " << std::hex << frames.front()
                      << ", not below " << shares[own].caller;
      }
      if (own == 0) continue;  // it is outside before and after the region, too
      EXPECT_GT(samples, 0u) << "thread " << own;
      const uint64_t whole = thread.events.back().ticks - thread.events.front().ticks;
      error = std::max(error, std::abs(milliseconds(*process, whole - inside) -
                                       1e-6 * static_cast<double>(shares[own].ns)));
    }
  }
  EXPECT_LE(error, 5);
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

TEST_P(OpenMp, TasksWithDependencesFollowOneAnother) {
  const TracedProcess process = traceOf("cases", {"chain", "3"});
  expectTeamsConsistent(process);
  EXPECT_EQ(1u, process.objectsOf(SyncKind::kOpenMpTasks));
  // Each of the four was created in a call, and begun by a Wake of that call's Signal.
  std::set<uint64_t> created, begun;
  for (const auto& [number, thread] : process.threads) {
    for (const auto& call : process.calls(thread, "omp task")) {
      for (const TracedEvent& event : call) {
        if (event.kind == Kind::kSignal) created.insert(event.payload[0]);
      }
    }
    for (const TracedEvent& event : thread.events) {
      if (event.kind == Kind::kWake) begun.insert(event.payload[0]);
    }
  }
  EXPECT_EQ(4u, created.size());
  for (const uint64_t signal : created) EXPECT_EQ(1u, begun.count(signal)) << signal;
}

TEST_P(OpenMp, TaskwaitWaitsForTheTask) {
  double waited = 0;
  for (int attempt = 0; attempt < kAttempts && std::abs(waited - 38) > 12; attempt++) {
    const TracedProcess process = traceOf("cases", {"taskwait"});
    expectTeamsConsistent(process);
    // Until the task's end, which wakes it: a busy machine lets it go on later.
    std::map<uint64_t, uint64_t> signals;
    for (const auto& [number, thread] : process.threads) {
      for (const TracedEvent& event : thread.events) {
        if (event.kind == Kind::kSignal) signals[event.payload[0]] = event.ticks;
      }
    }
    waited = 0;
    size_t wakes = 0;
    for (const auto& [number, thread] : process.threads) {
      for (const auto& call : process.calls(thread, "omp taskwait")) {
        for (const TracedEvent& event : call) {
          if (event.kind != Kind::kWake) continue;
          wakes++;
          waited = milliseconds(process, signals[event.payload[0]] - call.front().ticks);
        }
      }
    }
    EXPECT_EQ(1u, wakes);
  }
  EXPECT_NEAR(38, waited, 12);
}

TEST_P(OpenMp, NestedTeamsAreTeams) {
  const TracedProcess process = traceOf("cases", {"nested"});
  expectTeamsConsistent(process);
  size_t regions = 0;
  for (const auto& [number, thread] : process.threads) {
    regions += process.calls(thread, "omp parallel").size();
  }
  EXPECT_EQ(9u, regions);
  EXPECT_GE(process.objectsOf(SyncKind::kOpenMpTasks), 3u);
  // Four at once at least; a runtime may make new ones for each inner team.
  EXPECT_GE(process.threads.size(), 4u);
}

TEST_P(OpenMp, BetweenRegionsWorkersAreIdle) {
  double idle = 0, waiting = 1000;
  for (int attempt = 0; attempt < kAttempts && (std::abs(idle - 60) > 20 || waiting > 20);
       attempt++) {
    const TracedProcess process = traceOf("cases", {"idle", "2"});
    ASSERT_EQ(2u, process.threads.size());
    expectTeamsConsistent(process);
    const TracedThread& worker = process.threads.at(1);
    idle = timeIn(process, worker, "[OpenMP idle]");
    waiting = timeIn(process, worker, "omp implicit barrier");
    EXPECT_FALSE(hasRoutine(process, process.threads.at(0), "[OpenMP idle]"));
    EXPECT_EQ(0u, process.threadNames.at(1).find("OpenMP worker"));
    EXPECT_EQ(1u, process.threads.at(0).count(Kind::kThreadCreate));
  }
  EXPECT_NEAR(60, idle, 20);
  EXPECT_LT(waiting, 20);
}

TEST_P(OpenMp, EndOfTheProcessInsideARegion) {
  const TracedProcess process = traceOf("cases", {"exit", "3"});
  EXPECT_EQ(3u, process.threads.size());
  ASSERT_EQ(1u, process.ends.size());
  EXPECT_EQ(3, process.ends[0].status);
}

TEST_P(OpenMp, AllConstructsGiveTheSameResults) {
  for (const std::string threads : {"1", "2", "3"}) {
    // LLVM 14's doacross loops end with a signal in a team of one under libgomp's names.
    if (threads == "1" && GetParam() == std::string("gnu_on_llvm")) continue;
    SCOPED_TRACE(threads);
    expectTeamsConsistent(traceOf("cases", {"results", threads}));
  }
}

TEST_P(OpenMp, DetachedTask) {
  if (GetParam() == std::string("gnu_on_llvm")) {
    GTEST_SKIP() << "LLVM 14 has no detached tasks under libgomp's names";
  }
  expectTeamsConsistent(traceOf("cases", {"detached"}));
}

TEST_P(OpenMp, MastersInSeveralThreadsAndExceptions) {
  if (access(program("threads").c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no C++ program for " << GetParam();
  }
  const TracedProcess process = traceOf("threads", {});
  expectTeamsConsistent(process);
  EXPECT_GE(process.threads.size(), 3u);  // the pool's may serve one after the other
  EXPECT_LE(process.threads.size(), 4u);
}

TEST_P(OpenMp, Fortran) {
  if (access(program("fortran").c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no Fortran program for " << GetParam() << ": there is no compiler for it";
  }
  const TracedProcess process = traceOf("fortran", {});
  expectTeamsConsistent(process);
  EXPECT_EQ(3u, process.objectsOf(SyncKind::kOpenMpLock));
}

TEST_P(OpenMp, EveryAcquisitionOfEveryKindOfLock) {
  const TracedProcess process = traceOf("cases", {"locks"});
  expectTeamsConsistent(process);
  // A lock, a nested lock, the unnamed critical section, and what stands for atomics that the
  // compiler has no instruction for.
  const bool atomics = GetParam() != std::string("llvm");
  EXPECT_EQ(atomics ? 4u : 3u, process.objectsOf(SyncKind::kOpenMpLock));
  size_t acquired = 0, released = 0;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& event : thread.events) {
      if (!isOfOmpLock(process, event)) continue;
      acquired += event.kind == Kind::kAcquire;
      released += event.kind == Kind::kRelease;
    }
  }
  const size_t always = atomics ? 160 : 120;
  EXPECT_GT(acquired, always);  // and those of omp_test_lock that succeeded
  EXPECT_LE(acquired, always + 40);
  EXPECT_EQ(acquired, released);
}

TEST_P(OpenMp, PausedRuntime) {
  expectTeamsConsistent(traceOf("cases", {"pause"}));
}

TEST_P(OpenMp, ChildAfterARegion) {
  const Words command{"timeout", "60", program("cases"), "fork"};
  const Outcome plain = run(command);
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status);
  EXPECT_EQ(plain.output, traced.output);
  const Trace trace = loadTrace(scratch_ / "trace");
  size_t regions = 0;
  for (const TracedProcess& process : trace.processes) {
    if (process.executable.find("openmp_cases") == std::string::npos) continue;
    expectTeamsConsistent(process);
    regions += process.calls(process.threads.at(0), "omp parallel").size();
  }
  // GNU's runtime cannot begin one in the child.
  EXPECT_EQ(GetParam() == std::string("gnu") ? 2u : 3u, regions);
}

// A child may have been made while another thread changed what it finds at its end.
TEST_P(OpenMp, ChildrenWhileWorkersBeginAndEnd) {
  if (GetParam() != std::string("gnu")) GTEST_SKIP() << "LLVM's runtime keeps its threads";
  const Words command{"timeout", "100", program("cases"), "churn"};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("failed 0\n", traced.output);
}

// By a path, and by a name that is looked for where the caller's module says.
TEST_P(OpenMp, LibraryThatIsLoaded) {
  const std::string function = GetParam() == std::string("llvm") ? "sumOfLlvm" : "sumOfGnu";
  for (const std::string& library : {program("plugin.so"), baseName(program("plugin.so"))}) {
    SCOPED_TRACE(library);
    const Words command{"timeout", "60", PARALLAX_PROGRAMS_DIR "/openmp_loader", library, function};
    const std::string directory = scratch_ / ("trace" + std::to_string(++traces_));
    const Outcome traced = run(recorded(directory, command, {"--quiet"}));
    EXPECT_EQ(0, traced.status) << traced.errors;
    EXPECT_EQ("sum 4950\nsum 4950\n", traced.output);
    const Trace trace = loadTrace(directory);
    const TracedProcess* process = trace.ofExecutable("openmp_loader");
    ASSERT_NE(nullptr, process);
    expectTeamsConsistent(*process);
    EXPECT_EQ(2u, process->threads.size());
    size_t acquired = 0;
    for (const auto& [number, thread] : process->threads) {
      for (const TracedEvent& event : thread.events) acquired += acquiresOmp(*process, event);
    }
    EXPECT_EQ(200u, acquired);
  }
}

// While a constructor runs its thread has the dynamic linker's lock.
TEST_P(OpenMp, RegionInAConstructorWhileALibraryIsLoaded) {
  const Words command{"timeout", "10", PARALLAX_PROGRAMS_DIR "/openmp_loader",
                      program("constructor.so"), "sumOfConstructor"};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("sum 4950\nsum 4950\n", traced.output);
}

// GNU's stays, as its threads do; LLVM's ends them.
TEST_P(OpenMp, RuntimeThatIsUnloaded) {
  setenv("OMP_WAIT_POLICY", "active", 1);  // they execute its code all the time
  const std::string function = GetParam() == std::string("llvm") ? "sumOfLlvm" : "sumOfGnu";
  const std::string library = "-" + program("plugin.so");
  const Words command{"timeout", "60", PARALLAX_PROGRAMS_DIR "/openmp_loader",
                      library, function, library, function};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("sum 4950\nsum 4950\nsum 4950\nsum 4950\n", traced.output);
}

TEST_P(OpenMp, FirstCallOnASmallStack) {
  expectTeamsConsistent(traceOf("cases", {"stack"}));
}

// Libraries that define routines of OpenMP come and go as they do without the agent. What dlerror()
// has to say is left to the program.
TEST_P(OpenMp, LibrariesThatAreUnloaded) {
  const std::string stub = PARALLAX_PROGRAMS_DIR "/openmp_stub1.so";
  if (access(stub.c_str(), R_OK) != 0) GTEST_SKIP() << "gcc is not installed";
  expectTeamsConsistent(traceOf("reload", {stub, "/no/such.so", stub}));
}

TEST(OpenMpRuntimes, TwoInOneProcess) {
  const Words command{"timeout", "60", PARALLAX_PROGRAMS_DIR "/openmp_loader",
                      PARALLAX_PROGRAMS_DIR "/openmp_plugin.so.gnu", "sumOfGnu",
                      PARALLAX_PROGRAMS_DIR "/openmp_plugin.so.llvm", "sumOfLlvm"};
  if (access(command[3].c_str(), R_OK) != 0 || access(command[5].c_str(), R_OK) != 0) {
    GTEST_SKIP() << "gcc, or clang and its OpenMP, is not installed";
  }
  TemporaryDirectory scratch;
  const Outcome traced = run(recorded(scratch / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("sum 4950\nsum 4950\nsum 4950\nsum 4950\n", traced.output);
  const Trace trace = loadTrace(scratch / "trace");
  const TracedProcess* process = trace.ofExecutable("openmp_loader");
  ASSERT_NE(nullptr, process);
  expectTeamsConsistent(*process);
  EXPECT_EQ(3u, process->threads.size());
  EXPECT_EQ(4u, process->calls(process->threads.at(0), "omp parallel").size());
  EXPECT_EQ(2u, process->objectsOf(SyncKind::kOpenMpLock));
}

// Calls of libraries that hold a runtime, or one that has another name, beside another runtime or
// alone: each reaches its own.
class OpenMpHiddenRuntime : public testing::Test {
 protected:
  static std::string library(const std::string& name) {
    return PARALLAX_PROGRAMS_DIR "/openmp_" + name;
  }
  // Loads the libraries and calls the function of each twice; how many critical sections were seen.
  size_t acquisitionsOf(const Words& librariesAndFunctions) {
    Words command{"timeout", "60", library("loader")};
    std::string expected;
    for (size_t i = 0; i < librariesAndFunctions.size(); i += 2) {
      const std::string& name = librariesAndFunctions[i];
      const bool forAll = name[0] == '+';  // as the loader takes it
      command.push_back(forAll ? "+" + library(name.substr(1)) : library(name));
      command.push_back(librariesAndFunctions[i + 1]);
      expected += "sum 4950\nsum 4950\n";
    }
    const std::string directory = scratch_ / ("trace" + std::to_string(++traces_));
    const Outcome traced = run(recorded(directory, command, {"--quiet"}));
    EXPECT_EQ(0, traced.status) << traced.errors;
    EXPECT_EQ(expected, traced.output);
    const Trace trace = loadTrace(directory);
    const TracedProcess* process = trace.ofExecutable("openmp_loader");
    if (process == nullptr) return 0;
    size_t acquired = 0;
    for (const auto& [number, thread] : process->threads) {
      for (const TracedEvent& event : thread.events) acquired += acquiresOmp(*process, event);
    }
    return acquired;
  }

  TemporaryDirectory scratch_;
  int traces_ = 0;
};

TEST_F(OpenMpHiddenRuntime, PartOfALibrary) {
  if (access(library("plugin.so.gnu").c_str(), R_OK) != 0) GTEST_SKIP() << "gcc is not installed";
  for (const std::string own : {"own_runtime.so.gnu", "own_runtime.so.sysv"}) {  // kinds of tables
    SCOPED_TRACE(own);
    EXPECT_EQ(40000u, acquisitionsOf({own, "sumOfOwn"}));
    EXPECT_EQ(40200u, acquisitionsOf({"plugin.so.gnu", "sumOfGnu", own, "sumOfOwn"}));
    EXPECT_EQ(40200u, acquisitionsOf({own, "sumOfOwn", "plugin.so.gnu", "sumOfGnu"}));
  }
}

TEST_F(OpenMpHiddenRuntime, OfAnotherName) {
  if (access(library("plugin.so.renamed").c_str(), R_OK) != 0 ||
      access(library("plugin.so.gnu").c_str(), R_OK) != 0) {
    GTEST_SKIP() << "gcc, or clang and its OpenMP, is not installed";
  }
  EXPECT_EQ(200u, acquisitionsOf({"plugin.so.renamed", "sumOfLlvm"}));
  EXPECT_EQ(400u, acquisitionsOf({"plugin.so.gnu", "sumOfGnu", "plugin.so.renamed", "sumOfLlvm"}));
  EXPECT_EQ(400u, acquisitionsOf({"plugin.so.renamed", "sumOfLlvm", "plugin.so.gnu", "sumOfGnu"}));
  // The second library uses the runtime of the first one, too, though it has brought its own.
  EXPECT_EQ(400u, acquisitionsOf({"+plugin.so.renamed", "sumOfLlvm", "plugin.so.gnu", "sumOfGnu"}));
}

// Each calls its own routine, not the one that was at its place before.
TEST_F(OpenMpHiddenRuntime, OneAfterTheOther) {
  const std::string one = library("stub1.so"), two = library("stub2.so");
  if (access(one.c_str(), R_OK) != 0) GTEST_SKIP() << "gcc is not installed";
  const Words command{"timeout", "60", library("reload"), one, two, two, one};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  const std::string ofOne = "11\nunloaded\nclosed\n", ofTwo = "12\nunloaded\nclosed\n";
  EXPECT_EQ(ofOne + ofTwo + ofTwo + ofOne, traced.output);
}

TEST_P(OpenMp, WithinMpi) {
  if (access(program("hybrid").c_str(), X_OK) != 0) {
    GTEST_SKIP() << "mpicc.openmpi is not installed";
  }
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  const Words command{"timeout", "60", "mpirun.openmpi", "-n", "2", program("hybrid")};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("sum 59400\n", traced.output);
  const Trace trace = loadTrace(scratch_ / "trace");
  size_t ranks = 0;
  for (const TracedProcess& process : trace.processes) {
    if (process.executable.find("openmp_hybrid") == std::string::npos) continue;
    ranks++;
    expectTeamsConsistent(process);
    const TracedThread& master = process.threads.at(0);
    EXPECT_EQ(4u, process.calls(master, "MPI_Allreduce").size());
    size_t members = 0;  // threads that were in the teams
    for (const auto& [number, thread] : process.threads) {
      members += thread.count(Kind::kBarrier) > 0;
    }
    EXPECT_EQ(2u, members);
  }
  EXPECT_EQ(2u, ranks);
}

TEST_P(OpenMp, SwitchedOff) {
  const TracedProcess off = traceOf("cases", {"results", "2"}, {"--adapters", "-openmp"});
  EXPECT_EQ(0u, off.objectsOf(SyncKind::kOpenMpTasks));
  EXPECT_EQ(0u, off.objectsOf(SyncKind::kOpenMpLock));
  EXPECT_GE(off.threads.size(), 2u);  // which are sampled as any others
  for (const auto& [number, name] : off.regions) EXPECT_NE(0u, name.find("omp ")) << name;
}

TEST_P(OpenMp, WithAThreadLimit) {
  setenv("OMP_THREAD_LIMIT", "2", 1);
  expectTeamsConsistent(traceOf("cases", {"results", "2"}));
  unsetenv("OMP_THREAD_LIMIT");
}

TEST_P(OpenMp, ManyRunsWithoutAHang) {
  const Words command{"timeout", "60", program("cases"), "results", "2"};
  const Outcome plain = run(command);
  // The third way has the code of the second one.
  const int repetitions = GetParam() == std::string("gnu_on_llvm") ? 20 : 200;
  for (int i = 0; i < repetitions; i++) {
    TemporaryDirectory scratch;
    const Outcome outcome = run(recorded(scratch / "trace", command, {"--quiet"}));
    ASSERT_EQ(0, outcome.status) << "run " << i;
    ASSERT_EQ(plain.output, outcome.output) << "run " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Runtimes, OpenMp, testing::Values("gnu", "llvm", "gnu_on_llvm"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parallax::tests
