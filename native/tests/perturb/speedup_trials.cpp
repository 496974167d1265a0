#include "tests/perturb/speedup_trials.h"

#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/guest_runner.h"
#include "tests/open_mpi.h"
#include "tests/other_load.h"

namespace parallax::tests {
namespace {

std::string programOf(const std::string& build) {
  return std::string(PARALLAX_PROGRAMS_DIR) + "/speedup" + (build.empty() ? "" : "." + build);
}

template <class T>
T numberAt(const std::string& bytes, size_t offset) {
  T number{};
  if (offset + sizeof number <= bytes.size()) memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

// The header of the counts, and a cell of all shards: that of the first factor comes after those of the
// points.
SpeedupResult readCounts(const std::string& path, uint32_t cell) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  SpeedupResult result;
  result.delayMs = static_cast<double>(numberAt<uint64_t>(bytes, 24)) / 1e6;
  const auto points = numberAt<uint32_t>(bytes, 8), shards = numberAt<uint32_t>(bytes, 12);
  for (uint32_t i = 0; i < shards; i++) {
    constexpr size_t kHeader = 64, kCells = 16, kCell = 32, kAchieved = 16;
    const size_t shard = kHeader + i * (kCells + kCell * points);
    const auto ns = numberAt<uint64_t>(bytes, shard + kCells + kCell * cell + kAchieved);
    result.hotMs += static_cast<double>(ns) / 1e6;
  }
  return result;
}

// Where hotLoop() begins and ends in the file, as a plan has it.
std::string rangeOf(const std::string& program) {
  std::istringstream told(tests::run({program}).output);
  std::string iterations, begin, end;
  told >> iterations >> begin >> end;
  return begin + '\t' + end;
}

}  // namespace

SpeedupTrials::SpeedupTrials(double scale, int mostRepeats)
    : scale_(scale), mostRepeats_(mostRepeats) {
  allowOpenMpi();
  uint64_t most = 0;
  for (int i = 0; i < 5; i++) {  // the fastest was disturbed least
    std::istringstream told(tests::run({programOf("")}).output);
    uint64_t iterations = 0;
    told >> iterations;
    if (iterations > most) most = iterations;
  }
  iterations_ = std::to_string(most);
}

bool SpeedupTrials::has(const std::string& build) const {
  return access(programOf(build).c_str(), X_OK) == 0;
}

std::optional<SpeedupResult> SpeedupTrials::run(const SpeedupRun& what) {
  for (int i = 0;; i++) {
    const OtherLoad others;
    const std::optional<SpeedupResult> result = runOnce(what);
    if (!result || !others.isBusy()) return result;
    if (i == mostRepeats_) {
      disturbed_++;
      return result;
    }
    repeated_++;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

std::optional<SpeedupResult> SpeedupTrials::runOnce(const SpeedupRun& what) {
  const std::string program = programOf(what.build);
  const std::string counts = scratch_.path() + "/counts", plan = scratch_.path() + "/plan";
  Words command{program, what.shape, std::to_string(what.realPercent), iterations_,
                std::to_string(scale_)};
  Words environment;
  if (what.virtualPercent >= 0) {
    std::string& range = ranges_[what.build];
    if (range.empty()) range = rangeOf(program);
    unlink(counts.c_str());
    std::ofstream(plan) << "parallax-perturb\t1\nresult\t" << counts << "\nmodule\t0\t-\t" << program
                        << "\nrange\t0\t0\t" << range << "\nfactor\t0\tspeedup\tinclusive\t"
                        << what.virtualPercent * 10 << '\n';
    if (what.delayNs > 0) {
      std::ofstream(plan, std::ios::app)
          << "macro\t0\t1\tin hot code\nfactor\t1\tdelay\ttime\t" << what.delayNs << '\n';
    }
    environment = {"PARALLAX_PERTURB=" + plan};
    if (what.traced) environment.push_back("PARALLAX_TRACE=" + scratch_.path() + "/trace");
    environment.push_back("LD_PRELOAD=" + agent());
  }
  // The launchers are not of the trial.
  environment.insert(environment.begin(), "env");
  command.insert(command.begin(), environment.begin(), environment.end());
  if (what.build == "openmpi" || what.build == "mpich") {
    const Words launch{"mpirun." + what.build, "-n", "2"};
    command.insert(command.begin(), launch.begin(), launch.end());
  }
  const Outcome outcome = tests::run(command);
  const double ms = atof(outcome.output.c_str()) / 1e6;
  if (outcome.status != 0 || ms <= 0) {
    problem_ = command[0] + " ... " + what.shape + ": status " + std::to_string(outcome.status) +
               ", " + outcome.errors;
    return {};
  }
  SpeedupResult result;
  if (what.virtualPercent >= 0) result = readCounts(counts, what.delayNs > 0 ? 1 : 0);
  result.ms = ms - result.delayMs;
  return result;
}

}  // namespace parallax::tests
