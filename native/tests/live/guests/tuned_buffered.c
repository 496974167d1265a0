/* Messages by MPI_Send whose receivers are late: tuned_buffered DIRECTORY MODE.
 *
 *   late      rank 1 receives when rank 0 has sent: without a buffer, rank 0 waits for ever
 *   returned  the same with MPI_ERRORS_RETURN, after which rank 0 has to wait
 *   bound     rank 1 receives when rank 0 has sent MOST messages of a MiB
 *   killed    rank 1 ends by a signal when rank 0 has sent
 *   attached  small messages until there is a gate `tuned`, then as late
 *   outside   rank 0 waits outside of MPI for what rank 1 does after it has received, in several ways
 *   spin      the same by reading memory, without any call
 *   ended     asks again and again whether MPI has ended, which it has, until there is a gate `over`
 *   order     ranks send CALLS messages of many sizes and kinds to rank 0, which receives whatever comes and is late at times
 *
 * What was sent is overwritten at once. Rank 0 tells a sum over all bytes that were received. */
#include <fcntl.h>
#include <linux/futex.h>
#include <mpi.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "gates.h"

enum { MIB = 1 << 20, MOST = 16, LARGE = 400000, MOST_BYTES = 3 * MIB / 2, CALLS = 240 };

static char data[MOST_BYTES];
static int rank, size, wrong;
static uint64_t state = 2003;
static MPI_Datatype everySecond;

static unsigned drawn(unsigned below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % below;
}

static char valueAt(int from, int number, int i) { return (char)((unsigned)i * (unsigned)(i >> 8) + (unsigned)(from * 31 + number * 7)); }

static void fill(char* at, int bytes, int from, int number) {
  for (int i = 0; i < bytes; i++) at[i] = valueAt(from, number, i);
}

static uint64_t sumOf(const char* at, int bytes) {
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < bytes; i++) hash = (hash ^ (unsigned char)at[i]) * 1099511628211u;
  return hash;
}

static int isFilled(const char* at, int bytes, int from, int number) {
  for (int i = 0; i < bytes; i++) {
    if (at[i] != valueAt(from, number, i)) return 0;
  }
  return 1;
}

static void sendOne(int bytes, int number, MPI_Comm comm) {
  char name[32];
  fill(data, bytes, rank, number);
  MPI_Send(data, bytes, MPI_CHAR, 1, 3, comm);
  memset(data, 0, (size_t)bytes);
  snprintf(name, sizeof name, "sent%d", number);
  tell(name, "");
}

static void receiveOne(int bytes, int number, MPI_Comm comm) {
  MPI_Recv(data, MOST_BYTES, MPI_CHAR, 0, 3, comm, MPI_STATUS_IGNORE);
  if (!isFilled(data, bytes, 0, number)) wrong++;
}

static void late(MPI_Comm comm) {
  if (rank == 0) sendOne(LARGE, 0, comm);
  if (rank == 1) {
    await("sent0");
    receiveOne(LARGE, 0, comm);
  }
}

static void attached(void) {
  for (int ends = 0; !ends;) {
    ends = isOpen("tuned");
    MPI_Bcast(&ends, 1, MPI_INT, 0, MPI_COMM_WORLD);
    usleep(1000);
  }
  late(MPI_COMM_WORLD);
}

static void returned(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (rank == 0) {
    if (MPI_Send(data, 1, MPI_CHAR, 99, 0, comm) == MPI_SUCCESS) wrong++;
    sendOne(LARGE, 0, comm);
  }
  if (rank == 1) {
    usleep(100000);
    if (isOpen("sent0")) wrong++;
    receiveOne(LARGE, 0, comm);
  }
  /* And again with that of the start; the communicator is freed while the message is under way. */
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  if (rank == 0) sendOne(LARGE, 1, comm);
  if (rank == 1) {
    await("sent1");
    receiveOne(LARGE, 1, comm);
  }
  MPI_Comm_free(&comm);
}

static void bound(void) {
  char name[32];
  for (int i = 0; rank == 0 && i <= MOST; i++) sendOne(MIB, i, MPI_COMM_WORLD);
  if (rank == 1) {
    snprintf(name, sizeof name, "sent%d", MOST - 1);
    await(name);
    usleep(100000);
    snprintf(name, sizeof name, "sent%d", MOST);
    if (isOpen(name)) wrong++;
    for (int i = 0; i <= MOST; i++) receiveOne(MIB, i, MPI_COMM_WORLD);
  }
}

