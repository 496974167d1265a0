// Functions whose first bytes are known, all long f(long, long): tests change them while threads run them.
  .text
  .macro function name
  .p2align 4, 0x90
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  .endm
  .macro endfunction name
  .cfi_endproc
  .size \name, .-\name
  .endm

// 3 a + b. Instructions begin at bytes 1 and 4.
function patched_frame
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  lea (%rdi,%rdi,2), %rax
  add %rsi, %rax
  pop %rbp
  .cfi_def_cfa %rsp, 8
  ret
endfunction patched_frame

// Instructions begin at each of the first five bytes.
function patched_pushes
  push %rbx
  .cfi_def_cfa_offset 16
  .cfi_offset %rbx, -16
  push %rbp
  .cfi_def_cfa_offset 24
  .cfi_offset %rbp, -24
  push %rbx
  .cfi_def_cfa_offset 32
  push %rbp
  .cfi_def_cfa_offset 40
  push %rbx
  .cfi_def_cfa_offset 48
  lea (%rdi,%rdi,2), %rax
  add %rsi, %rax
  pop %rbx
  .cfi_def_cfa_offset 40
  pop %rbp
  .cfi_def_cfa_offset 32
  pop %rbx
  .cfi_def_cfa_offset 24
  pop %rbp
  .cfi_def_cfa_offset 16
  pop %rbx
  .cfi_def_cfa_offset 8
  ret
endfunction patched_pushes

// Instructions begin at bytes 2 and 4.
function patched_two
  push %r12
  .cfi_def_cfa_offset 16
  push %r13
  .cfi_def_cfa_offset 24
  lea (%rdi,%rdi,2), %rax
  add %rsi, %rax
  pop %r13
  .cfi_def_cfa_offset 16
  pop %r12
  .cfi_def_cfa_offset 8
  ret
endfunction patched_two

// One instruction of seven bytes, relative to rip.
function patched_relative
  mov patched_three(%rip), %rax
  imul %rdi, %rax
  add %rsi, %rax
  ret
endfunction patched_relative

// The mark that indirect calls may need, then a short instruction.
function patched_marked
  endbr64
  mov %rdi, %rax
  add %rdi, %rax
  add %rdi, %rax
  add %rsi, %rax
  ret
endfunction patched_marked

// A jump comes first.
function patched_jump
  jmp 1f
  nopl 0x0(%rax)
1:
  lea (%rdi,%rdi,2), %rax
  add %rsi, %rax
  ret
endfunction patched_jump

// A call comes first.
function patched_call
  call patched_help
  add %rsi, %rax
  ret
endfunction patched_call
patched_help:
  lea (%rdi,%rdi,2), %rax
  ret

// A loop goes back to the second instruction: only one byte is free.
function patched_inner
  push %rbx
  .cfi_def_cfa_offset 16
1:
  xor %ebx, %ebx
  xor %eax, %eax
  test %rbx, %rbx
  jnz 1b
  lea (%rdi,%rdi,2), %rax
  add %rsi, %rax
  pop %rbx
  .cfi_def_cfa_offset 8
  ret
endfunction patched_inner

// A loop goes back to the first instruction.
function patched_loop
  add $3, %rsi
  dec %rdi
  jnz patched_loop
  mov %rsi, %rax
  ret
endfunction patched_loop

// One byte, and other code right behind it.
function patched_nothing
  ret
endfunction patched_nothing
  .globl patched_behind
  .type patched_behind, @function
patched_behind:
  .cfi_startproc
  lea (%rdi,%rdi,2), %rax
  add %rsi, %rax
  ret
endfunction patched_behind

// Three bytes and padding.
function patched_tiny
  mov %rdi, %rax
  ret
endfunction patched_tiny

// Two returns, one in the middle.
function patched_returns
  lea (%rdi,%rdi,2), %rax
  test %rsi, %rsi
  jz 1f
  add %rsi, %rax
  ret
1:
  ret
endfunction patched_returns

// Leaves by a jump to another function.
function patched_tail
  mov %rdi, %rax
  nop
  nop
  jmp patched_frame
endfunction patched_tail

// Fills the vector registers of arguments, calls patched_frame, and returns 0 if all are what they were.
function patched_state
  sub $8, %rsp
  .cfi_def_cfa_offset 16
  mov $0x0123456789abcdef, %rax
  movq %rax, %xmm0
  movq %rax, %xmm7
  movq %rax, %xmm15
  mov %rax, %r10
  mov %rax, %r11
  fld1
// Not through the linkage table, which takes r11.
  call patched_vector_here
  fstp %st(0)
  movq %xmm0, %rcx
  sub %rcx, %rax
  movq %xmm7, %rdx
  sub %rcx, %rdx
  or %rdx, %rax
  movq %xmm15, %rdx
  sub %rcx, %rdx
  or %rdx, %rax
  mov %r10, %rdx
  sub %rcx, %rdx
  or %rdx, %rax
  mov %r11, %rdx
  sub %rcx, %rdx
  or %rdx, %rax
  add $8, %rsp
  .cfi_def_cfa_offset 8
  ret
endfunction patched_state
// Touches no register.
function patched_vector
patched_vector_here:
  nopl 0x0(%rax)
  nopl 0x0(%rax)
  ret
endfunction patched_vector

  .section .rodata
  .p2align 3
patched_three:
  .quad 3
  .section .note.GNU-stack,"",@progbits
