/* Control flow of C: switches, computed gotos, tail calls, recursion, functions of one instruction,
   loops that begin with a function's first instruction. */
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"

static volatile long switched, interpreted, steps, evens, odds, tails, ended, nothings, identities;
static volatile long spins, scans, factorials, summed, jumped, landed, floats, pointed, early, lines[4];

#define SIDE_EFFECT __asm__ volatile("")  /* in no bytes, so that no call is left out */
KEEP void nothing(void) { SIDE_EFFECT; }
KEEP int identity(int x) { SIDE_EFFECT; return x; }
KEEP int zero(void) { SIDE_EFFECT; return 0; }

KEEP int choose(int x) {
  switched++;
  switch (x) {
    case 0: puts("zero"); return 3;
    case 1: return 5;
    case 2: puts("two"); return 17;
    case 3: return identity(9);
    case 4: puts("four"); break;
    case 5: return 4;
    case 6: return choose(1) * 3 ^ x;
    case 9: nothing(); nothings++; return 12;
  }
  return x;
}

KEEP long interpret(const unsigned char *code) {
  static const void *const labels[] = {&&add, &&twice, &&minus, &&out, &&square};
  long value = 1;
  interpreted++;
  goto *labels[*code++];
add:
  value += 3; steps++;
  goto *labels[*code++];
twice:
  value *= 2; steps++;
  goto *labels[*code++];
minus:
  value -= 1; steps++;
  goto *labels[*code++];
square:
  value = value * value % 1000; steps++;
  goto *labels[*code++];
out:
  return value;
}

KEEP int odd(unsigned n);
KEEP int even(unsigned n) {
  evens++;
  if (n == 0) return 1;
  return odd(n - 1);
}
KEEP int odd(unsigned n) {
  odds++;
  return n == 0 ? 0 : even(n - 1);
}

KEEP int end(int x) { ended++; return x * 3; }
KEEP int tail(int x) {
  tails++;
  if (x < 0) return -1;
  return end(x + 1);
}

KEEP void spin(volatile int *p) {
  while (--*p) {
  }
}
KEEP const char *scan(const char *p, char c) {
  while (*p != c) {
    if (*p == 0) return 0;
    p++;
  }
  return p;
}

KEEP double factorial(int n) {
  factorials++;
  return n < 2 ? 1.0 : n * factorial(n - 1);
}

KEEP long sum(int count, ...) {
  va_list list;
  long result = 0;
  summed++;
  va_start(list, count);
  for (int i = 0; i < count; i++) result += va_arg(list, int);
  va_end(list);
  return result;
}

static jmp_buf place;
KEEP int jump(int n) {
  jumped++;
  if (n > 2) longjmp(place, n);
  landed++;
  return n;
}

KEEP double mix(double a, float b, int c) {
  floats++;
  double *room = (double *)alloca(16 * (c & 7) + 16);
  room[0] = a;
  room[1] = b;
  return room[0] * c + room[1] / 2;
}

KEEP int byPointer(int (*f)(int), int x) {
  pointed++;
  return f(x);
}

KEEP int manyReturns(int x) {
  early++;
  if (x % 2 == 0) return x / 2;
  if (x % 3 == 0) return x / 3;
  if (x % 5 == 0) {
    nothing();
    nothings++;
    return x / 5;
  }
  return x > 10 ? 1 : 2;
}

KEEP int counting(int n) {
  int result = n;
  for (int i = 0; i < n; i++) {
    lines[0]++;  // line 0
    if (i % 3 == 0) {
      lines[1]++;  // line 1
      result += zero();
    }
    result ^= i;
  }
  lines[2]++;  // line 2
  return result;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 7;
  long total = 0, calls = 0;
  for (int i = 0; i < rounds; i++) {
    int n = i + 1;
    const unsigned char code[] = {0, 1, 4, (unsigned char)(i % 3), 2, 1, 3};
    total += choose(i % 11) + interpret(code) + even(i) + tail(i - 2);
    spin(&n);
    spins++;
    total += scan("where is it", "whixt?"[i % 6]) != 0;
    scans++;
    total += (long)factorial(i) + sum(3, i, 2 * i, 3) + (long)mix(i, 1.5f, i);
    total += byPointer(i % 2 ? identity : tail, i) + manyReturns(i * 7 + 1) + counting(i);
    if (i % 2) identities++;
    identities += i % 11 == 3;
    if (setjmp(place) == 0) total += jump(i % 5);
    calls++;
  }
  int numbers[] = {5, 3, 9, 1, 7};
  qsort(numbers, 5, sizeof numbers[0], compare);
  printf("%ld %d %d %ld\n", total, numbers[0], numbers[4], calls);
  printCount("choose", switched);
  printCount("exit:choose", switched);
  printCount("interpret", interpreted);
  printCount("exit:interpret", interpreted);
  printCount("even", evens);
  printCount("exit:even", evens);
  printCount("odd", odds);
  printCount("exit:odd", odds);
  printCount("tail", tails);
  printCount("exit:tail", tails);
  printCount("end", ended);
  printCount("exit:end", ended);
  printCount("nothing", nothings);
  printCount("exit:nothing", nothings);
  printCount("identity", identities);
  printCount("exit:identity", identities);
  printCount("spin", spins);
  printCount("exit:spin", spins);
  printCount("scan", scans);
  printCount("exit:scan", scans);
  printCount("factorial", factorials);
  printCount("exit:factorial", factorials);
  printCount("sum", summed);
  printCount("exit:sum", summed);
  printCount("jump", jumped);
  printCount("exit:jump", landed);
  printCount("mix", floats);
  printCount("exit:mix", floats);
  printCount("byPointer", pointed);
  printCount("exit:byPointer", pointed);
  printCount("manyReturns", early);
  printCount("exit:manyReturns", early);
  printCount("counting", calls);
  printCount("exit:counting", calls);
  printCount("line 0", lines[0]);
  printCount("line 1", lines[1]);
  printCount("line 2", lines[2]);
  printCount("zero", lines[1]);
  printCount("exit:zero", lines[1]);
  printCount("before:sum", summed);
  printCount("after:sum", summed);
  printCount("before:jump@main", jumped);
  printCount("after:jump@main", landed);
  printCount("before:qsort", 1);
  printCount("after:qsort@main", 1);
  printCount("main", 1);
  return 0;
}
