// A thread that waits for bytes of another by asynchronous I/O, and a file that is written and read by it.
//
//   async_io READER WRITER [ROUNDS]        default 5 rounds
//
// READER and WRITER are one of: plain (read, write), aio (POSIX AIO), uring (liburing), raw (io_uring by system calls
// of libc). READER can also be `ready`: an io_uring request that waits until the pipe is readable, and then read.
// `plain plain` is the mirror of all others. In each round, `reader` asks for 64 bytes of a pipe and waits for them,
// while the main thread is in late_work, which sleeps for 20 ms, and then writes them. After the rounds, the reader
// writes 256 KiB to a file, synchronizes it, and reads them back.
//
// Planted answer: `reader` waits for all of late_work, and transfers 262144 bytes to the file and as many from it.
// Prints the seconds that its waits took, as `waits=SECONDS`. The status is 77 if the kernel denies io_uring.

#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_LIBURING
#include <liburing.h>
#endif

#include "work.h"

enum { BYTES = 64, FILE_BYTES = 256 * 1024, SKIPPED = 77 };

static int rounds = 5;
static int ends[2];
static sem_t begun, taken;
static double waited;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check(int right, const char* what) {
  if (right) return;
  perror(what);
  exit(errno == EPERM || errno == ENOSYS ? SKIPPED : 1);
}

enum Op { READ, WRITE, SYNC, READY };

// A way of I/O: hands a request to the system, and waits for its end.
struct Way {
  const char* name;
  void (*begin)(void);
  void (*ask)(enum Op op, int fd, void* data, size_t bytes, off_t offset);
  long (*wait)(void);
};

// ---- read and write; what belongs to a way is of each thread its own

static __thread struct {
  enum Op op;
  int fd;
  void* data;
  size_t bytes;
  off_t offset;
} plain;
static void plain_begin(void) {}
static void plain_ask(enum Op op, int fd, void* data, size_t bytes, off_t offset) {
  plain.op = op;
  plain.fd = fd;
  plain.data = data;
  plain.bytes = bytes;
  plain.offset = offset;
}
static long plain_wait(void) {
  if (plain.op == SYNC) return fsync(plain.fd);
  if (plain.offset < 0) {
    return plain.op == READ ? read(plain.fd, plain.data, plain.bytes)
                            : write(plain.fd, plain.data, plain.bytes);
  }
  return plain.op == READ ? pread(plain.fd, plain.data, plain.bytes, plain.offset)
                          : pwrite(plain.fd, plain.data, plain.bytes, plain.offset);
}

// ---- POSIX AIO

static __thread struct aiocb block;
static void aio_ask(enum Op op, int fd, void* data, size_t bytes, off_t offset) {
  memset(&block, 0, sizeof block);
  block.aio_fildes = fd;
  block.aio_buf = data;
  block.aio_nbytes = bytes;
  block.aio_offset = offset < 0 ? 0 : offset;
  const int result = op == READ ? aio_read(&block) : op == WRITE ? aio_write(&block)
                                                                 : aio_fsync(O_SYNC, &block);
  check(result == 0, "aio");
}
static long aio_wait(void) {
  const struct aiocb* const list[] = {&block};
  while (aio_error(&block) == EINPROGRESS) aio_suspend(list, 1, NULL);
  return aio_return(&block);
}

// ---- io_uring by system calls

