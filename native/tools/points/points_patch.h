// How to get control at a place of a program without changing what it does: which bytes to replace
// by a jump, and the code that makes up for them.
//
// A window is what is replaced: whole instructions of at least 5 bytes (jump) or 2 (short), no byte
// of which but the first can be reached other than from the instruction in front of it; padding
// behind a return or jump may be part of it. It need not be at the place itself: a delay commutes
// with instructions that only compute, load and store, so the window may stand anywhere in the same
// straight run, up to the next call, atomic operation, clock or system call. Where no window is
// free, one instruction is replaced by a trap, which needs one byte.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/points/points_code.h"

namespace parallax::points {

enum class Method : uint8_t { kJump, kShort, kTrap };
const char* nameOf(Method method);

enum class FixKind : uint8_t { kRel32, kLo32, kHi32 };
const char* nameOf(FixKind kind);

struct Fix {
  uint32_t at;
  FixKind kind;
  uint64_t target;
};

struct Displaced {
  std::vector<uint8_t> code;
  std::vector<uint32_t> starts;  // of each instruction's copy in the code
  std::vector<Fix> fixes;
};

// "3:rel32:2006,8:rel32:1207" as in a plan, or "-".
std::string fixesText(const Displaced& displaced);

struct Patch {
  uint64_t offset = 0;
  Method method = Method::kTrap;
  uint64_t pad = 0;
  std::vector<uint8_t> original;
  Displaced displaced;
  bool isLoop = false;  // a whole loop was displaced, which does not run any more where it stands
};

// The place that a point is about, and where its window may begin.
struct Anchor {
  uint64_t address;
  bool mayComeEarlier, mayComeLater;
  bool isEntry;  // of the function: its loops must not count
  bool keepsPadding = false;  // no jump in padding near by
  bool isLast = false;        // it is a return, and the last instruction of its window, which may begin earlier
};

class Patcher {
 public:
  explicit Patcher(Code* code) : code_(code) {}

  // Asks for a point at a place of `function`, which must last; returns its number.
  size_t ask(const Function& function, const Anchor& anchor);
  // Finds patches for all that were asked for, which can all be installed together. Points that find
  // no bytes of their own share the patch of another one in the same run.
  void solve();
  // What solve() found for the number that ask() returned: null, and why, when there is none.
  const Patch* patch(size_t number) const { return asked_[number].patch; }
  const std::string& problem(size_t number) const { return asked_[number].problem; }

 private:
  struct Window {
    std::vector<const Instruction*> instructions;
    uint64_t begin = 0, end = 0;
    int cost = 0;
  };
  struct Asked {
    const Function* function;
    Anchor anchor;
    const Patch* patch = nullptr;
    std::string problem;
  };
  struct Padding {
    uint64_t begin, end;
  };

  const Patch* place(const Function& function, const Anchor& anchor, std::string* problem);
  size_t choices(const Asked& asked) const;
  std::vector<size_t> starts(const Function& function, const Anchor& anchor) const;
  bool window(const Function& function, size_t start, uint64_t leastBytes, Window* window) const;
  bool isPadding(uint64_t begin, uint64_t end) const;
  bool isFree(uint64_t begin, uint64_t end) const;
  uint64_t freePaddingNear(uint64_t offset);
  const std::vector<Padding>& paddingOf(const CodeRange& range);
  const Patch* placeReturn(const Function& function, const Anchor& anchor);
  bool windowUpTo(const Function& function, size_t start, size_t last, Window* window) const;
  const Patch* placeRepeating(const Function& function, std::string* problem);
  Patch* add(const Window& window, Method method, uint64_t pad, Displaced displaced);

  Code* code_;
  std::vector<Asked> asked_;
  std::map<uint64_t, Patch> patches_;        // by offset
  std::map<uint64_t, uint64_t> taken_;       // begin to end of bytes in use
  std::map<uint64_t, std::vector<Padding>> paddings_;  // by the range in front of them
};

}  // namespace parallax::points
