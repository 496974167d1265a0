#include "bench/peers_short.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "bench/peers_run.h"
#include "bench/peers_stats.h"
#include "bench/peers_tools.h"

namespace parallax::bench {
namespace {

constexpr int kRounds = 5;
constexpr int kSeconds = 300;

struct Case {
  const char* what;
  const char* mode;
  int count, quickCount;
  const char* command;  // for a shell; {scratch}
  int steps, quickSteps;  // of a make file; 0: none
};

constexpr Case kCases[] = {
    {"short threads, one by one", "threads", 10000, 50, "", 0, 0},
    {"short threads at once", "crowd", 2000, 20, "", 0, 0},
    {"fork and exec", "fork", 1000, 5, "", 0, 0},
    {"vfork and exec", "vfork", 300, 5, "", 0, 0},
    {"make -j2, a step is cp", "run", 1, 1, "make -B -s -j2 -f {scratch}/steps.mk", 300, 5},
    {"make -j2, a step is gcc -O1 -c", "run", 1, 1, "make -B -s -j2 -f {scratch}/compile.mk", 30, 2},
};

struct Under {
  const char* name;
  const char* needs;
  const char* package;
  const char* command;  // before the program
};

const Under kTools[] = {
    {"", "sh", "", ""},
    {"Parallax", "sh", "", "{build}/parallax-record --quiet --no-calibration -o {out}/trace -- "},
    {"uftrace", "uftrace", "uftrace", "uftrace record --force -d {out}/trace "},
    {"perf record, 100 Hz", "perf", "linux-perf",
     "perf record -q -F 100 -e task-clock -g -o {out}/perf.data -- "},
};

void writeMakeFile(const std::string& path, int steps, const std::string& recipe) {
  std::ofstream file(path);
  file << "all:";
  for (int i = 0; i < steps; i++) file << " made" << i;
  file << "\nmade%:\n\t" << recipe << "$@\n";
}

void writeInputs(const std::string& scratch, bool quick) {
  const std::string input = scratch + "/input.c ";
  std::ofstream(scratch + "/input.c") << "#include <stdio.h>\nint main(void) { return puts(\"x\"); }\n";
  const auto steps = [quick](const Case& one) { return quick ? one.quickSteps : one.steps; };
  writeMakeFile(scratch + "/steps.mk", steps(kCases[4]), "cp " + input + scratch + "/");
  writeMakeFile(scratch + "/compile.mk", steps(kCases[5]), "gcc -O1 -c " + input + "-o " + scratch + "/");
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

std::vector<ShortLife> measureShortLives(bool quick, const std::string& scratch,
                                         const std::string& lockFile) {
  writeInputs(scratch, quick);
  std::vector<ShortLife> rows;
  for (const Case& one : kCases) {
    for (const Under& tool : kTools) {
      const int steps = quick ? one.quickSteps : one.steps;
      const int count = steps > 0 ? steps : quick ? one.quickCount : one.count;
      rows.push_back({one.what, tool.name, count, missingTool(tool.needs, tool.package), 0, 0});
    }
  }
  std::map<const ShortLife*, std::vector<double>> ratios;
  for (int round = 0; round < (quick ? 1 : kRounds); round++) {
    size_t at = 0;
    for (const Case& one : kCases) {
      const Turn turn(lockFile);
      double plainNs = 0;
      for (const Under& tool : kTools) {
        ShortLife& row = rows[at++];
        if (!row.failure.empty()) continue;
        // A folder of its own in each round: a file system is slow to make files where it has just
        // deleted many.
        const std::string out = scratch + "/out" + std::to_string(round) + "." + std::to_string(at);
        mkdir(out.c_str(), 0755);
        std::string command = std::string(tool.command) + buildDirectory() + "/parallax-bench-short " +
                              one.mode + " " + std::to_string(quick ? one.quickCount : one.count) +
                              " " + one.command;
        command = replaced(replaced(replaced(command, "{out}", out), "{scratch}", scratch), "{build}",
                           buildDirectory());
        const Run run = runCommand(command, scratch, kSeconds);
        if (!run.failure.empty() || run.figures.count("wall_ns") == 0) {
          row.failure = run.failure.empty() ? "the program printed no figures" : run.failure;
          continue;
        }
        const double ns = run.figures.at("wall_ns");
        if (tool.name[0] == '\0') plainNs = ns;
        const double us = ns / 1000 / row.count;
        if (row.leastUs == 0 || us < row.leastUs) row.leastUs = us;
        if (plainNs > 0) ratios[&row].push_back(ns / plainNs);
      }
    }
  }
  for (ShortLife& row : rows) row.ratio = ratios.count(&row) > 0 ? median(ratios[&row]) : 0;
  return rows;
}

void printShortLives(const std::vector<ShortLife>& rows) {
  printf("\nmany short threads and processes\n");
  for (const ShortLife& row : rows) {
    const char* tool = row.tool.empty() ? "alone" : row.tool.c_str();
    if (!row.failure.empty()) {
      printf("  %-34s %-22s %s\n", row.what.c_str(), tool, row.failure.c_str());
    } else {
      printf("  %6d %-34s %-20s %9.1f us each %7.2f times\n", row.count, row.what.c_str(), tool,
             row.leastUs, row.ratio);
    }
  }
}

}  // namespace parallax::bench
