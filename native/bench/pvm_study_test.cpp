// `parallax study pvm-library`: settings, tables, sentences, charts; and with PVM that it measures, goes on after an
// interrupt, and leaves nothing behind.
#include <dirent.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include "bench/agent_bench.h"
#include "bench/interruptible.h"
#include "bench/peers_run.h"
#include "bench/pvm_paper.h"
#include "bench/pvm_results.h"
#include "bench/pvm_runs.h"
#include "bench/pvm_sort.h"
#include "bench/pvm_tables.h"
#include "bench/study_text.h"
#include "tests/guest_runner.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

std::string inOneSpace(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' || result.empty() || result.back() != ' ') result += c;
  }
  return result;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Record measured(const PvmCell& cell, int round, double milliseconds) {
  return {cell.keys(), round, Record::kDone, {milliseconds * 1e6, milliseconds * 0.9e6, milliseconds * 1.1e6, 1000, 50, 0.5}};
}

// A direct route halves the time, raw data have a quarter of it, and fragments of 64 KB a tenth.
double plantedMs(const PvmCell& cell) {
  return (cell.bytes / 1000.0 + 1) * (cell.place == Place::kThree ? 2 : 1) * (cell.route == Route::kDirect ? 0.5 : 1) *
      (cell.encoding == Encoding::kXdr ? 1 : cell.encoding == Encoding::kRaw ? 0.25 : 0.2) *
      (cell.fragment == 64 * kKilobyte ? 0.1 : 1);
}

PvmResults planted(const PvmSettings& settings) {
  PvmResults results;
  for (int round = 0; round < settings.rounds; round++) {
    for (const std::string& place : settings.places) {
      // The machine is slower in each round.
      for (const std::vector<PvmCell>& block : settings.blocks(place)) {
        for (const PvmCell& cell : block) results.add(measured(cell, round, plantedMs(cell) * (round + 1)));
      }
    }
  }
  return results;
}

TEST(StudyOfPvm, MeasuresEachSettingOnce) {
  const PvmSettings settings;
  const std::vector<Keys> cells = planOf(settings, settings.places).cells();
  const std::set<Keys> keys(cells.begin(), cells.end());
  for (const Keys& each : cells) EXPECT_EQ(each, PvmCell::of(each).keys());
  // Of a place 2 routes and 3 encodings of 7 sizes; 2 routes, 2 encodings in 5 fragment sizes and in place, of 8 sizes.
  EXPECT_EQ(2u * (7 * 2 * 3 + 8 * 2 * (2 * 5 + 1)), cells.size());
  EXPECT_EQ(cells.size(), keys.size());
}

TEST(StudyOfPvm, SavingsAreThoseOfTheSameRound) {
  const PvmSettings settings;
  const PvmResults results = planted(settings);
  const PvmCell xdr = {Place::kOne, Route::kDirect, Encoding::kXdr, kDefaultFragment, 1000000};
  const PvmCell raw = {Place::kOne, Route::kDirect, Encoding::kRaw, kDefaultFragment, 1000000};
  EXPECT_EQ("75.0 [75.0, 75.0]", savedText(results.saved(raw, xdr)));
  EXPECT_EQ(7u, results.milliseconds(raw).count);
  EXPECT_EQ("", savedText(PvmResults().saved(raw, xdr)));
  const PvmResults::Best best = results.bestOf(settings.allFragments(Place::kOne, 4 << 20));
  EXPECT_EQ(64 * kKilobyte, best.cell.fragment);
  EXPECT_EQ("98.8 [98.8, 98.8]", savedText(best.saved));
  EXPECT_EQ(7u, best.milliseconds.count);
}

