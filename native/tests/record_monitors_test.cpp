// What runs beside a program that is recorded: parallax-monitor and any other monitors.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/guest_runner.h"

namespace parallax::tests {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class RecordMonitors : public testing::Test {
 protected:
  Outcome record(const Words& options, const Words& command = {"sleep", "1"}) {
    Words all{"--quiet"};
    all.insert(all.end(), options.begin(), options.end());
    return run(recorded(trace_, command, all));
  }

  std::vector<std::string> series() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(trace_)) {
      if (entry.path().extension() == ".series") names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryDirectory scratch_;
  const std::string trace_ = scratch_ / "trace";
};

constexpr char kSeries[] =
    "printf 'parallax-series 1\\nobject machine a\\nmetric m gauge\\ndata\\n1 1\\n'";

TEST_F(RecordMonitors, TheMachinesIsThereFromTheFirstMomentToTheLast) {
  const Outcome outcome = record(
      {"--monitor=50"}, {"sh", "-c", "date +%s.%N; " + guest("locks") +
                                     " waiting > /dev/null; sleep 0.5; date +%s.%N"});
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ("", outcome.errors);
  ASSERT_EQ(std::vector<std::string>{"monitor.series"}, series());
  const std::string text = contents(trace_ + "/monitor.series");
  ASSERT_EQ('\n', text.back());
  const size_t first = text.find("\ndata\n") + 6;
  const size_t last = text.rfind('\n', text.size() - 2) + 1;
  size_t end = 0;
  EXPECT_LT(std::stod(text.substr(first)), std::stod(outcome.output, &end));
  EXPECT_GT(std::stod(text.substr(last)), std::stod(outcome.output.substr(end)));
  const auto readings = std::count(text.begin() + static_cast<long>(first), text.end(), '\n');
  EXPECT_GE(readings, 10);
  EXPECT_LE(readings, 60);
}

TEST_F(RecordMonitors, AScriptGivesItsName) {
  const std::string script = scratch_ / "room.sensors.sh";
  std::ofstream(script) << "#!/bin/sh\n" << kSeries << "\n";
  ASSERT_EQ(0, chmod(script.c_str(), 0755));
  EXPECT_EQ("", record({"--external", script + " --all"}).errors);
  EXPECT_EQ(std::vector<std::string>{"room_sensors.series"}, series());
}

TEST_F(RecordMonitors, SeveralHaveFilesOfTheirOwnAndAFifoIsOne) {
  const std::string fifo = scratch_ / "fifo";
  ASSERT_EQ(0, mkfifo(fifo.c_str(), 0600));
  const int writer = start({"sh", "-c", std::string(kSeries) + " > " + fifo});
  const Outcome outcome = record({"--monitor", "--external", "cat " + fifo, "--external", kSeries,
                                  "--external", kSeries});
  EXPECT_EQ(0, endOf(writer));
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ("", outcome.errors);
  EXPECT_EQ((std::vector<std::string>{"cat.series", "monitor.series", "printf-2.series",
                                      "printf.series"}), series());
  EXPECT_EQ(contents(trace_ + "/printf.series"), contents(trace_ + "/cat.series"));
}

// Each gets one warning; output and exit status are those of the program.
TEST_F(RecordMonitors, OnesThatFailDoNotDisturbTheProgram) {
  struct Case {
    const char* command;
    const char* warning;
    bool kept;
  };
  for (const Case& bad :
       {Case{"exit 3", "failed with status 3; the trace has no data from it", false},
        Case{"no-such-monitor", "failed with status 127: ", false},
        Case{"echo sorry >&2; kill -9 $$", "was ended by signal 9: sorry", false},
        Case{"sleep 60", "wrote nothing; ", false},
        Case{"echo hello", "wrote no series: its first line is \"hello\"", true},
        Case{"cat /dev/zero | head -c 100000", "wrote no series", true}}) {
    std::filesystem::remove_all(trace_);
    const Outcome outcome =
        record({"--external", bad.command}, {"sh", "-c", "sleep 1; " + guest("locks") +
                                                    " waiting > /dev/null; echo out; exit 5"});
    EXPECT_EQ(5, outcome.status) << bad.command;
    EXPECT_EQ("out\n", outcome.output) << bad.command;
    EXPECT_EQ(0u, outcome.errors.find("parallax: the monitor `" + std::string(bad.command) + "` "))
        << outcome.errors;
    EXPECT_NE(std::string::npos, outcome.errors.find(bad.warning)) << outcome.errors;
    EXPECT_EQ(outcome.errors.size() - 1, outcome.errors.find('\n')) << "one line";
    EXPECT_EQ(bad.kept ? 1u : 0u, series().size()) << bad.command;
  }
}

TEST_F(RecordMonitors, OneThatIgnoresItsEndIsKilledWithAllThatItStarted) {
  const std::string marks = scratch_ / "marks";
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = record({"--external", "trap '' TERM; " + std::string(kSeries) +
                                  "; while :; do echo >> " + marks + "; sleep 0.05; done"});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(0, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("did not end within 2 s")) << outcome.errors;
  EXPECT_LT(elapsed.count(), 20);
  const auto size = std::filesystem::file_size(marks);
  usleep(300000);
  EXPECT_EQ(size, std::filesystem::file_size(marks)) << "it still runs";
}

TEST_F(RecordMonitors, NothingOfOneIsLeftWhenTheRecorderIsKilled) {
  const std::string marks = scratch_ / "marks";
  const int recorder = start(recorded(trace_, {"sleep", "3"}, {"--quiet", "--external",
      "while :; do echo; echo >> " + marks + "; sleep 0.05; done | cat"}));
  for (int i = 0; i < 1000 && !std::filesystem::exists(marks); i++) usleep(10000);
  ASSERT_TRUE(std::filesystem::exists(marks));
  kill(recorder, SIGKILL);
  EXPECT_EQ(128 + SIGKILL, endOf(recorder));
  uintmax_t before = 0, now = std::filesystem::file_size(marks);
  for (int i = 0; i < 20 && before != now; i++) {
    usleep(300000);
    before = now;
    now = std::filesystem::file_size(marks);
  }
  EXPECT_EQ(before, now) << "it still runs";
}

TEST_F(RecordMonitors, ItsEndLetsAShellsLoopEnd) {
  const Outcome outcome = record({"--external", std::string(kSeries) +
                                  "; while sleep 0.01; do echo \"$(date +%s.%N) 1\"; done"});
  EXPECT_EQ("", outcome.errors);
  const std::string text = contents(trace_ + "/printf.series");
  EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 6);
}

TEST_F(RecordMonitors, ARunOfNothingLeavesNothing) {
  EXPECT_EQ(0, record({"--monitor"}, {"true"}).status);
  std::filesystem::remove_all(trace_);
  // A static program is none that can be recorded, and a shell does not tell before.
  const Outcome outcome = record({"--monitor"}, {"sh", "-c", guest("static")});
  EXPECT_NE(std::string::npos, outcome.errors.find("no process was recorded")) << outcome.errors;
  EXPECT_EQ(std::vector<std::string>{}, series());
}

TEST_F(RecordMonitors, WrongUse) {
  for (const Words& options : {Words{"--monitor=0"}, Words{"--monitor=1001"}, Words{"--monitor="},
                               Words{"--monitor=often"}, Words{"--monitor=1e-9"}, Words{"--external", " "},
                               Words{"--external="}}) {
    const Outcome outcome = record(options);
    EXPECT_EQ(2, outcome.status) << outcome.errors;
    EXPECT_NE(std::string::npos, outcome.errors.find("--help")) << outcome.errors;
  }
}

}  // namespace
}  // namespace parallax::tests
