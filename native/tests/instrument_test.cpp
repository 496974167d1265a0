// Functions that the compiler has instrumented: planted numbers of calls on planted paths.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "tests/instrument_run.h"

namespace parallax::tests {
namespace {

using format::Kind;
using Profile = CallCounts;

// The same under each compiler that has the hooks.
class Instrument : public testing::TestWithParam<const char*> {
 protected:
  std::string program() const { return guest(std::string("functions-") + GetParam()); }
  RecordedRun record(const Words& arguments, const Words& options = {}) {
    Words command{program()}, all{"--sample-hz", "0"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), options.begin(), options.end());
    return recordFunctions(scratch_ / std::to_string(runs_++), command, all);
  }
  std::string file(const std::string& text) {
    std::ofstream(scratch_ / "filter") << text;
    return scratch_ / "filter";
  }
  bool isGcc() const { return std::string(GetParam()) == "gcc"; }

  TemporaryDirectory scratch_;
  int runs_ = 0;
};

constexpr char kTop[] = "main > cases > ";

#define SKIP_WITHOUT_PROGRAM()                                                  \
  if (access(program().c_str(), X_OK) != 0) {                                   \
    GTEST_SKIP() << "no " << GetParam() << " when this was configured";         \
  }

// What is below cases, without `planted::` and the types of results.
Profile below(const Profile& profile) {
  Profile named;
  for (const auto& [full, calls] : profile) {
    std::string path = full;
    for (const std::string& part : {std::string("planted::"), std::string("int ")}) {
      for (size_t at; (at = path.find(part)) != std::string::npos;) path.erase(at, part.size());
    }
    if (path.rfind(kTop, 0) == 0) named[path.substr(sizeof kTop - 1)] += calls;
  }
  return named;
}

TEST_P(Instrument, CountsAndPaths) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"calls", "1000"});
  EXPECT_EQ(0, r.outcome.status) << r.outcome.errors;
  EXPECT_EQ((Profile{{"middle", 1000}, {"middle > leaf", 2000}, {"Box<int>::twice", 1}}),
            below(r.calls()));
  EXPECT_EQ(1u, r.calls()["main"]);
  EXPECT_EQ(1u, r.calls()["main > cases"]);
  EXPECT_EQ("yes", r.trace.processes[0].settings.at("instrument"));
  EXPECT_EQ("100000:10000", r.trace.processes[0].settings.at("throttle"));
}

TEST_P(Instrument, Exceptions) {
  SKIP_WITHOUT_PROGRAM();
  EXPECT_EQ((Profile{{"between", 50},
                     {"between > thrower", 50},
                     {"between > thrower > leaf", 50},
                     {"middle", 50},
                     {"middle > leaf", 100}}),
            below(record({"exceptions", "50"}).calls()));
}

TEST_P(Instrument, LongJumps) {
  SKIP_WITHOUT_PROGRAM();
  EXPECT_EQ((Profile{{"aboveJumper", 50},
                     {"aboveJumper > jumper", 50},
                     {"aboveJumper > jumper > leaf", 50},
                     {"middle", 50},
                     {"middle > leaf", 100}}),
            below(record({"longjmp", "50"}).calls()));
}

// Most of these jumps leave a hook: the thread is recorded further on, and each Enter has its Leave
// (record() looks at that in all traces).
TEST_P(Instrument, JumpsOutOfHandlers) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"escapes", "200"}, {"--throttle", "off"});
  EXPECT_EQ(0, r.outcome.status) << r.outcome.errors;
  Profile profile = below(r.calls());
  unsigned long begun = 0, leaves = 0;  // the signal may come before that
  ASSERT_EQ(2, sscanf(r.outcome.output.c_str(), "%lu %lu", &begun, &leaves)) << r.outcome.output;
  EXPECT_GT(leaves, 0u);
  EXPECT_LE(profile["beLeft"], 200u);
  EXPECT_GE(profile["beLeft"], begun);
  EXPECT_GE(profile["beLeft > leaf"], leaves);
  EXPECT_LE(profile["beLeft > leaf"], leaves + 200);
  EXPECT_EQ(1u, profile["middle"]);
  EXPECT_EQ(2u, profile["middle > leaf"]);
}

TEST_P(Instrument, Recursion) {
  SKIP_WITHOUT_PROGRAM();
  uint64_t calls = 0;
  for (const auto& [path, count] : below(record({"recursion", "500"}).calls())) {
    if (path.find("middle") == std::string::npos) calls += count;
  }
  EXPECT_EQ(500u, calls);
  // Deeper than paths go: what is further in belongs to the deepest, and what follows is right.
  Profile deep = below(record({"recursion", "5000"}).calls());
  EXPECT_EQ(1u, deep["middle"]);
  EXPECT_EQ(2u, deep["middle > leaf"]);
  EXPECT_EQ(1022u + 2, deep.size()) << "1024 frames, main and cases among them";
}