TEST(StudyOfPvm, TablesStandBesideThePapers) {
  const PvmSettings settings;
  const std::string text = inOneSpace(pvmTables(settings, planted(settings)));
  for (const char* line :
       {"\n=== Three hosts in network namespaces ===\n",
        "\n 1000 XDR 1.77 1.18 33.3 8.000 [2.000, 14.00] 4.000 [1.000, 7.000] 50.0 [50.0, 50.0]\n",
        "\n 1000000 direct 873.90 227.37 74.0 2002.0 [500.5, 3503.5] 500.5 [125.1, 875.9] 75.0 [75.0, 75.0] 400.4 "
        "[100.1, 700.7] 80.0 [80.0, 80.0]\n",
        "\n 4096 KB paper 3730.53 43.6 53.4 55.3 55.6\n",
        "\n 8 KB indirect, raw 9.192 [2.298, 16.09] 0.0 [0.0, 0.0] 90.0 [90.0, 90.0] 0.0 [0.0, 0.0] 0.0 [0.0, 0.0]\n",
        "\n 1 8.008 [2.002, 14.01] direct, in-place 0.801 [0.200, 1.401] 90.0 [90.0, 90.0]\n",
        "direct, raw, 64 KB "}) {
    EXPECT_NE(std::string::npos, text.find(line)) << line << "\nin\n" << text;
  }
  EXPECT_EQ(std::string::npos, text.find("nan"));
}

TEST(StudyOfPvm, SentencesTellWhatDiffers) {
  const PvmSettings settings;
  const std::string text = pvmFindings(settings, planted(settings));
  for (const char* part :
       {"One host:\n", "here 50 % (as there) and 50 % (more than there), with raw data 50 % and 50 %.\n",
        "raw data save 74 % at 1 MB on the direct route in the paper; here 75 % (as there), data in place 80 %;",
        "are 512 KB in the paper (54 % less than 4 KB); here 64 KB (90 %), with raw data 64 KB (90 %); on the indirect route "
        "none matters in the paper, here the best are 64 KB (90 %).\n", "with the best fragments for 1024 KB raw data save 75 %."}) {
    EXPECT_NE(std::string::npos, text.find(part)) << part << "\nin\n" << text;
  }
}

TEST(StudyOfPvm, SentencesTellNoDifferenceWithinAnInterval) {
  PvmSettings settings;
  settings.places = {Place::kOne};
  PvmResults results;
  for (int round = 0; round < settings.rounds; round++) {
    // The direct route saves 15 to 75 % at 1 B and 75 % at 1 MB, where the paper has 51 and 19.
    for (const int bytes : {1, 1000000}) {
      const double share = bytes == 1 ? 0.15 + 0.1 * round : 0.75;
      results.add(measured({Place::kOne, Route::kIndirect, Encoding::kXdr, kDefaultFragment, bytes}, round, 1));
      results.add(measured({Place::kOne, Route::kDirect, Encoding::kXdr, kDefaultFragment, bytes}, round, 1 - share));
    }
  }
  const std::string text = pvmFindings(settings, results);
  EXPECT_NE(std::string::npos, text.find("here 45 % (as there) and 75 % (more than there), with raw data ? and ?.\n")) << text;
  EXPECT_NE(std::string::npos, text.find("here ? (not measured)")) << text;
}

TEST(StudyOfPvm, ChartsHaveEachLineAndThePaper) {
  const PvmSettings settings;
  const PvmResults results = planted(settings);
  const std::string modes = pvmModesChart(settings, results), fragments = pvmFragmentsChart(settings, results);
  for (const char* part : {">indirect, XDR<", ">direct, in-place<", ">The paper<", "One host", "Three hosts", "</svg>"}) {
    EXPECT_NE(std::string::npos, modes.find(part)) << part;
  }
  for (const char* part : {">fragments of 512 KB<", ">The paper, direct, XDR<", "One host, direct, raw", "</svg>"}) {
    EXPECT_NE(std::string::npos, fragments.find(part)) << part;
  }
  for (const std::string& svg : {modes, fragments}) {
    EXPECT_EQ(std::string::npos, svg.find("nan"));
    EXPECT_EQ(std::string::npos, svg.find("inf"));
  }
}

