// Waits between the processes of two MPI jobs: a parent, and a child that it spawns.
//
//   spawn_waits [UNITS [spawn|connect|join|messages]]
//
// Default is 60 spawn. With `spawn` on one rank, which spawns the program again. With `connect` the child also connects
// to a port of its parent, which not all libraries have. With `join` it is spawned by MPI_Comm_spawn_multiple, and joins
// its parent over connections of sockets instead of a port. With `messages` on two ranks of one job, which wait for each
// other in the same places, and as long: rank 1 is the child.
//
// Planted answer: for each state, one side sleeps for UNITS milliseconds in a procedure named after it while the other
// waits.
// The origin of the wait is that procedure. Printed, in seconds, is how long the waiting call took and how long
// the procedure.
//
//   state                 waits     sleeps in             with `messages`
//   wait at connection    parent    delay_start           late sender
//   late sender           parent    delay_child           late sender
//   late sender           child     delay_parent          late sender
//   wait at barrier       child     delay_barrier         wait at barrier
//   wait at NxN           parent    delay_merge           wait at NxN
//   wait at NxN           child     delay_merged          wait at NxN
//   wait at connection    parent    delay_connect         late sender (not with `spawn`)
//   wait at connection    child     delay_accept          late sender (not with `spawn`)

#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

static long units = 60;

static void pause_for(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static PROCEDURE void delay_start(void) { pause_for(units); }
static PROCEDURE void delay_child(void) { pause_for(units); }
static PROCEDURE void delay_parent(void) { pause_for(units); }
static PROCEDURE void delay_barrier(void) { pause_for(units); }
static PROCEDURE void delay_merge(void) { pause_for(units); }
static PROCEDURE void delay_merged(void) { pause_for(units); }
static PROCEDURE void delay_connect(void) { pause_for(units); }
static PROCEDURE void delay_accept(void) { pause_for(units); }

static int is_child;
static int spawns;
static int connects;  // or joins
static int joins;
static MPI_Comm both;  // the intercommunicator, or the world
static int other;      // the rank of the other side in it
static double begin;

// MPI_Wtime is not to be called before MPI_Init.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void start(void) { begin = now(); }

static void stop(const char* name) {
  printf("%s=%.6f\n", name, now() - begin);
  fflush(stdout);
}

static void timed(const char* name, void (*delay)(void)) {
  start();
  delay();
  stop(name);
}

// The sides go on together; also a message of which nobody waits for the sender.
static void meet(void) {
  int value = 1, got;
  MPI_Sendrecv(&value, 1, MPI_INT, other, 7, &got, 1, MPI_INT, other, 7, both, MPI_STATUS_IGNORE);
}

static void tell(void) { MPI_Send(&units, 1, MPI_LONG, other, 8, both); }

static void hear(void) {
  long value;
  MPI_Recv(&value, 1, MPI_LONG, other, 8, both, MPI_STATUS_IGNORE);
}

// One side works and then tells the other, which waits for that.
static void message(const char* name, const char* work_name, int child_works, void (*delay)(void)) {
  if (is_child == child_works) {
    timed(work_name, delay);
    tell();
  } else {
    start();
    hear();
    stop(name);
  }
  meet();
}

static void barrier(void) {
  if (!is_child) timed("delay_barrier", delay_barrier);
  start();
  MPI_Barrier(both);
  if (is_child) stop("barrier");
}

static MPI_Comm merge(void) {
  MPI_Comm merged;
  if (is_child) timed("delay_merge", delay_merge);
  start();
  if (spawns) {
    MPI_Intercomm_merge(both, is_child, &merged);
  } else {
    MPI_Comm_dup(both, &merged);
  }
  if (!is_child) stop("merge");
  return merged;
}

// In a communicator that is derived from the merged one.
static void reduce(MPI_Comm merged) {
  MPI_Comm part;
  int value = 1, sum;
  MPI_Comm_split(merged, 0, is_child, &part);
  if (!is_child) timed("delay_merged", delay_merged);
  start();
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, part);
  if (is_child) stop("merged");
  if (sum != 2) printf("wrong sum %d\n", sum);
  MPI_Comm_free(&part);
}

