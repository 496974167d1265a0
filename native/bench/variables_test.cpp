// `parallax study mpi-variables`: what the probe says, plans, comparisons, decisions and tables; and with the MPI libraries
// that are there a few variables whose effects are known.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "bench/peers_run.h"
#include "bench/variables_effect.h"
#include "bench/variables_runs.h"
#include "bench/variables_tables.h"
#include "tests/guest_runner.h"
#include "tests/open_mpi.h"
#include "tests/other_load.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ProbeOfVariables, TellsWhatAChildDid) {
  const Probe probe = parseProbe(
      "library Open MPI v4.1.4, package: Debian OpenMPI\n"
      "variable 0\nstep describe\nname first\ntype int\nscope all\nbind none\nverbosity 1\ndescription of words\nitem 0 none\n"
      "item 5 all of them\nstep handle\ncount 1\nstep read\nread yes\nvalue 5\nstep write\nwrite yes\nstep read-back\n"
      "read_back no\nstep end\nended well\n"
      "variable 1\nstep describe\nname second\ntype text\nscope constant\nbind none\nstep handle\nstep read\n"
      "ended Segmentation fault\n"
      "variable 2\nstep describe\ndescribe invalid-index\nstep end\nended well\n"
      "variable 3\nstep describe\nname third\nscope read-only\nstep read\nread yes\nstep write\nwrite never\nstep end\nended well\n"
      "variable 4\nstep describe\nname fourth\nstep handle\nstep read\nread yes\nstep write\nended hang\n"
      "complete 1\n");
  EXPECT_EQ("", probe.failure);
  EXPECT_EQ("4.1.4", probe.version);
  ASSERT_EQ(4u, probe.variables.size());
  const Variable &first = probe.variables[0], &second = probe.variables[1], &third = probe.variables[2];
  EXPECT_EQ("first int all none yes yes no 5", first.name + " " + first.type + " " + first.scope + " " + first.bind + " " +
                                                   first.readable + " " + first.writable + " " + first.readBack + " " +
                                                   first.value);
  ASSERT_EQ(2u, first.items.size());
  EXPECT_EQ("all of them", first.items[1].name);
  EXPECT_EQ("crash untried Segmentation fault", second.readable + " " + second.writable + " " + second.end);
  EXPECT_EQ("yes never", third.readable + " " + third.writable);
  EXPECT_EQ("yes hang", probe.variables[3].readable + " " + probe.variables[3].writable);
  EXPECT_NE("", parseProbe("library MPICH\nvariable 0\nname first\n").failure);
}

TEST(ProbeOfVariables, KeepsCrashesOfAnEarlyInitialization) {
  const std::string first = "variable 0\nname first\nread yes\nwrite never\nended well\n";
  Probe probe = parseProbe(first + "complete 1\n");
  addEarly(parseProbe("variable 0\nname first\nstep read\nended Segmentation fault\nvariable 1\nname second\nread yes\nended well\n"),
           &probe);
  ASSERT_EQ(2u, probe.variables.size());
  EXPECT_EQ("crash", probe.variables[0].readable);
  EXPECT_EQ("Segmentation fault, if MPI_T is initialized before MPI_Init", probe.variables[0].end);
  EXPECT_TRUE(probe.variables[1].isEarlyOnly);
  addEarly(parseProbe(first), &probe);
  EXPECT_EQ("crash", probe.variables[0].readable);
}

TEST(ProbeOfVariables, FindsVersionsAndItems) {
  EXPECT_EQ("4.0.2", versionOf("MPICH Version:\t4.0.2"));
  EXPECT_EQ("5.0.0rc1", versionOf("Open MPI v5.0.0rc1, package"));
  EXPECT_EQ("", versionOf("MPI"));
  // MPICH 4 leaves out the ends of the lines.
  const auto items = itemsOfDescription(
      "Variable to select allreduce algorithmauto - Internal (can be overridden with X)nb                    - Force nonblocking "
      "algorithmsmp   - Force smp algorithmssched_ring - Force x algorithmsched_y - Force");
  std::string names;
  for (const Item& item : items) names += std::to_string(item.number) + item.name + " ";
  EXPECT_EQ("0auto 1nb 2smp 3sched_ring 4sched_y ", names);
  EXPECT_TRUE(itemsOfDescription("a limit - in bytes").empty());
}

