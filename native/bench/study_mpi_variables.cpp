// parallax-study-mpi-variables --folder FOLDER [--quick] [--library LIST] [--variables LIST] [--processes N]
// [--repetitions N] [--microseconds N]: what each control variable of MPI_T does after MPI_Init. Measurements are in
// FOLDER/measurements.csv; those that are there are not made again. Writes a table to the output, and all variables to
// FOLDER/variables.csv. Run by `parallax study mpi-variables`.

#include <getopt.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bench/interruptible.h"
#include "bench/peers_run.h"
#include "bench/study_command.h"
#include "bench/study_text.h"
#include "bench/variables_runs.h"
#include "bench/variables_tables.h"
#include "tests/open_mpi.h"

namespace parallax::bench {
namespace {

struct Options {
  VariablesSettings settings;
  std::string folder;
};

int wrongUse(const std::string& text) { return bench::wrongUse("study", text); }

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(tolower(c));
  return text;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns -1 if the options are right, else the exit status.
int parse(int argc, char** argv, Options* options) {
  VariablesSettings& settings = options->settings;
  static const option known[] = {{"folder", required_argument, nullptr, 'f'},
                                 {"quick", no_argument, nullptr, 'q'},
                                 {"library", required_argument, nullptr, 'l'},
                                 {"variables", required_argument, nullptr, 'v'},
                                 {"processes", required_argument, nullptr, 'p'},
                                 {"repetitions", required_argument, nullptr, 'r'},
                                 {"microseconds", required_argument, nullptr, 'm'},
                                 {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (found) {
      case 'f': options->folder = std::filesystem::absolute(optarg); break;
      case 'q': settings.makeQuick(); break;
      case 'l': settings.libraries = split(optarg); break;
      case 'v': settings.parts = split(lower(optarg)); break;
      case 'p': settings.processes = atoi(optarg); break;
      case 'r': settings.repetitions = atoi(optarg); break;
      case 'm': settings.microseconds = atoi(optarg); break;
      default: return wrongUse(std::string("unknown option, or no value after it: ") + argv[optind - 1]);
    }
  }
  if (const int status = checkRest("study", argc, argv, options->folder); status != 0) return status;
  const std::vector<Library> libraries = mpiLibraries();
  std::string names;
  for (const Library& library : libraries) names += (names.empty() ? "" : ", ") + library.name;
  for (const std::string& name : settings.libraries) {
    if (std::none_of(libraries.begin(), libraries.end(), [&](const Library& library) { return library.name == name; })) {
      return wrongUse("unknown library " + name + "; the libraries are " + names);
    }
  }
  constexpr int kLeastRepetitions = 10, kMostProcesses = 64;  // fewer repetitions decide nothing
  if (settings.processes < 2 || settings.processes > kMostProcesses || settings.repetitions < kLeastRepetitions ||
      settings.microseconds < 1) {
    return wrongUse("--processes needs a number from 2 to 64, --repetitions one from 10, --microseconds one from 1");
  }
  return -1;
}

// The interesting ones, or those that are chosen.
bool isShown(const VariablesSettings& settings, const Variable& variable, const Effect& effect) {
  if (!settings.parts.empty() || !settings.names.empty()) return settings.isChosen(variable);
  return variable.isCrash() || variable.readBack == Access::kNo || (variable.isWritable() && effect.word != EffectWord::kNotMeasured && effect.word != EffectWord::kNotSeen);
}

class Study {
 public:
  explicit Study(const Options& options)
      : settings_(options.settings), folder_(options.folder), results_(folder_, settings_, &message_) {}

  int run() {
    if (!message_.empty()) fprintf(stderr, "parallax: %s\n", message_.c_str());
    const Interruptible interruptible;
    for (const Library& library : mpiLibraries()) {
      const auto& chosen = settings_.libraries;
      if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), library.name) == chosen.end()) continue;
      if (!library.isThere()) {
        fprintf(stderr, "parallax: %s is not installed, or its programs are not built; it is left out\n", library.name.c_str());
      } else if (const std::string failure = measure(library); !failure.empty()) {
        return endWithout(library.name + ": " + failure);
      }
    }
    if (rows_.empty()) return endWithout("there is no MPI library to measure");
    printf("What the control variables of MPI_T do when they are written after MPI_Init, with %d processes. Times are medians\n"
           "of %d repetitions in random order; a difference counts if it is above 10 %%, and is there again in a second\n"
           "program with a probability of 0.2 %% by chance at most.\n\n", settings_.processes, settings_.repetitions);
    fputs(variablesTable(rows_).c_str(), stdout);
    const std::string path = folder_ + "/variables.csv";
    const std::string csv = variablesCsv(rows_, contents(path));
    std::ofstream(path) << csv;
    printf("all variables: %s\nmeasurements: %s\n", path.c_str(), results_.path().c_str());
    return endOfStudy({}, !Interruptible::isInterrupted());
  }

