// Where the code is that a virtual speed-up is about, and which code is the program's.
#pragma once

#include <cstdint>

#include "perturb/plan.h"

namespace parallax::speedup {

struct CodeRange {
  uint64_t begin, end;
  uint32_t factor;
  uint32_t permille;
  bool exclusive;  // without what the code calls
  uint64_t reach;  // the last end of this one and all before it
};

// The ranges that a sample counts for: those of the code on a stack. Ranges of different factors may overlap.
struct Hits {
  static constexpr uint32_t kMost = 64;
  uint32_t count = 0;
  uint32_t factors[kMost];
  uint32_t permille = 0;  // of all of them

  void add(const CodeRange& range) {
    for (uint32_t i = 0; i < count; i++) {
      if (factors[i] == range.factor) return;
    }
    if (count == kMost) return;
    factors[count++] = range.factor;
    permille = permille + range.permille < 1000 ? permille + range.permille : 1000;
  }
};

// Where an address is on a stack.
enum class Frame : uint8_t {
  kInnermost,  // the program's own code that runs, or has called code of the system that runs
  kCaller,     // below it: only ranges with what their code calls count
};

// The ranges of a plan in this process. Immutable: a new one is made when modules come and go.
class CodeRanges {
 public:
  // Not for signal handlers. Null without memory.
  static const CodeRanges* make(const perturb::Plan& plan);
  // Adds the ranges that hold an address. Signal handlers may call it.
  void find(uint64_t address, Frame frame, Hits* hits) const;
  // Whether an address is in a module of the program's. Signal handlers may call it.
  bool isOwn(uint64_t address) const;
  uint32_t count() const { return rangeCount_; }
  // Whether any range counts with what its code calls.
  bool hasInclusive() const { return hasInclusive_; }

 private:
  struct Module {
    uint64_t begin, end;
    bool system;
  };
  friend struct ModuleVisit;
  uint32_t rangeCount_ = 0, moduleCount_ = 0;
  bool hasInclusive_ = false;
  CodeRange* ranges_ = nullptr;  // by address
  Module* modules_ = nullptr;    // by address
};

}  // namespace parallax::speedup
