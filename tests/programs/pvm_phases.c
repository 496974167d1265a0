/* A task whose message sizes change by phase, under PVM, for tuning while it runs.
 *
 *   pvm_phases MESSAGES FILE
 *
 * Planted: the first task sends MESSAGES messages in each of three phases to a second one, which answers each by 4 bytes. Their
 * sizes are drawn around
 *
 *   phase 0   30,000 bytes, within 5 %
 *   phase 1   300,000 bytes, within 5 %
 *   phase 2   300,000 bytes, within 20 %: noise, whose mean and deviation need no other fragments
 *
 * Between two messages it computes for 0.1 ms. The routes are direct and data are raw. FILE gets a line for each phase:
 * `PHASE FIRST LAST CHANGES BYTES`, with the number of the message in the phase at which the size of fragments was changed first
 * and last (0: not at all), how often, and the size at the end. Nothing that is received depends on it: the exit status is 1 if
 * an answer is not the size that was sent. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PHASES = 3, MOST_BYTES = 400000, COMPUTE_NS = 100000, TAG_DATA = 1, TAG_ANSWER = 2 };

static const struct {
  int bytes, percent;
} phases[PHASES] = {{30000, 5}, {300000, 5}, {300000, 20}};

static void fail(const char *what) {
  fprintf(stderr, "pvm_phases: %s\n", what);
  pvm_exit();
  exit(1);
}

static void compute(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const long long end = now.tv_sec * 1000000000LL + now.tv_nsec + COMPUTE_NS;
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec * 1000000000LL + now.tv_nsec < end);
}

/* Until a message of no bytes. */
static int second(int parent) {
  static char data[MOST_BYTES];
  for (;;) {
    int bytes = 0;
    if (pvm_recv(parent, TAG_DATA) < 0 || pvm_upkint(&bytes, 1, 1) < 0) fail("a message cannot be received");
    if (bytes == 0) break;
    if (pvm_upkbyte(data, bytes, 1) < 0) fail("a message is too short");
    bytes = data[bytes - 1] == (char)bytes ? bytes : -1;
    if (pvm_initsend(PvmDataRaw) < 0 || pvm_pkint(&bytes, 1, 1) < 0 || pvm_send(parent, TAG_ANSWER) < 0) fail("no answer");
  }
  pvm_exit();
  return 0;
}

static void send_bytes(int to, char *data, int bytes) {
  if (bytes > 0) data[bytes - 1] = (char)bytes;
  if (pvm_initsend(PvmDataRaw) < 0 || pvm_pkint(&bytes, 1, 1) < 0 || (bytes > 0 && pvm_pkbyte(data, bytes, 1) < 0) ||
      pvm_send(to, TAG_DATA) < 0) {
    fail("a message cannot be sent");
  }
}

static void run_phase(int number, long messages, int to, FILE *file) {
  static char data[MOST_BYTES];
  static unsigned random = 2003;
  long first = 0, last = 0, changes = 0;
  int size = pvm_getopt(PvmFragSize);
  for (long i = 1; i <= messages; i++) {
    random = random * 1103515245 + 12345;
    const double share = (random >> 16 & 0x7fff) / 16384.0 - 1; /* from -1 to 1 */
    const int bytes = (int)(phases[number].bytes * (1 + share * phases[number].percent / 100));
    int answer = 0;
    compute();
    send_bytes(to, data, bytes);
    if (pvm_recv(to, TAG_ANSWER) < 0 || pvm_upkint(&answer, 1, 1) < 0 || answer != bytes) fail("the answer is wrong");
    const int now = pvm_getopt(PvmFragSize);
    if (now == size) continue;
    size = now;
    first = first == 0 ? i : first;
    last = i;
    changes++;
  }
  fprintf(file, "%d %ld %ld %ld %d\n", number, first, last, changes, size);
}

int main(int argc, char **argv) {
  char path[4096] = "";
  int to = 0;
  if (pvm_mytid() < 0) return 1;
  pvm_setopt(PvmRoute, PvmRouteDirect);
  if (pvm_parent() > 0) return second(pvm_parent());
  const long messages = argc == 3 ? atol(argv[1]) : 0;
  FILE *file = messages > 0 ? fopen(argv[2], "w") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: pvm_phases MESSAGES FILE\n");
    pvm_exit();
    return 2;
  }
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0 || pvm_spawn(path, NULL, PvmTaskDefault, NULL, 1, &to) != 1) {
    fail("the second task cannot be started");
  }
  for (int i = 0; i < PHASES; i++) run_phase(i, messages, to, file);
  send_bytes(to, NULL, 0);
  fclose(file);
  pvm_exit();
  return 0;
}
