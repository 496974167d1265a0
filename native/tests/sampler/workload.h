// Small pieces of code whose stacks are hard to walk, compiled several times with different
// options. Each flavour gives one table of pieces; a piece runs and returns.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct Piece {
  const char* name;
  void (*run)(void);
};

// Ends with a piece without name.
extern const struct Piece workload_o0[], workload_o2[], workload_o2fp[], workload_noplt[],
    workload_realign[], workload_cxx_o0[], workload_cxx_o2[];

// Called by the pieces where a stack of interest is complete; tests put something there.
extern void (*workload_here)(void);

#ifdef __cplusplus
}
#endif
