// Whole programs with deep stacks under the agent, which puts markers on them: they do what they do
// without it, and visits are counted as planted.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::PathKind;

struct Setting {
  const char* guest;
  const char* name;
  const char* value;
};

class DeepStacks : public testing::TestWithParam<Setting> {};

TEST_P(DeepStacks, AreLeftAsWithoutTheAgent) {
  const Setting& setting = GetParam();
  const Outcome plain = run({guest(setting.guest)});
  ASSERT_EQ(plain.status, 0);
  ASSERT_NE(plain.output.find("parent, child left 3"), std::string::npos) << plain.output;
  for (const char* hz : {"0", "1000"}) {
    TemporaryDirectory scratch;
    const std::string trace = scratch / "trace";
    const Outcome traced = run(recorded(trace, {guest(setting.guest)}, {"--sample-hz", hz}),
                               [&] { setenv(setting.name, setting.value, 1); });
    EXPECT_EQ(traced.status, 0) << traced.errors;
    EXPECT_EQ(traced.output, plain.output);
    // That there is something to survive.
    const bool none = traced.errors.find("replaced 0\n") != std::string::npos;
    EXPECT_EQ(none, std::string(setting.value) == "0") << traced.errors;
    loadTrace(trace);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , DeepStacks,
    testing::Values(Setting{"deep", "PARALLAX_MARKERS", "1"},
                    Setting{"deep", "PARALLAX_MARKERS", "0"},
                    Setting{"deep", "PARALLAX_VISITS", "1"},
                    Setting{"deep-static-runtime", "PARALLAX_MARKERS", "1"},
                    Setting{"deep-static-runtime", "PARALLAX_VISITS", "1"}),
    [](const auto& info) {
      std::string name = std::string(info.param.guest) + info.param.name + info.param.value;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

// Coroutines of Python's greenlet copy the part of the stack that they leave.
TEST(CopiedStacks, OfGreenlets) {
  const Words program = {"/usr/bin/python3", PARALLAX_GREENLETS};
  const Outcome plain = run(program);
  if (plain.errors.find("No module named") != std::string::npos) {
    GTEST_SKIP() << "python3-greenlet is not installed";
  }
  ASSERT_EQ(plain.output, "[(0, 390), (1, 410), (2, 430), (3, 450), (4, 470)]\n") << plain.errors;
  for (const char* all : {"0", "1"}) {
    TemporaryDirectory scratch;
    const std::string trace = scratch / "trace";
    const Outcome traced = run(recorded(trace, program, {"--sample-hz", "1000"}),
                               [&] { setenv("PARALLAX_VISITS", all, 1); });
    EXPECT_EQ(traced.status, 0) << traced.errors;
    EXPECT_EQ(traced.output, plain.output);
    const Trace loaded = loadTrace(trace);
    ASSERT_EQ(loaded.processes.size(), 1u);
    EXPECT_EQ(loaded.processes[0].settings.at("markers"), all[0] == '1' ? "all" : "some");
    EXPECT_GT(loaded.processes[0].count(Kind::kEnter), 500u);
  }
}

// Visits of the function that called the intercepted routine, of its caller, and so on.
struct Chain {
  uint64_t visits[4] = {};
};

// Of each path of which an intercepted routine was called 105 times.
std::vector<Chain> chainsOf(const TracedProcess& process) {
  const TracedThread& thread = process.threads.at(0);
  std::map<uint64_t, uint64_t> visits, calls;
  for (const TracedEvent& event : thread.events) {
    if (event.kind == Kind::kVisits) visits[event.operand] += event.payload[0];
    if (event.kind == Kind::kEnter) ++calls[event.operand];
  }
  std::vector<Chain> chains;
  for (const auto& [path, count] : calls) {
    if (count != 105) continue;
    Chain chain;
    uint32_t at = static_cast<uint32_t>(path);
    for (uint64_t& v : chain.visits) {
      at = process.paths.at(at).parent;
      const auto node = process.paths.find(at);
      if (node == process.paths.end()) break;
      EXPECT_EQ(node->second.kind, PathKind::kReturnAddress);
      v = visits[at];
    }
    chains.push_back(chain);
  }
  return chains;
}

Chain countedWith(const char* value, const Words& options = {"--sample-hz", "0"}) {
  TemporaryDirectory scratch;
  const std::string trace = scratch / "trace";
  const Outcome traced = run(recorded(trace, {guest("deep"), "planted"}, options),
                             [&] { setenv("PARALLAX_VISITS", value, 1); });
  EXPECT_EQ(traced.status, 0) << traced.errors;
  const Trace loaded = loadTrace(trace);
  const TracedProcess* process = loaded.ofExecutable("guest-deep");
  if (process == nullptr) return {};
  const std::vector<Chain> chains = chainsOf(*process);
  EXPECT_EQ(chains.size(), 1u);
  return chains.empty() ? Chain{} : chains[0];
}

// One call of main(), 7 of outer(), each 5 of middle(), each 3 of inner(), which calls an
// intercepted routine.
constexpr uint64_t kPlanted[] = {105, 35, 7, 1};

TEST(Visits, ExactWhereEachCallEndsInAnInterceptedOne) {
  const Chain chain = countedWith("1");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(chain.visits[i], kPlanted[i]) << "frame " << i;
}

TEST(Visits, LowerBoundsOtherwise) {
  for (const char* hz : {"0", "1000"}) {
    const Chain chain = countedWith("0", {"--sample-hz", hz});
    for (int i = 0; i < 4; ++i) {
      EXPECT_GE(chain.visits[i], 1u) << "frame " << i;
      EXPECT_LE(chain.visits[i], kPlanted[i]) << "frame " << i;
    }
  }
}

}  // namespace
}  // namespace parallax::tests
