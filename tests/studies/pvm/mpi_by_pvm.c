/* See mpi.h. Each message is packed as whole numbers of 32 bits, which XDR converts. Numbers of 64 bits are two of
 * these: the hosts are of one kind. */
#include "mpi.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <pvm3.h> /* after stdio.h, without which it declares less */

#include "task_output.h"

enum { MOST_PROCESSES = 64, LEAST_FRAGMENT = 4096, MOST_FRAGMENT = 1 << 20, MOST_NUMBERS = 1 << 20 };
enum { TAG_TIDS = 1, TAG_END = 2, TAG_DATA = 3 /* and above */ };

static int processes = 1, own, tids[MOST_PROCESSES], encoding = PvmDataDefault;
static int is_automatic; /* the fragment size, until it is known */
static double messages, bytes_sum, bytes_squares;

static void leave(int status) {
  leave_with_output(tids + 1, processes - 1);
  exit(status);
}

static void fail(const char *what) {
  fprintf(stderr, "integer_sort.pvm: %s\n", what);
  leave(1);
}

/* ---- Messages */

static int words_of(MPI_Datatype type) { return type == MPI_INT64_T || type == MPI_UINT64_T ? 2 : 1; }

/* Messages of a pair by their numbers: where both ask for a direct route at once, PVM brings the first message by the
   daemons and the second one directly, which can be earlier. */
static int data_tag(int number) { return TAG_DATA + number % MOST_NUMBERS; }

static void send_words(int to, const void *words, int count) {
  static int sent[MOST_PROCESSES];
  if (pvm_initsend(encoding) < 0 || (count > 0 && pvm_pkuint((unsigned *)words, count, 1) < 0) ||
      pvm_send(tids[to], data_tag(sent[to]++)) < 0) {
    fail("a message cannot be sent");
  }
  const double bytes = 4.0 * count;
  messages++;
  bytes_sum += bytes;
  bytes_squares += bytes * bytes;
}

/* Whether a process has ended. One that is ready does so while others still work. */
static int has_ended(int tid) {
  static int ended[MOST_PROCESSES], count = 0;
  while (pvm_nrecv(-1, TAG_END) > 0) {
    if (count == MOST_PROCESSES || pvm_upkint(&ended[count++], 1, 1) < 0) fail("an end is told wrongly");
  }
  for (int i = 0; i < count; i++) {
    if (ended[i] == tid) return 1;
  }
  return 0;
}

static void receive_words(int from, void *words, int count) {
  static int received[MOST_PROCESSES];
  int was_last = 0;
  for (;;) {
    struct timeval second = {1, 0};
    const int buffer = pvm_trecv(tids[from], data_tag(received[from]), &second);
    if (buffer < 0) fail("a message cannot be received");
    if (buffer > 0) break;
    if (was_last && own > 0) leave(1); /* the process that has ended knows why */
    if (was_last) fail("another process has ended");
    was_last = has_ended(tids[from]); /* what it had sent may be on its way */
  }
  received[from]++;
  if (count > 0 && pvm_upkuint(words, count, 1) < 0) fail("a message cannot be unpacked");
}

/* The sizes of this process's messages decide on its fragments: the formula of the paper's section 3.3. */
static void set_fragment(void) {
  const double mean = bytes_sum / messages;
  const double size = mean + sqrt(fmax(0, bytes_squares / messages - mean * mean));
  pvm_setopt(PvmFragSize, size < LEAST_FRAGMENT ? LEAST_FRAGMENT : size > MOST_FRAGMENT ? MOST_FRAGMENT : (int)size);
  is_automatic = 0;
}

/* ---- The first and the last of the calls */

static int place_of(const char *word, const char *const words[]) {
  for (int i = 0; words[i] != NULL; i++) {
    if (strcmp(word, words[i]) == 0) return i;
  }
  fprintf(stderr, "integer_sort.pvm: unknown word %s\n", word);
  exit(2);
}

