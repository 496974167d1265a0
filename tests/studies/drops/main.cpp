//   drops STEPS CELLS LINES MARCHES endl|newline OUTPUT
//
// Planted: on rank 0 alone `FastMarch::reparam` (MARCHES rounds over CELLS cells) and the output of
// LINES lines a step, each ended by std::endl or by a plain newline. The other ranks wait for
// the first in MPI_Probe and for the second in MPI_Allreduce. Prints the volume (`answer`), and of the
// solver the wall time and the CPU time of all ranks.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../../programs/bench_clock.h"
#include "drops.h"

namespace drops {

double solveCoupled(const Settings& settings, Levelset* levelset) {
  Scheme scheme(levelset, static_cast<size_t>(settings.cells));
  Output output(settings.output, settings.flushEachLine);
  double volume = 0;
  for (int step = 0; step < settings.steps; step++) {
    scheme.doStep();
    levelset->reparametrize(settings.marches);
    output.write(*levelset, settings.lines);
    volume = levelset->info();
  }
  return volume;
}

double strategy(const Settings& settings) {
  Levelset levelset(static_cast<size_t>(settings.cells), Process::rank());
  return solveCoupled(settings, &levelset);
}

}  // namespace drops

int main(int count, char** arguments) {
  drops::Process::init(&count, &arguments);
  if (count != 7) {
    if (drops::Process::rank() == 0) {
      fprintf(stderr, "usage: drops STEPS CELLS LINES MARCHES endl|newline OUTPUT\n");
    }
    MPI_Finalize();
    return 2;
  }
  drops::Settings settings;
  settings.steps = atoi(arguments[1]);
  settings.cells = atoi(arguments[2]);
  settings.lines = atoi(arguments[3]);
  settings.marches = atoi(arguments[4]);
  settings.flushEachLine = strcmp(arguments[5], "endl") == 0;
  settings.output = arguments[6];
  if (settings.lines > settings.cells) settings.lines = settings.cells;
  const bench_section begin = bench_begin();
  const double volume = drops::strategy(settings);
  const bench_section section = bench_end(begin);
  const double cpuNs = drops::Process::sum(static_cast<double>(section.cpu_ns));
  if (drops::Process::rank() == 0) {
    printf("answer %.0f\nwall_ns %lld\ncpu_ns %.0f\n", volume,
           static_cast<long long>(section.wall_ns), cpuNs);
  }
  MPI_Finalize();
  return 0;
}