// The benefits that the paper prints follow from its times.
TEST(StudyOfPvm, TheFiguresOfThePaperAreComplete) {
  const double routes[] = {50.72, 50.39, 46.47, 33.45, 20.13, 19.80, 18.71};
  const double encodings[] = {2.25, 2.25, 4.76, 16.38, 61.49, 72.42, 73.98};
  for (size_t i = 0; i < std::size(kPaperRoundTrips); i++) {
    const PaperRoundTrips& row = kPaperRoundTrips[i];
    EXPECT_NEAR(routes[i], 100 * (1 - row.directXdr / row.indirectXdr), 0.6) << row.bytes;
    EXPECT_NEAR(encodings[i], 100 * (1 - row.directRaw / row.directXdrAgain), 1.6) << row.bytes;
  }
  const double fragments[] = {-1.45, 44.88, 48.45, 51.74, 53.66, 53.76, 53.83, 55.58};
  for (size_t i = 0; i < std::size(kPaperFragments); i++) {
    const PaperFragments& row = kPaperFragments[i];
    EXPECT_NEAR(fragments[i], 100 * (1 - row.milliseconds[4] / row.milliseconds[0]), 0.4) << row.kilobytes;
  }
}

// Seconds of a scenario, and what the tuner keeps in it: 1 route, 2 encoding, 4 fragment.
struct PlantedSort {
  const char* name;
  double seconds, elapsed;
  int kept;
};
constexpr PlantedSort kPlantedSorts[] = {{"none", 4, 5, 0},     {"route", 3, 4, 1},     {"encoding", 4, 5, 0}, {"fragment", 2, 3, 4},
                                         {"all", 1, 2, 5},      {"watched", 4.04, 5.5, 0}, {"xdr", 8, 9, 0},   {"xdr-all", 2, 3, 7}};

// A direct route halves the time, raw data have 0.8 of it, and large fragments 0.5, together with the route 0.25.
SortResults plantedSorts(const SortSettings& settings) {
  SortResults results;
  const auto add = [&](const Keys& keys, int round, double seconds, double elapsed, int kept) {
    results.add({keys, round, Record::kDone,
                 {seconds * 1e9, elapsed * 1e9, 1e9, 50, 92, 890295, kept >= 4 ? 1048576.0 : 4096, kept & 1 ? 1.0 : 0,
                  kept & 2 ? 1.0 : 0, kept & 4 ? 3.0 : 0, 1, kept != 0 ? 12e9 : 0, 0.5, seconds * 0.1e9 * (kept != 0 ? 0.5 : 1), kept & 1 ? 3e9 : 0, kept & 2 ? 9e9 : 0,
                  kept & 4 && round > 0 ? 12e9 : 0}});
  };
  for (int round = 0; round < settings.rounds; round++) {
    for (const PlantedSort& sort : kPlantedSorts) {
      add(SortResults::keysOf(Place::kThree, "W", sort.name), round, sort.seconds * (round + 1), sort.elapsed * (round + 1), sort.kept);
    }
    for (int cell = 0; cell < 8; cell++) {
      const double fragment = (cell & 4) == 0 ? 1 : (cell & 1) != 0 ? 0.25 : 0.5;
      add(SortResults::designKeys(Place::kThree, "W", cell), round,
          (round + 1) * ((cell & 1) != 0 ? 0.5 : 1) * ((cell & 2) != 0 ? 0.8 : 1) * fragment, 1, 0);
    }
  }
  return results;
}

