// parallax-bench-openmp [--short]: nanoseconds that the agent adds to OpenMP constructs, under each
// runtime that is installed, beside the cost of reading the clock once; all in one run. Runs with
// and without the agent take turns, and the least of each counts.

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "bench/program_figures.h"
#include "tests/temporary_directory.h"

using namespace parallax::bench;

namespace {

constexpr size_t kFigures = 7;

void keepLeast(Figures* least, const Figures& figures) {
  for (const auto& [name, ns] : figures) {
    const auto place = least->emplace(name, ns).first;
    if (ns < place->second) place->second = ns;
  }
}

// Returns false when the program failed.
bool bench(const std::string& runtime, const std::string& program, bool isShort,
           const std::string& scratch) {
  const std::string run = program + (isShort ? " 20" : " 1000");
  Figures plain, traced;
  for (int turn = 0; turn < (isShort ? 1 : 5); turn++) {
    const Figures without = figuresOf(run);
    const Figures with = figuresRecorded(run, scratch + "/" + runtime + std::to_string(turn));
    if (without.size() != kFigures || with.size() != kFigures) {
      fprintf(stderr, "parallax-bench-openmp: %s failed\n", run.c_str());
      return false;
    }
    keepLeast(&plain, without);
    keepLeast(&traced, with);
  }
  printHeading(runtime);
  printClock(plain);
  printRow("empty parallel region, 1 thread", "region1", plain, traced);
  printRow("empty parallel region, 2 threads", "region2", plain, traced);
  printRow("barrier of 2 threads", "barrier", plain, traced);
  printRow("critical section, free", "critical", plain, traced);
  printRow("task and its taskwait, 1 thread", "task", plain, traced);
  printRow("the same with depend", "dependent", plain, traced);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool isShort = argc > 1 && strcmp(argv[1], "--short") == 0;
  const parallax::TemporaryDirectory scratch;
  if (scratch.path().empty()) {
    perror("parallax-bench-openmp: no scratch directory");
    return 1;
  }
  // Threads that wait keep the processor: the constructs' own cost, not that of waking a thread.
  setenv("OMP_WAIT_POLICY", "active", 1);
  bool good = true;
  for (const char* runtime : {"gnu", "llvm"}) {
    const std::string program = buildDirectory() + "/programs/openmp_bench." + runtime;
    if (access(program.c_str(), X_OK) != 0) {
      printf("%s: left out, it is not installed\n", runtime);
      continue;
    }
    good = bench(runtime, program, isShort, scratch.path()) && good;
  }
  return good ? 0 : 1;
}
