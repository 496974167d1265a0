// `parallax study mpi-collectives`: plan, decisions, sameness, tables; and with the MPI libraries that are there a run of each
// kind, under a command that stands for the tuner.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "bench/collectives.h"
#include "bench/collectives_turns.h"
#include "bench/interruptible.h"
#include "bench/peers_run.h"
#include "bench/study_text.h"
#include "tests/guest_runner.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

const CollectiveLibrary kOpen{"openmpi5", "", ""}, kMpich{"mpich", "", ""};

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Collectives, AreSetAtTheStart) {
  EXPECT_EQ("", environmentOf(kOpen, "alltoall", "default"));
  EXPECT_EQ("OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_alltoall_algorithm=3",
            environmentOf(kOpen, "alltoall", "badly"));
  EXPECT_EQ("MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=brucks", environmentOf(kMpich, "alltoall", "badly"));
  EXPECT_NE(environmentOf(kMpich, "allreduce", "well"), environmentOf(kMpich, "allreduce", "badly"));
}

TEST(Collectives, ArePlannedTunedAndUntunedInOneBlock) {
  CollectiveSettings settings;
  settings.starts = {"default", "well"};
  const RoundsPlan plan = planOf(settings, {kOpen, kMpich});
  ASSERT_EQ(4u, plan.blocks.size());
  EXPECT_EQ((std::vector<Keys>{{"openmpi5", "alltoall", "default", "untuned"}, {"openmpi5", "alltoall", "default", "tuned"},
                               {"openmpi5", "alltoall", "well", "untuned"}, {"openmpi5", "alltoall", "well", "tuned"}}),
            plan.blocks[0]);
}

TEST(Collectives, CountWhatTheTunerKept) {
  const auto found = collectiveDecisions(
      "    0.65 s  try      mpi-alltoall-linear, the run: by linear\n"
      "    2.26 s  undo     mpi-alltoall-linear, the run: x\n"
      "    3.50 s  keep     mpi-allreduce-reduce-bcast, the run: x\n"
      "    4.50 s  keep     openmp-threads, the run: x\n"
      "    5.50 s  rest     mpi-allreduce-exchange, the run: nothing\n"
      "mpi-alltoall-pairwise  1 0 1\n");
  EXPECT_EQ(1, found.at("undone"));
  EXPECT_EQ(1, found.at("kept_reduce_bcast"));
  EXPECT_EQ(0, found.at("kept_linear"));
  EXPECT_EQ(0, found.at("kept_exchange"));
  EXPECT_DOUBLE_EQ(3.5e9, found.at("tuned_ns"));
}

TEST(Collectives, TellThatResultsDiffer) {
  SameResults same;
  EXPECT_EQ("", same.check("alltoall", "1a"));
  EXPECT_EQ("", same.check("allreduce", "2b"));
  EXPECT_EQ("", same.check("alltoall", "1a"));
  EXPECT_EQ("the results are 1b, and 1a in the first run", same.check("alltoall", "1b"));
}

TEST(Collectives, AreComparedInATable) {
  CollectiveSettings settings;
  settings.operations = {"alltoall"};
  settings.starts = {"badly", "well"};
  CollectiveResults results;
  for (int round = 0; round < 6; round++) {
    const auto add = [&](const char* start, bool isTuned, double call, double last) {
      bench::Run run;
      for (const char* name : {"calls", "wall_ns", "elapsed_ns", "ranks_right"}) run.figures[name] = 2;
      const auto decisions = collectiveDecisions(isTuned && call < 1e4 ? "1.5 s keep mpi-alltoall-linear, the run: x\n" : "");
      run.figures.insert(decisions.begin(), decisions.end());
      run.figures["call_ns"] = call;
      run.figures["last_call_ns"] = last;
      run.figures["turns_pairs"] = 12;
      run.figures["turns_ratio"] = isTuned ? 1.01 + 0.001 * round : 0;
      run.figures["paused_call_ns"] = isTuned ? 16000 : 0;
      results.add(results.recordOf(CollectiveResults::keysOf("mpich", "alltoall", start, isTuned), round, run));
    };
    add("badly", false, 10000, 10000);
    add("badly", true, round < 4 ? 6000 : 7000, 5000);
    add("well", false, 20000, 20000);
    add("well", true, 20200, 24000);
  }
  const std::string table = collectivesTable(settings, {kMpich}, results);
  EXPECT_NE(std::string::npos, table.find("badly     10.0 [10.0, 10.0]        40.0 [30.0, 40.0]      50.0 [50.0, 50.0]      1.2 [1.0, 1.5]     linear 6\n"))
      << table;
  EXPECT_NE(std::string::npos, table.find("-1.0 [-1.0, -1.0]      -20.0 [-20.0, -20.0]   1.2 [1.0, 1.5]     none\n")) << table;
  EXPECT_NE(std::string::npos, table.find("mpich, alltoall, well set: tuned 1.2 % [1.0, 1.5] longer than while the tuner is paused (at "
                                          "most 3 %: reached); 26.2 % [26.2, 26.2] while it tunes; 1.0 % [1.0, 1.0] longer than in "
                                          "another run without it\n")) << table;
  EXPECT_NE(std::string::npos, collectivesCsv(settings, {kMpich}, results)
                                   .find("mpich,alltoall,badly,6,10,10,10,0.4,0.3,0.4,0.5,0.5,0.5,0.0125,0.01,0.015,-0.625,-0.625,-0.5625,\"linear 6\"\n"));
}

