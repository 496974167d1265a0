// The way from the program's code to the delay routine and back.
#include "perturb/delay.h"

// The canonical frame address is the stack pointer of the place. An unwinder therefore continues in
// the frame of the function that contains the place, as if the place were a call instruction: the
// return address of the stub, minus 1, is the place.
asm(R"(
  .pushsection .text
  .globl parallaxDelayStub
  .hidden parallaxDelayStub
  .type parallaxDelayStub, @function
parallaxDelayStub:
  .cfi_startproc
  .cfi_def_cfa %rsp, 152
  .cfi_offset %rip, -136
  .cfi_offset %rdi, -144
  push %rax
  .cfi_adjust_cfa_offset 8
  push %rcx
  .cfi_adjust_cfa_offset 8
  push %rdx
  .cfi_adjust_cfa_offset 8
  push %rsi
  .cfi_adjust_cfa_offset 8
  push %r8
  .cfi_adjust_cfa_offset 8
  push %r9
  .cfi_adjust_cfa_offset 8
  push %r10
  .cfi_adjust_cfa_offset 8
  push %r11
  .cfi_adjust_cfa_offset 8
  lahf
  seto %al
  push %rax
  .cfi_adjust_cfa_offset 8
  call parallaxDelayPoint
  pop %rax
  .cfi_adjust_cfa_offset -8
  add $0x7f, %al   # overflows where it did before
  sahf
  pop %r11
  .cfi_adjust_cfa_offset -8
  pop %r10
  .cfi_adjust_cfa_offset -8
  pop %r9
  .cfi_adjust_cfa_offset -8
  pop %r8
  .cfi_adjust_cfa_offset -8
  pop %rsi
  .cfi_adjust_cfa_offset -8
  pop %rdx
  .cfi_adjust_cfa_offset -8
  pop %rcx
  .cfi_adjust_cfa_offset -8
  pop %rax
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_endproc
  .size parallaxDelayStub, .-parallaxDelayStub

# parallaxKeepState(rdi: f, rsi: argument). Keeps the areas of x87, SSE, AVX and
# AVX-512; further ones are no business of libraries, or too large for a guest.
  .globl parallaxKeepState
  .hidden parallaxKeepState
  .type parallaxKeepState, @function
parallaxKeepState:
  .cfi_startproc
  push %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushfq
  cld
  sub $2752, %rsp
  and $-64, %rsp
  xor %eax, %eax
  mov %rax, 512(%rsp)
  mov %rax, 520(%rsp)
  mov %rax, 528(%rsp)
  mov %rax, 536(%rsp)
  mov %rax, 544(%rsp)
  mov %rax, 552(%rsp)
  mov %rax, 560(%rsp)
  mov %rax, 568(%rsp)
  mov $0xe7, %eax
  xor %edx, %edx
  xsave64 (%rsp)
  emms
  mov %rdi, %rax
  mov %rsi, %rdi
  call *%rax
  mov $0xe7, %eax
  xor %edx, %edx
  xrstor64 (%rsp)
  lea -8(%rbp), %rsp
  popfq
  pop %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size parallaxKeepState, .-parallaxKeepState

# As a trampoline does it, for calibration: parallaxCalibrationPoint(rdi: point).
  .globl parallaxCalibrationPoint
  .hidden parallaxCalibrationPoint
  .type parallaxCalibrationPoint, @function
parallaxCalibrationPoint:
  .cfi_startproc
  lea -128(%rsp), %rsp
  .cfi_adjust_cfa_offset 128
  pushq 128(%rsp)
  .cfi_adjust_cfa_offset 8
  push %rdi
  .cfi_adjust_cfa_offset 8
  call parallaxDelayStub
  pop %rdi
  .cfi_adjust_cfa_offset -8
  lea 136(%rsp), %rsp
  .cfi_adjust_cfa_offset -136
  ret
  .cfi_endproc
  .size parallaxCalibrationPoint, .-parallaxCalibrationPoint
  .popsection
)");