/* Its own options. Returns the hosts, or null. */
static char *parse(int *argc, char ***argv, int *route, int *fragment) {
  static const struct option known[] = {
      {"processes", required_argument, NULL, 'p'}, {"hosts", required_argument, NULL, 'h'},
      {"route", required_argument, NULL, 'r'},     {"encoding", required_argument, NULL, 'e'},
      {"fragment", required_argument, NULL, 'f'},  {NULL, 0, NULL, 0}};
  static const char *const routes[] = {"default", "direct", NULL};
  static const char *const encodings[] = {"default", "raw", "in-place", NULL};
  static const int route_values[] = {PvmAllowDirect, PvmRouteDirect};
  static const int encoding_values[] = {PvmDataDefault, PvmDataRaw, PvmDataInPlace};
  char *hosts = NULL;
  for (int found; (found = getopt_long(*argc, *argv, "+", known, NULL)) != -1;) {
    switch (found) {
      case 'p': processes = atoi(optarg); break;
      case 'h': hosts = optarg; break;
      case 'r': *route = route_values[place_of(optarg, routes)]; break;
      case 'e': encoding = encoding_values[place_of(optarg, encodings)]; break;
      case 'f':
        is_automatic = strcmp(optarg, "auto") == 0;
        if (!is_automatic) *fragment = atoi(optarg);
        break;
      default: exit(2);
    }
  }
  if (processes < 1 || processes > MOST_PROCESSES || *fragment < 1) {
    fprintf(stderr, "integer_sort.pvm: wrong numbers\n");
    exit(2);
  }
  *argv += optind - 1; /* they are spawned with it as it is */
  *argc -= optind - 1;
  return hosts;
}

static void start_others(char **arguments, const char *hosts) {
  char program[4096] = "", names[4096] = ""; /* PVM's daemon works elsewhere */
  char *host[MOST_PROCESSES];
  int count = 0;
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) fail("its own path is unknown");
  if (hosts != NULL) strncpy(names, hosts, sizeof names - 1);
  for (char *name = strtok(names, ","); name != NULL && count < MOST_PROCESSES; name = strtok(NULL, ",")) {
    host[count++] = name;
  }
  keep_output_of_tasks();
  for (int i = 1; i < processes; i++) {
    char *there = count == 0 ? "." : host[i % count];
    const int is_any = strcmp(there, ".") == 0;
    if (pvm_spawn(program, arguments, is_any ? PvmTaskDefault : PvmTaskHost, is_any ? NULL : there, 1, tids + i) != 1) {
      fail("a process cannot be started");
    }
  }
  pvm_initsend(PvmDataRaw);
  pvm_pkint(tids, processes, 1);
  if (processes > 1 && pvm_mcast(tids + 1, processes - 1, TAG_TIDS) < 0) fail("the processes cannot be told of each other");
}

int MPI_Init(int *argc, char ***argv) {
  static char *none[] = {NULL};
  int route = PvmAllowDirect, fragment = LEAST_FRAGMENT;
  char **arguments = *argc > 0 ? *argv + 1 : none;
  const char *hosts = parse(argc, argv, &route, &fragment);
  tids[0] = pvm_mytid();
  if (tids[0] < 0) exit(1);
  pvm_setopt(PvmRoute, route);
  if (pvm_setopt(PvmFragSize, fragment) < 0) fail("the fragment size is refused");
  if (pvm_parent() > 0) {
    if (pvm_recv(pvm_parent(), TAG_TIDS) < 0 || pvm_upkint(tids, processes, 1) < 0) fail("it was told of no others");
    while (own < processes && tids[own] != pvm_mytid()) own++;
  } else {
    start_others(arguments, hosts);
  }
  if (processes > 1 && pvm_notify(PvmTaskExit, TAG_END, processes, tids) < 0) fail("pvm_notify");
  return 0;
}

