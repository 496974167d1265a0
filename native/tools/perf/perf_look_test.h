// Opens files of perf and tells what they have as text, for tests.
#pragma once

#include <stdlib.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tools/conversion/imported_test.h"
#include "tools/perf/import.h"

namespace parallax::perf {

using conversion::numberOf;
using conversion::quoted;

// What a test looks at. Threads are named "process/thread".
struct Imported : conversion::ImportedText {
  std::map<std::string, uint64_t> cpuNs;     // of "process/thread: outer;inner": the time for which samples stand
  std::map<std::string, uint64_t> lostNs;    // of threads
  std::map<std::string, uint64_t> runnableNs;  // of threads: the part of it in which they could have run
  std::map<std::string, uint64_t> wallNs;
  std::map<std::string, uint64_t> totals;  // of "process/thread: metric"
  std::map<std::string, std::string> creators;
};

inline Imported look(const std::string& directory) {
  Imported trace;
  conversion::readTexts(directory, &trace);
  struct Module {
    uint64_t first, end;
    std::string path;
  };
  std::map<std::string, std::map<uint64_t, std::string>> symbols;  // of a file, by offset
  std::istringstream first(trace.dump);
  std::string file;
  uint64_t address = 0;
  for (std::string line; std::getline(first, line);) {
    if (line.rfind("module ", 0) == 0) file = quoted(line, "path");
    if (line.rfind("address ", 0) == 0) address = strtoull(line.c_str() + 8, nullptr, 0);
    if (line.rfind("frame ", 0) == 0) {
      std::string& name = symbols[file][address];
      name = name.empty() ? quoted(line, "function") : quoted(line, "function") + ";" + name;  // inlined ones come first
    }
  }
  std::vector<Module> modules;
  std::map<uint64_t, std::string> paths, names, metrics;
  std::istringstream lines(trace.dump);
  std::string process, thread;
  uint64_t last = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("Process ", 0) == 0) {
      process = quoted(line, "executable");
      modules.clear(), paths.clear(), names.clear(), metrics.clear();
    } else if (line.rfind("Thread ", 0) == 0) {
      names[numberOf(line, "thread")] = quoted(line, "name") + " " + std::to_string(numberOf(line, "kernelTid"));
    } else if (line.rfind("Metric ", 0) == 0) {
      metrics[numberOf(line, "metric")] = quoted(line, "name");
    } else if (line.rfind("Module ", 0) == 0) {
      modules.push_back({numberOf(line, "firstAddress"), numberOf(line, "endAddress"), quoted(line, "path")});
    } else if (line.rfind("CallPath ", 0) == 0) {
      const uint64_t value = numberOf(line, "value") - (line.find("kind=return") != std::string::npos ? 1 : 0);
      std::string name = "?";
      for (const Module& module : modules) {
        if (value < module.first || value >= module.end) continue;
        const std::string& known = symbols[module.path][value - module.first];
        std::ostringstream offset;
        offset << "[" << module.path << "+" << std::hex << value - module.first << "]";
        name = known.empty() ? offset.str() : known;
      }
      const std::string& parent = paths[numberOf(line, "parent")];
      paths[numberOf(line, "path")] = parent.empty() ? name : parent + ";" + name;
    } else if (line.rfind("thread ", 0) == 0) {
      thread = process + "/" + names[strtoull(line.c_str() + 7, nullptr, 10)];
    } else if (!line.empty() && line[0] >= '0' && line[0] <= '9') {
      const uint64_t ns = strtoull(line.c_str(), nullptr, 10);
      const size_t space = line.find(' ');
      const std::string kind = line.substr(space + 1, line.find(' ', space + 1) - space - 1);
      if (kind == "ThreadBegin") last = ns;
      EXPECT_GE(ns, last) << line;
      uint64_t cpu = ns - last;
      trace.wallNs[thread] += cpu;
      if (kind == "Cpu") {
        const uint64_t lost = numberOf(line, "lostNs"), runnable = numberOf(line, "runnableNs");
        EXPECT_LE(lost, cpu) << line;
        trace.lostNs[thread] += lost;
        if (runnable != uint64_t{1} << 62) trace.runnableNs[thread] += runnable;
        cpu -= lost;
      }
      static uint64_t open = 0;  // CPU time before the next sample
      open = kind == "ThreadBegin" ? 0 : open + cpu;
      if (kind == "Sample") {
        trace.cpuNs[thread + ": " + paths[numberOf(line, "path")]] += open;
        open = 0;
      }
      if (kind == "Value") trace.totals[thread + ": " + metrics[numberOf(line, "metric")]] = numberOf(line, "value");
      last = ns;
    }
  }
  return trace;
}

class Perf : public conversion::FileImportTest {
 protected:
  Perf() : FileImportTest(importFile) {}
  std::string import(const std::string& bytes, const std::string& name = "run.perf") { return importBytes(bytes, name); }
  Imported imported(const std::string& bytes, const std::string& name = "run.perf") {
    EXPECT_EQ("", import(bytes, name));
    return look(trace());
  }
};

}  // namespace parallax::perf