 private:
  // Returns why nothing can be measured.
  std::string measure(const Library& library) {
    fprintf(stderr, "parallax: %s: reading and writing each variable ...\n", library.name.c_str());
    const Probe probe = runProbe(library, settings_, folder_);
    if (!probe.failure.empty()) return probe.failure;
    std::vector<const Variable*> left;
    for (const Variable& variable : probe.variables) {
      if (variable.isWritable() && !variable.isCrash() && !variable.isEarlyOnly && settings_.isChosen(variable) && !planOf(variable).isEmpty() &&
          results_.find(library.name, probe.version, variable.name) == nullptr) {
        left.push_back(&variable);
      }
    }
    // First those that matter most.
    std::stable_partition(left.begin(), left.end(), [](const Variable* variable) {
      return lower(variable->name).find("algorithm") != std::string::npos;
    });
    size_t number = 0;
    for (const Variable* variable : left) {
      if (Interruptible::isInterrupted()) break;
      fprintf(stderr, "parallax: %s: %zu of %zu: %s\n", library.name.c_str(), ++number, left.size(), variable->name.c_str());
      if (!measure(library, probe.version, *variable)) return "the measurements cannot be written";
    }
    for (const Variable& variable : probe.variables) {
      const auto* measurements = results_.find(library.name, probe.version, variable.name);
      const Effect effect = effectOf(variable, planOf(variable), measurements == nullptr ? std::vector<Measurement>() : *measurements);
      rows_.push_back({library.name, probe.version, variable, effect, isShown(settings_, variable, effect)});
    }
    return "";
  }

  bool measure(const Library& library, const std::string& version, const Variable& variable) {
    const Plan plan = planOf(variable);
    const Job job = [&](const JobRequest& request) { return runEffect(library, settings_, plan.calls, request, folder_); };
    const std::vector<Measurement> found = searchEffect(variable, plan, job, Interruptible::isInterrupted);
    // An interrupted search would be taken for a complete one.
    return Interruptible::isInterrupted() || results_.add(library.name, version, variable.name, found);
  }

  const VariablesSettings settings_;
  const std::string folder_;
  std::string message_;
  VariableResults results_;
  std::vector<VariableRow> rows_;
};

int run(const Options& options) {
  allowOpenMpi();
  // A process that waits lets the other one run, and none is bound to a processor that another program uses.
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  setenv("MPIR_CVAR_POLLS_BEFORE_YIELD", "1", 1);
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
  setenv("PRTE_MCA_hwloc_default_binding_policy", "none", 1);
  const Turn turn(options.folder + "/lock");
  return Study(options).run();
}

}  // namespace
}  // namespace parallax::bench

int main(int argc, char** argv) {
  parallax::bench::Options options;
  const int status = parallax::bench::parse(argc, argv, &options);
  return status >= 0 ? status : parallax::bench::run(options);
}
