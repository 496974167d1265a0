// Names of all kinds, and functions that were inlined.
#include <stdio.h>
#include <string.h>

#include "counted.h"

extern "C" int help(int x);
extern "C" int last(const char *text);

namespace solving {
struct Grid {
  KEEP int step(int by) { return puts("step") + by; }
  KEEP int step(double by) { return puts("step of double") + static_cast<int>(by); }
  KEEP bool operator()(int x) const { return puts("call") + x > 3; }
};
}  // namespace solving

static KEEP int same(int x) { return puts("same of names") + x; }

static inline __attribute__((always_inline)) int everywhere(int x) {
  if (x % 3 == 1) puts("everywhere");
  return x * x;
}

__attribute__((noinline)) int partly(int x) {
  puts("partly");
  return x + 1;
}

int main(int argc, char **argv) {
  solving::Grid grid;
  int total = grid.step(argc) + grid.step(argc * 0.5) + grid(argc) + same(argc);
  total += everywhere(total + 1);
  total += everywhere(argc);
  total += partly(total) + help(total);
  return last(argv[0]) < 0 || total == 0;
}