static __thread struct {
  int fd;
  unsigned *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail, *cq_mask;
  struct io_uring_sqe* sqes;
  struct io_uring_cqe* cqes;
} raw;
static void raw_begin(void) {
  struct io_uring_params p = {0};
  raw.fd = (int)syscall(__NR_io_uring_setup, 8, &p);
  check(raw.fd >= 0, "io_uring_setup");
  const size_t sq_bytes = p.sq_off.array + p.sq_entries * sizeof(unsigned);
  const size_t cq_bytes = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
  char* sq = mmap(NULL, sq_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, raw.fd, IORING_OFF_SQ_RING);
  char* cq = mmap(NULL, cq_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, raw.fd, IORING_OFF_CQ_RING);
  raw.sqes = mmap(NULL, p.sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED,
                  raw.fd, IORING_OFF_SQES);
  check(sq != MAP_FAILED && cq != MAP_FAILED && raw.sqes != MAP_FAILED, "mmap");
  raw.sq_tail = (unsigned*)(sq + p.sq_off.tail);
  raw.sq_mask = (unsigned*)(sq + p.sq_off.ring_mask);
  raw.sq_array = (unsigned*)(sq + p.sq_off.array);
  raw.cq_head = (unsigned*)(cq + p.cq_off.head);
  raw.cq_tail = (unsigned*)(cq + p.cq_off.tail);
  raw.cq_mask = (unsigned*)(cq + p.cq_off.ring_mask);
  raw.cqes = (struct io_uring_cqe*)(cq + p.cq_off.cqes);
}
static void fill(struct io_uring_sqe* sqe, enum Op op, int fd, void* data, size_t bytes, off_t offset) {
  memset(sqe, 0, sizeof *sqe);
  sqe->opcode = op == READ ? IORING_OP_READ : op == WRITE ? IORING_OP_WRITE : op == SYNC ? IORING_OP_FSYNC
                                                                             : IORING_OP_POLL_ADD;
  sqe->fd = fd;
  if (op == READY) {
    sqe->poll32_events = POLLIN;
  } else if (op != SYNC) {
    sqe->addr = (uintptr_t)data;
    sqe->len = (unsigned)bytes;
    sqe->off = (uint64_t)offset;
  }
  sqe->user_data = (uintptr_t)data;
}
static void raw_ask(enum Op op, int fd, void* data, size_t bytes, off_t offset) {
  const unsigned tail = *raw.sq_tail, place = tail & *raw.sq_mask;
  fill(&raw.sqes[place], op, fd, data, bytes, offset);
  raw.sq_array[place] = place;
  __atomic_store_n(raw.sq_tail, tail + 1, __ATOMIC_RELEASE);
  check(syscall(__NR_io_uring_enter, raw.fd, 1, 0, 0, NULL, 0) == 1, "io_uring_enter");
}
static long raw_wait(void) {
  const unsigned head = *raw.cq_head;
  while (__atomic_load_n(raw.cq_tail, __ATOMIC_ACQUIRE) == head) {
    const long result = syscall(__NR_io_uring_enter, raw.fd, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
    check(result >= 0 || errno == EINTR, "io_uring_enter");
  }
  const long result = raw.cqes[head & *raw.cq_mask].res;
  __atomic_store_n(raw.cq_head, head + 1, __ATOMIC_RELEASE);
  return result;
}

// ---- io_uring by liburing

#ifdef WITH_LIBURING
static __thread struct io_uring ring;
static void uring_begin(void) {
  const int error = io_uring_queue_init(8, &ring, 0);
  errno = -error;
  check(error == 0, "io_uring_queue_init");
}
static void uring_ask(enum Op op, int fd, void* data, size_t bytes, off_t offset) {
  fill(io_uring_get_sqe(&ring), op, fd, data, bytes, offset);
  check(io_uring_submit(&ring) == 1, "io_uring_submit");
}
static long uring_wait(void) {
  struct io_uring_cqe* cqe;
  while (io_uring_wait_cqe(&ring, &cqe) != 0) {
  }
  const long result = cqe->res;
  io_uring_cqe_seen(&ring, cqe);
  return result;
}
#define URING "uring"
#else
#define uring_begin raw_begin
#define uring_ask raw_ask
#define uring_wait raw_wait
#define URING "raw"
#endif

static const struct Way ways[] = {
    {"plain", plain_begin, plain_ask, plain_wait}, {"aio", plain_begin, aio_ask, aio_wait},
    {"raw", raw_begin, raw_ask, raw_wait},         {URING, uring_begin, uring_ask, uring_wait},
    {"ready", uring_begin, uring_ask, uring_wait}};

static const struct Way* find(const char* name) {
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    if (strcmp(name, ways[i].name) == 0) return &ways[i];
  }
  fprintf(stderr, "async_io: there is no way '%s'\n", name);
  exit(2);
}

PROCEDURE static void late_work(void) {
  const struct timespec pause = {0, 20000000};
  nanosleep(&pause, NULL);
}

static long transfer(const struct Way* way, enum Op op, int fd, void* data, size_t bytes, off_t offset) {
  way->ask(op, fd, data, bytes, offset);
  return way->wait();
}

static void use_file(const struct Way* way) {
  char name[] = "/tmp/async_io.XXXXXX";
  const int fd = mkstemp(name);
  check(fd >= 0, name);
  unlink(name);
  char* data = malloc(FILE_BYTES);
  memset(data, 'x', FILE_BYTES);
  check(transfer(way, WRITE, fd, data, FILE_BYTES, 0) == FILE_BYTES, "write");
  check(transfer(way, SYNC, fd, NULL, 0, 0) == 0, "sync");
  check(transfer(way, READ, fd, data, FILE_BYTES, 0) == FILE_BYTES, "read");
  free(data);
  close(fd);
}

static void* reader(void* argument) {
  const struct Way* way = argument;
  const int is_ready = strcmp(way->name, "ready") == 0;
  way->begin();
  char data[BYTES];
  for (int i = 0; i < rounds; i++) {
    sem_post(&begun);
    const double begin = now();
    way->ask(is_ready ? READY : READ, ends[0], data, BYTES, -1);
    const long result = way->wait();
    waited += now() - begin;
    check(is_ready ? result > 0 && read(ends[0], data, BYTES) == BYTES : result == BYTES, "read");
    sem_post(&taken);
  }
  use_file(way);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: async_io plain|aio|uring|raw|ready plain|aio|uring|raw [ROUNDS]\n");
    return 2;
  }
  const struct Way* way = find(argv[2]);
  if (argc > 3) rounds = atoi(argv[3]);
  check(pipe(ends) == 0, "pipe");
  sem_init(&begun, 0, 0);
  sem_init(&taken, 0, 0);
  way->begin();
  pthread_t thread;
  pthread_create(&thread, NULL, reader, (void*)find(argv[1]));
  char data[BYTES] = {0};
  for (int i = 0; i < rounds; i++) {
    sem_wait(&begun);
    late_work();
    check(transfer(way, WRITE, ends[1], data, BYTES, -1) == BYTES, "write");
    sem_wait(&taken);
  }
  pthread_join(thread, NULL);
  printf("waits=%.6f\n", waited);
  return 0;
}