TEST_P(Instrument, StackPointersThatMove) {
  SKIP_WITHOUT_PROGRAM();
  EXPECT_EQ((Profile{{"withAlloca", 40}, {"withAlloca > leaf", 40}}),
            below(record({"alloca", "40"}).calls()));
}

TEST_P(Instrument, InlinedBodies) {
  SKIP_WITHOUT_PROGRAM();
  Profile profile = below(record({"inlined", "30"}).calls());
  EXPECT_EQ(30u, profile["inlining"]);
  EXPECT_EQ(30u, profile["inlining > leaf"]);
  if (isGcc()) {  // clang's hooks come after inlining
    EXPECT_EQ(30u, profile["inlining > wrapper"]);
    EXPECT_EQ(60u, profile["inlining > wrapper > small"]);
    EXPECT_EQ(4u, profile.size());
  }
}

TEST_P(Instrument, SignalHandlers) {
  SKIP_WITHOUT_PROGRAM();
  EXPECT_EQ((Profile{{"handler", 20},
                     {"handler > leaf", 20},
                     {"middle", 20},
                     {"middle > leaf", 40}}),
            below(record({"signals", "20"}).calls()));
}

TEST_P(Instrument, Threads) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"threads", "300"});
  const TracedProcess& process = r.trace.processes.at(0);
  ASSERT_EQ(5u, process.threads.size());
  for (uint32_t thread = 1; thread < 5; thread++) {
    uint64_t leaves = 0;
    for (const auto& [path, calls] : r.calls(process, thread)) {
      if (path.find("leaf") != std::string::npos) leaves += calls;
    }
    EXPECT_EQ(300u, leaves);
    const TracedThread& t = process.threads.at(thread);
    EXPECT_EQ(t.count(Kind::kEnter), t.count(Kind::kLeave));
  }
  // What is intercepted in a function hangs below it.
  EXPECT_EQ(4u, below(r.calls())["pthread_create"]);
}

TEST_P(Instrument, Fork) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"fork", "25"});
  ASSERT_EQ(2u, r.trace.processes.size());
  for (const TracedProcess& process : r.trace.processes) {
    const bool isChild = process.process.parentPid == r.trace.processes[0].process.pid ||
                         process.process.parentPid == r.trace.processes[1].process.pid;
    Profile profile = below(r.calls(process, 0));
    EXPECT_EQ(isChild ? 25u : 0u, profile["leaf"]);
    EXPECT_EQ("yes", process.settings.at("instrument"));
  }
}

TEST_P(Instrument, Exit) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"exit", "7"});
  EXPECT_EQ(7, r.outcome.status);
  const TracedThread& thread = r.trace.processes.at(0).threads.at(0);
  EXPECT_EQ(thread.count(Kind::kEnter), thread.count(Kind::kLeave));
  EXPECT_EQ(2u, below(r.calls())["middle > leaf"]);
}

TEST_P(Instrument, LibrariesThatComeAndGo) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"plugin", guest("functions-plugin.so")});
  EXPECT_EQ(0, r.outcome.status) << r.outcome.errors;
  uint64_t calls = 0;
  for (const auto& [path, count] : r.calls()) {
    if (path.find("?") != std::string::npos) calls += count;
  }
  EXPECT_EQ(2u, calls);
}

// A library at the place of another one that is gone has nothing of it.
TEST_P(Instrument, LibrariesInThePlaceOfOthers) {
  SKIP_WITHOUT_PROGRAM();
  const auto entered = [](const RecordedRun& r, Kind kind = Kind::kEnter) {
    EXPECT_EQ("same\n", r.outcome.output) << r.outcome.errors;
    uint64_t calls = 0;
    for (const auto& [path, count] : r.calls(r.trace.processes.at(0), 0, kind)) {
      if (path.find("?") != std::string::npos) calls += count;
    }
    return calls;
  };
  const Words command{"plugins", guest("functions-plugin.so")};
  EXPECT_EQ(10u, entered(record(command)));
  for (const char* name : {"plugged", "plucked"}) {
    const Words filter{"--filter", file(std::string("exclude function ") + name + "\n")};
    EXPECT_EQ(5u, entered(record(command, filter))) << name;
  }
  const RecordedRun throttled = record(command, {"--throttle", "3:1000000000"});
  EXPECT_EQ(6u, entered(throttled)) << "3 of each";
  EXPECT_EQ(4u, entered(throttled, Kind::kVisits));
}

