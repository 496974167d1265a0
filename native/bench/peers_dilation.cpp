#include "bench/peers_dilation.h"

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>

#include "bench/agent_bench.h"
#include "bench/peers_run.h"
#include "bench/peers_stats.h"

namespace parallax::bench {
namespace {

constexpr int kSeconds = 120;

volatile sig_atomic_t interrupted = 0;

class Measuring {
 public:
  Measuring(Size size, const std::string& scratch, unsigned seed, const std::string& lockFile)
      : size_(size), scratch_(scratch), lockFile_(lockFile), random_(seed) {}

  Dilations run(const Rounds& rounds) {
    for (const Program& program : programs()) {
      for (const Tool& tool : tools()) {
        const Way* way = tool.wayFor(program);
        if (way == nullptr) continue;
        std::string failure = tool.missing();
        if (failure.empty() && way->command.empty()) failure = way->reason;
        if (failure.empty() && program.mpi) failure = missingTool("mpirun.openmpi", "openmpi-bin");
        result_.cells.push_back({&program, &tool, failure, {}, {}, {}, {}});
      }
    }
    std::vector<std::vector<double>> plainNs(programs().size());
    signal(SIGINT, [](int) { interrupted = 1; });  // the commands are in groups of their own
    const double end = nowNs() + rounds.mostSeconds * 1e9;
    for (int round = 0; round < rounds.most && !interrupted; round++) {
      if (round > 0 && nowNs() > end) break;
      if (rounds.most > 1) fprintf(stderr, "parallax: round %d ...\n", round + 1);
      for (size_t i = 0; i < programs().size(); i++) {
        compareInTurns(programs()[i]);
        if (round % rounds.othersEvery == 0) plainNs[i].push_back(runRound(programs()[i]));
      }
    }
    signal(SIGINT, SIG_DFL);
    for (const auto& values : plainNs) result_.plainNs.push_back(median(values));
    return std::move(result_);
  }

 private:
  struct Reference {
    double wall = 0, cpu = 0, restNs = 0;
    std::string answer;
    int runs = 0;
  };

  static double restOf(const Run& run) { return run.elapsedNs - run.figures.at("wall_ns"); }

  const char* argumentsOf(const Program& program, bool small) const {
    if (size_ == Size::kQuick) return program.quickSize;
    return small ? program.smallSize : program.size;
  }

  std::string commandFor(const Program& program, const std::string& command, const char* build,
                         bool small) const {
    return filledIn(command, program.mpi,
                    buildDirectory() + "/programs/" + program.name + build + " " +
                        argumentsOf(program, small),
                    scratch_ + "/output");
  }

  static void checkFigures(Run* run) {
    if (run->failure.empty() &&
        (run->figures.count("wall_ns") == 0 || run->figures.count("cpu_ns") == 0)) {
      run->failure = "the program printed no figures";
    }
  }

  Run runOnce(const Program& program, const std::string& command, const char* build, bool small) {
    const std::string out = scratch_ + "/output";
    mkdir(out.c_str(), 0755);
    Run run = runCommand(commandFor(program, command, build, small), scratch_, kSeconds);
    std::filesystem::remove_all(out);
    checkFigures(&run);
    return run;
  }

  void compareInTurns(const Program& program) {
    for (Dilation& cell : result_.cells) {
      if (cell.program != &program || !cell.failure.empty() || !cell.tool->isJudged()) continue;
      const Turn turn(lockFile_);
      const Way* way = cell.tool->wayFor(program);
      const std::string out = scratch_ + "/output";
      mkdir(out.c_str(), 0755);
      std::string commands[] = {commandFor(program, "{launch}{program}", kPlain, false),
                                commandFor(program, way->command, way->build, false)};
      const bool swapped = random_() % 2 == 0;
      if (swapped) std::swap(commands[0], commands[1]);
      TwoRuns runs = runInTurns(commands[0], commands[1], program.name, program.mpi ? 2 : 1,
                                program.oneThread, scratch_, kSeconds);
      std::filesystem::remove_all(out);
      if (swapped) std::swap(runs.first, runs.second);
      checkFigures(&runs.first);
      checkFigures(&runs.second);
      if (!runs.first.failure.empty()) {
        cell.failure = "the program fails without a tool: " + runs.first.failure;
      } else if (!runs.second.failure.empty()) {
        cell.failure = runs.second.failure;
      } else if (runs.first.answer != runs.second.answer) {
        cell.failure = "the program's answer is another under it";
      } else {
        cell.turns.push_back(runs.second.figures.at("cpu_ns") / runs.first.figures.at("cpu_ns") - 1);
      }
    }
  }

  // Both sizes are compared with themselves. Returns the wall time of the full size.
  double runRound(const Program& program) {
    std::vector<Dilation*> cells;
    for (Dilation& cell : result_.cells) {
      if (cell.program == &program && cell.failure.empty()) cells.push_back(&cell);
    }
    double fullNs = 0;
    for (const bool small : {false, true}) {
      std::vector<Dilation*> chosen;
      for (Dilation* cell : cells) {
        if (cell->tool->wayFor(program)->small == small) chosen.push_back(cell);
      }
      if (chosen.empty()) continue;
      const Turn turn(lockFile_);
      const double ns = compare(program, chosen, small);
      if (!small) fullNs = ns;
    }
    return fullNs;
  }

  double compare(const Program& program, const std::vector<Dilation*>& cells, bool small) {
    std::vector<Dilation*> order = cells;
    order.push_back(nullptr);  // without a tool
    order.push_back(nullptr);
    std::shuffle(order.begin(), order.end(), random_);
    Reference plain;
    std::vector<std::pair<Dilation*, Run>> runs;
    for (Dilation* cell : order) {
      if (cell == nullptr) {
        const Run run = runOnce(program, "{launch}{program}", kPlain, small);
        if (!run.failure.empty()) {
          fprintf(stderr, "parallax-bench-peers: %s failed: %s\n", program.name,
                  run.failure.c_str());
          continue;
        }
        plain.wall += run.figures.at("wall_ns");
        plain.cpu += run.figures.at("cpu_ns");
        plain.restNs += restOf(run);
        plain.answer = run.answer;
        plain.runs++;
      } else {
        const Way* way = cell->tool->wayFor(program);
        runs.emplace_back(cell, runOnce(program, way->command, way->build, small));
      }
    }
    for (auto& [cell, run] : runs) add(*cell, run, plain);
    return plain.runs == 0 ? 0 : plain.wall / plain.runs;
  }

  // A tool under which a program fails, or gives another answer, is measured no more.
  static void add(Dilation& cell, const Run& run, const Reference& plain) {
    if (plain.runs == 0) {
      cell.failure = "the program fails without a tool";
    } else if (!run.failure.empty()) {
      cell.failure = run.failure;
    } else if (run.answer != plain.answer) {
      cell.failure = "the program's answer is another under it";
    } else {
      const double runs = plain.runs;
      cell.wall.push_back(run.figures.at("wall_ns") / (plain.wall / runs) - 1);
      cell.cpu.push_back(run.figures.at("cpu_ns") / (plain.cpu / runs) - 1);
      cell.startMs.push_back((restOf(run) - plain.restNs / runs) / 1e6);
    }
  }

  const Size size_;
  const std::string scratch_;
  const std::string lockFile_;
  std::mt19937 random_;
  Dilations result_;
};

}  // namespace

Dilations measureDilations(const Rounds& rounds, Size size, const std::string& scratch,
                           unsigned seed, const std::string& lockFile) {
  return Measuring(size, scratch, seed, lockFile).run(rounds);
}

}  // namespace parallax::bench