TEST(PlanOfVariables, KnowsCallsByName) {
  EXPECT_EQ("allreduce", collectiveOf("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"));
  EXPECT_EQ("ibcast", collectiveOf("MPIR_CVAR_IBCAST_ALLGATHERV_RECEXCH_KVAL"));
  EXPECT_EQ("reduce_scatter_block", collectiveOf("coll_tuned_reduce_scatter_block_algorithm"));
  EXPECT_EQ("ineighbor_alltoallw", collectiveOf("MPIR_CVAR_INEIGHBOR_ALLTOALLW_INTRA_ALGORITHM"));
  EXPECT_EQ("", collectiveOf("btl_vader_eager_limit"));
  Variable variable;
  variable.name = "coll_tuned_bcast_algorithm";
  variable.type = "int";
  variable.value = "0";
  variable.items = {{0, "ignore"}, {1, "basic_linear"}, {2, "chain"}};
  const Plan plan = planOf(variable);
  EXPECT_EQ((std::vector<std::string>{"bcast:64", "bcast:16384", "bcast:524288"}), plan.calls);
  EXPECT_EQ((std::vector<std::string>{"1", "2"}), plan.values);
  EXPECT_EQ((std::vector<std::string>{"", "coll_tuned_use_dynamic_rules=1"}), plan.starts);
  EXPECT_EQ("chain", nameOfValue(variable, "2"));
  variable = Variable();
  variable.name = "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE";
  variable.type = "int";
  variable.value = "131072";
  EXPECT_EQ((std::vector<std::string>{"eager_limit:4194304"}), planOf(variable).calls);
  EXPECT_EQ((std::vector<std::string>{"16", "67108864"}), planOf(variable).values);
  variable.name = "coll_tuned_use_dynamic_rules";
  variable.type = "bool";
  variable.value = "0";
  EXPECT_EQ((std::vector<std::string>{"1"}), planOf(variable).values);
  EXPECT_EQ((std::vector<std::string>{"coll_tuned_allreduce_algorithm=3"}), planOf(variable).starts);
  variable.name = "coll_han_priority";
  variable.type = "int";
  variable.value = "35";
  EXPECT_EQ((std::vector<std::string>{"0", "100"}), planOf(variable).values);
  EXPECT_EQ(std::vector<std::string>{""}, planOf(variable).starts);
  EXPECT_EQ(4u, planOf(variable).calls.size());
  variable.name = "MPIR_CVAR_BCAST_INTER_ALGORITHM";
  EXPECT_TRUE(planOf(variable).isEmpty());
  variable.name = "orte_base_help_aggregate";
  EXPECT_EQ("no call is known that it changes", planOf(variable).reason);
}

// All choices of signs, one by one.
double probabilityByCounting(int n, int positive) {
  int as = 0;
  for (int choice = 0; choice < 1 << n; choice++) {
    as += std::abs(2 * __builtin_popcount(static_cast<unsigned>(choice)) - n) >= std::abs(2 * positive - n);
  }
  return std::ldexp(as, -n);
}

TEST(TimesOfVariables, ProbabilityIsThatOfAllChoicesOfSigns) {
  EXPECT_DOUBLE_EQ(1, signProbability({0, 0}));
  for (int n = 1; n <= 12; n++) {
    for (int positive = 0; positive <= n; positive++) {
      std::vector<double> differences = {0};
      for (int i = 0; i < n; i++) differences.push_back(i < positive ? 0.5 : -100);
      EXPECT_NEAR(probabilityByCounting(n, positive), signProbability(differences), 1e-12) << positive << " of " << n;
    }
  }
}

TEST(TimesOfVariables, FewProlongedTimesHideNoDifference) {
  std::vector<double> base, times;
  for (int i = 0; i < 24; i++) {
    base.push_back(i % 6 == 0 ? 5000 : 100);
    times.push_back(i % 8 == 3 ? 9000 : 170);
  }
  EXPECT_TRUE(isCertain(comparisonOf(base, times)));
  EXPECT_FALSE(isCertain(comparisonOf(base, base)));
}

