#include "tools/points/points_decode.h"

#include <Zydis/Register.h>

namespace parallax::points {
namespace {

constexpr uint8_t kRipRelative = 5;  // in modrm.rm, with modrm.mod 0

Kind kindOf(const ZydisDecodedInstruction& i) {
  switch (i.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      return Kind::kBranch;
    case ZYDIS_CATEGORY_UNCOND_BR:
      return i.raw.imm[0].is_relative ? Kind::kJump : Kind::kIndirectJump;
    case ZYDIS_CATEGORY_CALL:
      return i.raw.imm[0].is_relative ? Kind::kCall : Kind::kIndirectCall;
    case ZYDIS_CATEGORY_RET:
      return Kind::kReturn;
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
      return Kind::kPadding;
    default:
      break;
  }
  switch (i.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_INT3:
      return Kind::kStop;
    case ZYDIS_MNEMONIC_ENDBR64:
      return Kind::kPadding;
    default:
      return Kind::kPlain;
  }
}

bool isBarrier(const ZydisDecodedInstruction& i) {
  if ((i.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0) return true;
  switch (i.meta.category) {
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_SEMAPHORE:
      return true;
    default:
      break;
  }
  switch (i.mnemonic) {
    case ZYDIS_MNEMONIC_XCHG:
      return i.raw.modrm.mod != 3;
    case ZYDIS_MNEMONIC_LFENCE:
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_SFENCE:
    case ZYDIS_MNEMONIC_RDTSC:
    case ZYDIS_MNEMONIC_RDTSCP:
    case ZYDIS_MNEMONIC_CPUID:
    case ZYDIS_MNEMONIC_PAUSE:
    case ZYDIS_MNEMONIC_UMWAIT:
    case ZYDIS_MNEMONIC_TPAUSE:
    case ZYDIS_MNEMONIC_XBEGIN:
    case ZYDIS_MNEMONIC_XEND:
      return true;
    default:
      return false;
  }
}

bool movesStack(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_POP:
    case ZYDIS_MNEMONIC_PUSHFQ:
    case ZYDIS_MNEMONIC_POPFQ:
    case ZYDIS_MNEMONIC_ENTER:
    case ZYDIS_MNEMONIC_LEAVE:
      return true;
    default:
      return false;
  }
}

ZydisRegister wide(ZydisRegister r) {
  return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
}

}  // namespace

Decoder::Decoder() {
  ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

Instruction Decoder::decode(uint64_t address, const uint8_t* bytes, uint64_t size) const {
  Instruction result;
  result.address = address;
  result.length = 1;
  ZydisDecodedInstruction i;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes, size, &i))) {
    return result;
  }
  result.length = i.length;
  result.kind = kindOf(i);
  result.isBarrier = isBarrier(i);
  result.isEntryMark = i.mnemonic == ZYDIS_MNEMONIC_ENDBR64;
  result.movesStack = movesStack(i.mnemonic);
  result.opcode = i.opcode;
  result.map = i.opcode_map;
  // Addresses of 32 bits, far transfers and transactions are left alone.
  result.isFixed = i.address_width != 64 || i.mnemonic == ZYDIS_MNEMONIC_XBEGIN ||
                   i.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
  for (const auto& immediate : i.raw.imm) {
    if (immediate.size == 0) continue;
    if (immediate.is_relative) {
      result.target = address + i.length + static_cast<uint64_t>(immediate.value.s);
    } else if (immediate.size >= 32) {
      result.constant = immediate.value.u;
    }
  }
  if ((i.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0) {
    result.modrmAt = i.raw.modrm.offset;
    if ((i.attributes & ZYDIS_ATTRIB_HAS_SIB) != 0) result.sibAt = i.raw.sib.offset;
    if (i.raw.modrm.mod == 0 && i.raw.modrm.rm == kRipRelative) {
      result.memoryAt = i.raw.disp.offset;
      result.memory = address + i.length + static_cast<uint64_t>(i.raw.disp.value);
      result.isAddressOnly = i.mnemonic == ZYDIS_MNEMONIC_LEA;
    } else if (i.raw.disp.size == 32) {
      result.memory = static_cast<uint64_t>(i.raw.disp.value);
    }
  }
  return result;
}

ZydisRegister Decoder::jumpRegister(const uint8_t* bytes, uint64_t size) const {
  ZydisDecodedInstruction i;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, bytes, size, &i, operands)) ||
      operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER) {
    return ZYDIS_REGISTER_NONE;
  }
  return wide(operands[0].reg.value);
}

Decoder::Origin Decoder::originOf(ZydisRegister wanted, const uint8_t* bytes,
                                  uint64_t size) const {
  ZydisDecodedInstruction i;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, bytes, size, &i, operands))) {
    return Origin::kOther;
  }
  for (unsigned at = 0; at < i.operand_count; at++) {
    const ZydisDecodedOperand& operand = operands[at];
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || wide(operand.reg.value) != wanted ||
        (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) {
      continue;
    }
    const bool isLoad = operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY && operand.size == 64;
    switch (i.mnemonic) {
      case ZYDIS_MNEMONIC_MOV:
        if (!isLoad) return Origin::kOther;
        return operands[1].mem.index == ZYDIS_REGISTER_NONE ? Origin::kLoaded : Origin::kIndexed;
      case ZYDIS_MNEMONIC_POP: return Origin::kLoaded;
      case ZYDIS_MNEMONIC_ADD:
      case ZYDIS_MNEMONIC_SUB:
      case ZYDIS_MNEMONIC_LEA: return Origin::kAdded;
      default: return Origin::kOther;
    }
  }
  return Origin::kNone;
}

}  // namespace parallax::points
