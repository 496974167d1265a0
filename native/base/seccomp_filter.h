// Evaluates the seccomp filters of a program for a system call that has not been made.
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>

namespace parallax {

// The data that the kernel gives a filter for a system call on this machine.
inline seccomp_data seccompDataOf(long number, const long (&arguments)[6], uint64_t address) {
  seccomp_data data;
  data.nr = static_cast<int>(number);
  data.arch = AUDIT_ARCH_X86_64;
  data.instruction_pointer = address;
  for (size_t i = 0; i < 6; i++) data.args[i] = static_cast<uint64_t>(arguments[i]);
  return data;
}

// Runs a classic BPF program as the kernel does, and returns its result, SECCOMP_RET_.... Cost: at
// most the length of the program, because jumps only go forward. A program that the kernel would
// not have installed gives SECCOMP_RET_KILL_PROCESS. Signal handlers may call it.
uint32_t runSeccompFilter(const sock_filter* program, size_t length, const seccomp_data& data);

// The value that holds if several filters return values: the one whose action has the highest
// precedence.
inline uint32_t strongerSeccompValue(uint32_t one, uint32_t other) {
  const auto action = [](uint32_t value) {
    return static_cast<int32_t>(value & SECCOMP_RET_ACTION_FULL);
  };
  return action(other) < action(one) ? other : one;
}

}  // namespace parallax
