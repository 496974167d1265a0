// The filter that is made of a first run.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/instrument_run.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::PathKind;

class InstrumentFilter : public testing::Test {
 protected:
  std::string record(const std::string& name, const Words& command, const Words& options = {}) {
    Words all{"--sample-hz", "0"};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = run(recorded(scratch_ / name, command, all));
    EXPECT_EQ(0, outcome.status) << outcome.errors;
    return scratch_ / name;
  }
  // What is written to FILE, `filter` below the scratch directory.
  Outcome makeFilter(const Words& arguments) {
    Words command{PARALLAX_BUILD_DIRECTORY "/parallax-filter", "-o", filter()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command);
  }
  std::string filter() const { return scratch_ / "filter"; }
  // Its lines but the comment.
  std::vector<std::string> rules() const {
    std::vector<std::string> lines;
    std::ifstream file(filter());
    for (std::string line; std::getline(file, line);) {
      if (line[0] != '#') lines.push_back(line);
    }
    return lines;
  }
  // The functions that were entered, by name.
  CallCounts functions(const RecordedRun& r) {
    CallCounts counts;
    const TracedProcess& process = r.trace.processes.at(0);
    for (const TracedEvent& e : process.threads.at(0).events) {
      const auto path = static_cast<uint32_t>(e.operand);
      if (e.kind != Kind::kEnter || process.paths.at(path).kind != PathKind::kFunction) continue;
      counts[r.nameOf(process, path)]++;
    }
    return counts;
  }
  TemporaryDirectory scratch_;
};

TEST_F(InstrumentFilter, ExcludesWhatIsSmallAndFrequent) {
  const Words command{guest("functions-gcc"), "calls", "3000"};
  const std::string trace = record("first", command, {"--throttle", "off"});
  const Outcome made = makeFilter({trace});
  ASSERT_EQ(0, made.status) << made.errors;
  EXPECT_EQ((std::vector<std::string>{"exclude function planted::leaf(int)",
                                      "exclude function planted::middle(int)"}),
            rules());
  EXPECT_NE(std::string::npos, made.errors.find("excludes 2 of 5 functions, with 9000 of 9003 calls"))
      << made.errors;

  const RecordedRun second =
      recordFunctions(scratch_ / "second", command, {"--sample-hz", "0", "--filter", filter()});
  EXPECT_EQ((CallCounts{{"main", 1}, {"cases", 1}, {"planted::Box<int>::twice", 1}}),
            functions(second));
  EXPECT_EQ(filter(), second.trace.processes[0].settings.at("filter"));
}

TEST_F(InstrumentFilter, LimitsAreOptions) {
  const std::string trace =
      record("first", {guest("functions-gcc"), "calls", "3000"}, {"--throttle", "off"});
  ASSERT_EQ(0, makeFilter({"--calls", "3001", trace}).status);
  EXPECT_EQ((std::vector<std::string>{"exclude function planted::leaf(int)"}), rules());
  ASSERT_EQ(0, makeFilter({"--less-than", "0", trace}).status);
  EXPECT_TRUE(rules().empty());
}

TEST_F(InstrumentFilter, CountsWhatWasThrottled) {
  const std::string trace = record("first", {guest("functions-gcc"), "calls", "3000"},
                                   {"--throttle", "1000:1000000"});
  const Outcome made = makeFilter({trace});
  EXPECT_NE(std::string::npos, made.errors.find("with 9000 of 9003 calls")) << made.errors;
  EXPECT_NE(std::string::npos, made.errors.find("planted::leaf(int) (throttled)")) << made.errors;
  EXPECT_EQ(2u, rules().size());
}

TEST_F(InstrumentFilter, KeepsWhatLeadsToInterceptedRoutines) {
  const std::string trace = record("first", {guest("paths-instrumented")});
  ASSERT_EQ(0, makeFilter({"--calls", "1", "--less-than", "1e12", trace}).status);
  for (const std::string& rule : rules()) {
    for (const char* kept : {"main", "planted::wait", "planted::recurse", "planted::compare",
                             "planted::Less", "planted::Square::draw", "planted::Waiting"}) {
      EXPECT_EQ(std::string::npos, rule.find(kept)) << rule;
    }
  }
}