static MPI_Comm joined(int fd) {
  MPI_Comm connected;
  MPI_Comm_join(fd, &connected);
  close(fd);
  return connected;
}

// A connection of sockets between the two.
static int connection(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t bytes = sizeof address;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (is_child) {
    MPI_Recv(&address.sin_port, 2, MPI_BYTE, other, 9, both, MPI_STATUS_IGNORE);
    if (connect(fd, (struct sockaddr*)&address, bytes) != 0) perror("connect");
    return fd;
  }
  if (bind(fd, (struct sockaddr*)&address, bytes) != 0 || listen(fd, 1) != 0) perror("listen");
  getsockname(fd, (struct sockaddr*)&address, &bytes);
  MPI_Send(&address.sin_port, 2, MPI_BYTE, other, 9, both);
  int accepted = accept(fd, NULL, NULL);
  close(fd);
  return accepted;
}

// The child connects to a port of the parent, or joins it, too late and then too early.
static void connections(void) {
  char port[MPI_MAX_PORT_NAME] = "";
  if (!is_child && !joins) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, other, 9, both);
  } else if (!joins) {
    MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, other, 9, both, MPI_STATUS_IGNORE);
  }
  for (int late_child = 1; late_child >= 0; --late_child) {
    MPI_Comm connected;
    const int fd = joins ? connection() : -1;
    meet();
    if (is_child && late_child) timed("delay_connect", delay_connect);
    if (!is_child && !late_child) timed("delay_accept", delay_accept);
    start();
    if (joins) {
      connected = joined(fd);
    } else if (is_child) {
      MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &connected);
    } else {
      MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &connected);
    }
    if (!is_child && late_child) stop("accept");
    if (is_child && !late_child) stop("connect");
    MPI_Comm_disconnect(&connected);
  }
  if (!is_child && !joins) MPI_Close_port(port);
}

static void begin_spawned(int* argc, char*** argv) {
  char text[32];
  char* arguments[] = {text, joins ? "join child" : connects ? "connect child" : "child", NULL};
  if (is_child) timed("delay_start", delay_start);
  MPI_Init(argc, argv);
  if (is_child) {
    MPI_Comm_get_parent(&both);
  } else {
    snprintf(text, sizeof text, "%ld", units);
    start();
    if (joins) {
      char** several[] = {arguments};
      const int most = 1;
      const MPI_Info info = MPI_INFO_NULL;
      MPI_Comm_spawn_multiple(1, *argv, several, &most, &info, 0, MPI_COMM_WORLD, &both, MPI_ERRCODES_IGNORE);
    } else {
      MPI_Comm_spawn((*argv)[0], arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both, MPI_ERRCODES_IGNORE);
    }
    stop("spawn");
  }
}

static void begin_together(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  both = MPI_COMM_WORLD;
  MPI_Comm_rank(both, &is_child);
  other = 1 - is_child;
  message("spawn", "delay_start", 1, delay_start);
}

int main(int argc, char** argv) {
  const char* way = argc > 2 ? argv[2] : "spawn";
  if (argc > 1) units = atol(argv[1]);
  spawns = strcmp(way, "messages") != 0;
  is_child = strstr(way, "child") != NULL;
  joins = strstr(way, "join") != NULL;
  connects = joins || strstr(way, "connect") != NULL;
  if (spawns) {
    begin_spawned(&argc, &argv);
  } else {
    begin_together(&argc, &argv);
  }
  meet();
  message("late_child", "delay_child", 1, delay_child);
  message("late_parent", "delay_parent", 0, delay_parent);
  barrier();
  MPI_Comm merged = merge();
  reduce(merged);
  MPI_Comm_free(&merged);
  if (connects) connections();
  if (spawns) {
    MPI_Comm_disconnect(&both);
  } else {
    message("accept", "delay_connect", 1, delay_connect);
    message("connect", "delay_accept", 0, delay_accept);
  }
  MPI_Finalize();
  return 0;
}