TEST(StudyOfPvm, TheSortStandsBesideThePapers) {
  SortSettings settings;
  settings.places = {Place::kThree};
  settings.rounds = 7;
  const SortResults results = plantedSorts(settings);
  const std::string text = inOneSpace(sortTables(settings, results));
  for (const char* line :
       {"\nnothing: indirect, raw, 4 KB 732 16.000 [4.000, 28.000] 4096\n",
        "\ncommunication mode 604 17.5 3.5 12.000 [3.000, 21.000] 25.0 [25.0, 25.0] 20.0 [20.0, 20.0] 1 0 0 12.0 s 4096\n",
        "\ndata encoding 761 -4.0 2.8 16.000 [4.000, 28.000] 0.0 [0.0, 0.0] 0.0 [0.0, 0.0] 0 0 0 4096\n",
        "\nall 529 27.7 5.3 4.000 [1.000, 7.000] 75.0 [75.0, 75.0] 60.0 [60.0, 60.0] 1 0 3 12.0 s 1048576\n",
        "\nmeasured, nothing changed 16.160 [4.040, 28.280] -1.0 [-1.0, -1.0] -10.0 [-10.0, -10.0] 4096\n",
        "save 27.7 % in the paper, here 75.0 [75.0, 75.0] % (above the paper's: reached), and 60.0 [60.0, 60.0] % of the whole",
        "\nIn the last tenth of the sort, after most decisions, they save 87.5 [87.5, 87.5] %.\n",
        "\nWhat the tuner decided with all models, median: route: direct after 3.0 s (7 of 7 runs), fragment: mean + deviation after "
        "12.0 s (6 of 7 runs).\n",
        "Here the sort takes 1.0 [1.0, 1.0] % longer with all measure points and no action (below the paper's: reached), and the whole "
        "command 10.0 [10.0, 10.0] %.\n",
        "From XDR, tuning saves 47 % in the paper, here 75.0 [75.0, 75.0] %.\n", "\nRaw data set by the sort itself save 50.0 [50.0, 50.0] %.\n"}) {
    EXPECT_NE(std::string::npos, text.find(line)) << line << "\nin\n" << text;
  }
  const std::string csv = sortCsv(settings, results);
  EXPECT_NE(std::string::npos, csv.find("\nthree,W,all,529,27.7,5.3,7,4,1,7,0.75,0.75,0.75,0.6,0.6,0.6\n")) << csv;
  EXPECT_NE(std::string::npos, csv.find("\nthree,W,watched,0,,0,7,16.16,4.04,28.28,-0.01,-0.01,-0.01,-0.1,-0.1,-0.1\n")) << csv;
  EXPECT_EQ(std::string::npos, (text + csv).find("nan"));
}

TEST(StudyOfPvm, AGoalThatIsNotReachedIsTold) {
  SortSettings settings;
  settings.places = {Place::kThree};
  SortResults results;
  for (int round = 0; round < settings.rounds; round++) {
    for (const auto& [name, seconds] : {std::pair{"none", 10.0}, {"all", 8.0}, {"watched", 10.6}}) {
      results.add({SortResults::keysOf(Place::kThree, "W", name), round, Record::kDone,
                   {seconds * 1e9, seconds * 1e9, 1e9, 50, 92, 1, 4096, 0, 0, 0, 0, 0, 1}});
    }
  }
  const std::string text = sortTables(settings, results);
  EXPECT_NE(std::string::npos, text.find("20.0 [20.0, 20.0] % (above the paper's: NOT REACHED)")) << text;
  EXPECT_NE(std::string::npos, text.find("6.0 [6.0, 6.0] % longer with all measure points and no action (below the paper's: NOT")) << text;
}

TEST(StudyOfPvm, WhatIsNotMeasuredIsNotTold) {
  SortSettings settings;
  settings.places = {Place::kThree};
  settings.scenarios = {"none", "all"};
  SortResults results;
  for (int round = 0; round < settings.rounds; round++) {
    for (const char* name : {"none", "all"}) {
      results.add({SortResults::keysOf(Place::kThree, "W", name), round, Record::kDone, {1e9, 1e9, 1e9, 50, 92, 1, 4096, 0, 0, 0, 0, 0, 1}});
    }
  }
  const std::string text = sortTables(settings, results);
  EXPECT_NE(std::string::npos, text.find("All models together save")) << text;
  for (const char* words : {"The intrusion is", "From XDR", "Raw data", "experiment"}) {
    EXPECT_EQ(std::string::npos, text.find(words)) << words << " in\n" << text;
  }
}

TEST(StudyOfPvm, TheExperimentIsOneOfWhatIsTuned) {
  SortSettings settings;
  const auto runs = [&](const std::vector<std::string>& scenarios) {
    settings.scenarios = scenarios;
    return planOf(settings, {Place::kOne}).cells().size();
  };
  EXPECT_EQ(8u + 8u, runs({}));
  EXPECT_EQ(2u, runs({"none", "all"}));
  EXPECT_EQ(8u, runs({"experiment"}));
  EXPECT_EQ(1u + 8u, runs({"xdr", "experiment"}));
}

