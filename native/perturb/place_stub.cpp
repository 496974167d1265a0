// The way from a trampoline (code_place.h) to the routine that does what is to be done, and on.
#include "perturb/code_place.h"

// The canonical frame address is the stack pointer of the place: an unwinder goes on in the function of the
// place, as if its first instruction (or its return) had called the stub.
asm(R"(
  .pushsection .text
  .globl parallaxPlaceStub
  .hidden parallaxPlaceStub
  .type parallaxPlaceStub, @function
parallaxPlaceStub:
  .cfi_startproc
  .cfi_def_cfa %rsp, 16
  .cfi_offset %rip, -8
  push %rax
  .cfi_adjust_cfa_offset 8
  push %r9
  .cfi_adjust_cfa_offset 8
  push %r8
  .cfi_adjust_cfa_offset 8
  push %rcx
  .cfi_adjust_cfa_offset 8
  push %rdx
  .cfi_adjust_cfa_offset 8
  push %rsi
  .cfi_adjust_cfa_offset 8
  push %rdi
  .cfi_adjust_cfa_offset 8
  push %r10
  .cfi_adjust_cfa_offset 8
  push %r11
  .cfi_adjust_cfa_offset 8
  lahf
  seto %al
  push %rax
  .cfi_adjust_cfa_offset 8
  push %rax        # aligns the stack
  .cfi_adjust_cfa_offset 8
  mov %rsp, %rdi
  call parallaxEnterPlace
  pop %rax
  .cfi_adjust_cfa_offset -8
  pop %rax
  .cfi_adjust_cfa_offset -8
  add $0x7f, %al   # overflows where it did before
  sahf
  pop %r11
  .cfi_adjust_cfa_offset -8
  pop %r10
  .cfi_adjust_cfa_offset -8
  pop %rdi
  .cfi_adjust_cfa_offset -8
  pop %rsi
  .cfi_adjust_cfa_offset -8
  pop %rdx
  .cfi_adjust_cfa_offset -8
  pop %rcx
  .cfi_adjust_cfa_offset -8
  pop %r8
  .cfi_adjust_cfa_offset -8
  pop %r9
  .cfi_adjust_cfa_offset -8
  pop %rax
  .cfi_adjust_cfa_offset -8
  lea 16(%rsp), %rsp
  .cfi_def_cfa_offset 0
  .globl parallaxPlaceStubEnd
  .hidden parallaxPlaceStubEnd
parallaxPlaceStubEnd:
  jmp *-16(%rsp)   # the kernel leaves 128 bytes below the stack pointer as they are
  .cfi_endproc
  .size parallaxPlaceStub, .-parallaxPlaceStub
  .popsection
)");
