// What studies that are resumed share: records that stay, rounds, sessions, choices, and interrupts.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "../../tests/studies/pvm/trips.h"
#include "bench/agent_bench.h"
#include "bench/interruptible.h"
#include "bench/study_command.h"
#include "bench/study_rounds.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

constexpr char kTime[] = "ns";

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Record measured(const Keys& keys, int round, double ns) { return {keys, round, Record::kDone, {ns}}; }

class StudyRounds : public testing::Test {
 protected:
  KeyedResults open(const std::string& settings = "type int\n") {
    message_.clear();
    return KeyedResults(scratch_.path(), settings, {"mode"}, {kTime}, &message_);
  }

  TemporaryDirectory scratch_;
  std::string message_;
};

TEST_F(StudyRounds, OtherSettingsLeaveMeasurementsAlone) {
  EXPECT_TRUE(open().add(measured({"direct"}, 0, 7)));
  EXPECT_EQ("", message_);
  const std::string first = contents(scratch_ / "measurements.csv");
  {
    KeyedResults other = open("type double\n");
    EXPECT_EQ("the measurements there are of other settings; those of these settings are kept in measurements-2.csv", message_);
    EXPECT_EQ(nullptr, other.find({"direct"}, 0));
    EXPECT_EQ(scratch_ / "measurements-2.csv", other.path());
    EXPECT_TRUE(other.add(measured({"direct"}, 0, 9)));
  }
  EXPECT_EQ(first, contents(scratch_ / "measurements.csv"));
  const KeyedResults again = open();
  EXPECT_EQ("1 measurements are there already; they are kept", message_);
  ASSERT_NE(nullptr, again.find({"direct"}, 0));
  EXPECT_EQ(7, again.find({"direct"}, 0)->figures[0]);
  const KeyedResults other = open("type double\n");
  EXPECT_EQ("1 measurements are there already, in measurements-2.csv; they are kept", message_);
  EXPECT_EQ(9, other.find({"direct"}, 0)->figures[0]);
}

// So that no line can be lost while it is read, even if the disk is full.
TEST_F(StudyRounds, ReadingWritesNoMeasurementAgain) {
  EXPECT_TRUE(open().add(measured({"direct"}, 0, 7)));
  EXPECT_TRUE(open().add({{"indirect"}, 0, "it failed", {}}));
  const std::string file = scratch_ / "measurements.csv", whole = contents(file);
  EXPECT_EQ("mode,session,round,outcome,ns\ndirect,1,0,done,7\nindirect,2,0,it failed,\n", whole);
  std::ofstream(file, std::ios::app) << "direct,2,1,done,12";  // cut off by a kill, of 12345
  struct stat before, after;
  ASSERT_EQ(0, stat(file.c_str(), &before));
  const KeyedResults results = open();
  ASSERT_EQ(0, stat(file.c_str(), &after));
  EXPECT_EQ(whole, contents(file));
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(nullptr, results.find({"direct"}, 1));
  EXPECT_EQ(nullptr, results.find({"indirect"}, 0));
}

TEST_F(StudyRounds, RunsOfTwoSessionsAreNoPair) {
  open().add(measured({"direct"}, 0, 1));
  KeyedResults results = open();
  results.add(measured({"default"}, 0, 4));
  for (const char* mode : {"direct", "default"}) results.add(measured({mode}, 1, 3));
  const Estimate saved = results.saved({"direct"}, {"default"}, kTime);
  EXPECT_EQ(1u, saved.count);
  EXPECT_EQ(0, saved.median);
  EXPECT_EQ(2u, results.estimateOf({"direct"}, kTime).count);
}

// An interrupt in the second block: its rounds are of one session when it goes on.
TEST_F(StudyRounds, GoOnWithWholeBlocks) {
  const RoundsPlan plan{1, 1, {{{"a"}, {"b"}, {"c"}}, {{"d"}, {"e"}, {"f"}}}};
  std::vector<Keys> runs;
  {
    KeyedResults results = open();
    const Interruptible interruptible;
    const RoundsDone done = runRounds(plan, &results, [&](const Keys& keys, int round) {
      runs.push_back(keys);
      if (runs.size() == 4) raise(SIGINT);
      return measured(keys, round, 1);
    });
    EXPECT_FALSE(done.isComplete);
  }
  EXPECT_EQ(4u, runs.size());
  const bool isFirst = runs.front() < Keys{"d"};
  runs.clear();
  KeyedResults results = open();
  const Interruptible interruptible;
  const auto measure = [&](const Keys& keys, int round) {
    runs.push_back(keys);
    return measured(keys, round, 2);
  };
  EXPECT_TRUE(runRounds(plan, &results, measure).isComplete);
  EXPECT_EQ(3u, runs.size());
  for (const Keys& keys : runs) EXPECT_EQ(isFirst, keys >= Keys{"d"}) << keys[0];
  EXPECT_TRUE(runRounds(plan, &results, measure).isComplete);
  EXPECT_EQ(3u, runs.size());
}

TEST_F(StudyRounds, TheirNumberIsThatOfWhatIsMeasured) {
  KeyedResults results({kTime});
  EXPECT_EQ("no rounds", results.roundsOf({{"a"}}).text());
  results.add(measured({"a"}, 0, 1));
  results.add({{"b"}, 0, "it failed", {}});
  EXPECT_EQ("1 round", results.roundsOf({{"a"}, {"b"}}).text());
  for (int round = 1; round < 4; round++) results.add(measured({"a"}, round, 1));
  for (int round = 0; round < 3; round++) results.add(measured({"b"}, round, 1));
  EXPECT_EQ("3 to 4 rounds", results.roundsOf({{"a"}, {"b"}}).text());
  EXPECT_EQ("4 rounds", results.roundsOf({{"a"}}).text());
}

