/* Planted: by how much delays lengthen it is known. With delays of a at `serial`, of b at the entry of
 * left(), of c at the entry of right(), of d at the entry of hidden() and of e at the exit of last() it
 * takes longer by
 *
 *   40 a + 30 max(b, c) + 0 d + 20 e          as long as 25 d is less than 20 ms
 *
 * left() and right() run in threads at the same time, hidden() beside 20 ms of sleep. With two levels,
 * 0 and s, the effects are 40 s, 15 s, 15 s, 0 and 20 s, that of left and right together -15 s, and all
 * others none.
 *
 *   planted_delays [BASE_MS]
 *
 * Prints how often each place was reached. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <parallax/parallax.h>

#define FUNCTION __attribute__((noinline, noclone))

enum { SERIAL = 40, PARALLEL = 30, HIDDEN = 25, LAST = 20 };

static volatile int calls[5];

static FUNCTION void left(int i) { calls[1] += i >= 0; }
static FUNCTION void right(int i) { calls[2] += i >= 0; }
static FUNCTION void hidden(int i) { calls[3] += i >= 0; }
static FUNCTION int last(int i) {
  if (i < 0) return 0;
  calls[4]++;
  return i;
}

static void *all_left(void *unused) {
  for (int i = 0; i < PARALLEL; i++) left(i);
  return unused;
}
static void *all_right(void *unused) {
  for (int i = 0; i < PARALLEL; i++) right(i);
  return unused;
}
static void *all_hidden(void *unused) {
  for (int i = 0; i < HIDDEN; i++) hidden(i);
  return unused;
}

static void rest(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void together(void *(*a)(void *), void *(*b)(void *), long ms) {
  pthread_t first, second;
  if (pthread_create(&first, NULL, a, NULL) != 0) exit(1);
  if (b != NULL && pthread_create(&second, NULL, b, NULL) != 0) exit(1);
  if (ms > 0) rest(ms);
  pthread_join(first, NULL);
  if (b != NULL) pthread_join(second, NULL);
}

int main(int arguments, char **argument) {
  int sum = 0;
  for (int i = 0; i < SERIAL; i++) {
    parallax_delay_point("serial");
    calls[0]++;
  }
  together(all_left, all_right, 0);
  together(all_hidden, NULL, 20);
  for (int i = 0; i < LAST; i++) sum += last(i);
  if (arguments > 1) rest(atol(argument[1]));
  printf("serial %d left %d right %d hidden %d last %d sum %d\n", calls[0], calls[1], calls[2],
         calls[3], calls[4], sum);
  return 0;
}
