// Call paths of intercepted routines are those of full instrumentation.
#include <gtest/gtest.h>

#include "tests/instrument_run.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::PathKind;

// The calls of intercepted routines in all threads, with what is instrumented on their paths.
CallCounts interceptedCalls(const RecordedRun& r) {
  CallCounts counts;
  const TracedProcess& process = r.trace.processes.at(0);
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& e : thread.events) {
      if (e.kind != Kind::kEnter) continue;
      auto path = static_cast<uint32_t>(e.operand);
      if (process.paths.at(path).kind != PathKind::kRegion) continue;
      std::string text = r.nameOf(process, path);
      while ((path = process.paths.at(path).parent) != 0) {
        const std::string name = r.nameOf(process, path);
        if (name == "main" || name.rfind("planted::", 0) == 0) text.insert(0, name + " > ");
      }
      counts[text]++;
    }
  }
  return counts;
}

class InstrumentPaths : public testing::Test {
 protected:
  CallCounts callsOf(const std::string& program, const Words& options) {
    const RecordedRun r = recordFunctions(scratch_ / std::to_string(runs_++), {guest(program)},
                                          options);
    EXPECT_EQ(0, r.outcome.status) << r.outcome.errors;
    return interceptedCalls(r);
  }
  TemporaryDirectory scratch_;
  int runs_ = 0;
};

TEST_F(InstrumentPaths, WalkedOnesAreThoseOfInstrumentation) {
  const CallCounts instrumented =
      callsOf("paths-instrumented", {"--sample-hz", "0", "--throttle", "off"});
  EXPECT_EQ(instrumented, callsOf("paths", {"--sample-hz", "1000"}));
  EXPECT_EQ(instrumented, callsOf("paths-instrumented", {"--adapters", "-user"}))
      << "the same program, its hooks switched off";

  // What is on them is planted.
  const std::string wait = " > planted::wait > pthread_barrier_wait";
  const auto calls = [&](const std::string& path) {
    const auto found = instrumented.find(path + wait);
    return found != instrumented.end() ? found->second : 0;
  };
  std::string deep = "main";
  for (int i = 0; i < 101; i++) deep += " > planted::recurse";
  EXPECT_EQ(1u, calls(deep));
  EXPECT_EQ(1u, calls("main"));
  EXPECT_EQ(3u, calls("main > planted::shapes > planted::Circle::draw"));
  EXPECT_EQ(3u, calls("main > planted::shapes > planted::Square::draw > planted::Square::draw"));
  EXPECT_EQ(2u, calls("main > planted::catcher"));
  EXPECT_EQ(4u, calls("planted::work > planted::catcher")) << "two threads";
  EXPECT_EQ(1u, calls("main > planted::catcher > planted::thrower > planted::thrower > "
                      "planted::Waiting::~Waiting"));
  EXPECT_GT(calls("main > planted::sorts > planted::compare"), 100u);
  EXPECT_GT(calls("main > planted::sorts > planted::Less::operator"), 100u);
  EXPECT_EQ(1u, calls("planted::atEnd"));
}

}  // namespace
}  // namespace parallax::tests