/* What the ranks share outside of MPI. Rank 0 makes it. */
struct Shared {
  sem_t semaphore;
  int word;
};
static struct Shared* shared;
static int fifo;
static FILE* stream;

static void share(void) {
  char path[512];
  snprintf(path, sizeof path, "%s/shared", gatesDirectory);
  const int fd = open(path, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, sizeof *shared) != 0) exit(4);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (rank == 0) sem_init(&shared->semaphore, 1, 0);
  snprintf(path, sizeof path, "%s/fifo", gatesDirectory);
  mkfifo(path, 0600);
  fifo = open(path, O_RDWR);
  stream = fdopen(dup(fifo), "r");
  MPI_Barrier(MPI_COMM_WORLD);
}

enum { PIPE, STDIO, POLL, SEMAPHORE, FUTEX, FILES, SLEEP, INTERRUPTED, BUSY, WAYS, SPIN };

static void onAlarm(int signal) { (void)signal; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A signal ends the sleep after the message was received: the program is told how long it would have slept, in whole seconds. */
static void sleepUntilSignal(void) {
  const double begin = now();
  const unsigned left = sleep(3);
  const double all = left + now() - begin;
  wrong += left == 0 || all < 2.9 || all > 4.2;
}

/* Calls that wait for nobody, on a deep stack, while a message is under way: they stay fast. */
static void writeOften(void) {
  volatile char deep[4 * MIB];
  char path[512];
  snprintf(path, sizeof path, "%s/written", gatesDirectory);
  const int fd = open(path, O_RDWR | O_CREAT, 0600);
  deep[0] = deep[4 * MIB - 1] = 0;
  const double begin = now();
  for (int i = 0; i < 2000; i++) wrong += pwrite(fd, "x", 1, deep[0]) != 1;
  wrong += now() - begin > 0.6;
  close(fd);
}

static void awaitReply(int way) {
  char byte = 0;
  struct pollfd ready = {fifo, POLLIN, 0};
  switch (way) {
    case PIPE: wrong += read(fifo, &byte, 1) != 1; break;
    case STDIO: wrong += fgetc(stream) != 'x'; break;
    case POLL: wrong += poll(&ready, 1, -1) != 1 || read(fifo, &byte, 1) != 1; break;
    case SEMAPHORE: wrong += sem_wait(&shared->semaphore) != 0; break;
    case FUTEX:
      while (__atomic_load_n(&shared->word, __ATOMIC_ACQUIRE) == 0) syscall(SYS_futex, &shared->word, FUTEX_WAIT, 0, NULL, NULL, 0);
      break;
    case SPIN:
      while (__atomic_load_n(&shared->word, __ATOMIC_ACQUIRE) == 0) {
      }
      break;
    case FILES:
      while (!isOpen("reply")) usleep(1000);
      break;
    case SLEEP:
      usleep(600000);
      wrong += !isOpen("again");
      break;
    case INTERRUPTED: sleepUntilSignal(); break;
    case BUSY:
      writeOften();
      tell("busy", "");
  }
}

static void reply(int way) {
  switch (way) {
    case PIPE: case STDIO: case POLL: wrong += write(fifo, "x", 1) != 1; break;
    case SEMAPHORE: sem_post(&shared->semaphore); break;
    case FUTEX: case SPIN:
      __atomic_store_n(&shared->word, 1, __ATOMIC_RELEASE);
      syscall(SYS_futex, &shared->word, FUTEX_WAKE, 1, NULL, NULL, 0);
      break;
    case FILES: tell("reply", ""); break;
    case SLEEP: tell("again", "");
  }
}

static void outside(int way) {
  char name[32];
  const struct itimerval timer = {{0, 0}, {1, 500000}};
  if (rank == 0) {
    if (way == INTERRUPTED && (signal(SIGALRM, onAlarm) == SIG_ERR || setitimer(ITIMER_REAL, &timer, NULL) != 0)) wrong++;
    sendOne(LARGE, way, MPI_COMM_WORLD);
    awaitReply(way);
  } else {
    snprintf(name, sizeof name, "sent%d", way);
    await(name);
    if (way == BUSY) await("busy");
    usleep(50000);
    receiveOne(LARGE, way, MPI_COMM_WORLD);
    reply(way);
  }
}

static void afterEnd(void) {
  int ended = 0;
  tell("ended", "");
  for (int i = 0; i < 20000 && !isOpen("over"); i++) {
    MPI_Finalized(&ended);
    usleep(1000);
  }
}

/* The first four bytes are the number of the message. */
static void sendToFirst(int number) {
  static char strided[2 * MOST_BYTES];
  const int bytes = 4 * (1 + (int)drawn(drawn(8) == 0 ? MOST_BYTES / 4 - 1 : drawn(3) == 0 ? 50000 : 300)), tag = (int)drawn(4);
  MPI_Request request;
  fill(data, bytes, rank, number);
  memcpy(data, &number, sizeof number);
  switch (drawn(8)) {
    case 0: MPI_Ssend(data, bytes, MPI_CHAR, 0, tag, MPI_COMM_WORLD); break;
    case 1:
      MPI_Isend(data, bytes, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    case 2:
      for (int i = 0; i < bytes / 4; i++) memcpy(strided + 8 * i, data + 4 * i, 4);
      MPI_Send(strided, bytes / 4, everySecond, 0, tag, MPI_COMM_WORLD);
      memset(strided, 0, (size_t)bytes);
      break;
    case 3: case 4: MPI_Send(data, bytes / 4, MPI_INT, 0, tag, MPI_COMM_WORLD); break;
    default: MPI_Send(data, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
  }
  memset(data, 0, (size_t)bytes);
}

static uint64_t receiveInOrder(void) {
  uint64_t all = 0;
  int next[64] = {0};
  for (int i = 0; i < CALLS * (size - 1); i++) {
    MPI_Status status;
    int number = -1, bytes = 0, source = MPI_ANY_SOURCE;
    if (drawn(3) == 0) {
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      source = status.MPI_SOURCE;
    }
    MPI_Recv(data, MOST_BYTES, MPI_BYTE, source, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    memcpy(&number, data, sizeof number);
    const int from = status.MPI_SOURCE;
    if (number != next[from]++) wrong++;
    all += sumOf(data, bytes) * (uint64_t)(from * CALLS + number + 1);
    if (i % 4 == 0) {
      fill(data, 4, from, number);
      if (!isFilled(data, bytes, from, number)) wrong++;
    }
    if (drawn(16) == 0) usleep(2000);
  }
  return all;
}

static uint64_t order(void) {
  state += (uint64_t)rank * 977;
  MPI_Type_create_resized(MPI_INT, 0, 8, &everySecond);
  MPI_Type_commit(&everySecond);
  for (int i = 0; rank != 0 && i < CALLS; i++) sendToFirst(i);
  return rank == 0 ? receiveInOrder() : 0;
}

int main(int argc, char** argv) {
  char text[64];
  uint64_t sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  gatesDirectory = argv[1];
  const char* mode = argv[2];
  if (strcmp(mode, "outside") == 0 || strcmp(mode, "spin") == 0) share();
  snprintf(text, sizeof text, "ready%d", rank);
  tell(text, "");
  await("go");
  if (strcmp(mode, "order") == 0) sum = order();
  if (strcmp(mode, "late") == 0) late(MPI_COMM_WORLD);
  if (strcmp(mode, "attached") == 0) attached();
  for (int way = 0; strcmp(mode, "outside") == 0 && way < WAYS; way++) outside(way);
  if (strcmp(mode, "spin") == 0) outside(SPIN);
  if (strcmp(mode, "returned") == 0) returned();
  if (strcmp(mode, "bound") == 0) bound();
  if (strcmp(mode, "killed") == 0) {
    if (rank == 0) sendOne(LARGE, 0, MPI_COMM_WORLD);
    await("sent0");
    if (rank == 1) raise(SIGKILL);
  }
  snprintf(text, sizeof text, "%d wrong, %016llx\n", wrong, (unsigned long long)sum);
  snprintf(data, sizeof data, "result%d", rank);
  tell(data, text);
  MPI_Finalize();
  if (strcmp(mode, "ended") == 0) afterEnd();
  return 0;
}