TEST(TimesOfVariables, PairsAreOfTheSameTurn) {
  std::string text = "library x\nwrong new 7 bcast 64\n";
  for (int i = 1; i <= 10; i++) {
    text += "time existing - bcast 64 " + std::to_string(1000 * i) + "\n";
    text += "time existing 3 bcast 64 " + std::to_string(2000 * i) + "\ntime existing 4 bcast 64 " +
        std::to_string(1000 * i + 50) + "\n";
  }
  const std::vector<Comparison> all = compare(parseTimes(text));
  ASSERT_EQ(3u, all.size());
  EXPECT_EQ("3", all[0].value);
  EXPECT_DOUBLE_EQ(2, all[0].ratio);
  EXPECT_DOUBLE_EQ(2, all[0].low);
  EXPECT_TRUE(isDifferent(all[0]));
  EXPECT_FALSE(isDifferent(all[1])) << "it is small, but not by chance: " << all[1].probability;
  EXPECT_EQ(Stage::kWrong, all[2].stage);
  EXPECT_EQ("7", all[2].value);
}

// A library whose times are known. Stages of which a value changes the time; or the program's end.
struct Planted {
  std::string acting = {};  // stages, such as "existing new start"
  std::string needs = {};   // of the start
  std::string ending = {};  // a value that ends the program
  double noise = 0.02;
  int runs = 0;
  bool isOnlyFirst = false;  // the difference is there in one run only

  JobResult run(const JobRequest& request) {
    const auto& [start, variable, values, isAgain] = request;
    runs++;
    JobResult result;
    std::mt19937 random(static_cast<unsigned>(runs));
    std::uniform_real_distribution<double> factor(1 - noise, 1 + noise);
    const bool isSet = start.find("variable=") != std::string::npos && acting.find("start") != std::string::npos;
    for (const std::string& value : values) {
      if (value == ending) result.failure = "aborted";
    }
    for (int i = 0; i < (isAgain ? 24 : 12); i++) {
      for (const char* stage : {Stage::kExisting, Stage::kNew}) {
        result.times.push_back({stage, "-", "bcast", 64, 1000 * factor(random) * (isSet ? 2 : 1)});
        for (const std::string& value : values) {
          const bool acts = (" " + acting + " ").find(std::string(" ") + stage + " ") != std::string::npos && value == "2" &&
              start == needs && (runs == 1 || !isOnlyFirst);
          result.times.push_back({stage, value, "bcast", 64, 1000 * factor(random) * (acts ? 3 : 1)});
        }
      }
    }
    return result;
  }

  Effect effect() {
    Variable variable;
    variable.name = "variable";
    variable.readable = variable.writable = variable.readBack = Access::kYes;
    const Plan plan = {{"bcast:64"}, {"1", "2", "3"}, {"", "rules=1"}, ""};
    const Job job = [&](const JobRequest& request) { return run(request); };
    return effectOf(variable, plan, searchEffect(variable, plan, job, [] { return false; }));
  }
};

TEST(EffectOfVariables, IsThatWhichIsPlanted) {
  const Effect atOnce = Planted{"existing new", ""}.effect();
  EXPECT_EQ(EffectWord::kAtOnce, atOnce.word);
  EXPECT_EQ("", atOnce.needs);
  EXPECT_NE(std::string::npos, atOnce.evidence.find("bcast of 64 bytes: 1.0 us, with 2 3.0 us, x2.9")) << atOnce.evidence;
  EXPECT_NE(std::string::npos, atOnce.evidence.find("again x")) << atOnce.evidence;
  const Effect later = Planted{"new start", "rules=1"}.effect();
  EXPECT_EQ(EffectWord::kNew, later.word) << later.evidence;
  EXPECT_EQ("rules=1", later.needs);
  const Effect never = Planted{"start", ""}.effect();
  EXPECT_EQ(EffectWord::kNever, never.word) << never.evidence;
  EXPECT_NE(std::string::npos, never.evidence.find("set at the start")) << never.evidence;
  EXPECT_EQ(EffectWord::kNotSeen, Planted{}.effect().word);
}

TEST(EffectOfVariables, NoiseIsNoEffect) {
  Planted loud{"start"};
  loud.noise = 0.9;
  const Effect effect = loud.effect();
  EXPECT_TRUE(effect.word == EffectWord::kUndecided || effect.word == EffectWord::kNotSeen) << effect.word;
  Planted once{"existing"};
  once.isOnlyFirst = true;
  EXPECT_EQ(EffectWord::kNotSeen, once.effect().word);
}

