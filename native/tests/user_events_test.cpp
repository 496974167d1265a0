// Phases, marks and metrics by the public header, with the agent and without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/other_load.h"

namespace parallax::tests {
namespace {

using format::Kind;

// One line for each event of the header.
std::vector<std::string> storyOf(const TracedProcess& process, const TracedThread& thread) {
  std::vector<std::string> story;
  for (const TracedEvent& e : thread.events) {
    const auto id = static_cast<uint32_t>(e.operand);
    const auto region = process.regions.find(id);
    const std::string name = region != process.regions.end() ? region->second : "?";
    if (e.kind == Kind::kPhaseBegin) story.push_back("begin " + name);
    if (e.kind == Kind::kPhaseEnd) story.push_back("end " + name);
    if (e.kind == Kind::kMark) story.push_back("mark " + name);
    if (e.kind != Kind::kValue) continue;
    const uint64_t bits = e.payload[0] | e.payload[1] << 32;
    double number;
    memcpy(&number, &bits, sizeof number);
    const bool isDouble = process.metrics.at(id).type == format::MetricType::kDouble;
    story.push_back(process.metricNames.at(id) + " " +
                    (isDouble ? std::to_string(number) : std::to_string(bits)));
  }
  return story;
}

const std::vector<std::string> kStory = {
    "begin outer", "begin inner",
    "mark mark 0", "residual 1.500000", "packets 18364758544493064720",
    "mark mark 1", "residual 0.750000", "packets 18364758544493064721",
    "mark mark 2", "residual 0.500000", "packets 18364758544493064722",
    "end inner", "end outer"};

TEST(UserEvents, InThreadsAndChildren) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("phases"), "events"}));
  EXPECT_EQ("done\n", outcome.output) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(2u, trace.processes.size());
  for (const TracedProcess& process : trace.processes) {
    ASSERT_EQ(2u, process.metrics.size());
    EXPECT_EQ(format::MetricKind::kGauge, process.metrics.at(1).kind);
    EXPECT_EQ(format::MetricKind::kCounter, process.metrics.at(2).kind);
    for (const auto& [number, thread] : process.threads) {
      EXPECT_EQ(kStory, storyOf(process, thread)) << "thread " << number;
    }
  }
  EXPECT_EQ(3u, trace.processes[0].threads.size() + trace.processes[1].threads.size());
}

// What a thread's counters have risen by in each phase.
TEST(UserEvents, PhasesTellSwitchesAndFaults) {
  TemporaryDirectory scratch;
  const Outcome outcome =
      run(recorded(scratch / "trace", {guest("phases"), "counters"}, {"--sample-hz", "0"}));
  ASSERT_EQ(0, outcome.status) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  std::map<std::string, std::array<uint64_t, 4>> begins, rises;
  std::array<uint64_t, 4> now = {};
  const std::vector<TracedEvent>& events = process.threads.at(0).events;
  for (size_t i = 0; i < events.size(); i++) {
    if (events[i].kind != Kind::kPhaseBegin && events[i].kind != Kind::kPhaseEnd) continue;
    // Beside it, when one of them has changed.
    if (i + 1 < events.size() && events[i + 1].kind == Kind::kThreadCounters) {
      std::copy_n(events[i + 1].payload.begin(), now.size(), now.begin());
    }
    const std::string& name = process.regions.at(static_cast<uint32_t>(events[i].operand));
    if (events[i].kind == Kind::kPhaseBegin) begins[name] = now;
    for (size_t j = 0; j < now.size(); j++) rises[name][j] = now[j] - begins[name][j];
  }
  constexpr size_t kVoluntary = 0, kMinor = 2;
  EXPECT_NEAR(20, static_cast<double>(rises["sleeps"][kVoluntary]), 2);
  EXPECT_LT(rises["sleeps"][kMinor], 64u);
  EXPECT_LT(rises["faults"][kVoluntary], 10u);
  EXPECT_NEAR(512, static_cast<double>(rises["faults"][kMinor]), 32);
}

// As of a program that puts the number of its step into the name.
TEST(UserEvents, ManyNames) {
  TemporaryDirectory scratch;
  constexpr int kNames = 70000, kMost = 65536;
  const Outcome outcome =
      run(recorded(scratch / "trace", {guest("phases"), "names", std::to_string(kNames)}));
  ASSERT_EQ(0, outcome.status) << outcome.errors;
  EXPECT_LT(std::stod(outcome.output), 5000) << "ms of CPU time; each name is found at once";
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(1u, trace.processes.size());
  const TracedProcess& process = trace.processes[0];
  const std::vector<std::string> story = storyOf(process, process.threads.at(0));
  ASSERT_EQ(kNames + 1u, story.size());
  for (int i = 0; i < kNames; i++) {
    ASSERT_EQ(i < kMost ? "mark step " + std::to_string(i) : "mark (more names)",
              story[static_cast<size_t>(i)]);
  }
  EXPECT_EQ("mark step 0", story.back());
  EXPECT_EQ(1, std::count_if(process.notes.begin(), process.notes.end(), [](const auto& note) {
    return note.find("more than 65536 names") != std::string::npos;
  }));
}

