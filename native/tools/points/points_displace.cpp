#include "tools/points/points_displace.h"

#include <string.h>

#include <map>

namespace parallax::points {
namespace {

constexpr uint8_t kStackBase = 4;  // rsp, in modrm.rm with a SIB byte and in its base
constexpr uint8_t kCallGroup = 0xFF;  // call and jmp of a register or memory
constexpr unsigned kCallInGroup = 2, kJumpInGroup = 4;

class Writer {
 public:
  Displaced result;

  uint32_t size() const { return static_cast<uint32_t>(result.code.size()); }
  void bytes(std::initializer_list<uint8_t> values) {
    result.code.insert(result.code.end(), values);
  }
  void copy(const uint8_t* from, size_t count) {
    result.code.insert(result.code.end(), from, from + count);
  }
  void word(uint32_t value) {
    uint8_t raw[4];
    memcpy(raw, &value, sizeof raw);
    copy(raw, sizeof raw);
  }
  void fix(FixKind kind, uint64_t target) {
    result.fixes.push_back({size(), kind, target});
    word(0);
  }
  void jump(uint64_t target) {
    bytes({0xE9});
    fix(FixKind::kRel32, target);
  }
  // push imm32 extends the sign; the second instruction sets the upper half.
  void pushAddress(uint64_t address) {
    bytes({0x68});
    fix(FixKind::kLo32, address);
    bytes({0xC7, 0x44, 0x24, 0x04});
    fix(FixKind::kHi32, address);
  }
  // As it stands, but for a displacement relative to rip.
  void plain(const Instruction& i, const uint8_t* from) {
    const uint32_t start = size();
    copy(from, i.length);
    if (i.memoryAt == 0) return;
    // The distance counts from the end of the instruction, a fix from its own end.
    const uint64_t behind = i.length - i.memoryAt - 4u;
    result.fixes.push_back({start + i.memoryAt, FixKind::kRel32, i.memory - behind});
    memset(result.code.data() + start + i.memoryAt, 0, 4);
  }
  void branch(const Instruction& i) {
    const bool isCounting = i.map == ZYDIS_OPCODE_MAP_DEFAULT && i.opcode >= 0xE0;
    if (isCounting) {  // loop and jrcxz have short forms only
      bytes({i.opcode, 2, 0xEB, 5});
      jump(i.target);
      return;
    }
    bytes({0x0F, static_cast<uint8_t>(0x80 | (i.opcode & 0x0F))});
    fix(FixKind::kRel32, i.target);
  }
  void indirectCall(const Instruction& i, const uint8_t* from) {
    pushAddress(i.end());
    const uint32_t start = size();
    plain(i, from);
    uint8_t* code = result.code.data() + start;
    constexpr uint8_t kField = 7 << 3;
    code[i.modrmAt] = static_cast<uint8_t>((code[i.modrmAt] & ~kField) | kJumpInGroup << 3);
    const bool isBySib = i.sibAt != 0 && (code[i.sibAt] & 7) == kStackBase;
    const bool hasHighBase = i.modrmAt >= 2 && (code[i.modrmAt - 2] & 0xF1) == 0x41;
    if (!isBySib || hasHighBase) return;
    // Relative to rsp, which the push has moved.
    const uint8_t mode = code[i.modrmAt] >> 6;
    int32_t displacement = 0;
    if (mode == 1) displacement = static_cast<int8_t>(code[i.sibAt + 1]);
    if (mode == 2) memcpy(&displacement, code + i.sibAt + 1, 4);
    code[i.modrmAt] = static_cast<uint8_t>((code[i.modrmAt] & 0x3F) | 2 << 6);
    result.code.resize(start + i.sibAt + 1u);
    word(static_cast<uint32_t>(displacement + 8));
  }
};

}  // namespace

Displaced displace(const Image& image, const std::vector<const Instruction*>& instructions,
                   bool keepsInside) {
  Writer writer;
  std::map<uint64_t, uint32_t> copies;  // where each instruction's copy begins
  for (size_t at = 0; at < instructions.size(); at++) {
    const Instruction& i = *instructions[at];
    const uint8_t* from = image.bytes(i.address, i.length);
    copies[i.address] = writer.size();
    writer.result.starts.push_back(writer.size());
    switch (i.kind) {
      case Kind::kBranch: writer.branch(i); break;
      case Kind::kJump: writer.jump(i.target); break;
      case Kind::kCall:
        writer.pushAddress(i.end());
        writer.jump(i.target);
        break;
      case Kind::kIndirectCall: writer.indirectCall(i, from); break;
      default: writer.plain(i, from); break;
    }
    const bool nextFollows =
        at + 1 < instructions.size() && instructions[at + 1]->address == i.end();
    if (i.goesOn() && !i.isCall() && !nextFollows) writer.jump(i.end());
  }
  if (!keepsInside) return std::move(writer.result);
  std::vector<Fix> outside;
  for (const Fix& fix : writer.result.fixes) {
    // Code is not read or written, so that an address of it is that of a branch.
    const auto copy = copies.find(fix.target);
    if (copy == copies.end() || fix.kind != FixKind::kRel32) {
      outside.push_back(fix);
      continue;
    }
    const uint32_t distance = copy->second - (fix.at + 4);
    memcpy(writer.result.code.data() + fix.at, &distance, 4);
  }
  writer.result.fixes = std::move(outside);
  return std::move(writer.result);
}

}  // namespace parallax::points
