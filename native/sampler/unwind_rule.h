// How to get from a frame to its caller: the compact form of what .eh_frame says about one
// range of instructions. Registers have their DWARF numbers.
#pragma once

#include <cstdint>

namespace parallax {

enum : uint8_t { kRegRbx = 3, kRegRbp = 6, kRegRsp = 7, kRegRip = 16, kRegisterCount = 17 };

enum class RuleKind : uint8_t {
  kNone,      // no call frame information here, or of an unknown form
  kRsp,       // CFA = rsp + offset, return address just below it
  kRbp,       // CFA = rbp + offset, return address just below it
  kExtended,  // cfaOffset is the number of an ExtendedRule
  kEnd,       // the outermost frame: start of a thread or program
  kSignal,    // the kernel's signal frame lies at rsp
};

// 8 bytes, because a thread keeps a thousand.
struct Rule {
  int32_t cfaOffset;
  int8_t rbpSlot;  // the caller's rbp lies at CFA + 8 * rbpSlot; 0: it was not changed
  int8_t rbxSlot;  // likewise
  RuleKind kind;
  uint8_t reserved;
};
static_assert(sizeof(Rule) == 8);

inline bool operator==(const Rule& a, const Rule& b) {
  return a.cfaOffset == b.cfaOffset && a.rbpSlot == b.rbpSlot && a.rbxSlot == b.rbxSlot &&
         a.kind == b.kind;
}
inline bool operator!=(const Rule& a, const Rule& b) { return !(a == b); }

// Where the caller's value of a register is.
struct Location {
  enum Form : uint8_t {
    kSame,         // in the register itself
    kAtCfa,        // in memory at CFA + offset
    kCfaPlus,      // is CFA + offset
    kInRegister,   // in register `reg`
    kAtRegister,   // in memory at `reg` + offset
    kUndefined,    // lost; of the return address: there is no caller
    kUnsupported,
  };
  Form form = kSame;
  uint8_t reg = 0;
  int32_t offset = 0;
};

inline bool operator==(const Location& a, const Location& b) {
  return a.form == b.form && a.reg == b.reg && a.offset == b.offset;
}

struct CfaRule {
  enum Form : uint8_t {
    kRegister,  // reg + offset
    kDeref,     // *(reg + offset) + offsetAfter: realigned stacks, assembly code
    kPlt,       // reg + offset, 8 more from byte `threshold` of each 16-byte PLT entry on
    kUnsupported,
  };
  Form form = kUnsupported;
  uint8_t reg = 0;
  uint8_t threshold = 0;
  int32_t offset = 0;
  int32_t offsetAfter = 0;
};

inline bool operator==(const CfaRule& a, const CfaRule& b) {
  return a.form == b.form && a.reg == b.reg && a.threshold == b.threshold &&
         a.offset == b.offset && a.offsetAfter == b.offsetAfter;
}

struct ExtendedRule {
  CfaRule cfa;
  Location rip, rsp, rbp, rbx;
};

inline bool operator==(const ExtendedRule& a, const ExtendedRule& b) {
  return a.cfa == b.cfa && a.rip == b.rip && a.rsp == b.rsp && a.rbp == b.rbp && a.rbx == b.rbx;
}

// Extended rules are few and shared by all modules; they are numbered once and never freed.
// Lock-free; signal handlers may call both.
const ExtendedRule& extendedRule(int32_t number);
// Returns its number, or -1 when there is no room for another.
int32_t registerExtendedRule(const ExtendedRule& rule);

// Returns the most compact rule that says the same, kNone when the unwinder cannot follow it.
Rule compactRule(const ExtendedRule& rule, bool signalFrame);

}  // namespace parallax
