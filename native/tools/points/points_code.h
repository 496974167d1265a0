// The code of functions: their parts, instructions and exits.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/points/points_decode.h"
#include "tools/points/points_image.h"
#include "tools/points/points_targets.h"

namespace parallax::points {

struct Function {
  uint64_t entry;
  uint64_t body;                           // behind the mark that indirect calls may need
  std::vector<CodeRange> ranges;           // the first one begins with the entry
  std::vector<Instruction> instructions;  // of all ranges, sorted
  std::vector<uint64_t> exits;            // returns and jumps out of the function
  std::vector<uint64_t> branchesOut;      // conditional ones: exits that cannot be patched
  // Where the function itself goes back to its first instruction: what may do so. Entering it is then
  // not the same as executing that. In the order of their addresses.
  std::vector<const Instruction*> entryLoop;
  bool isKnown = true;                    // where its indirect jumps lead to

  bool contains(uint64_t address) const;
  // The index of the instruction at `address`, or the size.
  size_t at(uint64_t address) const;
};

class Code {
 public:
  explicit Code(const Image& image);

  const Image& image() const { return image_; }
  const Targets& targets() const { return targets_; }
  const Decoder& decoder() const { return decoder_; }

  // The function that `address` is in, or null. Lives as long as this.
  const Function* functionAt(uint64_t address);
  // The bounds of the function or part of one at `address`; empty when nothing is known.
  CodeRange rangeAt(uint64_t address) const;
  // All such ranges around [low, high], and the one in front of it.
  std::pair<const CodeRange*, const CodeRange*> rangesNear(uint64_t low, uint64_t high) const;
  // Instructions of [begin, end).
  void decode(const CodeRange& range, std::vector<Instruction>* instructions) const;

 private:
  std::unique_ptr<Function> analyse(const CodeRange& first);
  bool isPart(const Function& function, const Instruction& jump) const;
  void classifyIndirect(Function* function, size_t at) const;
  void findEntryLoop(Function* function) const;
  bool isInFrame(uint64_t address) const;
  uint64_t headOf(uint64_t part) const;
  uint64_t headOfUnnamed(const CodeRange& range) const;

  const Image& image_;
  Targets targets_;
  Decoder decoder_;
  std::vector<CodeRange> ranges_;  // all that have a name or a frame description, sorted
  std::map<uint64_t, std::unique_ptr<Function>> functions_;  // by entry
  Dwarf_CFI* cfi_;
};

}  // namespace parallax::points
