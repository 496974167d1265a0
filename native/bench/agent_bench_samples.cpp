// What samples cost a program that only computes: the same work under each rate, by turns. CPU
// time, since others use the processors, too; the least of all rounds.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "bench/agent_bench.h"

namespace parallax::bench {
namespace {

volatile double sink;

double cpuNs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

__attribute__((noinline)) void work(uint64_t steps, int depth) {
  if (depth > 0) {
    work(steps, depth - 1);
    asm volatile("");  // no tail call
    return;
  }
  double x = 1;
  for (uint64_t i = 0; i < steps; i++) x = x * 1.0000001 + 0.1;
  sink = x;
}

}  // namespace

int benchWork(uint64_t steps, const char* result) {
  constexpr int kDepth = 20;
  constexpr uint64_t kParts = 100;  // so that the stack changes
  const double begin = cpuNs();
  for (uint64_t i = 0; i < kParts; i++) work(steps / kParts, kDepth);
  std::ofstream(result) << cpuNs() - begin << "\n";
  return 0;
}

int benchSamples(uint64_t steps, int rounds, const std::string& result, const RunSampled& run) {
  const char* const rates[] = {"0", "100", "1000", "10000"};
  double least[std::size(rates)];
  std::fill(std::begin(least), std::end(least), 1e18);
  for (int round = 0; round < rounds; round++) {
    for (size_t i = 0; i < std::size(rates); i++) {
      if (const int status = run(rates[i], {"--work", std::to_string(steps), result})) return status;
      double ns = 0;
      std::ifstream(result) >> ns;
      least[i] = std::min(least[i], ns);
    }
  }
  printf("\n%-52s %8s %8s\n", "samples of a program that computes, depth 20", "ns each", "dilation");
  for (size_t i = 1; i < std::size(rates); i++) {
    const double added = least[i] - least[0];
    const double samples = strtod(rates[i], nullptr) * least[i] * 1e-9;
    char line[64];
    snprintf(line, sizeof line, "%s a second of CPU time", rates[i]);
    printf("%-52s %8.0f %6.2f %%\n", line, added / samples, 100 * added / least[0]);
  }
  return 0;
}

}  // namespace parallax::bench
