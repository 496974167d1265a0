// A program whose call graph is known: several callers of one procedure, recursion, and procedures
// that call each other. It is compiled once for gprof (-pg) and once with bin/parallax-cc, and both
// must count the same calls (GprofComparisonTest).
//
// Usage: call_graph ROUNDS WORK
//
// Each round:
//   main -> left -> spin (10), then rise(4), which calls itself down to 1, each with spin (10)
//   main -> right -> spin (10), then even(5): even and odd call each other down to 0, each with
//           spin (10), and odd(0) calls leaf; then odd(2)
//   main -> skewed_light -> skewed(1), main -> skewed_heavy -> skewed(9): 1 and 9 units of work in
//           skewed itself. gprof cannot tell them apart and gives each caller half of it.
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))

static volatile double sink;
static long unit;

static inline __attribute__((always_inline, no_instrument_function)) void burn(long units) {
  double x = 1;
  for (long i = 0; i < units * unit; i++) {
    x = x * 1.0000001 + 1e-9;
  }
  sink = x;
}

APART void spin(long units) { burn(units); }

APART void leaf(void) { burn(5); }

APART int rise(int n) {
  spin(10);
  return n > 1 ? n + rise(n - 1) : 1;
}

APART int odd(int n);

APART int even(int n) {
  spin(10);
  return n == 0 ? 1 : odd(n - 1) + 1;
}

APART int odd(int n) {
  spin(10);
  if (n == 0) {
    leaf();
    return 0;
  }
  return even(n - 1) + 1;
}

APART void skewed(long units) {
  burn(units * 10);
  sink = sink + 1;
}

APART void skewed_light(void) {
  skewed(1);
  sink = sink + 1;
}

APART void skewed_heavy(void) {
  skewed(9);
  sink = sink + 1;
}

APART int left(void) {
  spin(10);
  return rise(4) + 1;
}

APART int right(void) {
  spin(10);
  return even(5) + odd(2) + 1;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: call_graph ROUNDS WORK\n");
    return 2;
  }
  long rounds = atol(argv[1]);
  unit = atol(argv[2]);
  long sum = 0;
  for (long i = 0; i < rounds; i++) {
    sum += left() + right();
    skewed_light();
    skewed_heavy();
  }
  printf("rounds=%ld sum=%ld\n", rounds, sum);
  return 0;
}
