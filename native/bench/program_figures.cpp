#include "bench/program_figures.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>

namespace parallax::bench {

std::string buildDirectory() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  const std::string self(path, length > 0 ? static_cast<size_t>(length) : 0);
  return self.substr(0, self.rfind('/'));
}

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

Figures figuresRecorded(const std::string& command, const std::string& trace) {
  return figuresOf(buildDirectory() + "/parallax-record --no-calibration -o " + trace + " -- " + command +
                   " 2>/dev/null");
}

void printHeading(const std::string& title) {
  printf("%s\n  %-42s %10s %10s %10s %8s\n", title.c_str(), "ns, least of many rounds", "plain",
         "recorded", "added", "x rdtsc");
}

void printClock(const Figures& plain) {
  printf("  %-42s %10.1f\n", "reading the clock (rdtsc)", plain.at("rdtsc"));
}

void printRow(const char* what, const char* figure, const Figures& plain, const Figures& traced) {
  const double without = plain.at(figure), with = traced.at(figure);
  printf("  %-42s %10.1f %10.1f %10.1f %8.1f\n", what, without, with, with - without,
         (with - without) / plain.at("rdtsc"));
}

}  // namespace parallax::bench
