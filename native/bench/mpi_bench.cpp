// parallax-bench-mpi [--short]: nanoseconds that the agent adds to MPI calls, under each MPI that
// is installed, beside the cost of reading the clock once; all in one run.

#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>

namespace {

using Figures = std::map<std::string, double>;

// The directory of this program, where the others are.
std::string buildDirectory() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  const std::string self(path, length > 0 ? static_cast<size_t>(length) : 0);
  return self.substr(0, self.rfind('/'));
}

// Runs a command and reads its lines `NAME NUMBER`; no figures when it fails.
Figures figuresOf(const std::string& command) {
  Figures figures;
  FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return figures;
  char name[64];
  double ns;
  while (fscanf(output, "%63s %lf", name, &ns) == 2) figures[name] = ns;
  if (pclose(output) != 0) figures.clear();
  return figures;
}

void printRow(const char* what, const char* figure, const Figures& plain, const Figures& traced) {
  const double without = plain.at(figure), with = traced.at(figure);
  printf("  %-42s %10.1f %10.1f %10.1f %8.1f\n", what, without, with, with - without,
         (with - without) / plain.at("rdtsc"));
}

// Returns false when the programs of this MPI failed.
bool bench(const std::string& mpi, const std::string& program, bool isShort,
           const std::string& scratch) {
  const std::string run =
      "mpirun." + mpi + " -n 2 " + program + (isShort ? " 20" : " 5000");
  const Figures plain = figuresOf(run);
  const Figures traced = figuresOf(buildDirectory() + "/parallax-record -o " + scratch + "/" +
                                   mpi + " -- " + run + " 2>/dev/null");
  if (plain.size() != 5 || traced.size() != 5) {
    fprintf(stderr, "parallax-bench-mpi: %s failed; try: %s\n", mpi.c_str(), run.c_str());
    return false;
  }
  printf("%s\n  %-42s %10s %10s %10s %8s\n", mpi.c_str(), "ns, least of many rounds", "plain",
         "recorded", "added", "x rdtsc");
  printf("  %-42s %10.1f\n", "reading the clock (rdtsc)", plain.at("rdtsc"));
  printf("  %-42s %10.1f\n", "reading the clock (clock_gettime)", plain.at("clock_gettime"));
  printRow("MPI_Send to itself, receive posted", "send", plain, traced);
  printRow("MPI_Irecv, MPI_Send to itself, MPI_Wait", "irecv_send_wait", plain, traced);
  printRow("ping-pong of two ranks, one way", "ping_pong", plain, traced);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool isShort = argc > 1 && strcmp(argv[1], "--short") == 0;
  // Open MPI refuses to run as root without these.
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  char scratch[] = "/tmp/parallax-bench-XXXXXX";
  if (mkdtemp(scratch) == nullptr) {
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
    good = bench(mpi, program, isShort, scratch) && good;
  }
  nftw(scratch, [](const char* path, const struct stat*, int, FTW*) { return remove(path); }, 16,
       FTW_DEPTH | FTW_PHYS);
  return good ? 0 : 1;
}
