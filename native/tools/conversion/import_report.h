// The import report: the file `imported` of a trace, which FORMAT.md specifies.
#pragma once

#include <cstdint>
#include <string>

namespace parallax::conversion {

class ImportReport {
 public:
  // `original` is the path of what was converted.
  ImportReport(const std::string& format, const std::string& original);

  // How many of a kind were read, and how many of those have no counterpart.
  void record(const std::string& kind, uint64_t read, uint64_t left) { count("record", kind, read, left); }
  void attribute(const std::string& name, uint64_t read, uint64_t left) { count("attribute", name, read, left); }
  void definition(const std::string& kind, uint64_t left);
  void warning(const std::string& sentence);

  const std::string& text() const { return text_; }

 private:
  void count(const char* what, const std::string& name, uint64_t read, uint64_t left);

  std::string text_;
};

// Without what ends a field or a line of the report.
std::string oneLine(std::string text);

// The number of a run, from two hashes.
std::string runNumber(uint64_t first, uint64_t second);

}  // namespace parallax::conversion
