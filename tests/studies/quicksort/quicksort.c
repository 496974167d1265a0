/* The parallel quicksort of Lyon, Snelick and Kacker 1992, section 3.1: sublists on a shared stack,
 * from which threads take them as they become free.
 *
 *   quicksort [NUMBERS [THREADS [SEED]]]
 *
 * Its functions are those of the paper's Table I; swap() is called, as there, or with INLINE_SWAP part
 * of the loop. code1 is the loop in sort() that looks whether a sublist is in order already. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <parallax/parallax.h>

#define FUNCTION __attribute__((noinline, noclone))
#ifdef INLINE_SWAP
#define SWAP static inline __attribute__((always_inline))
#else
#define SWAP static FUNCTION
#endif

enum { SHORT = 24, USUAL_NUMBERS = 400000, SPINS = 200, STACK = 1 << 20 };

struct list {
  int begin, end;
};

static int *numbers, *result;
static int count;
static struct list *stack;
static int top;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_int sorted;

static FUNCTION void s_lock(void) {
  int spins = 0;
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    if (++spins % SPINS == 0) sched_yield();
  }
}

static FUNCTION void s_unlock(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

static FUNCTION void push(struct list list) {
  s_lock();
  stack[top++] = list;
  s_unlock();
}

static FUNCTION int pop(struct list *list) {
  int found;
  s_lock();
  found = top > 0;
  if (found) *list = stack[--top];
  s_unlock();
  return found;
}

SWAP void swap(int *a, int *b) {
  int keep = *a;
  *a = *b;
  *b = keep;
}

static FUNCTION void bubble_sort(struct list list) {
  for (int last = list.end - 1; last > list.begin; last--) {
    for (int i = list.begin; i < last; i++) {
      if (numbers[i] > numbers[i + 1]) swap(&numbers[i], &numbers[i + 1]);
    }
  }
}

/* The median of three. */
static FUNCTION int select_pivot(struct list list) {
  int a = numbers[list.begin], b = numbers[(list.begin + list.end) / 2], c = numbers[list.end - 1];
  return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* Returns where the upper part begins; neither part is empty. */
static FUNCTION int partition_list(struct list list, int pivot) {
  int i = list.begin, j = list.end - 1;
  for (;;) {
    while (numbers[i] < pivot) i++;
    while (numbers[j] > pivot) j--;
    if (i >= j) return j + 1 > list.begin && j + 1 < list.end ? j + 1 : i;
    swap(&numbers[i++], &numbers[j--]);
  }
}

static FUNCTION void finish(struct list list) {
  for (int i = list.begin; i < list.end; i++) result[i] = numbers[i];
  atomic_fetch_add(&sorted, list.end - list.begin);
}

static void *sort(void *unused) {
  struct list list;
  (void)unused;
  while (atomic_load_explicit(&sorted, memory_order_relaxed) < count) {
    if (!pop(&list)) {
      sched_yield();
      continue;
    }
    int ordered = list.begin + 1;
    parallax_delay_point("code1");
    while (ordered < list.end && numbers[ordered - 1] <= numbers[ordered]) ordered++;
    if (ordered == list.end) {
      finish(list);
    } else if (list.end - list.begin <= SHORT) {
      bubble_sort(list);
      finish(list);
    } else {
      int middle = partition_list(list, select_pivot(list));
      push((struct list){list.begin, middle});
      push((struct list){middle, list.end});
    }
  }
  return NULL;
}

int main(int arguments, char **argument) {
  int threads = arguments > 2 ? atoi(argument[2]) : 2;
  unsigned random = arguments > 3 ? (unsigned)atoi(argument[3]) : 1992;
  long long sum = 0;
  pthread_t *thread;
  count = arguments > 1 ? atoi(argument[1]) : USUAL_NUMBERS;
  if (count < 1 || threads < 1) {
    fprintf(stderr, "usage: quicksort [NUMBERS [THREADS [SEED]]]\n");
    return 2;
  }
  numbers = malloc(sizeof *numbers * (size_t)count);
  result = malloc(sizeof *result * (size_t)count);
  stack = malloc(sizeof *stack * STACK);
  thread = malloc(sizeof *thread * (size_t)threads);
  if (!numbers || !result || !stack || !thread) return 1;
  for (int i = 0; i < count; i++) {
    random = random * 1664525u + 1013904223u;
    numbers[i] = (int)(random >> 8);
    sum += numbers[i];
  }
  push((struct list){0, count});
  for (int i = 0; i < threads; i++) {
    if (pthread_create(&thread[i], NULL, sort, NULL) != 0) return 1;
  }
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < count; i++) {
    sum -= result[i];
    if (i > 0 && result[i - 1] > result[i]) {
      fprintf(stderr, "not sorted at %d\n", i);
      return 1;
    }
  }
  if (sum != 0) return 1;
  printf("sorted %d numbers\n", count);
  return 0;
}