TEST(EffectOfVariables, ValuesThatEndTheProgramAreTold) {
  Planted some{"existing new"};
  some.ending = "3";
  const Effect effect = some.effect();
  EXPECT_EQ(EffectWord::kAtOnce, effect.word);
  EXPECT_NE(std::string::npos, effect.evidence.find("; the program ends with the value 3")) << effect.evidence;
}

TEST(EffectOfVariables, FollowsFromAccess) {
  Variable variable;
  variable.readable = Access::kCrash;
  variable.end = "Segmentation fault";
  EXPECT_EQ("access: Segmentation fault", effectOf(variable, {}, {}).evidence);
  variable.readable = Access::kYes;
  variable.writable = "never";
  EXPECT_EQ(EffectWord::kNever, effectOf(variable, {}, {}).word);
  variable.writable = Access::kYes;
  EXPECT_EQ(EffectWord::kNotMeasured, effectOf(variable, {}, {}).word);
  EXPECT_EQ("not measured yet", effectOf(variable, {{"bcast:64"}, {"1"}, {""}, ""}, {}).evidence);
  variable.isEarlyOnly = true;
  EXPECT_NE("not measured yet", effectOf(variable, {{"bcast:64"}, {"1"}, {""}, ""}, {}).evidence);
}

TEST(TableOfVariables, HasALineForEach) {
  VariableRow row{"mpich", "4.0.2", {}, {EffectWord::kAtOnce, "a=1", "bcast, \"x2\""}, true};
  row.variable.name = "V";
  row.variable.type = "int";
  row.variable.scope = "all";
  row.variable.bind = "none";
  row.variable.readable = row.variable.writable = row.variable.readBack = Access::kYes;
  VariableRow other = row;
  other.isShown = false;
  other.variable.name = "HIDDEN";
  other.variable.writable = "never";
  EXPECT_EQ("library,version,name,type,scope,bind,readable,writable,read_back,effect,needs,evidence\n"
            "mpich,4.0.2,V,int,all,none,yes,yes,yes,at-once,a=1,\"bcast, \"\"x2\"\"\"\n", variablesCsv({row}));
  other.library = "openmpi";
  const std::string both = variablesCsv({row, other});
  EXPECT_EQ(variablesCsv({other, row}), variablesCsv({row}, both)) << "the old line of the library is left out";
  EXPECT_EQ(variablesCsv({row}), variablesCsv({row}, "other columns\nopenmpi,1\n"));
  other.library = row.library;
  const std::string table = variablesTable({row, other});
  EXPECT_NE(std::string::npos, table.find("=== mpich 4.0.2: 2 variables ===")) << table;
  EXPECT_NE(std::string::npos, table.find("writable: never 1, yes 1\n")) << table;
  EXPECT_NE(std::string::npos, table.find("with a=1: bcast")) << table;
  EXPECT_EQ(std::string::npos, table.find("HIDDEN")) << table;
}

TEST(ResultsOfVariables, AreThereAfterAKill) {
  const TemporaryDirectory scratch;
  const VariablesSettings settings;
  const Measurement measured{"rules=1", true, {Stage::kNew, "2", "bcast", 64, 1000, 2000, 2, 1.5, 2.5, 0.001}};
  std::string message;
  {
    VariableResults results(scratch.path(), settings, &message);
    EXPECT_TRUE(results.add("mpich", "4", "whole", {measured}));
    EXPECT_TRUE(results.add("mpich", "4", "cut", {measured}));
  }
  std::string text = contents(scratch / "measurements.csv");
  text.resize(text.rfind("mpich,4,cut,"));  // its end
  std::ofstream(scratch / "measurements.csv") << text;
  const VariableResults results(scratch.path(), settings, &message);
  EXPECT_EQ(nullptr, results.find("mpich", "4", "cut"));
  EXPECT_EQ(nullptr, results.find("mpich", "5", "whole"));
  const auto* found = results.find("mpich", "4", "whole");
  ASSERT_NE(nullptr, found);
  ASSERT_EQ(1u, found->size());
  EXPECT_EQ("rules=1", found->front().start);
  EXPECT_TRUE(found->front().isAgain);
  EXPECT_DOUBLE_EQ(2.5, found->front().comparison.high);
}

