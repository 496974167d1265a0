// A program of three parts, in phases that it names, with metrics of its own.
//
//   phases [UNITS]        default 200
//
// UNITS of work in load_input, in phase "load"; then two times UNITS in solve_step, each in a phase
// "solve", with a pause of 100 ms between them in no phase; then UNITS in write_output, in no phase. The
// counter "steps" is 1 and 2 at the end of the steps, the gauge "residual" is 4.0 from the end of load on
// and 1.0 from the end of the second step on.
//
// Planted answer: phase "solve" has two occurrences, and all of solve_step and nothing of the others. The
// phases load, solve and what is outside have the CPU time 1 : 2 : 1.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <parallax/parallax.h>

#include "work.h"

PROCEDURE static void load_input(long units) { work(units); }

PROCEDURE static void solve_step(long units) { work(units); }

PROCEDURE static void write_output(long units) { work(units); }

int main(int argc, char** argv) {
  const long units = argc > 1 ? atol(argv[1]) : 200;
  const parallax_metric steps =
      parallax_define("steps", "", PARALLAX_COUNTER, PARALLAX_UINT64);
  const parallax_metric residual =
      parallax_define("residual", "", PARALLAX_GAUGE, PARALLAX_DOUBLE);
  const struct timespec pause = {0, 100000000};

  parallax_phase_begin("load");
  load_input(units);
  parallax_phase_end("load");
  parallax_set_double(residual, 4.0);
  for (unsigned long step = 1; step <= 2; ++step) {
    parallax_phase_begin("solve");
    solve_step(units);
    parallax_phase_end("solve");
    parallax_set_uint64(steps, step);
    if (step == 1) nanosleep(&pause, NULL);
  }
  parallax_set_double(residual, 1.0);
  write_output(units);
  printf("units=%ld\n", units);
  return 0;
}
