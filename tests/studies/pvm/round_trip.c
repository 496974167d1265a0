/* Round trips of messages under PVM, after section 3 of Morajko et al. 2003.
 *
 *   pvm_round_trip [--route default|direct] [--encoding default|raw|in-place] [--fragment BYTES]
 *                  [--bytes N] [--type byte|int|double] [--seconds S] [--least N] [--fail-at N] HOST...
 *
 * The master starts a worker on each HOST ("." is its own), and sends a message of N bytes to one after the
 * other. The worker unpacks it, packs what it has found and sends that back, with the same settings. A trip ends
 * when the master has unpacked the answer. Whole numbers of the type are packed as such, the bytes that remain
 * as bytes, which PVM never converts. Trips are made for S seconds, and at least N. With --fail-at a worker fails at
 * its message of this number, to test how that is told.
 *
 * Planted: each message differs from those before it, and must come back as it was. A route counts only if it is
 * there: `direct` needs one more connection for each worker, `default` none. Prints `NAME NUMBER`: trips, their median,
 * mean and standard deviation in nanoseconds, how long the shortest of N trips is on the mean, and the connections. */
#include <dirent.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <pvm3.h> /* after stdio.h, without which it declares less */

#include "task_output.h"
#include "trips.h"

enum { MOST_WORKERS = 16, MOST_TRIPS = 100000, WARM_UPS = 3, TAG_TRIP = 1, TAG_END = 2, MOST_BYTES = 1 << 26 };

struct settings {
  int route, encoding, fragment, bytes, type, least;
  double seconds;
  int fail_at;
};

static int tasks[MOST_WORKERS];

