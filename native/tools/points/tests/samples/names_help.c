/* Another file of the program of names.cpp. */
#include <stdio.h>

static __attribute__((noinline)) int same(int x) { return puts("same of help") - x; }

int help(int x) { return same(x) + same(x + 1); }

int last(const char *text) { return puts(text); }

static int halve_slowly(int x) { return x / 2; }
static int halve_fast(int x) { return x >> 1; }
static int (*choose_halve(void))(int) { return sizeof(int) > 4 ? halve_slowly : halve_fast; }
int halve(int) __attribute__((ifunc("choose_halve")));