// Each function is known again by the name that it has in the filter.
TEST_F(InstrumentFilter, NamesOfAllKinds) {
  const Words command{guest("names")};
  const RecordedRun first = recordFunctions(scratch_ / "first", command, {"--sample-hz", "0"});
  EXPECT_EQ(19u, functions(first).size()) << "of the guest; two are called overloaded, two of a lambda";
  ASSERT_EQ(0, makeFilter({"--calls", "1", "--less-than", "1e12", scratch_ / "first"}).status);
  const RecordedRun second =
      recordFunctions(scratch_ / "second", command, {"--sample-hz", "0", "--filter", filter()});
  EXPECT_EQ((CallCounts{{"main", 1}}), functions(second));

  // An asterisk in a name is no wildcard.
  std::ofstream(filter()) << "exclude function planted::Number::operator\\*\n";
  const RecordedRun third =
      recordFunctions(scratch_ / "third", command, {"--sample-hz", "0", "--filter", filter()});
  CallCounts expected = functions(first);
  EXPECT_EQ(1u, expected.erase("planted::Number::operator*"));
  EXPECT_EQ(expected, functions(third));
}

// Asking for the name of a function waits for the dynamic linker, while libc waits for all threads to
// take a signal.
TEST_F(InstrumentFilter, NamesWaitForLibrariesBeingLoaded) {
  std::ofstream(filter()) << "exclude function nothing\n";
  const RecordedRun r = recordFunctions(
      scratch_ / "trace", {guest("functions-gcc"), "loading", guest("functions-plugin.so")},
      {"--sample-hz", "0", "--filter", filter()});
  EXPECT_EQ(0, r.outcome.status);
  EXPECT_EQ("done\n", r.outcome.output);
  const TracedProcess& process = r.trace.processes.at(0);
  EXPECT_EQ((CallCounts{{"planted::enteredWhileLoading", 1}}), r.calls(process, 1));
}

TEST_F(InstrumentFilter, ForTheCompiler) {
  record("first", {guest("names")});
  ASSERT_EQ(0, makeFilter({"--for-compiler", "--calls", "1", "--less-than", "1e12",
                           scratch_ / "first"}).status);
  const std::string program = scratch_ / "names";
  const Outcome compiled = run({PARALLAX_BIN "/parallax-c++", "--parallax-filter=" + filter(),
                                "-O2", "-no-pie", PARALLAX_SOURCES "/instrument_names.cpp", "-o",
                                program, "-pthread"});
  ASSERT_EQ(0, compiled.status) << compiled.errors;
  const RecordedRun second = recordFunctions(scratch_ / "second", {program}, {"--sample-hz", "0"});
  const CallCounts left = functions(second);
  EXPECT_EQ(1u, left.count("main"));
  for (const char* gone : {"planted::local", "planted::overloaded", "planted_c",
                           "planted::Number::operator<", "planted::takesFunction"}) {
    EXPECT_EQ(0u, left.count(gone)) << gone;
  }
}

TEST_F(InstrumentFilter, SaysWhatIsWrong) {
  const std::string plain = record("plain", {guest("paths")});
  const Outcome none = makeFilter({plain});
  EXPECT_EQ(1, none.status);
  EXPECT_NE(std::string::npos, none.errors.find("no instrumented function")) << none.errors;
  EXPECT_EQ(1, makeFilter({scratch_ / "nothing"}).status);
  EXPECT_EQ(2, makeFilter({}).status);
  EXPECT_EQ(2, makeFilter({"--calls", "many", plain}).status);
  EXPECT_EQ(2, makeFilter({"--cals", "1", plain}).status);
  EXPECT_EQ(2, makeFilter({plain, plain}).status);
  EXPECT_EQ(0, makeFilter({"--help"}).status);

  const std::string trace = record("first", {guest("names")});
  const Outcome unwritable = makeFilter({"-o", scratch_ / "no/such/directory", trace});
  EXPECT_EQ(1, unwritable.status);
  EXPECT_NE(std::string::npos, unwritable.errors.find("cannot write")) << unwritable.errors;
}

}  // namespace
}  // namespace parallax::tests
