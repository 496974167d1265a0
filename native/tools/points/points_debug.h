// What debug information says about lines and inlined functions.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tools/points/points_frames.h"
#include "tools/points/points_names.h"
#include "tools/symbols_dwarf.h"

namespace parallax::points {

// The code of a line in one function or one inlined call of it.
struct LineCode {
  uint64_t address;     // where it begins, as a debugger's breakpoint has it
  std::string function;
};

// A call that was replaced by the function's code.
struct InlinedCall {
  std::string function;  // that was inlined
  std::string file;      // where it is called
  uint32_t line;
  std::vector<CodeRange> ranges;
};

struct SourceLine {
  std::string file;
  uint32_t line = 0;
};

class DebugInfo {
 public:
  explicit DebugInfo(Dwarf* dwarf) : index_(dwarf) {}

  // Whether a file of this name, or path that ends in it, has code.
  bool hasFile(const std::string& file);
  std::vector<std::string> files();
  // The places of a line: for each function and inlined call that has code of it, the lowest
  // address that begins a statement. Empty when the line has none.
  std::vector<LineCode> find(const std::string& file, uint32_t line);
  std::vector<CodeRange> rangesOf(const std::string& file, uint32_t line);
  // The nearest lines in front and behind that have code.
  std::vector<uint32_t> linesNear(const std::string& file, uint32_t line);
  // Calls of a function that were inlined, wherever.
  std::vector<InlinedCall> inlinedCalls(const std::string& typed);
  SourceLine lineAt(uint64_t address);
  // Innermost first.
  std::vector<format::SymbolFrame> framesAt(uint64_t address) { return index_.find(address); }

 private:
  struct Row {
    uint64_t begin, end;
    uint32_t file;  // in files_
    uint32_t line;
    bool isStatement;
    symbols::DwarfUnit* unit;
  };
  void readLines();
  void readLines(symbols::DwarfUnit* unit);
  std::set<uint32_t> filesNamed(const std::string& file);

  symbols::DwarfIndex index_;
  bool hasLines_ = false;
  std::vector<std::string> files_;
  std::vector<Row> rows_;  // sorted by line
};

// Whether `path` is the file that `typed` means: the whole path, or the end of it.
bool isFileNamed(const std::string& path, const std::string& typed);

}  // namespace parallax::points
