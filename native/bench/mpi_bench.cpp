// parallax-bench-mpi [--short]: nanoseconds that the agent adds to MPI calls, under each MPI that
// is installed, beside the cost of reading the clock once; all in one run.

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "bench/program_figures.h"
#include "tests/open_mpi.h"
#include "tests/temporary_directory.h"

using namespace parallax::bench;

namespace {

constexpr size_t kFigures = 7;

// Returns false when the programs of this MPI failed.
bool bench(const std::string& mpi, const std::string& program, bool isShort,
           const std::string& scratch) {
  const std::string run =
      "mpirun." + mpi + " -n 2 " + program + (isShort ? " 20" : " 5000");
  const Figures plain = figuresOf(run);
  const Figures traced = figuresRecorded(run, scratch + "/" + mpi);
  if (plain.size() != kFigures || traced.size() != kFigures) {
    fprintf(stderr, "parallax-bench-mpi: %s failed; try: %s\n", mpi.c_str(), run.c_str());
    return false;
  }
  printHeading(mpi);
  printClock(plain);
  printf("  %-42s %10.1f\n", "reading the clock (clock_gettime)", plain.at("clock_gettime"));
  printRow("MPI_Send to itself, receive posted", "send", plain, traced);
  printRow("MPI_Irecv, MPI_Send to itself, MPI_Wait", "irecv_send_wait", plain, traced);
  printRow("ping-pong of two ranks, one way", "ping_pong", plain, traced);
  printRow("the same as osu_latency has it, 8 bytes", "osu_latency", plain, traced);
  printRow("MPI_Allreduce as in osu_allreduce, 4 bytes", "osu_allreduce", plain, traced);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool isShort = argc > 1 && strcmp(argv[1], "--short") == 0;
  parallax::allowOpenMpi();
  const parallax::TemporaryDirectory scratch;
  if (scratch.path().empty()) {
    perror("parallax-bench-mpi: no scratch directory");
    return 1;
  }
  bool good = true;
  for (const char* mpi : {"openmpi", "mpich"}) {
    const std::string program = buildDirectory() + "/programs/mpi_bench." + mpi;
    if (access(program.c_str(), X_OK) != 0) {
      printf("%s: left out, it is not installed\n", mpi);
      continue;
    }
    good = bench(mpi, program, isShort, scratch.path()) && good;
  }
  return good ? 0 : 1;
}
