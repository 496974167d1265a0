#include "bench/study_command.h"

#include <getopt.h>

#include <cstdio>
#include <fstream>

#include "bench/interruptible.h"

namespace parallax::bench {

int wrongUse(const std::string& command, const std::string& text) {
  fprintf(stderr, "parallax: %s; see: parallax %s --help\n", text.c_str(), command.c_str());
  return 2;
}

int checkRest(const std::string& command, int argc, char** argv, const std::string& folder) {
  if (optind != argc) return wrongUse(command, std::string("unknown argument ") + argv[optind]);
  return folder.empty() ? wrongUse(command, "option --folder is missing") : 0;
}

int endWithout(const std::string& failure) {
  fprintf(stderr, "parallax: %s\n", failure.c_str());
  return 1;
}

void writeChart(const std::string& path, const std::string& svg) {
  std::ofstream(path) << svg;
  printf("chart: %s\n", path.c_str());
}

int endOfStudy(const std::vector<std::string>& failedRuns, bool isComplete) {
  for (const std::string& run : failedRuns) printf("failed: %s\n", run.c_str());
  if (!isComplete) {
    printf("The study was interrupted. Run the same command to continue.\n");
    return Interruptible::kStatus;
  }
  return failedRuns.empty() ? 0 : 1;
}

}  // namespace parallax::bench