TEST(StudyOfPvm, TheExperimentNamesTheSettingOfTheTuner) {
  SortSettings settings;
  settings.places = {Place::kThree};
  settings.rounds = 7;
  const std::string text = inOneSpace(sortEffects(Place::kThree, "W", plantedSorts(settings)));
  // Of the logarithms: the fragments have 0.5 and 0.25, a mean of 0.354; 0.5 times the root of 0.5 for the route.
  for (const char* line : {"\nroute 64.6 [64.6, 64.6]\n", "\nencoding 20.0 [20.0, 20.0]\n", "\nroute x encoding 0.0 [0.0, 0.0]\n",
                           "\nfragment 64.6 [64.6, 64.6]\n", "\nroute x fragment 29.3 [29.3, 29.3]\n",
                           "\ndirect, raw, fragments of mean + deviation 90.0 [90.0, 90.0] 4096",
                           "experiment: direct, raw, fragments of mean + deviation; it saves 90.0 [90.0, 90.0] % in rounds that did not",
                           "\nThe tuner leaves, from raw data: direct, raw, fragments of mean + deviation; the same, in 7 of 7 runs.\n",
                           "\nThe tuner leaves, from XDR: direct, raw, fragments of mean + deviation; the same, in 7 of 7 runs.\n"}) {
    EXPECT_NE(std::string::npos, text.find(line)) << line << "\nin\n" << text;
  }
}

TEST(StudyOfPvm, WhatTheTunerKeptIsRead) {
  const auto found = tunerFigures(
      "parallax: round 1\n    0.80 s  try      pvm-route, the run: pvm_setopt(1, 3): messages\n"
      "    9.60 s  keep     pvm-route, the run: pvm_setopt(1, 3): elapsed() / count(sent) is 33.5 % [32.7, 33.7] less\n"
      "   11.00 s  undo     pvm-encoding, the run: argument 0 of pvm_initsend = 1: x\n"
      "   12.25 s  keep     pvm-fragment-size, a task t40002: pvm_setopt(10, 1048576): x\n"
      "   12.50 s  keep     pvm-fragment-size-all, the run: pvm_setopt(10, 1048576): x\n"
      "   13.00 s  rest     pvm-route, the run: nothing to change\n"
      "model              tried  kept  undone  gain                    change\n");
  EXPECT_EQ(1, found.at("kept_route"));
  EXPECT_EQ(0, found.at("kept_encoding"));
  EXPECT_EQ(2, found.at("kept_fragment"));
  EXPECT_EQ(1, found.at("undone"));
  EXPECT_EQ(12.5e9, found.at("tuned_ns"));
  EXPECT_EQ(9.6e9, found.at("kept_at_route_ns"));
  EXPECT_EQ(0, found.at("kept_at_encoding_ns"));
  EXPECT_EQ(12.5e9, found.at("kept_at_fragment_ns"));
}

TEST(StudyOfPvm, AnotherResultIsAFailure) {
  SameOutput same;
  EXPECT_EQ("", same.check("W", "wall_ns 5\nanswer 7\nmessages 92\nfragment_bytes 4096\n"));
  EXPECT_EQ("", same.check("W", "wall_ns 9\nanswer 7\nmessages 92\nfragment_bytes 1048576\n"));
  EXPECT_EQ("", same.check("S", "answer 8\n"));
  EXPECT_EQ("the sort printed answer 8, and answer 7 in the first run", same.check("W", "answer 8\nmessages 92\n"));
  EXPECT_EQ("the sort printed nothing, and messages 92 in the first run", same.check("W", "answer 7\n"));
}

// Of the daemons and tasks of a study with this folder.
std::vector<pid_t> processesOf(const std::string& folder) {
  const std::string wanted = "PARALLAX_STUDY=" + folder + '\0';
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = atoi(entry.path().filename().c_str());
    if (pid > 0 && contents(entry.path().string() + "/environ").find(wanted) != std::string::npos) found.push_back(pid);
  }
  return found;
}

std::string temporaryOf(const std::string& folder) {
  std::ifstream file(folder + "/pvm-tmp");
  std::string path;
  std::getline(file, path);
  return path;
}

// What `isTrue` is within 20 s.
bool comesTrue(const std::function<bool()>& isTrue) {
  for (int i = 0; i < 2000; i++) {
    if (isTrue()) return true;
    usleep(10000);
  }
  return false;
}