static void fail(const char *what) {
  fprintf(stderr, "pvm_round_trip: %s\n", what);
  leave_with_output(tasks, MOST_WORKERS);
  exit(1);
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static int place_of(const char *word, const char *const words[]) {
  for (int i = 0; words[i] != NULL; i++) {
    if (strcmp(word, words[i]) == 0) return i;
  }
  fprintf(stderr, "pvm_round_trip: unknown word %s\n", word);
  exit(2);
}

static struct settings parse(int count, char **arguments) {
  static const struct option known[] = {
      {"route", required_argument, NULL, 'r'},   {"encoding", required_argument, NULL, 'e'},
      {"fragment", required_argument, NULL, 'f'}, {"bytes", required_argument, NULL, 'b'},
      {"type", required_argument, NULL, 't'},    {"seconds", required_argument, NULL, 's'},
      {"least", required_argument, NULL, 'l'},   {"fail-at", required_argument, NULL, 'a'},
      {NULL, 0, NULL, 0}};
  static const char *const routes[] = {"default", "direct", NULL};
  static const char *const encodings[] = {"default", "raw", "in-place", NULL};
  static const char *const types[] = {"byte", "int", "double", NULL};
  static const int route_values[] = {PvmDontRoute, PvmRouteDirect};
  static const int encoding_values[] = {PvmDataDefault, PvmDataRaw, PvmDataInPlace};
  static const int type_bytes[] = {1, sizeof(int), sizeof(double)};
  struct settings s = {PvmDontRoute, PvmDataDefault, 4096, 1, sizeof(int), 10, 0.05, 0};
  for (int found; (found = getopt_long(count, arguments, "", known, NULL)) != -1;) {
    switch (found) {
      case 'r': s.route = route_values[place_of(optarg, routes)]; break;
      case 'e': s.encoding = encoding_values[place_of(optarg, encodings)]; break;
      case 'f': s.fragment = atoi(optarg); break;
      case 'b': s.bytes = atoi(optarg); break;
      case 't': s.type = type_bytes[place_of(optarg, types)]; break;
      case 's': s.seconds = atof(optarg); break;
      case 'l': s.least = atoi(optarg); break;
      case 'a': s.fail_at = atoi(optarg); break;
      default: exit(2);
    }
  }
  const int hosts = count - optind;
  if (s.least > MOST_TRIPS) {
    fprintf(stderr, "pvm_round_trip: --least takes a number from 1 to %d\n", MOST_TRIPS);
    exit(2);
  }
  if (s.bytes < 1 || s.bytes > MOST_BYTES || s.fragment < 1 || s.least < 1 || hosts < 1 || hosts > MOST_WORKERS) {
    fprintf(stderr, "pvm_round_trip: wrong numbers, or no hosts\n");
    exit(2);
  }
  return s;
}

static void send_to(int task, const struct settings *s, char *data) {
  const int whole = s->bytes / s->type, rest = s->bytes % s->type;
  int status = pvm_initsend(s->encoding);
  if (whole > 0 && status >= 0) {
    status = s->type == sizeof(double) ? pvm_pkdouble((double *)data, whole, 1)
             : s->type == sizeof(int)  ? pvm_pkint((int *)data, whole, 1)
                                       : pvm_pkbyte(data, whole, 1);
  }
  if (rest > 0 && status >= 0) status = pvm_pkbyte(data + whole * s->type, rest, 1);
  if (status < 0 || pvm_send(task, TAG_TRIP) < 0) fail("a message cannot be sent");
}

static void unpack(const struct settings *s, char *data) {
  const int whole = s->bytes / s->type, rest = s->bytes % s->type;
  int status = 0;
  if (whole > 0) {
    status = s->type == sizeof(double) ? pvm_upkdouble((double *)data, whole, 1)
             : s->type == sizeof(int)  ? pvm_upkint((int *)data, whole, 1)
                                       : pvm_upkbyte(data, whole, 1);
  }
  if (rest > 0 && status >= 0) status = pvm_upkbyte(data + whole * s->type, rest, 1);
  if (status < 0) fail("a message cannot be unpacked");
}

/* Of each trip another one, also in the first byte. */
static void fill(char *data, int bytes, unsigned trip) {
  for (int at = 0; at < bytes; at += (int)sizeof(uint32_t)) {
    const uint32_t word = (uint32_t)at * 2654435761u + trip * 40503u;
    const size_t left = (size_t)(bytes - at);
    memcpy(data + at, &word, left < sizeof word ? left : sizeof word);
  }
}

static char *memory(int bytes) {
  char *data = calloc(1, (size_t)bytes);
  if (data == NULL) fail("there is no memory");
  return data;
}

static int open_files(void) {
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  if (directory == NULL) fail("/proc/self/fd cannot be read");
  while (readdir(directory) != NULL) count++;
  closedir(directory);
  return count;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print(double *trips, int count, int few, int connections) {
  double sum = 0, squares = 0;
  for (int i = 0; i < count; i++) sum += trips[i];
  const double mean = sum / count;
  for (int i = 0; i < count; i++) squares += (trips[i] - mean) * (trips[i] - mean);
  qsort(trips, (size_t)count, sizeof *trips, compare);
  printf("trips %d\ntrip_ns %.0f\nleast_of_few_ns %.0f\nmean_ns %.0f\nsd_ns %.0f\nconnections %d\n", count,
         (trips[(count - 1) / 2] + trips[count / 2]) / 2, least_of_few(trips, count, few), mean, count > 1 ? sqrt(squares / (count - 1)) : 0, connections);
}

static void lead(const struct settings *s, char **options, char **hosts, int workers) {
  static double trips[MOST_TRIPS];
  char program[4096] = ""; /* PVM's daemon works elsewhere */
  char *sent = memory(s->bytes), *received = memory(s->bytes);
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) fail("its own path is unknown");
  keep_output_of_tasks();
  for (int i = 0; i < workers; i++) {
    const int is_own = strcmp(hosts[i], ".") == 0;
    if (pvm_spawn(program, options, is_own ? PvmTaskDefault : PvmTaskHost, is_own ? NULL : hosts[i], 1, tasks + i) != 1) {
      fail("a worker cannot be started");
    }
    if (pvm_notify(PvmTaskExit, TAG_END, 1, tasks + i) < 0) fail("pvm_notify");
  }
  const int files = open_files();
  int count = -WARM_UPS * workers;
  double end = 0;
  for (unsigned trip = 1;; trip++) {
    const int task = tasks[trip % (unsigned)workers];
    int buffer, bytes, tag, from;
    fill(sent, s->bytes, trip);
    const double begin = now_ns();
    if (count == 0) end = begin + s->seconds * 1e9;
    if (count >= s->least && (begin >= end || count >= MOST_TRIPS)) break;
    send_to(task, s, sent);
    if ((buffer = pvm_recv(-1, -1)) < 0 || pvm_bufinfo(buffer, &bytes, &tag, &from) < 0) fail("no answer comes");
    if (tag != TAG_TRIP || from != task) fail("a worker has ended");
    unpack(s, received);
    const double ns = now_ns() - begin;
    if (memcmp(sent, received, (size_t)s->bytes) != 0) fail("a message came back changed");
    if (count >= 0) trips[count] = ns;
    count++;
  }
  const int connections = open_files() - files;
  for (int i = 0; i < workers; i++) {
    pvm_initsend(PvmDataRaw);
    pvm_send(tasks[i], TAG_END);
  }
  if (s->route == PvmRouteDirect ? connections < workers : connections != 0) fail("another route was taken");
  print(trips, count, s->least, connections);
}

static void work(const struct settings *s, int master) {
  char *data = memory(s->bytes);
  if (pvm_notify(PvmTaskExit, TAG_END, 1, &master) < 0) fail("pvm_notify");
  for (int message = 1;; message++) {
    int bytes, tag, from;
    const int buffer = pvm_recv(-1, -1);
    if (buffer < 0 || pvm_bufinfo(buffer, &bytes, &tag, &from) < 0 || tag != TAG_TRIP) return;
    if (message == s->fail_at) fail("a worker fails as it was asked to");
    unpack(s, data);
    send_to(from, s, data);
  }
}

int main(int count, char **arguments) {
  const struct settings s = parse(count, arguments);
  char **hosts = arguments + optind;
  const int workers = count - optind;
  if (pvm_mytid() < 0) return 1;
  const int master = pvm_parent();
  pvm_setopt(PvmRoute, s.route);
  if (pvm_setopt(PvmFragSize, s.fragment) < 0) fail("the fragment size is refused");
  if (master > 0) {
    work(&s, master);
  } else {
    lead(&s, arguments + 1, hosts, workers);
  }
  pvm_exit();
  return 0;
}
