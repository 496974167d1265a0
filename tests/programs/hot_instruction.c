/*
 * One instruction has nearly all of the time: a chain of divisions, written in assembler, each of which
 * needs the result of the one before. The label hot_instruction is its address; the instructions around
 * it take less than a tenth of its time. A processor attributes an interruption to the oldest instruction
 * that has not retired, so samples can also have the address behind it (hot_instruction_next).
 *
 * With a second part: when the argument is negative, a path runs that the compiler puts elsewhere
 * (divide.cold).
 *
 * usage: hot_instruction MILLIONS
 */
#include <stdio.h>
#include <stdlib.h>

extern const char hot_instruction[], hot_instruction_next[];

__attribute__((cold, noinline)) static void complain(long rounds) {
  fprintf(stderr, "cannot divide %ld times\n", rounds);
  exit(1);
}

static inline __attribute__((always_inline)) unsigned long mix(unsigned long value) {
  return value * 31 + 7;
}

__attribute__((noinline)) unsigned long divide(long rounds, unsigned long divisor) {
  if (rounds < 0) complain(rounds);
  unsigned long value = mix((unsigned long)rounds);
  unsigned long high = divisor / 2;
  __asm__ volatile(
      "1:\n\t"
      "mov %[divisor], %%rdx\n\t"
      "shr $1, %%rdx\n\t"
      "or $3, %%rax\n\t"
      "nop\n\t"
      ".globl hot_instruction\n"
      "hot_instruction:\n\t"
      "divq %[divisor]\n\t"
      ".globl hot_instruction_next\n"
      "hot_instruction_next:\n\t"
      "add $1, %%rax\n\t"
      "nop\n\t"
      "nop\n\t"
      "dec %[rounds]\n\t"
      "jnz 1b\n\t"
      : "+a"(value), "+d"(high), [rounds] "+r"(rounds)
      : [divisor] "r"(divisor)
      : "cc");
  return mix(value + high);
}

int main(int count, char** arguments) {
  const long millions = count > 1 ? atol(arguments[1]) : 50;
  printf("%lx\n", divide(millions * 1000000, 0xf123456789abcdefUL));
  printf("instruction at +%ld, next at +%ld\n", (long)(hot_instruction - (const char*)divide),
         (long)(hot_instruction_next - (const char*)divide));
  return 0;
}