class StudyOfVariables : public testing::Test {
 protected:
  tests::Outcome run(const tests::Words& more) const {
    tests::Words words = {buildDirectory() + "/../parallax-study-mpi-variables", "--folder", scratch_.path()};
    words.insert(words.end(), more.begin(), more.end());
    return tests::run(words);
  }
  static bool has(const char* mpi) { return std::filesystem::exists(buildDirectory() + "/../programs/mpi_variables." + mpi); }
  std::string csv() const { return contents(scratch_ / "variables.csv"); }

  TemporaryDirectory scratch_;
};

TEST_F(StudyOfVariables, RefusesWrongUse) {
  const tests::Outcome unknown = run({"--library", "lam"});
  EXPECT_EQ(2, unknown.status);
  EXPECT_EQ("parallax: unknown library lam; the libraries are openmpi, mpich, openmpi5, mpich5; see: parallax study --help\n",
            unknown.errors);
  EXPECT_EQ(2, run({"--processes", "1"}).status);
}

TEST_F(StudyOfVariables, KnowsThatConstantsCannotBeWrittenAndThatUcxCrashes) {
  if (!has("openmpi")) GTEST_SKIP() << "Open MPI is not installed";
  const tests::Outcome outcome = run({"--quick", "--library", "openmpi"});
  EXPECT_EQ(0, outcome.status) << outcome.errors << outcome.output;
  const std::string table = csv();
  EXPECT_NE(std::string::npos, table.find(",coll_tuned_allreduce_algorithm_count,int,constant,none,yes,never,,never,,writing it: "
                                          "never\n")) << table;
  // Newer ones have no such variable, or one that does not crash.
  if (table.find("openmpi,4.1.4,") == std::string::npos) return;
  EXPECT_NE(std::string::npos, table.find(",pml_ucx_verbose,int,local,none,crash,untried,,not-measured,,\"access: "
                                          "Segmentation fault, if MPI_T is initialized before MPI_Init\"\n")) << table;
}

// The library says nothing of its limit but by what it does. Its own header is part of a message.
TEST_F(StudyOfVariables, FindsTheLimitOfEagerMessages) {
  if (!has("openmpi")) GTEST_SKIP() << "Open MPI is not installed";
  allowOpenMpi();
  for (const int limit : {4096, 20000}) {
    const tests::Outcome outcome = tests::run({"mpirun.openmpi", "--bind-to", "none", "--mca", "pml", "ob1", "--mca", "btl", "vader,self", "--mca",
        "btl_vader_eager_limit", std::to_string(limit), "-n", "2", buildDirectory() + "/../programs/mpi_variables.openmpi", "effect", "-", "-", "1",
        "100", "eager_limit:1048576"});
    EXPECT_EQ(0, outcome.status) << outcome.errors;
    const std::vector<Time> times = parseTimes(outcome.output);
    ASSERT_EQ(2u, times.size()) << outcome.output;
    for (const Time& time : times) {
      EXPECT_LE(time.ns, limit);
      EXPECT_GT(time.ns, limit * 0.96);
    }
  }
}

// Alone, as all tests that measure times.
using MeasuredVariables = StudyOfVariables;
TEST_F(MeasuredVariables, SeeAnAlgorithmOfMpichActAtOnce) {
  if (!has("mpich")) GTEST_SKIP() << "MPICH is not installed";
  EXPECT_TIMES(tests::kAttempts, [&](int) -> std::string {
    std::filesystem::remove(scratch_ / "measurements.csv");
    const tests::Outcome outcome = run({"--quick", "--library", "mpich"});
    EXPECT_EQ(0, outcome.status) << outcome.errors << outcome.output;
    const std::string table = csv();
    EXPECT_NE(std::string::npos, table.find(",MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM,int,all-equal,none,yes,yes,yes,")) << table;
    EXPECT_EQ(std::string::npos, table.find("wrong results")) << table;
    return table.find(",at-once,") == std::string::npos ? table : "";
  });
}

}  // namespace
}  // namespace parallax::bench
