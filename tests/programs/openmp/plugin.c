// A library that is parallel inside, for loader.c.
#include <omp.h>

#ifdef __clang__
long sumOfLlvm(int n);
#define SUM sumOfLlvm
#else
long sumOfGnu(int n);
#define SUM sumOfGnu
#endif

long SUM(int n) {
  long sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
#pragma omp critical
    sum += i;
  }
  return sum;
}