// A call takes 10 us, and 11 us while the tuner is on, from 20 ms after each switch on.
TEST(Collectives, AreTimedInTurns) {
  std::vector<TunerTurn> turns;
  std::vector<CallMark> marks{{0, 0}};
  for (int i = 0; i < 8; i++) {
    const bool isOn = i % 4 == 0 || i % 4 == 3;
    turns.push_back({i * 150e6, (i + 1) * 150e6, isOn});
    for (double ns = i * 150e6 + 5e6; ns < (i + 1) * 150e6 + 1; ns += 5e6) {
      const bool isSlow = isOn && (ns > i * 150e6 + 20e6 || i == 4);
      marks.push_back({ns, marks.back().calls + 5e6 / (isSlow ? 11e3 : 10e3)});
    }
  }
  marks.push_back({8 * 150e6 + 5e6, marks.back().calls + 1});
  const TurnsRatio found = ratioOf(turns, marks);
  EXPECT_EQ(4u, found.pairs);
  EXPECT_NEAR(1.1, found.ratio, 1e-9);
  EXPECT_NEAR(10e3, found.pausedNs, 1e-6);
  marks.resize(65);
  EXPECT_EQ(1u, ratioOf(turns, marks).pairs) << "the marks end within the third turn";
  EXPECT_EQ(0, ratioOf({}, marks).ratio);
}

