#include "bench/variables_runs.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>

#include "bench/peers_run.h"
#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr int kMostSeconds = 60;  // longer than a program lets itself run
constexpr char kBegin[] = "begin", kComplete[] = "complete";
constexpr char kDebians[] = "mpirun.";

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

// Runs it, with settings in the environment; its output is `text`.
std::string runProgram(const Library& library, int processes, const std::string& start, const std::string& arguments,
                       const std::string& folder, std::string* text) {
  std::string command;
  for (const std::string& setting : split(start, ' ')) {
    const size_t equals = setting.find('=');
    command += (library.isOpenMpi() ? "OMPI_MCA_" : "") + setting.substr(0, equals + 1) + quoted(setting.substr(equals + 1)) + " ";
  }
  command += quoted(library.mpirun) + " -n " + std::to_string(processes) + " " + quoted(library.program) + " " + arguments;
  const Run run = runCommand(command, folder, kMostSeconds);
  *text = contents(folder + "/out");
  if (!run.failure.empty()) return run.failure;
  return run.figures.count(kComplete) != 0 ? "" : "the program printed no last line";
}

std::vector<std::string> figureNames() { return {"base_ns", "ns", "ratio", "low", "high", "probability", "load"}; }

std::vector<double> figuresOf(const Comparison& c) {
  double load = 0;
  getloadavg(&load, 1);
  return {c.baseNs, c.ns, c.ratio, c.low, c.high, c.probability, load};
}

Measurement measurementOf(const Record& record) {
  Measurement m;
  m.start = record.keys[3];
  m.isAgain = record.keys[4] == "1";
  m.comparison = {record.keys[5], record.keys[6], record.keys[7], atoi(record.keys[8].c_str()), record.figures[0],
                  record.figures[1], record.figures[2], record.figures[3], record.figures[4], record.figures[5]};
  return m;
}

}  // namespace

bool Library::isOpenMpi() const { return name.compare(0, 7, "openmpi") == 0; }

bool Library::isThere() const {
  const bool hasRun = mpirun.compare(0, strlen(kDebians), kDebians) == 0 ? isCommand(mpirun) : access(mpirun.c_str(), X_OK) == 0;
  return hasRun && access(program.c_str(), X_OK) == 0;
}

std::vector<Library> mpiLibraries() {
  const std::string program = buildDirectory() + "/programs/mpi_variables.", today = PARALLAX_MPI_LIBRARIES;
  return {{"openmpi", kDebians + std::string("openmpi"), program + "openmpi"},
          {"mpich", kDebians + std::string("mpich"), program + "mpich"},
          {"openmpi5", today + "/openmpi/bin/mpirun", program + "openmpi5"},
          {"mpich5", today + "/mpich/bin/mpirun", program + "mpich5"}};
}

void VariablesSettings::makeQuick() {
  names = {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "coll_tuned_allreduce_algorithm_count", "pml_ucx_verbose"};
  repetitions = 10;
  microseconds = 100;
}

bool VariablesSettings::isChosen(const Variable& variable) const {
  std::string name = variable.name;
  for (char& c : name) c = static_cast<char>(tolower(c));
  return parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
           return name.find(part) != std::string::npos;
         });
}

std::string VariablesSettings::comparable() const {
  return "processes " + std::to_string(processes) + "\nrepetitions " + std::to_string(repetitions) + "\nmicroseconds " +
      std::to_string(microseconds) + "\n";
}

Probe runProbe(const Library& library, const VariablesSettings& settings, const std::string& folder) {
  std::string text;
  const std::string names = joined(settings.names, " ");
  const std::string failure = runProgram(library, 1, "", "probe " + names, folder, &text);
  Probe probe = parseProbe(text);
  if (!failure.empty()) probe.failure = failure;
  if (!probe.failure.empty()) return probe;
  probe.failure = runProgram(library, 1, "", "early-probe " + names, folder, &text);
  addEarly(parseProbe(text), &probe);
  return probe;
}

JobResult runEffect(const Library& library, const VariablesSettings& settings, const std::vector<std::string>& calls,
                    const JobRequest& request, const std::string& folder) {
  std::string text;
  const std::string list = request.values.empty() ? "-" : joined(request.values, ",");
  const int repetitions = settings.repetitions * (request.isAgain ? 2 : 1);
  const std::string failure = runProgram(library, settings.processes, request.start,
                                         "effect " + quoted(request.variable) + " " + quoted(list) + " " +
                                             std::to_string(repetitions) + " " + std::to_string(settings.microseconds) + " " +
                                             joined(calls, " "),
                                         folder, &text);
  return {failure, parseTimes(text)};
}

VariableResults::VariableResults(const std::string& folder, const VariablesSettings& settings, std::string* message)
    : file_(folder, settings.comparable(),
            {{"library", "version", "variable", "start", "again", "stage", "value", "call", "bytes"}, figureNames()},
            message) {
  // Those of a variable stand between a begin and an end; after a kill the end is missing.
  std::vector<Measurement> now;
  for (const Record& record : file_.found()) {
    const std::string& stage = record.keys[5];
    if (stage == kBegin) {
      now.clear();
    } else if (stage == kComplete) {
      all_[{record.keys[0], record.keys[1], record.keys[2]}] = now;
    } else {
      now.push_back(measurementOf(record));
    }
  }
}

const std::vector<Measurement>* VariableResults::find(const std::string& library, const std::string& version,
                                                      const std::string& variable) const {
  const auto found = all_.find({library, version, variable});
  return found == all_.end() ? nullptr : &found->second;
}

bool VariableResults::add(const std::string& library, const std::string& version, const std::string& variable,
                          const std::vector<Measurement>& measurements) {
  const auto mark = [&](const char* stage) {
    return file_.add({{library, version, variable, "", "0", stage, "", "", "0"}, 0, Record::kDone, figuresOf({}), file_.session()});
  };
  bool isWritten = mark(kBegin);
  for (const Measurement& m : measurements) {
    const Comparison& c = m.comparison;
    isWritten = file_.add({{library, version, variable, m.start, m.isAgain ? "1" : "0", c.stage, c.value, c.call,
                            std::to_string(c.bytes)}, 0, Record::kDone, figuresOf(c), file_.session()}) && isWritten;
  }
  all_[{library, version, variable}] = measurements;
  return mark(kComplete) && isWritten;
}

}  // namespace parallax::bench
