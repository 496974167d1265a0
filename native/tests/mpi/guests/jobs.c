// MPI_Comm_spawn_multiple and MPI_Comm_join, and what is easily mistaken for the agent's own message: messages of the
// largest tag that each library has, of any tag, and communicators that are freed while they are duplicated.
//
//   jobs multiple [ROOT]   two ranks spawn three processes by two commands, from rank 1 or this one
//   jobs join              rank 0 and rank 1 join over a connection
//   jobs late              a rank spawns a process, and what it calls to do so returns late (see late_spawn.c)
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LARGEST_TAG = 32767 };

static int rank, size;
static char who;

static void said(const char* what, int value) {
  printf("%c%d %s %d\n", who, rank, what, value);
  fflush(stdout);
}

// Each parent sends to each child, and hears from it.
static void talk(MPI_Comm between, int is_child, const char* what) {
  int others, value = 0;
  MPI_Comm_remote_size(between, &others);
  for (int other = 0; other < others; ++other) {
    MPI_Status status;
    int sent = 10 * rank + other;
    if (!is_child) MPI_Send(&sent, 1, MPI_INT, other, LARGEST_TAG, between);
    MPI_Recv(&value, 1, MPI_INT, other, MPI_ANY_TAG, between, &status);
    said(what, value);
    if (status.MPI_TAG != LARGEST_TAG) said("got a message with tag", status.MPI_TAG);
    if (is_child) MPI_Send(&sent, 1, MPI_INT, other, LARGEST_TAG, between);
  }
}

// Of an intercommunicator between jobs: a duplicate, and what both make of it.
static void derive(MPI_Comm between, int is_child) {
  MPI_Comm copy, again, merged;
  MPI_Request request;
  MPI_Comm_dup(between, &copy);
  MPI_Comm_idup(copy, &again, &request);
#ifdef OPEN_MPI  // version 5 crashes if the parent is freed meanwhile
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
#else
  MPI_Comm_free(&copy);
  // Takes the place of the one that was freed.
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
#endif
  talk(again, is_child, "hears over the duplicate");
  MPI_Comm_free(&again);
  int value = rank, sum = 0;
  MPI_Intercomm_merge(between, is_child, &merged);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, merged);
  said("sums up", sum);
  MPI_Comm_free(&merged);
}

static void children(MPI_Comm parents, const char* name) {
  said(name, size);
  talk(parents, 1, "hears");
  derive(parents, 1);
  MPI_Comm_disconnect(&parents);
}

static void spawn_multiple(char* program, int root) {
  char* commands[] = {program, program};
  char *first[] = {"one", NULL}, *second[] = {"two", NULL};
  char** arguments[] = {first, second};
  int most[] = {1, 2}, errors[3];
  MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm made;
  MPI_Comm_spawn_multiple(2, commands, arguments, most, infos, root, MPI_COMM_WORLD, &made, errors);
  talk(made, 0, "hears");
  derive(made, 0);
  MPI_Comm_disconnect(&made);
}

static void spawn_late(char* program) {
  char* arguments[] = {"late", NULL};
  MPI_Comm made;
  int value = 7;
  MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made, MPI_ERRCODES_IGNORE);
  MPI_Send(&value, 1, MPI_INT, 0, 5, made);
  MPI_Comm_disconnect(&made);
}

static void spawned_late(MPI_Comm parent) {
  MPI_Status status;
  long value[8] = {0};
  MPI_Recv(value, sizeof value, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, parent, &status);
  said("hears with tag", status.MPI_TAG);
  MPI_Comm_disconnect(&parent);
}

static int connection(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t bytes = sizeof address;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (rank == 0) {
    bind(fd, (struct sockaddr*)&address, bytes);
    listen(fd, 1);
    getsockname(fd, (struct sockaddr*)&address, &bytes);
    MPI_Send(&address.sin_port, 2, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    int accepted = accept(fd, NULL, NULL);
    close(fd);
    return accepted;
  }
  MPI_Recv(&address.sin_port, 2, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  connect(fd, (struct sockaddr*)&address, bytes);
  return fd;
}

static void join(void) {
  for (int time = 0; time < 2; ++time) {
    MPI_Comm joined;
    int fd = connection(), own = rank;
    MPI_Comm_join(fd, &joined);
    MPI_Comm_rank(joined, &rank);
    talk(joined, own, "hears");
    rank = own;
    MPI_Comm_disconnect(&joined);
    close(fd);
  }
}

int main(int argc, char** argv) {
  MPI_Comm parents;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_parent(&parents);
  who = parents == MPI_COMM_NULL ? 'p' : 'c';
  const char* way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "late") == 0) {
    if (parents == MPI_COMM_NULL) {
      spawn_late(argv[0]);
    } else {
      spawned_late(parents);
    }
  } else if (parents != MPI_COMM_NULL) {
    children(parents, way);
  } else if (strcmp(way, "join") == 0) {
    join();
  } else {
    spawn_multiple(argv[0], argc > 2 ? atoi(argv[2]) : 1);
  }
  MPI_Finalize();
  return 0;
}
