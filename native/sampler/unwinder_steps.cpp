// The steps of a walk that are rare: by rules of other forms than rsp or rbp plus a constant,
// through signal frames, and through code without rules. All of it runs in signal context: it must
// not allocate, lock, or read memory that is not known to be there.
#include <sys/uio.h>

#include "base/sys.h"
#include "sampler/unwinder_walk.h"

namespace parallax {

namespace {

constexpr size_t kMaxScannedWords = 512;

// The order of gregs in a ucontext, by DWARF number.
constexpr uint8_t kGregOf[kRegisterCount] = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
    REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};

// Where gregs lie in the kernel's signal frame, seen from rsp in the restorer: after uc_flags,
// uc_link and uc_stack.
constexpr uint64_t kGregsInSignalFrame = 40;

}  // namespace

bool Unwinder::stepExtended(Walk& walk, Frame& frame, const ExtendedRule& rule) {
  const auto registerValue = [&](uint8_t reg, uint64_t* value) {
    if (reg == kRegRsp) {
      *value = walk.rsp;
    } else if (reg == kRegRbp) {
      useRbp(walk);
      *value = walk.rbp;
    } else {
      frame.dependent = true;
      if (reg == kRegRbx && walk.rbxKnown) {
        *value = walk.rbx;
      } else if (walk.registers != nullptr) {
        *value = static_cast<uint64_t>(walk.registers[kGregOf[reg]]);
      } else {
        return false;
      }
    }
    return true;
  };

  uint64_t base;
  if (!registerValue(rule.cfa.reg, &base)) return false;
  uint64_t cfa = base + static_cast<int64_t>(rule.cfa.offset);
  if (rule.cfa.form == CfaRule::kDeref) {
    frame.otherWord = wordAt(cfa);
    if (!load(walk.region, cfa, &cfa)) return false;
    frame.other = cfa;
    cfa += static_cast<int64_t>(rule.cfa.offsetAfter);
  } else if (rule.cfa.form == CfaRule::kPlt && (walk.pc & 15) >= rule.cfa.threshold) {
    cfa += 8;
  }

  const uint64_t* word = nullptr;
  const auto locate = [&](const Location& location, uint64_t same, uint64_t* value) {
    word = nullptr;
    uint64_t address = cfa;
    switch (location.form) {
      case Location::kSame:
      case Location::kUndefined: *value = same; return true;
      case Location::kCfaPlus: *value = cfa + static_cast<int64_t>(location.offset); return true;
      case Location::kInRegister: return registerValue(location.reg, value);
      case Location::kAtRegister:
        if (!registerValue(location.reg, &address)) return false;
        break;
      case Location::kAtCfa: break;
      default: return false;
    }
    address += static_cast<int64_t>(location.offset);
    word = wordAt(address);
    return load(walk.region, address, value);
  };

  uint64_t pc, rsp, rbp, rbx;
  if (!locate(rule.rip, 0, &pc)) return false;
  if (word == nullptr) {
    frame.dependent = true;
  } else if (isMarker(pc)) {
    pc = throughMarker(walk, frame, reinterpret_cast<uint64_t>(word), pc);
  }
  frame.ripWord = word;
  if (!locate(rule.rsp, cfa, &rsp)) return false;
  if (rule.rsp.form != Location::kSame) frame.dependent = true;
  const bool rbpRead = rule.rbp.form != Location::kSame && rule.rbp.form != Location::kUndefined;
  if (!locate(rule.rbp, walk.rbp, &rbp)) {
    loseRbp(walk, frame);
    rbp = walk.rbp;
  }
  const uint64_t* rbpWord = word;
  const bool rbxRead = rule.rbx.form != Location::kSame && rule.rbx.form != Location::kUndefined;
  walk.rbxKnown = locate(rule.rbx, walk.rbx, &rbx) && (rbxRead || walk.rbxKnown);
  // Not below; in longjmp, whose caller is where it goes, it may have arrived already.
  if (rsp < walk.rsp) return false;
  if (rbpRead) {
    if (rbpWord == nullptr) frame.dependent = true;
    walk.rbpReader = static_cast<long>(walk.count - 1);
    walk.rbpWord = rbpWord;
  }
  walk.pc = pc;
  walk.rsp = rsp;
  walk.rbp = rbp;
  if (walk.rbxKnown) walk.rbx = rbx;
  walk.exact = false;
  walk.registers = nullptr;
  return true;
}

bool Unwinder::stepSignal(Walk& walk, Frame& frame) {
  frame.dependent = true;
  for (size_t i = 0; i <= REG_RIP; ++i) {
    uint64_t value;
    if (!load(walk.region, walk.rsp + kGregsInSignalFrame + i * sizeof(greg_t), &value)) {
      return false;
    }
    walk.copied[i] = static_cast<greg_t>(value);
  }
  const auto greg = [&](int number) { return static_cast<uint64_t>(walk.copied[number]); };
  walk.pc = greg(REG_RIP);
  walk.rsp = greg(REG_RSP);
  walk.rbp = greg(REG_RBP);
  walk.rbx = greg(REG_RBX);
  walk.rbxKnown = true;
  walk.rbpReader = static_cast<long>(walk.count - 1);
  walk.rbpWord = nullptr;
  walk.exact = true;
  walk.registers = walk.copied;
  leaveCopy(&walk);
  // The handler may run on another stack than what it interrupted.
  if (!walk.region.range.contains(walk.rsp)) {
    walk.region = regionOf(walk.rsp, walk.alternateStack);
    walk.keepable = false;
    walk.next = kMaxFrames;
  }
  return true;
}

// The kernel reads the code for us: its module may be on its way out.
bool followsCallInstruction(uint64_t pc) {
  uint8_t code[7];
  iovec to{code, sizeof code};
  iovec from{reinterpret_cast<void*>(pc - sizeof code), sizeof code};
  if (sys::call(SYS_process_vm_readv, sys::getpid(), sys::word(&to), 1, sys::word(&from), 1, 0) !=
      static_cast<long>(sizeof code)) {
    return false;
  }
  bool call = code[2] == 0xe8;  // call rel32
  for (size_t length = 2; length <= 7 && !call; ++length) {  // call r/m64
    const uint8_t* at = code + sizeof code - length;
    call = at[0] == 0xff && (at[1] & 0x38) == 0x10;
  }
  return call;
}

// Code without call frame information: assembly kernels, code generated at run time. If the
// thread is executing it, takes the first word of the stack that is an address in known code
// right after a call instruction. A mere return address into such code is not trusted so far.
bool Unwinder::stepByScan(Walk& walk, Frame& frame) {
  frame.dependent = true;
  if (!walk.exact) return false;
  uint64_t address = (walk.rsp + 7) & ~uint64_t{7};
  for (size_t i = 0; i < kMaxScannedWords; ++i, address += 8) {
    uint64_t pc;
    if (!load(walk.region, address, &pc)) return false;
    if (isMarker(pc)) {
      if (!stands(markerAt(pc), address)) continue;  // left behind by a frame that has returned
      pc = throughMarker(walk, frame, address, pc);
    }
    const RuleKind kind = ruleFor(*walk.table, pc - 1).kind;
    if (kind == RuleKind::kNone || kind == RuleKind::kSignal) continue;
    if (!followsCallInstruction(pc)) continue;
    ++counts_.scanned;
    frame.ripWord = wordAt(address);
    walk.pc = pc;
    walk.rsp = address + 8;
    walk.exact = false;
    walk.rbxKnown = false;
    walk.registers = nullptr;
    return true;
  }
  return false;
}

}  // namespace parallax