class StudyOfPvmRuns : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(buildDirectory() + "/../programs/pvm_round_trip")) GTEST_SKIP() << "PVM is not installed";
  }

  tests::Words command(const tests::Words& more, const std::string& study = "pvm-library") const {
    tests::Words words = {buildDirectory() + "/../parallax-study-" + study, "--folder", folder()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string folder() const { return scratch_.path(); }
  size_t lines() const {
    const std::string text = contents(folder() + "/measurements.csv");
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  TemporaryDirectory scratch_;
};

// A killed one leaves a daemon at most for a moment, and a directory, which the next one removes; an interrupted one
// nothing. The next one goes on, and also leaves nothing.
TEST_F(StudyOfPvmRuns, LeaveNothingBehind) {
  for (const int signal : {SIGKILL, SIGTERM}) {
    const size_t before = lines();
    const pid_t pid = tests::start(command({"--quick", "--rounds", "50"}));
    ASSERT_TRUE(comesTrue([&] { return lines() > before + 8; }));
    const std::string now = temporaryOf(folder());
    EXPECT_TRUE(std::filesystem::exists(now)) << now;
    EXPECT_FALSE(processesOf(folder()).empty());
    kill(pid, signal);
    EXPECT_EQ(signal == SIGKILL ? 128 + SIGKILL : Interruptible::kStatus, tests::endOf(pid));
    EXPECT_TRUE(comesTrue([&] { return processesOf(folder()).empty(); }));
    // What starts them ends after them.
    EXPECT_TRUE(comesTrue([&] { return !std::filesystem::exists(now) && !std::filesystem::exists(folder() + "/pvm-tmp"); }));
  }
  EXPECT_GT(lines(), 16u);
}

TEST_F(StudyOfPvmRuns, MeasureOneHostWithoutNamespaces) {
  std::ofstream(scratch_ / "unshare") << "#!/bin/sh\necho unshare failed: Operation not permitted >&2\nexit 1\n";
  std::filesystem::permissions(scratch_ / "unshare", std::filesystem::perms::owner_all);
  const tests::Outcome outcome = tests::run(command({"--quick", "--hosts", "three"}), [&] {
    // Nor needs the host a name that has an address. (Only root can give it one.)
    if (unshare(CLONE_NEWUTS) == 0 && sethostname("nowhere", 7) != 0) _exit(1);
    setenv("PATH", (folder() + ":" + getenv("PATH")).c_str(), 1);
  });
  EXPECT_EQ(0, outcome.status) << outcome.errors << outcome.output;
  EXPECT_NE(std::string::npos, outcome.errors.find(
      "parallax: no network namespaces can be made for three hosts (unshare failed: Operation not permitted); one host is "
      "measured alone.")) << outcome.errors;
  EXPECT_NE(std::string::npos, outcome.output.find("=== One host ===")) << outcome.output;
  EXPECT_EQ(std::string::npos, outcome.output.find("Three hosts")) << outcome.output;
  // The same command measures nothing again, and tells other times of it.
  const size_t before = lines();
  const tests::Outcome least = tests::run(command({"--quick", "--hosts", "one", "--least"}));
  EXPECT_EQ(0, least.status);
  EXPECT_EQ(before, lines());
  EXPECT_NE(outcome.output, least.output);
}

// It ends with an error if a rank is not the published one. The command line here tells which models it has, and runs the sort.
TEST_F(StudyOfPvmRuns, SortWithEachSetting) {
  const std::string parallax = scratch_ / "parallax";
  std::ofstream(parallax) << "#!/bin/sh\n[ \"$1\" = tune ] || exit 2\nwhile [ \"$1\" != -- ]; do echo \"$1\" >> " << folder()
                          << "/words; shift; done\nshift\necho '    2.50 s  keep     pvm-route, the run: x' >&2\nexec \"$@\"\n";
  std::filesystem::permissions(parallax, std::filesystem::perms::owner_all);
  const tests::Outcome outcome =
      tests::run(command({"--quick", "--repeat", "2", "--processes", "5", "--parallax", parallax}, "pvm-is"));
  EXPECT_EQ(0, outcome.status) << outcome.errors << outcome.output;
  std::ifstream file(folder() + "/measurements.csv");
  size_t runs = 0, kept = 0;
  std::string line;
  std::getline(file, line);
  EXPECT_EQ("hosts,class,tuned,session,round,outcome,wall_ns,elapsed_ns,cpu_ns,ranks_right,messages,message_bytes,fragment_bytes,"
            "kept_route,kept_encoding,kept_fragment,undone,tuned_ns,load,last_ns,kept_at_route_ns,kept_at_encoding_ns,kept_at_fragment_ns",
            line);
  while (std::getline(file, line)) {
    runs++;
    EXPECT_NE(std::string::npos, line.find(",0,done,")) << line;
    const std::vector<std::string> fields = split(line);
    ASSERT_EQ(23u, fields.size()) << line;
    EXPECT_GT(std::stod(fields[19]), 0) << line;
    EXPECT_EQ(fields[13] == "1" ? "2500000000" : "0", fields[20]) << line;
    EXPECT_EQ("50", fields[9]) << line;
    kept += fields[13] == "1" ? 1 : 0;
  }
  EXPECT_EQ(8u + 8u, runs);
  EXPECT_EQ(6u, kept);
  const std::string words = contents(folder() + "/words");
  for (const char* each : {"--act\n--only\npvm-route\n", "--only\npvm-encoding\n", "--only\npvm-fragment-size-all\n--only\npvm-fragment-size\n", "--model\n"}) {
    EXPECT_NE(std::string::npos, words.find(each)) << each << "in\n" << words;
  }
  EXPECT_NE(std::string::npos, contents(folder() + "/table4.csv").find("one,S,all,529,27.7,5.3,1,"));
  EXPECT_NE(std::string::npos, contents(folder() + "/decisions/one-S-route-0.txt").find("keep"));
}

// A run of 20 s ends by the second signal, and leaves nothing.
TEST_F(StudyOfPvmRuns, EndAtOnceByASecondInterrupt) {
  const pid_t pid = tests::start(command({"--hosts", "one", "--milliseconds", "20000"}));
  EXPECT_TRUE(comesTrue([&] { return processesOf(folder()).size() >= 4; }));  // the daemon and three tasks
  const double begin = nowNs();
  for (int i = 0; i < 2; i++) {
    kill(pid, SIGINT);
    usleep(50000);
  }
  EXPECT_EQ(Interruptible::kStatus, tests::endOf(pid));
  EXPECT_LT(nowNs() - begin, 15e9);
  EXPECT_TRUE(comesTrue([&] { return processesOf(folder()).empty(); }));
  EXPECT_EQ(1u, lines());  // the heading
}

// What a spawned task says, which PVM's daemon would keep for itself.
TEST_F(StudyOfPvmRuns, TellWhyATaskFails) {
  const PvmMachine machine(buildDirectory() + "/../parallax-pvm-machine", Place::kOne, folder());
  ASSERT_EQ("", machine.missing());
  const std::string program = machine.command(std::filesystem::canonical(buildDirectory() + "/../programs/pvm_round_trip"));
  EXPECT_EQ("pvm_round_trip: a worker fails as it was asked to",
            runCommand(program + " --fail-at 5 . .", folder(), 30).failure);
}

TEST_F(StudyOfPvmRuns, RefuseWrongUse) {
  EXPECT_EQ(2, tests::run({buildDirectory() + "/../programs/pvm_round_trip", "--least", "100001", "."}).status);
  for (const tests::Words& words : {tests::Words{"--hosts", "two"}, {"--class", "D"}, {"--processes", "1"}, {"--tuned", "some"}}) {
    EXPECT_EQ(2, tests::run(command(words, "pvm-is")).status) << words.back();
  }
  for (const tests::Words& words : {tests::Words{"--hosts", "two"}, {"--type", "float"}, {"--rounds", "0"}, {"more"}}) {
    const tests::Outcome outcome = tests::run(command(words));
    EXPECT_EQ(2, outcome.status) << words.back();
    EXPECT_NE(std::string::npos, outcome.errors.find("see: parallax study --help")) << outcome.errors;
  }
}

}  // namespace
}  // namespace parallax::bench
