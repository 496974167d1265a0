#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "bench/collectives.h"
#include "bench/collectives_turns.h"
#include "bench/peers_run.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr char kDebians[] = "mpirun.", kTuned[] = "tuned", kUntuned[] = "untuned", kWall[] = "wall_ns", kElapsed[] = "elapsed_ns", kMarks[] = "/marks";
constexpr double kNsInSecond = 1e9;
constexpr int kLongestSeconds = 300;       // of a run, much longer than usual
constexpr double kLongEnoughNs = 200e6;    // to tell how many calls a second has
constexpr int kFirstCalls = 64, kMostCalls = 50000000;

struct Start {
  const char* operation;
  const char* start;
  const char* openMpi;
  const char* mpich;
};
// Badly: algorithms and segments for other sizes and more processes, as of an old file of a site. Well: the fastest of the
// library's algorithms for 64 KiB and two processes.
constexpr char kRules[] = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 ";
constexpr Start kStarts[] = {
    {"alltoall", "badly", "OMPI_MCA_coll_tuned_alltoall_algorithm=3", "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=brucks"},
    {"alltoall", "well", "OMPI_MCA_coll_tuned_alltoall_algorithm=1", "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=pairwise"},
    {"allreduce", "badly",
     "OMPI_MCA_coll_tuned_allreduce_algorithm=5 OMPI_MCA_coll_tuned_allreduce_algorithm_segmentsize=1024",
     "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=smp"},
    {"allreduce", "well", "OMPI_MCA_coll_tuned_allreduce_algorithm=1",
     "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=reduce_scatter_allgather"}};

