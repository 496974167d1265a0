# Functions of a program whose bytes are known: tests make delay points of them by hand.
  .text

# int place_jump(void): 7, by an instruction of 5 bytes.
  .globl place_jump
  .type place_jump, @function
place_jump:
  .cfi_startproc
  mov $7, %eax
  ret
  .cfi_endproc
  .size place_jump, .-place_jump

# int place_short(void): 0, by an instruction of 2 bytes; with padding behind it.
  .p2align 4
  .globl place_short
  .type place_short, @function
place_short:
  .cfi_startproc
  xor %eax, %eax
  ret
  .cfi_endproc
  .size place_short, .-place_short
  .globl place_short_pad
place_short_pad:
  .fill 8, 1, 0x90

# void place_trap(void): an instruction of 1 byte.
  .p2align 4
  .globl place_trap
  .type place_trap, @function
place_trap:
  .cfi_startproc
  ret
  .cfi_endproc
  .size place_trap, .-place_trap

# void place_call(void (*f)(void)): a call at place_call_site.
  .p2align 4
  .globl place_call
  .type place_call, @function
place_call:
  .cfi_startproc
  sub $8, %rsp
  .cfi_def_cfa_offset 16
  .globl place_call_site
place_call_site:
  call place_called
  .globl place_call_back
place_call_back:
  add $8, %rsp
  .cfi_def_cfa_offset 8
  ret
  .cfi_endproc
  .size place_call, .-place_call
  .globl place_called
  .type place_called, @function
place_called:
  .cfi_startproc
  jmp *%rdi
  .cfi_endproc
  .size place_called, .-place_called

# unsigned long place_state(unsigned long flags): fills every register and the red zone, comes to the
# place with these flags, and returns how many it finds changed.
  .p2align 4
  .globl place_state
  .type place_state, @function
place_state:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  movq %rdi, %xmm9
  movq %xmm9, %xmm15
  push %rdi
  popfq
  mov $0x1001, %rax
  mov $0x1002, %rbx
  mov $0x1003, %rcx
  mov $0x1004, %rdx
  mov $0x1005, %rsi
  mov $0x1006, %rdi
  mov $0x1007, %rbp
  mov $0x1008, %r8
  mov $0x1009, %r9
  mov $0x100a, %r10
  mov $0x100b, %r11
  mov $0x100c, %r12
  mov $0x100d, %r13
  mov $0x100e, %r14
  mov $0x100f, %r15
  movq $0x2001, -8(%rsp)
  movq $0x2002, -128(%rsp)
  .globl place_state_site
place_state_site:
  .byte 0x0f, 0x1f, 0x44, 0, 0
  lea -128(%rsp), %rsp
  pushfq
  cld
  push %rax
  xor %eax, %eax
  cmp $0x1002, %rbx
  setne %al
  mov %rax, %rbx
  .macro changed reg, value
  xor %eax, %eax
  cmp $\value, \reg
  setne %al
  add %rax, %rbx
  .endm
  changed %rcx, 0x1003
  changed %rdx, 0x1004
  changed %rsi, 0x1005
  changed %rdi, 0x1006
  changed %rbp, 0x1007
  changed %r8, 0x1008
  changed %r9, 0x1009
  changed %r10, 0x100a
  changed %r11, 0x100b
  changed %r12, 0x100c
  changed %r13, 0x100d
  changed %r14, 0x100e
  changed %r15, 0x100f
  pop %rcx
  changed %rcx, 0x1001
  pop %rcx
  movq %xmm15, %rdx
  xor %rdx, %rcx
  xor %eax, %eax
  test $0xcd5, %rcx
  setne %al
  add %rax, %rbx
  movq %xmm9, %rcx
  xor %eax, %eax
  cmp %rcx, %rdx
  setne %al
  add %rax, %rbx
  mov 120(%rsp), %rcx
  changed %rcx, 0x2001
  mov (%rsp), %rcx
  changed %rcx, 0x2002
  lea 128(%rsp), %rsp
  mov %rbx, %rax
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
  .size place_state, .-place_state

# A thousand places of 5 bytes, 16 bytes from one to the next.
  .p2align 4
  .globl place_many
place_many:
  .rept 1000
  mov $7, %eax
  ret
  .p2align 4, 0xcc
  .endr

  .section .note.GNU-stack, "", @progbits
