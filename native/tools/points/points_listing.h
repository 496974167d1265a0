// The instructions of functions as people read them, with the source of each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/symbols_file.h"
#include "tools/points/points_frames.h"

namespace parallax::points {

enum class Syntax { kIntel, kAtt };

struct ListedInstruction {
  uint64_t offset = 0;  // from the load bias
  uint32_t length = 0;
  bool hasTarget = false;  // it jumps or calls, and the address is known
  uint64_t target = 0;
  std::string targetName;  // of the function there, or of the routine of another module
  std::string text;
  std::vector<format::SymbolFrame> frames;  // innermost first; empty when nothing is known
};

struct ListedFunction {
  std::string name;  // the outermost function at its entry, or empty
  uint64_t entry = 0;
  std::vector<CodeRange> parts;  // the first one begins with the entry
  std::vector<ListedInstruction> instructions;  // of all parts, sorted
};

struct Listing {
  std::string buildId;
  std::vector<ListedFunction> functions;  // by entry, each once
  std::vector<uint64_t> unknown;          // offsets that no function holds
};

struct ListingRequest {
  std::string path;
  std::string buildId;  // that the file must have; may be empty
  std::vector<uint64_t> offsets;
  std::vector<std::string> debugDirectories = {"/usr/lib/debug"};
  Syntax syntax = Syntax::kIntel;
};

// Lists the functions at the offsets. Returns an empty string, or why the file cannot be listed: it
// is gone, or it has another build id than the one that is asked for.
std::string listFunctions(const ListingRequest& request, Listing* listing);

// Lines of fields separated by tabs; see the tool's help.
std::string toText(const Listing& listing);

}  // namespace parallax::points