TEST_P(Instrument, Throttling) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"calls", "3000"}, {"--throttle", "1000:1000000"});
  const TracedProcess& process = r.trace.processes.at(0);
  Profile entered = below(r.calls()), visited = below(r.calls(process, 0, Kind::kVisits)),
          throttled = below(r.calls(process, 0, Kind::kThrottled));
  EXPECT_EQ((Profile{{"middle", 1000}, {"middle > leaf", 1000}}), throttled) << "calls until then";
  EXPECT_EQ(1000u, entered["middle"]);
  EXPECT_EQ(1000u, entered["middle > leaf"]);
  EXPECT_EQ(2000u, visited["middle"]);
  // Exactly so many calls in all: below middle, and where middle itself has no frame any more.
  EXPECT_EQ(5000u, visited["middle > leaf"] + visited["leaf"]);
  EXPECT_EQ(4000u, visited["leaf"]);
  EXPECT_EQ("1000:1000000", process.settings.at("throttle"));
}

TEST_P(Instrument, ThrottlingIsOffOrNotReached) {
  SKIP_WITHOUT_PROGRAM();
  for (const char* throttle : {"off", "1000:0", "100000:10000"}) {
    const RecordedRun r = record({"calls", "3000"}, {"--throttle", throttle});
    EXPECT_EQ(0u, r.trace.processes.at(0).count(Kind::kThrottled));
    EXPECT_EQ(6000u, below(r.calls())["middle > leaf"]);
  }
}

TEST_P(Instrument, Filters) {
  SKIP_WITHOUT_PROGRAM();
  const std::map<std::string, Profile> expected = {
      {"exclude function planted::middle\n", {{"leaf", 200}, {"Box<int>::twice", 1}}},
      {"# none\n\nexclude function *leaf*\n", {{"middle", 100}, {"Box<int>::twice", 1}}},
      {"exclude function planted::*\n  include function planted::leaf(int)\r\n", {{"leaf", 200}}},
      {"exclude function _ZN7planted4leafEi\nexclude function planted::Box<int>::twice\n",
       {{"middle", 100}}},
      {"include function *\n",
       {{"middle", 100}, {"middle > leaf", 200}, {"Box<int>::twice", 1}}},
      {"exclude file *\nexclude function planted::l?af\n",
       {{"middle", 100}, {"Box<int>::twice", 1}}},
  };
  for (const auto& [text, profile] : expected) {
    const RecordedRun r = record({"calls", "100"}, {"--filter", file(text)});
    EXPECT_EQ(0, r.outcome.status) << r.outcome.errors;
    EXPECT_EQ(profile, below(r.calls())) << text;
    EXPECT_TRUE(r.trace.processes[0].notes.empty());
  }
}

// What the program does with its environment is its own affair.
TEST_P(Instrument, SettingsAreThoseOfTheBeginning) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r =
      record({"cleared", "300"}, {"--filter", file("exclude function planted::leaf\n"), "--throttle",
                                  "100:1000000", "--count", "barrier"});
  EXPECT_EQ(0, r.outcome.status) << r.outcome.errors;
  EXPECT_EQ((Profile{{"middle", 100}}), below(r.calls()));
  EXPECT_EQ((Profile{{"main > cases > planted::middle", 200}, {"pthread_barrier_wait", 300}}),
            r.calls(r.trace.processes.at(0), 0, Kind::kVisits));
}

// The demangler takes 72 bytes of stack for each character.
TEST_P(Instrument, FiltersOnSmallStacks) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"narrow", "16"}, {"--filter", file("exclude function planted::in*\n")});
  ASSERT_EQ(0, r.outcome.status) << r.outcome.errors;
  EXPECT_EQ((Profile{{"planted::leaf", 2}}), r.calls(r.trace.processes.at(0), 1));
}

TEST_P(Instrument, CanBeSwitchedOff) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"calls", "100"}, {"--adapters", "-user"});
  EXPECT_TRUE(r.calls().empty());
  EXPECT_EQ(0u, r.trace.processes[0].settings.count("instrument"));
}

TEST_P(Instrument, RunsWithoutTheAgent) {
  SKIP_WITHOUT_PROGRAM();
  EXPECT_EQ(0, run({program(), "exceptions", "10"}).status);
}

// No sample where a function is measured; there can be some before main and after it.
TEST_P(Instrument, SamplesKeepOut) {
  SKIP_WITHOUT_PROGRAM();
  const RecordedRun r = record({"cost", "20000"}, {"--sample-hz", "1000", "--throttle", "off"});
  int open = 0;
  for (const TracedEvent& e : r.trace.processes.at(0).threads.at(0).events) {
    if (e.kind == Kind::kEnter) open++;
    if (e.kind == Kind::kLeave) open--;
    if (e.kind == Kind::kSample) {
      EXPECT_EQ(0, open);
    }
  }
  EXPECT_EQ(0, open);
}

INSTANTIATE_TEST_SUITE_P(With, Instrument, testing::Values("gcc", "clang"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parallax::tests