// One object for all who take part; each turn is a generation that all three leave, within a call.
TEST(UserEvents, BarriersOfThreadsAndProcesses) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {guest("phases"), "barriers"}));
  EXPECT_EQ("45\n", outcome.output) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(2u, trace.processes.size());
  std::map<uint64_t, int> generations;
  std::map<uint64_t, int> keys;
  for (const TracedProcess& process : trace.processes) {
    for (const auto& [number, thread] : process.threads) {
      const auto calls = process.calls(thread, "turn");
      EXPECT_EQ(10u, calls.size());
      for (const auto& call : calls) {
        ASSERT_EQ(3u, call.size() - std::count_if(call.begin(), call.end(), [](const auto& e) {
          return e.kind == Kind::kCpu;
        }));
        const auto barrier = std::find_if(call.begin(), call.end(), [](const TracedEvent& e) {
          return e.kind == Kind::kBarrier;
        });
        ASSERT_NE(call.end(), barrier);
        generations[barrier->payload[0]]++;
        EXPECT_EQ(3u, barrier->payload[1]);
        keys[process.objects.at(static_cast<uint32_t>(barrier->operand)).key]++;
      }
    }
  }
  ASSERT_EQ(10u, generations.size());
  for (const auto& [generation, left] : generations) {
    EXPECT_LT(generation, 10u);
    EXPECT_EQ(3, left) << generation;
  }
  ASSERT_EQ(1u, keys.size());
  EXPECT_NE(0u, keys.begin()->first);
}

TEST(UserEvents, BarriersWithoutTheAgent) {
  EXPECT_EQ("45\n", run({guest("phases"), "barriers"}).output);
}

TEST(UserEvents, CanBeSwitchedOff) {
  TemporaryDirectory scratch;
  const Outcome outcome =
      run(recorded(scratch / "trace", {guest("phases"), "events"}, {"--adapters", "-user"}));
  EXPECT_EQ("done\n", outcome.output) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  for (const TracedProcess& process : trace.processes) {
    EXPECT_TRUE(process.metrics.empty());
    for (const auto& [number, thread] : process.threads) {
      EXPECT_TRUE(storyOf(process, thread).empty());
    }
  }
}

TEST(UserEvents, NothingWithoutTheAgent) {
  const Outcome outcome = run({guest("phases"), "events"});
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ("done\n", outcome.output);
  const Outcome needs = run({"nm", "-D", guest("phases")});
  EXPECT_NE(std::string::npos, needs.output.find(" w parallax_agent_mark")) << needs.output;
}

TEST(UserEvents, CostNothingWithoutTheAgent) {
  EXPECT_TIMES(kAttempts, [](int) -> std::string {
    const std::string ns = run({guest("phases"), "cost"}).output;
    return std::stod(ns) <= 1 ? "" : ns + " ns a call instead of 1";
  });
}

// A copy of the header is all that a program needs, however it is compiled.
TEST(UserEvents, TheHeaderAlone) {
  TemporaryDirectory scratch;
  ASSERT_EQ(0, run({"mkdir", scratch / "parallax"}).status);
  ASSERT_EQ(0, run({"cp", PARALLAX_SOURCE_DIRECTORY "/include/parallax/parallax.h",
                    scratch / "parallax"}).status);
  std::ofstream(scratch / "a.c") <<
      "#include <parallax/parallax.h>\n"
      "static void none(void* unused) { (void)unused; }\n"
      "int main(void) {\n"
      "  parallax_phase_begin(\"a\");\n"
      "  parallax_set_double(parallax_define(\"x\", \"\", PARALLAX_GAUGE, PARALLAX_DOUBLE), 1);\n"
      "  parallax_phase_end(\"a\");\n"
      "  parallax_barrier(\"b\", 0, 1, none, 0);\n"
      "  return 0;\n"
      "}\n";
  std::ofstream(scratch / "a.cpp") <<
      "#include <parallax/parallax.h>\n"
      "int main() { const parallax::Phase phase(\"a\"); parallax_mark(\"m\"); }\n";
  for (const std::string compile :
       {"cc -std=c89 -pedantic -Wall -Wextra a.c", "cc -O2 -fno-pie -no-pie a.c",
        "cc -O2 -static a.c", "cc -DPARALLAX_DISABLE a.c", "c++ -std=c++98 -pedantic -Wall a.cpp",
        "c++ -O2 -std=c++17 a.cpp", "c++ -DPARALLAX_DISABLE -Wall a.cpp"}) {
    const Outcome outcome = run({"sh", "-c", "cd " + scratch.path() + " && " + compile +
                                 " -Werror -I. -o a.out && ./a.out"});
    EXPECT_EQ(0, outcome.status) << compile << "\n" << outcome.errors;
  }
}

}  // namespace
}  // namespace parallax::tests
