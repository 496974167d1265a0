// Machine instructions, as far as moving them to another address needs.
#pragma once

#include <Zydis/Decoder.h>

#include <cstdint>

namespace parallax::points {

enum class Kind : uint8_t {
  kNothing,         // no instruction
  kPlain,           // goes on behind itself
  kPadding,         // does nothing
  kBranch,          // goes to `target` or on
  kJump,            // goes to `target`
  kIndirectJump,
  kCall,            // calls `target`
  kIndirectCall,
  kReturn,
  kStop,            // never goes on: ud2, hlt, int3
};

struct Instruction {
  uint64_t address = 0;
  uint8_t length = 0;
  Kind kind = Kind::kNothing;
  bool isFixed = false;      // must stay where it is
  bool isBarrier = false;    // a delay cannot be moved over it: atomic, fence, clock, system call
  bool isEntryMark = false;  // endbr64
  bool movesStack = false;   // push, pop and the like
  uint8_t memoryAt = 0;      // where a displacement relative to rip stands, or 0
  uint64_t memory = 0;       // the address meant by it, or an absolute one
  bool isAddressOnly = false;  // the address is taken, not read (lea)
  uint64_t target = 0;
  uint64_t constant = 0;     // an immediate of 32 or 64 bits
  uint8_t opcode = 0;
  ZydisOpcodeMap map = ZYDIS_OPCODE_MAP_DEFAULT;
  uint8_t modrmAt = 0;       // 0: none
  uint8_t sibAt = 0;

  uint64_t end() const { return address + length; }
  bool isCall() const { return kind == Kind::kCall || kind == Kind::kIndirectCall; }
  // Whether control can reach what stands behind it.
  bool goesOn() const {
    return kind == Kind::kPlain || kind == Kind::kPadding || kind == Kind::kBranch || isCall();
  }
};

class Decoder {
 public:
  Decoder();
  // kNothing, of length 1, where the bytes are no instruction.
  Instruction decode(uint64_t address, const uint8_t* bytes, uint64_t size) const;
  // The general register that an instruction reads to jump (kIndirectJump through a register), or
  // that it writes; ZYDIS_REGISTER_NONE otherwise. In its 64-bit form.
  ZydisRegister jumpRegister(const uint8_t* bytes, uint64_t size) const;
  // How an instruction sets a register: not at all, by loading 64 bits (from a table, with an
  // index), by adding, otherwise.
  enum class Origin { kNone, kLoaded, kIndexed, kAdded, kOther };
  Origin originOf(ZydisRegister wanted, const uint8_t* bytes, uint64_t size) const;

 private:
  ZydisDecoder decoder_;
};

}  // namespace parallax::points