std::vector<std::string> figures() {
  std::vector<std::string> names = {"calls", kWall, CollectiveResults::kCall, CollectiveResults::kLast, kElapsed, "ranks_right"};
  for (const std::string& method : collectiveMethods()) names.push_back(CollectiveResults::keptName(method));
  names.insert(names.end(), {CollectiveResults::kUndone, CollectiveResults::kTunedNs, CollectiveResults::kTurns, CollectiveResults::kPairs,
                             CollectiveResults::kPaused, "load"});
  return names;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

// The folder of one session of the tuner, with a short path for its socket.
class Session {
 public:
  Session() {
    if (mkdtemp(scratch_) == nullptr) scratch_[0] = '\0';
  }
  ~Session() {
    std::error_code ignored;
    if (scratch_[0] != '\0') std::filesystem::remove_all(scratch_, ignored);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  std::string folder() const { return std::string(scratch_) + "/session"; }
  std::string control() const { return folder() + "/control"; }

 private:
  char scratch_[32] = "/tmp/parallax-study-XXXXXX";
};

class Runs {
 public:
  Runs(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries, const std::string& folder)
      : settings_(settings), libraries_(libraries), folder_(folder) {}

  Run run(const Keys& keys, int round) {
    std::string failure;
    const int calls = callsOf(keys, &failure);
    Run run;
    if (!failure.empty()) {
      run.failure = failure;
      return run;
    }
    const bool isTuned = keys[3] == kTuned;
    const Session session;
    std::error_code ignored;
    std::filesystem::remove(folder_ + kMarks, ignored);
    {
      TunerTurns turns(session.control(), folder_ + kMarks);
      run = runCommand(commandOf(keys, calls, isTuned, session.folder()), folder_, kLongestSeconds);
      const TurnsRatio found = ratioOf(turns.end(), readCallMarks(folder_ + kMarks));
      run.figures[CollectiveResults::kTurns] = found.ratio;
      run.figures[CollectiveResults::kPairs] = static_cast<double>(found.pairs);
      run.figures[CollectiveResults::kPaused] = found.pausedNs;
    }
    const std::string said = contents(folder_ + "/err");
    const auto decisions = collectiveDecisions(isTuned ? said : "");
    run.figures.insert(decisions.begin(), decisions.end());
    run.figures[kElapsed] = run.elapsedNs;
    if (run.failure.empty()) run.failure = check(keys, calls, run);
    if (isTuned) {
      std::ofstream(folder_ + "/decisions/" + keys[0] + "-" + keys[1] + "-" + keys[2] + "-" + std::to_string(round) + ".txt") << said;
    }
    return run;
  }

 private:
  // `session`: the folder of a session of the tuner.
  std::string commandOf(const Keys& keys, int calls, bool isTuned, const std::string& session) const {
    const bool hasTurns = isTuned && settings_.turns > 0;
    const auto library = std::find_if(libraries_.begin(), libraries_.end(), [&](const auto& each) { return each.name == keys[0]; });
    return environmentOf(*library, keys[1], keys[2]) + " " +
        (isTuned ? quoted(settings_.parallax) + " tune --act --interval " + settings_.interval + (hasTurns ? " -o " + quoted(session) : "") + " -- " : "") + quoted(library->mpirun) +
        " -n " + std::to_string(settings_.processes) + " " + quoted(library->program) + " " + keys[1] + " " +
        std::to_string(settings_.bytes) + " " + std::to_string(calls) +
        (hasTurns ? " " + shortNumber(settings_.turns) + " " + quoted(folder_ + kMarks) : "");
  }

  // As many as take the time of a run untuned; the same ones tuned, and in all rounds.
  int callsOf(const Keys& keys, std::string* failure) {
    int& calls = calls_[{keys[0], keys[1], keys[2]}];
    for (int few = kFirstCalls; calls == 0; few *= 8) {
      const Run run = runCommand(commandOf(keys, few, false, ""), folder_, kLongestSeconds);
      *failure = run.failure;
      if (!failure->empty()) return 0;
      const auto wall = run.figures.find(kWall);
      const double ns = wall == run.figures.end() ? 0 : wall->second;
      if (ns < std::min(kLongEnoughNs, settings_.seconds * kNsInSecond / 4) && few < kMostCalls / 8) continue;
      calls = static_cast<int>(std::clamp(settings_.seconds * kNsInSecond * few / std::max(ns, 1.0), 4.0, double{kMostCalls}));
    }
    return calls;
  }

  std::string check(const Keys& keys, int calls, const Run& run) {
    const auto right = run.figures.find("ranks_right");
    if (right == run.figures.end() || right->second != settings_.processes) return "a process has a wrong result";
    return same_.check(keys[1] + " of " + std::to_string(calls) + " calls", run.answer);
  }

  const CollectiveSettings& settings_;
  const std::vector<CollectiveLibrary>& libraries_;
  const std::string folder_;
  std::map<Keys, int> calls_;
  SameResults same_;
};

}  // namespace

bool CollectiveLibrary::isOpenMpi() const { return name.compare(0, 7, "openmpi") == 0; }

bool CollectiveLibrary::isThere() const {
  const bool hasRun = mpirun.compare(0, strlen(kDebians), kDebians) == 0 ? isCommand(mpirun) : access(mpirun.c_str(), X_OK) == 0;
  return hasRun && access(program.c_str(), X_OK) == 0;
}

std::vector<CollectiveLibrary> collectiveLibraries() {
  const std::string program = buildDirectory() + "/programs/mpi_collectives.", today = PARALLAX_MPI_LIBRARIES;
  return {{"openmpi", kDebians + std::string("openmpi"), program + "openmpi"},
          {"mpich", kDebians + std::string("mpich"), program + "mpich"},
          {"openmpi5", today + "/openmpi/bin/mpirun", program + "openmpi5"},
          {"mpich5", today + "/mpich/bin/mpirun", program + "mpich5"}};
}

void CollectiveSettings::makeQuick() {
  starts = {"badly"};
  seconds = 0.5;
  turns = 1;
  rounds = 1;
}

std::string CollectiveSettings::comparable() const {
  return "processes " + std::to_string(processes) + "\nbytes " + std::to_string(bytes) + "\nseconds " + shortNumber(seconds) +
      "\nturns " + shortNumber(turns) + "\ninterval " + interval + "\nseed " + std::to_string(seed) + "\n";
}

std::string environmentOf(const CollectiveLibrary& library, const std::string& operation, const std::string& start) {
  for (const Start& known : kStarts) {
    if (operation == known.operation && start == known.start) {
      return library.isOpenMpi() ? std::string(kRules) + known.openMpi : known.mpich;
    }
  }
  return "";
}

const std::vector<std::string>& collectiveMethods() {
  static const std::vector<std::string> methods = {"reduce-bcast", "exchange", "scatter-gather", "pairwise", "linear", "brucks"};
  return methods;
}

CollectiveResults::CollectiveResults() : KeyedResults(figures()) {}

CollectiveResults::CollectiveResults(const std::string& folder, const std::string& settings, std::string* message)
    : KeyedResults(folder, settings, {"library", "operation", "start", "tuned"}, figures(), message) {}

Keys CollectiveResults::keysOf(const std::string& library, const std::string& operation, const std::string& start, bool isTuned) {
  return {library, operation, start, isTuned ? kTuned : kUntuned};
}

std::string CollectiveResults::keptName(const std::string& method) {
  std::string name = "kept_" + method;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Estimate CollectiveResults::lostInTurns(const Keys& keys) const {
  std::vector<double> lost;
  for (const double ratio : valuesOf(keys, kTurns)) {
    if (ratio > 0) lost.push_back(ratio - 1);
  }
  return estimate(lost);
}

Estimate CollectiveResults::lostBeforeTurns(const Keys& keys) const {
  std::vector<double> lost;
  const std::vector<double> before = valuesOf(keys, kCall), paused = valuesOf(keys, kPaused);
  for (size_t i = 0; i < before.size(); i++) {
    if (paused[i] > 0) lost.push_back(before[i] / paused[i] - 1);
  }
  return estimate(lost);
}

RoundsPlan planOf(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries) {
  RoundsPlan plan{settings.rounds, settings.seed, {}};
  for (const CollectiveLibrary& library : libraries) {
    for (const std::string& operation : settings.operations) {
      plan.blocks.emplace_back();
      for (const std::string& start : settings.starts) {
        for (const bool isTuned : {false, true}) {
          plan.blocks.back().push_back(CollectiveResults::keysOf(library.name, operation, start, isTuned));
        }
      }
    }
  }
  return plan;
}

std::map<std::string, double> collectiveDecisions(const std::string& text) {
  std::map<std::string, double> found{{CollectiveResults::kUndone, 0}, {CollectiveResults::kTunedNs, 0}};
  for (const std::string& method : collectiveMethods()) found[CollectiveResults::keptName(method)] = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // Such as "    9.60 s  keep     mpi-alltoall-linear, the run: ...".
    std::istringstream words(line);
    std::string unit, decision, model;
    double seconds = 0;
    if (!(words >> seconds >> unit >> decision >> model) || unit != "s" || model.compare(0, 4, "mpi-") != 0) continue;
    if (decision == "undo") found[CollectiveResults::kUndone]++;
    if (decision != "keep") continue;
    const std::string name = model.substr(0, model.find(','));
    for (const std::string& method : collectiveMethods()) {
      if (name == "mpi-allreduce-" + method || name == "mpi-alltoall-" + method) found[CollectiveResults::keptName(method)]++;
    }
    found[CollectiveResults::kTunedNs] = seconds * kNsInSecond;
  }
  return found;
}

std::string SameResults::check(const std::string& kind, const std::string& answer) {
  const std::string& first = first_.emplace(kind, answer).first->second;
  return answer == first ? "" : "the results are " + answer + ", and " + first + " in the first run";
}

RoundsDone runCollectives(const CollectiveSettings& settings, const std::vector<CollectiveLibrary>& libraries,
                          const std::string& folder, CollectiveResults* results) {
  std::filesystem::create_directories(folder + "/decisions");
  Runs runs(settings, libraries, folder);
  return runRounds(planOf(settings, libraries), results, [&](const Keys& keys, int round) {
    return results->recordOf(keys, round, runs.run(keys, round));
  });
}

}  // namespace parallax::bench