// Where all are alike, the least of them seems to save much by the rounds that have chosen it.
TEST_F(StudyRounds, NothingIsGainedByTheChoiceAlone) {
  constexpr int kStudies = 400, kRounds = 7, kCells = 11;
  std::mt19937 random(7);
  std::lognormal_distribution<double> noise(0, 0.3);
  std::vector<Keys> cells;
  for (int i = 0; i < kCells; i++) cells.push_back({std::to_string(i)});
  double biased = 0, fair = 0;
  for (int study = 0; study < kStudies; study++) {
    KeyedResults results({kTime});
    for (int round = 0; round < kRounds; round++) {
      for (const Keys& keys : cells) results.add(measured(keys, round, noise(random)));
    }
    biased += results.saved(results.bestOf(cells, kTime), cells[0], kTime).median / kStudies;
    std::vector<double> saved;
    for (const auto& [round, keys] : results.bestByOthers(cells, kTime)) {
      saved.push_back(1 - results.ratiosOf(keys, cells[0], kTime).at(round));
    }
    ASSERT_EQ(7u, saved.size());
    fair += median(saved) / kStudies;
  }
  EXPECT_GT(biased, 0.15);
  EXPECT_NEAR(0, fair, 0.04);
}

TEST_F(StudyRounds, ARealGainIsFound) {
  KeyedResults results({kTime});
  for (int round = 0; round < 7; round++) {
    results.add(measured({"default"}, round, 8.0 * (round + 1)));
    results.add(measured({"raw"}, round, 4.0 * (round + 1)));
    results.add(measured({"direct"}, round, 2.0 * (round + 1)));
  }
  const std::vector<Keys> cells = {{"default"}, {"raw"}, {"direct"}};
  EXPECT_EQ(Keys{"direct"}, results.bestOf(cells, kTime));
  const auto best = results.bestByOthers(cells, kTime);
  ASSERT_EQ(7u, best.size());
  for (const auto& [round, keys] : best) EXPECT_EQ(Keys{"direct"}, keys);
  // Of one round there is no other.
  KeyedResults one({kTime});
  for (const Keys& keys : cells) one.add(measured(keys, 0, 1));
  EXPECT_TRUE(one.bestByOthers(cells, kTime).empty());
}

// Trips that are alike: the shortest of 1,000 is much shorter than the shortest of 10.
TEST_F(StudyRounds, TheShortestTripsAreThoseOfEqualNumbers) {
  std::mt19937 random(11);
  std::exponential_distribution<double> noise(1);
  double few = 0, many = 0;
  constexpr int kRuns = 2000, kFew = 4;
  for (int run = 0; run < kRuns; run++) {
    std::vector<double> trips(run % 2 == 0 ? 10 : 1000);
    for (double& trip : trips) trip = 1 + noise(random);
    std::sort(trips.begin(), trips.end());
    (run % 2 == 0 ? few : many) += least_of_few(trips.data(), static_cast<int>(trips.size()), kFew) / (kRuns / 2);
  }
  // The shortest of four is 1 + 1/4 on the mean.
  EXPECT_NEAR(1.25, few, 0.02);
  EXPECT_NEAR(1.25, many, 0.02);
  const double three[] = {1, 2, 4};
  EXPECT_DOUBLE_EQ(1, least_of_few(three, 3, 3));
  EXPECT_DOUBLE_EQ((1 + 1 + 2) / 3.0, least_of_few(three, 3, 2));
  EXPECT_DOUBLE_EQ(7 / 3.0, least_of_few(three, 3, 1));
}

// The first interrupt lets the run end, the second ends it, and the third ends the program.
TEST_F(StudyRounds, ASecondInterruptEndsTheRun) {
  const Interruptible interruptible;
  raise(SIGINT);
  EXPECT_TRUE(Interruptible::isInterrupted());
  EXPECT_EQ("", runCommand("exit 0", scratch_.path(), 10).failure);
  std::thread later([main = pthread_self()] {
    usleep(100000);
    pthread_kill(main, SIGTERM);
  });
  const double begin = nowNs();
  EXPECT_EQ("it was interrupted", runCommand("sleep 20", scratch_.path(), 30).failure);
  EXPECT_LT(nowNs() - begin, 10e9);
  later.join();
  struct sigaction now;
  ASSERT_EQ(0, sigaction(SIGINT, nullptr, &now));
  EXPECT_EQ(SIG_DFL, now.sa_handler);
}

TEST_F(StudyRounds, AFailureWithoutAMessageHasItsStatus) {
  EXPECT_EQ("it ended with status 3 without a message", runCommand("exit 3", scratch_.path(), 10).failure);
  EXPECT_EQ("it was ended by signal 11 (Segmentation fault) without a message",
            runCommand("kill -SEGV $$", scratch_.path(), 10).failure);
  EXPECT_EQ("why", runCommand("echo why >&2; exit 3", scratch_.path(), 10).failure);
}

TEST_F(StudyRounds, AnInterruptIsAStatus) {
  EXPECT_EQ(0, endOfStudy({}, true));
  EXPECT_EQ(1, endOfStudy({"a run"}, true));
  EXPECT_EQ(130, endOfStudy({}, false));
  EXPECT_EQ(130, endOfStudy({"a run"}, false));
}

}  // namespace
}  // namespace parallax::bench