// A server that answers as a session of the tuner does.
TEST(Collectives, PauseTheTunerInTurnsFromTheMarksOn) {
  TemporaryDirectory scratch;
  const std::string control = scratch / "control", marks = scratch / "marks";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(control.size(), sizeof address.sun_path);
  control.copy(address.sun_path, control.size());
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(0, bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  ASSERT_EQ(0, listen(server, 1));
  std::string commands;
  std::thread session([&] {
    for (int client; (client = accept(server, nullptr, nullptr)) >= 0; close(client)) {
      char line[64];
      const ssize_t got = read(client, line, sizeof line);
      commands.append(line, static_cast<size_t>(std::max<ssize_t>(got, 0)));
      EXPECT_GT(write(client, "{\"text\":\"\",\"ok\":true}\n", 23), 0);
    }
  });
  TunerTurns turns(control, marks);
  usleep(50000);
  EXPECT_EQ("", commands);
  std::ofstream(marks) << "";
  usleep(700000);
  const std::vector<TunerTurn>& made = turns.end();
  shutdown(server, SHUT_RDWR);
  session.join();
  close(server);
  ASSERT_GE(made.size(), 3u);
  EXPECT_TRUE(made[0].isOn && !made[1].isOn && !made[2].isOn);
  EXPECT_GE(made[0].endNs - made[0].beginNs, 150e6);
  EXPECT_EQ("pause\nresume\n", commands.substr(0, 13));
}

class StudyOfCollectives : public testing::Test {
 protected:
  tests::Words command(const tests::Words& more) const {
    tests::Words words = {buildDirectory() + "/../parallax-study-mpi-collectives", "--folder", scratch_.path(), "--parallax",
                          scratch_ / "parallax"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // It runs the program, after `before`, and tells that it has kept a method.
  void standFor(const std::string& before = "") const {
    std::ofstream(scratch_ / "parallax") << "#!/bin/sh\n[ \"$1 $2\" = 'tune --act' ] || exit 2\nwhile [ \"$1\" != -- ]; do shift; done\n"
                                            "shift\n" << before << "echo '    1.50 s  keep     mpi-alltoall-linear, the run: x' >&2\nexec \"$@\"\n";
    std::filesystem::permissions(scratch_ / "parallax", std::filesystem::perms::owner_all);
  }
  static std::string aLibrary() {
    for (const char* mpi : {"openmpi", "mpich"}) {
      if (std::filesystem::exists(buildDirectory() + "/../programs/mpi_collectives." + mpi)) return mpi;
    }
    return "";
  }
  std::string csv() const { return contents(scratch_ / "measurements.csv"); }

  TemporaryDirectory scratch_;
};

TEST_F(StudyOfCollectives, RefusesWrongUse) {
  const tests::Outcome unknown = tests::run(command({"--library", "lam"}));
  EXPECT_EQ(2, unknown.status);
  EXPECT_EQ("parallax: unknown word lam; --library takes openmpi, mpich, openmpi5, mpich5; see: parallax study --help\n",
            unknown.errors);
  for (const tests::Words& words : {tests::Words{"--processes", "1"}, {"--bytes", "4"}, {"--start", "bad"}, {"--operation", "bcast"},
                                    {"--rounds", "0"}, {"--turns", "-1"}, {"more"}}) {
    EXPECT_EQ(2, tests::run(command(words)).status) << words.front();
  }
}

TEST_F(StudyOfCollectives, MeasuresTwoOperationsAndKeepsWhatIsMeasured) {
  if (aLibrary().empty()) GTEST_SKIP() << "no MPI library of Debian is installed";
  standFor();
  const tests::Words words = command({"--quick", "--seconds", "0.02", "--bytes", "1024", "--library", aLibrary()});
  const tests::Outcome outcome = tests::run(words);
  EXPECT_EQ(0, outcome.status) << outcome.errors << outcome.output;
  EXPECT_NE(std::string::npos, outcome.output.find("Medians of 1 round of 0.02 s")) << outcome.output;
  const std::string first = csv();
  EXPECT_EQ(4u, split(first, '\n').size() - 1) << first;
  EXPECT_NE(std::string::npos, first.find(aLibrary() + ",alltoall,badly,tuned,1,0,done,")) << first;
  EXPECT_NE(std::string::npos, contents(scratch_ / "decisions/" + aLibrary() + "-alltoall-badly-0.txt").find("keep"));
  EXPECT_NE(std::string::npos, contents(scratch_ / "collectives.csv").find(",\"linear 1\"\n"));
  EXPECT_EQ(0, tests::run(words).status);
  EXPECT_EQ(first, csv());
}

// The tuned program has another number of processes, or makes other calls.
TEST_F(StudyOfCollectives, FailsIfTuningChangesTheResults) {
  if (aLibrary().empty()) GTEST_SKIP() << "no MPI library of Debian is installed";
  standFor("set -- \"$1\" \"$2\" 3 \"$4\" \"$5\" 4096 64\n");
  const tests::Outcome outcome = tests::run(command({"--quick", "--seconds", "0.02", "--bytes", "1024", "--library", aLibrary(), "--operation", "allreduce"}));
  EXPECT_EQ(1, outcome.status) << outcome.errors << outcome.output;
  EXPECT_NE(std::string::npos, outcome.output.find(", tuned: a process has a wrong result")) << outcome.output;
  standFor("set -- \"$1\" \"$2\" \"$3\" \"$4\" alltoall \"$6\" \"$7\"\n");
  const tests::Outcome other = tests::run(command({"--quick", "--seconds", "0.02", "--bytes", "1024", "--library", aLibrary(), "--operation", "allreduce"}));
  EXPECT_EQ(1, other.status) << other.errors << other.output;
  EXPECT_NE(std::string::npos, other.output.find("tuned: the results are ")) << other.output;
}

}  // namespace
}  // namespace parallax::bench
