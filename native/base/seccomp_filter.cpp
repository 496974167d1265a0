#include "base/seccomp_filter.h"

#include <cstring>

namespace parallax {
namespace {

// The state of the machine of classic BPF, as far as seccomp allows it.
struct Machine {
  uint32_t a = 0, x = 0;
  uint32_t memory[BPF_MEMWORDS] = {};
};

// False for operations that seccomp does not know, and for a division by zero, which ends a filter
// with the value 0.
bool calculate(Machine& machine, uint16_t code, uint32_t operand) {
  switch (BPF_OP(code)) {
    case BPF_ADD: machine.a += operand; return true;
    case BPF_SUB: machine.a -= operand; return true;
    case BPF_MUL: machine.a *= operand; return true;
    case BPF_DIV:
      if (operand == 0) return false;
      machine.a /= operand;
      return true;
    case BPF_AND: machine.a &= operand; return true;
    case BPF_OR: machine.a |= operand; return true;
    case BPF_XOR: machine.a ^= operand; return true;
    case BPF_LSH: machine.a = operand < 32 ? machine.a << operand : 0; return true;
    case BPF_RSH: machine.a = operand < 32 ? machine.a >> operand : 0; return true;
    case BPF_NEG: machine.a = 0 - machine.a; return true;
    default: return false;
  }
}

bool jumps(uint16_t code, uint32_t a, uint32_t operand) {
  switch (BPF_OP(code)) {
    case BPF_JEQ: return a == operand;
    case BPF_JGT: return a > operand;
    case BPF_JGE: return a >= operand;
    default: return (a & operand) != 0;  // BPF_JSET
  }
}

// The value that a load gives; false for modes that seccomp does not know.
bool load(const Machine& machine, const sock_filter& step, const seccomp_data& data,
          uint32_t* value) {
  switch (BPF_MODE(step.code)) {
    case BPF_IMM:
      *value = step.k;
      return true;
    case BPF_MEM:
      if (step.k >= BPF_MEMWORDS) return false;
      *value = machine.memory[step.k];
      return true;
    case BPF_LEN:
      *value = sizeof data;
      return true;
    case BPF_ABS:
      if (step.k % sizeof *value != 0 || step.k > sizeof data - sizeof *value) return false;
      memcpy(value, reinterpret_cast<const char*>(&data) + step.k, sizeof *value);
      return true;
    default:
      return false;
  }
}

}  // namespace

uint32_t runSeccompFilter(const sock_filter* program, size_t length, const seccomp_data& data) {
  constexpr uint32_t kWrong = SECCOMP_RET_KILL_PROCESS;
  Machine machine;
  for (size_t at = 0; at < length; at++) {
    const sock_filter& step = program[at];
    const uint32_t operand = BPF_SRC(step.code) == BPF_X ? machine.x : step.k;
    switch (BPF_CLASS(step.code)) {
      case BPF_LD:
      case BPF_LDX: {
        uint32_t value;
        if (!load(machine, step, data, &value)) return kWrong;
        (BPF_CLASS(step.code) == BPF_LD ? machine.a : machine.x) = value;
        break;
      }
      case BPF_ST:
      case BPF_STX:
        if (step.k >= BPF_MEMWORDS) return kWrong;
        machine.memory[step.k] = BPF_CLASS(step.code) == BPF_ST ? machine.a : machine.x;
        break;
      case BPF_ALU:
        if (!calculate(machine, step.code, operand)) return SECCOMP_RET_KILL_THREAD;
        break;
      case BPF_JMP:
        if (BPF_OP(step.code) == BPF_JA) {
          at += step.k;
        } else {
          at += jumps(step.code, machine.a, operand) ? step.jt : step.jf;
        }
        break;
      case BPF_RET:
        return BPF_RVAL(step.code) == BPF_A ? machine.a : step.k;
      default:  // BPF_MISC
        if (BPF_MISCOP(step.code) == BPF_TAX) {
          machine.x = machine.a;
        } else {
          machine.a = machine.x;
        }
    }
  }
  return kWrong;
}

}  // namespace parallax
