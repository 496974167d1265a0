#include <omp.h>
#include <stdio.h>

static long fibonacci(int n) {
  long a, b;
  if (n < 2) return n;
  if (n < 12) return fibonacci(n - 1) + fibonacci(n - 2);
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long sum = 0, critical = 0, fib = 0, ordered = 0;
  for (int round = 0; round < 50; round++) {
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 7)
    for (int i = 0; i < 1000; i++) sum += i;
  }
#pragma omp parallel num_threads(3)
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    critical++;
#pragma omp barrier
  }
#pragma omp parallel
#pragma omp single
  fib = fibonacci(20);
#pragma omp parallel for ordered
  for (int i = 0; i < 100; i++) {
#pragma omp ordered
    ordered = ordered * 3 % 1000003 + i;
  }
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp atomic
  sum++;
  printf("%ld %ld %ld %ld\n", sum > 24975000 ? 1 : 0, critical, fib, ordered);
  return 0;
}