int MPI_Finalize(void) {
  if (own == 0 && messages > 0) {
    printf("messages %.0f\nmessage_bytes %.0f\nfragment_bytes %d\n", messages, bytes_sum / messages, pvm_getopt(PvmFragSize));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  pvm_exit();
  return 0;
}

int MPI_Abort(MPI_Comm comm, int status) {
  (void)comm;
  leave(status);
  return status;
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
  (void)comm;
  *size = processes;
  return 0;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  (void)comm;
  *rank = own;
  return 0;
}

/* ---- One message */

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  (void)tag, (void)comm;
  send_words(to, buffer, count * words_of(type));
  return 0;
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  (void)tag, (void)comm;
  *request = (MPI_Request){buffer, count, type, from};
  return 0;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  (void)status;
  receive_words(request->from, request->buffer, request->count * words_of(request->type));
  return 0;
}

/* ---- All of them */

int MPI_Alltoallv(const void *out, const int *sent, const int *sent_at, MPI_Datatype out_type, void *in, const int *got,
                  const int *got_at, MPI_Datatype in_type, MPI_Comm comm) {
  (void)comm;
  const int words = words_of(out_type);
  if (out_type != in_type) fail("two types in one exchange");
  const uint32_t *from = out;
  uint32_t *to = in;
  memcpy(to + got_at[own] * (size_t)words, from + sent_at[own] * (size_t)words, 4 * (size_t)(sent[own] * words));
  for (int step = 1; step < processes; step++) {
    const int other = (own + step) % processes;
    send_words(other, from + sent_at[other] * (size_t)words, sent[other] * words);
  }
  for (int step = 1; step < processes; step++) {
    const int other = (own + processes - step) % processes;
    receive_words(other, to + got_at[other] * (size_t)words, got[other] * words);
  }
  return 0;
}

int MPI_Alltoall(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                 MPI_Comm comm) {
  int sent[MOST_PROCESSES], sent_at[MOST_PROCESSES], got[MOST_PROCESSES], got_at[MOST_PROCESSES];
  for (int i = 0; i < processes; i++) {
    sent[i] = out_count;
    sent_at[i] = i * out_count;
    got[i] = in_count;
    got_at[i] = i * in_count;
  }
  return MPI_Alltoallv(out, sent, sent_at, out_type, in, got, got_at, in_type, comm);
}

static int64_t combined(int64_t a, int64_t b, MPI_Op operation) {
  switch (operation) {
    case MPI_MIN: return a < b ? a : b;
    case MPI_MAX: return a > b ? a : b;
    default: return (int64_t)((uint64_t)a + (uint64_t)b);
  }
}

/* The first process gathers the numbers, and sends to each the result of all, or of those before it. */
static void reduce(const int64_t *mine, int64_t *result, int count, MPI_Op operation, int is_of_those_before) {
  if (own != 0) {
    send_words(0, mine, 2 * count);
    receive_words(0, result, 2 * count);
    return;
  }
  const size_t bytes = (size_t)count * sizeof *mine;
  int64_t *sum = malloc(bytes), *theirs = malloc(bytes), *before[MOST_PROCESSES] = {0};
  if (sum == NULL || theirs == NULL) fail("there is no memory");
  memcpy(sum, mine, bytes);
  for (int i = 1; i < processes; i++) {
    if ((before[i] = malloc(bytes)) == NULL) fail("there is no memory");
    memcpy(before[i], sum, bytes);
    receive_words(i, theirs, 2 * count);
    for (int j = 0; j < count; j++) sum[j] = combined(sum[j], theirs[j], operation);
  }
  for (int i = 1; i < processes; i++) {
    send_words(i, is_of_those_before ? before[i] : sum, 2 * count);
    free(before[i]);
  }
  if (!is_of_those_before) memcpy(result, sum, bytes);
  free(sum);
  free(theirs);
}

int MPI_Allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  (void)comm;
  if (words_of(type) != 2) fail("only numbers of 64 bits are summed");
  reduce(mine, all, count, operation, 0);
  return 0;
}

int MPI_Exscan(const void *mine, void *before, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  (void)comm;
  if (words_of(type) != 2) fail("only numbers of 64 bits are summed");
  reduce(mine, before, count, operation, 1);
  return 0;
}

int MPI_Barrier(MPI_Comm comm) {
  int64_t one = 1, all = 0;
  if (is_automatic && messages > 0) set_fragment();
  return MPI_Allreduce(&one, &all, 1, MPI_INT64_T, MPI_SUM, comm);
}
