// Opens files of perf and tells what they have as text, for tests.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "format/dump.h"
#include "tests/temporary_directory.h"
#include "tools/perf/import.h"

namespace parallax::perf {

// What a test looks at. Threads are named "process/thread".
struct Imported {
  std::map<std::string, uint64_t> cpuNs;     // of "process/thread: outer;inner": the time for which samples stand
  std::map<std::string, uint64_t> lostNs;    // of threads
  std::map<std::string, uint64_t> runnableNs;  // of threads: the part of it in which they could have run
  std::map<std::string, uint64_t> wallNs;
  std::map<std::string, uint64_t> totals;  // of "process/thread: metric"
  std::map<std::string, std::string> creators;
  std::string dump, report;

  bool reports(const std::string& line) const { return report.find(line + "\n") != std::string::npos; }
  bool warns(const std::string& part) const {
    std::istringstream lines(report);
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("warning\t", 0) == 0 && line.find(part) != std::string::npos) return true;
    }
    return false;
  }
};

inline std::string quoted(const std::string& line, const std::string& key) {
  const size_t at = line.find(key + "=\"");
  if (at == std::string::npos) return "";
  const size_t from = at + key.size() + 2;
  return line.substr(from, line.find('"', from) - from);
}

inline uint64_t numberOf(const std::string& line, const std::string& key) {
  const size_t at = line.find(" " + key + "=");
  return at == std::string::npos ? 0 : strtoull(line.c_str() + at + key.size() + 2, nullptr, 0);
}

inline Imported look(const std::string& directory) {
  Imported trace;
  EXPECT_EQ("", format::dumpTrace(directory, [&](std::string_view text) {
    trace.dump += text;
    return true;
  }));
  std::ifstream report(directory + "/imported");
  trace.report.assign(std::istreambuf_iterator<char>(report), {});
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

class Perf : public testing::Test {
 protected:
  // Returns why the file was refused.
  std::string import(const std::string& bytes, const std::string& name = "run.perf") {
    file_ = directory_ / name;
    std::ofstream(file_, std::ios::binary) << bytes;
    std::filesystem::remove_all(directory_ / "trace");
    ImportOptions options;
    options.file = file_;
    options.directory = directory_ / "trace";
    return importFile(options);
  }
  Imported imported(const std::string& bytes, const std::string& name = "run.perf") {
    EXPECT_EQ("", import(bytes, name));
    return look(directory_ / "trace");
  }

  // Files are written to the disk before they get their names; in memory that takes no time.
  static bool useMemory() { return access("/dev/shm", W_OK) == 0 && setenv("TMPDIR", "/dev/shm", 0) == 0; }
  const bool isInMemory_ = useMemory();
  TemporaryDirectory directory_;
  std::string file_;
};

}  // namespace parallax::perf
