// Delay points in real programs: what is counted, and that the program does not notice.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/guest_trace.h"
#include "tests/other_load.h"
#include "tests/perturb/trial.h"

namespace parallax::tests {
namespace {

const std::string kGuest = guest("perturb");

// Points 0 to 2 of factor 0 at the three kinds of places.
void addAll(Trial* trial) {
  trial->module(kGuest);
  trial->jump(0, 0);
  trial->shortJump(1, 0);
  trial->trap(2, 0);
}

void expectOk(const Outcome& outcome, const Trial& trial) {
  EXPECT_EQ(0, outcome.status) << outcome.output << outcome.errors;
  EXPECT_EQ("ok\n", outcome.output);
  EXPECT_EQ("", trial.problems());
}

TEST(PerturbPoints, CountExactlyInThreads) {
  Trial trial;
  addAll(&trial);
  const Outcome outcome = trial.run({kGuest, "threads", "8", "20000"});
  expectOk(outcome, trial);
  EXPECT_EQ(160000u, trial.sum(0).count);
  EXPECT_EQ(160000u, trial.sum(1).count);
  EXPECT_EQ(1600u, trial.sum(2).count);
  EXPECT_EQ(8u, trial.shards().size());
  EXPECT_EQ(0u, trial.sum(0).requestedNs);
  EXPECT_EQ(0u, trial.sum(0).achievedNs);
}

TEST(PerturbPoints, CountExactlyInMoreThreadsThanShards) {
  Trial trial;
  addAll(&trial);
  const Outcome outcome = trial.run({kGuest, "threads", "1500", "100"});
  expectOk(outcome, trial);
  EXPECT_EQ(150000u, trial.sum(0).count);
  EXPECT_EQ(1500u, trial.sum(2).count);
  EXPECT_EQ(1024u, trial.shards().size());  // the last one is shared
}

TEST(PerturbPoints, CountExactlyInForkedProcesses) {
  Trial trial;
  addAll(&trial);
  const Outcome outcome = trial.run({kGuest, "forks", "10"});
  EXPECT_EQ(0, outcome.status) << outcome.output;
  EXPECT_EQ(55u, trial.sum(0).count);
  EXPECT_EQ(10u, trial.sum(2).count);
  const auto shards = trial.shards();
  ASSERT_EQ(10u, shards.size());
  for (size_t i = 0; i < shards.size(); i++) EXPECT_EQ(i + 1, shards[i].points[0].count);
}

TEST(PerturbPoints, CountExactlyInExecutedPrograms) {
  Trial trial;
  addAll(&trial);
  const Outcome outcome = trial.run({"/bin/sh", "-c", kGuest + " exec threads 2 50; true"});
  expectOk(outcome, trial);
  EXPECT_EQ(103u, trial.sum(0).count);
  EXPECT_EQ(3u, trial.shards().size());
}

TEST(PerturbPoints, LeaveEveryRegisterAsItIs) {
  for (const char* level : {"none", "delay\ttime\t100", "delay\twork\t100", "delay\tsleep\t1000",
                            "buffer\t8192", "message\t100", "lock\t0\t"}) {
    Trial trial;
    trial.module(kGuest);
    trial.jump(0, 0, "place_state_site");
    const bool locks = std::string(level) == "lock\t0\t";
    trial.level(0, level + (locks ? hexOf(trial.file(0).address("guest_mutex")) : ""));
    expectOk(trial.run({kGuest, "states"}), trial);
    EXPECT_EQ(128u, trial.sum(0).count) << level;
    EXPECT_EQ(0u, trial.sum(0).skipped) << level;
  }
}

TEST(PerturbPoints, LetExceptionsPass) {
  Trial calls;
  addAll(&calls);
  calls.call(3, 1);
  calls.level(0, "delay\ttime\t1000");
  calls.level(1, "delay\ttime\t1000");
  expectOk(calls.run({kGuest, "exceptions", "100"}), calls);
  EXPECT_EQ(200u, calls.sum(3).count);
  EXPECT_EQ(100u, calls.sum(0).count);
}

TEST(PerturbPoints, AreReachedByHandlersInTheMiddleOfDelays) {
  Trial trial;
  trial.module(kGuest);
  trial.jump(0, 0);
  trial.level(0, "delay\ttime\t200000");
  const Outcome outcome = trial.run({kGuest, "signals", "1000", "500"});
  EXPECT_EQ(0, outcome.status);
  long all = 0, alarms = 0;
  std::istringstream(outcome.output) >> all >> alarms;
  EXPECT_EQ(static_cast<uint64_t>(all), trial.sum(0).count);
  EXPECT_GT(alarms, 100);
  EXPECT_EQ(trial.sum(0).count * 200000, trial.sum(0).requestedNs);
}

TEST(PerturbPoints, SleepOnWhenInterrupted) {
  Trial trial;
  trial.module(kGuest);
  trial.jump(0, 0);
  trial.level(0, "delay\tsleep\t20000000");
  const Outcome outcome = trial.run({kGuest, "signals", "300", "37000"});
  EXPECT_EQ(0, outcome.status);
  const Counted counted = trial.sum(0);
  EXPECT_GE(counted.count, 10u);
  EXPECT_GE(counted.achievedNs, counted.requestedNs);
}

TEST(PerturbPoints, LeaveTheProgramItsSignals) {
  Trial trial;
  addAll(&trial);
  expectOk(trial.run({kGuest, "traps"}), trial);
  EXPECT_EQ(11u, trial.sum(2).count);
}

TEST(PerturbPoints, InALibraryThatComesAndGoes) {
  const std::string library = guest("perturb-library.so");
  // By its path, and by its name alone, for which the linker looks at who calls it.
  for (const std::string& name : {library, library.substr(library.rfind('/') + 1)}) {
    for (const char* buildId : {static_cast<const char*>(nullptr), "-"}) {
      for (const char* threads : {"0", "3"}) {
        Trial trial;
        trial.module(kGuest);
        trial.module(library, buildId);
        trial.jump(0, 0, "place_jump", 1);
        expectOk(trial.run({kGuest, "loads", name, "100", threads}), trial);
        EXPECT_EQ(300u, trial.sum(0).count) << name << threads;
      }
    }
  }
}

// A thread that is stopped inside of a place is never proven to be outside, however long it takes.
TEST(PerturbPoints, LeaveAThreadInsideOfAPlaceItsInstructions) {
  const std::string library = guest("perturb-early.so");
  Trial trial;
  trial.module(kGuest);
  trial.module(library);
  const uint64_t at = trial.file(1).address("early_place");
  const std::string original = trial.file(1).code(at, 6);
  ASSERT_EQ("908b0783c007", hexOf(original));
  trial.point(0, 0, 1, at, "jump", 0, original, original + std::string("\xe9\0\0\0\0", 5),
              "7:rel32:" + hexOf(at + 6));
  expectOk(trial.run({kGuest, "early", library}), trial);
  EXPECT_EQ(100u, trial.sum(0).count);
}

TEST(PerturbPoints, AreRefusedWhereProcessorsAreNotSynchronised) {
  const std::string library = guest("perturb-library.so");
  Trial trial;
  trial.module(kGuest);
  trial.module(library);
  trial.jump(0, 0, "place_jump", 1);
  const Outcome outcome = trial.run({kGuest, "sealed", library, "100", "3"});
  EXPECT_EQ("ok\n", outcome.output) << outcome.status << outcome.errors;
  EXPECT_EQ(0u, trial.sum(0).count);
  EXPECT_NE(std::string::npos, trial.problems().find("(membarrier)")) << trial.problems();
}

TEST(PerturbPoints, SeveralAtOnePlace) {
  Trial trial;
  trial.module(kGuest);
  trial.jump(0, 0);
  trial.jump(1, 1);
  trial.jump(2, 2);
  trial.level(1, "delay\ttime\t1000");
  expectOk(trial.run({kGuest, "threads", "1", "1000"}), trial);
  for (int id = 0; id < 3; id++) EXPECT_EQ(1000u, trial.sum(id).count);
  EXPECT_EQ(0u, trial.sum(0).requestedNs);
  EXPECT_EQ(1000000u, trial.sum(1).requestedNs);
}

TEST(PerturbPoints, AThousand) {
  Trial trial;
  trial.module(kGuest);
  for (int i = 999; i >= 0; i--) trial.jump(i, 0, "place_many", 0, 16 * static_cast<uint64_t>(i));
  expectOk(trial.run({kGuest, "many"}), trial);
  const auto shards = trial.shards();
  ASSERT_EQ(1u, shards.size());
  for (const Counted& counted : shards[0].points) EXPECT_EQ(1u, counted.count);
}

// What a call takes at the place, of several programs the one in the middle. A program tells the least of several measurements,
// which keeps out what the machine does meanwhile. But how fast work is done it measures only once: if it is disturbed then, all its
// delays are too short.
double nsOf(const std::string& place, const std::string& level) {
  Trial trial;
  addAll(&trial);
  trial.macro(3, 0, "one");
  trial.level(0, level);
  std::vector<double> found;
  for (int program = 0; program < 3; program++) {
    const Outcome outcome = trial.run({kGuest, "times", "100"});
    std::istringstream words(outcome.output);
    std::string name;
    for (double ns; words >> name >> ns;) {
      if (name == place) found.push_back(ns);
    }
  }
  std::sort(found.begin(), found.end());
  return found.size() == 3 ? found[1] : 0;
}

TEST(PerturbPoints, TakeAsLongAsTheyAreAsked) {
  EXPECT_TIMES(kAttempts, [](int) {
    std::string wrong;
    for (const std::string place : {"jump", "short", "macro"}) {
      const double none = nsOf(place, "none");
      for (const std::string kind : {"time", "work"}) {
        // The first and the last instructions of so little work overlap with those around it.
        for (const auto& [ns, tolerance] : {std::pair{100, 35}, {1000, 70}, {10000, 700}}) {
          const double found = nsOf(place, "delay\t" + kind + "\t" + std::to_string(ns)) - none;
          if (std::abs(found - ns) <= tolerance) continue;
          wrong += place + ", " + kind + ": " + std::to_string(found) + " ns, not " + std::to_string(ns) + "; ";
        }
      }
    }
    return wrong;
  });
}

// What is counted as achieved is what the program has lost.
TEST(PerturbPoints, TellWhatTheyHaveAchieved) {
  for (const std::string kind : {"time", "work", "sleep"}) {
    EXPECT_TIMES(kAttempts, [&](int) -> std::string {
      Trial trial;
      trial.module(kGuest);
      trial.jump(0, 0);
      trial.level(0, "delay\t" + kind + "\t20000");
      const auto before = std::chrono::steady_clock::now();
      expectOk(trial.run({kGuest, "threads", "1", "20000"}), trial);
      const std::chrono::duration<double, std::nano> elapsed =
          std::chrono::steady_clock::now() - before;
      const Counted counted = trial.sum(0);
      EXPECT_EQ(400'000'000u, counted.requestedNs);
      EXPECT_GE(counted.achievedNs, (kind == "work" ? 0.9 : 0.999) * 400e6) << kind;
      EXPECT_LE(counted.achievedNs, elapsed.count()) << kind;
      // The program's start and end, and what others take of it between the delays.
      if (counted.achievedNs >= elapsed.count() - 150e6) return "";
      return kind + ": " + std::to_string(counted.achievedNs) + " of " + std::to_string(elapsed.count()) + " ns";
    });
  }
}

TEST(PerturbPoints, OfOtherInstructionsAreRefused) {
  Trial trial;
  trial.module(kGuest);
  const uint64_t at = trial.file(0).address("place_jump");
  trial.point(0, 0, 0, at, "jump", 0, "\x90\x90\x90\x90\x90", "\x90\x90\x90\x90\x90", "-");
  trial.point(1, 0, 0, 0x7fffffffff, "jump", 0, "\x90\x90\x90\x90\x90", "\x90", "-");
  trial.shortJump(2, 0);
  trial.point(3, 0, 0, trial.file(0).address("place_short") + 1, "trap", 0,
              trial.file(0).code(trial.file(0).address("place_short") + 1, 1), "\x90", "-");
  const Outcome outcome = trial.run({kGuest, "threads", "1", "100"});
  EXPECT_EQ("ok\n", outcome.output);
  EXPECT_EQ(0u, trial.sum(0).count);
  EXPECT_EQ(100u, trial.sum(2).count);
  std::istringstream lines(trial.problems());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(0u, line.find("0\tthe instructions at this place differ")) << line;
  std::getline(lines, line);
  EXPECT_EQ(0u, line.find("3\tthe place overlaps with another point")) << line;
  std::getline(lines, line);
  EXPECT_EQ(0u, line.find("1\tthe place is not in the code")) << line;
}

TEST(PerturbPoints, APlanThatIsWrongChangesNothing) {
  Trial trial;
  addAll(&trial);
  trial.line("what is this");
  const Outcome outcome = trial.run({kGuest, "threads", "1", "100"});
  EXPECT_EQ("ok\n", outcome.output);
  EXPECT_EQ("-\tthe plan has a record of an unknown kind: line 7\n", trial.problems());
  EXPECT_TRUE(trial.shards().empty());
}

TEST(PerturbPoints, LeaveNoFilesWhereTheyAreNotReached) {
  Trial trial;
  addAll(&trial);
  EXPECT_EQ(0, trial.run({"/bin/true"}).status);
  EXPECT_TRUE(trial.shards().empty());
  EXPECT_EQ("", trial.problems());
}

TEST(PerturbPoints, ByTheRecorderWithoutATrace) {
  Trial trial;
  addAll(&trial);
  trial.level(0, "delay\ttime\t1000");
  trial.write();
  const Outcome outcome =
      run({recorder(), "--perturb", trial.planPath(), "--no-trace", "--", "/bin/sh", "-c",
           kGuest + " threads 2 100; exit 5"});
  EXPECT_EQ(5, outcome.status) << outcome.errors;
  EXPECT_EQ("ok\n", outcome.output);
  EXPECT_EQ("", outcome.errors);
  EXPECT_EQ(200u, trial.sum(0).count);
  EXPECT_EQ(200000u, trial.sum(0).requestedNs);
}

TEST(PerturbPoints, ByTheRecorderBesideATrace) {
  Trial trial;
  addAll(&trial);
  trial.level(0, "delay\ttime\t100000");
  trial.write();
  const Outcome outcome = run(recorded(trial / "trace", {kGuest, "threads", "2", "2000"},
                                       {"--perturb", trial.planPath()}));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  EXPECT_EQ("ok\n", outcome.output);
  EXPECT_EQ("", trial.problems());
  EXPECT_EQ(4000u, trial.sum(0).count);
#if !defined(PARALLAX_NO_SAMPLES)
  // What is spent in a delay is time of the function in which the place is, below its callers.
  const Trace trace = loadTrace(trial / "trace");
  const TracedProcess* process = trace.ofExecutable("guest-perturb");
  ASSERT_NE(nullptr, process);
  int samples = 0, there = 0;
  for (const auto& [number, thread] : process->threads) {
    for (const TracedEvent& event : thread.events) {
      if (event.kind != format::Kind::kSample) continue;
      samples++;
      const format::CallPathRecord& path = process->paths.at(static_cast<uint32_t>(event.operand));
      for (const char* place : {"place_jump", "place_short"}) {
        there += path.value - trial.file(0).address(place) <= 1 && path.parent != 0;
      }
    }
  }
  EXPECT_GT(samples, 20);
  EXPECT_GT(there, samples * 8 / 10) << samples;
#endif
}

TEST(PerturbPoints, TheRecorderRefusesWhatCannotWork) {
  Trial trial;
  addAll(&trial);
  trial.line("what\tis\tthis");
  trial.write();
  const Outcome wrong = run({recorder(), "--perturb", trial.planPath(), "--no-trace", "/bin/true"});
  EXPECT_EQ(2, wrong.status);
  EXPECT_NE(std::string::npos, wrong.errors.find("a record of an unknown kind in line 7")) << wrong.errors;
  for (const Words& options : {Words{"--perturb", trial.planPath() + "x"}, Words{"--no-trace"}}) {
    Words words{recorder()};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("/bin/true");
    const Outcome outcome = run(words);
    EXPECT_EQ(2, outcome.status);
    EXPECT_NE("", outcome.errors);
  }
}

TEST(PerturbPoints, TakeLocksButNotTheirOwn) {
  Trial trial;
  trial.module(kGuest);
  trial.jump(0, 0);
  trial.level(0, "lock\t0\t" + hexOf(trial.file(0).address("guest_mutex")));
  expectOk(trial.run({kGuest, "locks"}), trial);
  const Counted counted = trial.sum(0);
  EXPECT_EQ(17u, counted.count);
  EXPECT_EQ(5u, counted.skipped);
  EXPECT_GT(counted.achievedNs, 30000000u);  // waited while the other one held it
}

TEST(PerturbPoints, Macros) {
  Trial trial;
  trial.macro(0, 0, "one");
  trial.macro(5, 1, "two");
  trial.level(1, "delay\ttime\t5000");
  expectOk(trial.run({kGuest, "macros", "1000"}), trial);
  EXPECT_EQ(2000u, trial.sum(0).count);
  EXPECT_EQ(500u, trial.sum(5).count);
  EXPECT_EQ(2500000u, trial.sum(5).requestedNs);
}

TEST(PerturbPoints, MacrosWithoutAPlanOrTheAgent) {
  const Outcome without = run({kGuest, "macros", "1000"});
  EXPECT_EQ("ok\n", without.output);
  const Outcome unplanned =
      run({kGuest, "macros", "1000"}, [] {
        setenv("LD_PRELOAD", agent().c_str(), 1);
        setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
      });
  EXPECT_EQ("ok\n", unplanned.output);
}

}  // namespace
}  // namespace parallax::tests
