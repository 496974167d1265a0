// Converts files and tells what the traces have as text, for tests.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "format/dump.h"
#include "tests/temporary_directory.h"
#include "tools/conversion/file_import.h"

namespace parallax::conversion {

// A trace and the report of its import, as text.
struct ImportedText {
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

// What a test looks at: for each thread its events with the names of routines, times in ns from the first event.
struct Imported : ImportedText {
  std::map<std::string, std::string> threads;  // "process/thread" to lines
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

inline void readTexts(const std::string& directory, ImportedText* trace) {
  EXPECT_EQ("", format::dumpTrace(directory, [&](std::string_view text) {
    trace->dump += text;
    return true;
  }));
  std::ifstream report(directory + "/imported");
  trace->report.assign(std::istreambuf_iterator<char>(report), {});
}

inline Imported look(const std::string& directory) {
  Imported trace;
  readTexts(directory, &trace);
  std::map<uint64_t, std::string> symbols;
  std::istringstream first(trace.dump);
  uint64_t address = 0;
  for (std::string line; std::getline(first, line);) {
    if (line.rfind("address ", 0) == 0) address = strtoull(line.c_str() + 8, nullptr, 0);
    if (line.rfind("frame ", 0) == 0) symbols[address] = quoted(line, "function");
  }
  std::istringstream lines(trace.dump);
  std::map<uint64_t, std::string> paths, regions, names, metrics;
  std::string process, thread;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("Process ", 0) == 0) {
      process = quoted(line, "executable");
      paths.clear(), regions.clear(), names.clear(), metrics.clear();
    } else if (line.rfind("Thread ", 0) == 0) {
      names[numberOf(line, "thread")] = quoted(line, "name");
    } else if (line.rfind("Region ", 0) == 0) {
      regions[numberOf(line, "region")] = quoted(line, "name");
    } else if (line.rfind("Metric ", 0) == 0) {
      metrics[numberOf(line, "metric")] = quoted(line, "name");
    } else if (line.rfind("CallPath ", 0) == 0) {
      const uint64_t value = numberOf(line, "value");
      paths[numberOf(line, "path")] = line.find("kind=region") != std::string::npos ? regions[value] : symbols[value];
    } else if (line.rfind("thread ", 0) == 0) {
      thread = process + "/" + names[strtoull(line.c_str() + 7, nullptr, 10)];
    } else if (!line.empty() && line[0] >= '0' && line[0] <= '9') {
      const uint64_t ns = strtoull(line.c_str(), nullptr, 10) - 1000;
      const std::string kind = line.substr(line.find(' ') + 1, line.find(' ', line.find(' ') + 1) - line.find(' ') - 1);
      std::string what = kind == "Enter"  ? "+" + paths[numberOf(line, "path")]
                         : kind == "Leave" ? "-" + paths[numberOf(line, "path")]
                         : kind == "Mark"  ? "!" + regions[numberOf(line, "region")]
                         : kind == "StreamSend" || kind == "StreamReceive" ? kind
                         : kind == "Send" || kind == "Receive" || kind == "ReceivePost" || kind == "Collective"
                             ? "(" + line.substr(line.find(' ') + 1) + ")"
                                                                            : "";
      if (kind == "Value") {
        const uint64_t bits = numberOf(line, "value");
        double value;
        memcpy(&value, &bits, sizeof value);
        std::ostringstream text;
        text << metrics[numberOf(line, "metric")] << "=" << value;
        what = text.str();
      }
      if (!what.empty()) trace.threads[thread] += std::to_string(ns) + what + " ";
    }
  }
  return trace;
}

// Converts files in a directory of its own.
class FileImportTest : public testing::Test {
 protected:
  explicit FileImportTest(std::string (*import)(const FileImport&)) : import_(import) {}

  // Returns why the file was refused.
  std::string importBytes(const std::string& bytes, const std::string& name) {
    file_ = directory_ / name;
    std::ofstream(file_, std::ios::binary) << bytes;
    std::filesystem::remove_all(trace());
    FileImport options;
    options.file = file_;
    options.directory = trace();
    return import_(options);
  }
  std::string trace() const { return directory_ / "trace"; }

  // Files are written to the disk before they get their names; in memory that takes no time.
  static bool useMemory() { return access("/dev/shm", W_OK) == 0 && setenv("TMPDIR", "/dev/shm", 0) == 0; }
  const bool isInMemory_ = useMemory();
  TemporaryDirectory directory_;
  std::string file_;

 private:
  std::string (*const import_)(const FileImport&);
};

}  // namespace parallax::conversion
