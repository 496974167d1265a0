// What changes in the times of calls when a variable is written.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "variables.h"

enum { LEAST_TIMES = 6, MOST_TIMES = 12, WARM_UPS = 3, MOST_SECONDS = 50, SEED = 19 };

static struct variable variable;
static union content contents[MOST_VALUES + 1];  // the first is that of the start
static char names[MOST_VALUES + 1][64];
static int values = 1, is_written = 0, calls = 0, times[MOST_CALLS];
static struct call all_calls[MOST_CALLS];
static MPI_Comm control;  // for what is not timed

// A process that waits lets the other ones run, so that all run when a timed call begins.
static void settle(MPI_Request *request) {
  for (int done = 0; !done;) {
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (!done) sched_yield();
  }
}

static void meet(void) {
  MPI_Request request;
  MPI_Ibarrier(control, &request);
  settle(&request);
}

// Of all processes: whether it was accepted.
static int write_value(int number) {
  int accepted = 1, all = 1;
  MPI_Request request;
  if (is_written) accepted = write_content(&variable, &contents[number]) == MPI_SUCCESS;
  MPI_Iallreduce(&accepted, &all, 1, MPI_INT, MPI_MIN, control, &request);
  settle(&request);
  return all;
}

// Of calls that each end where they take longest: the shortest, since other programs prolong calls.
static double least_ns(const struct call *call, MPI_Comm comm, int count) {
  double mine[MOST_TIMES], longest[MOST_TIMES], least = 1e18;
  MPI_Request request;
  for (int i = 0; i < count; i++) {
    meet();
    mine[i] = timed_call(call, comm);
  }
  MPI_Iallreduce(mine, longest, count, MPI_DOUBLE, MPI_MAX, control, &request);
  settle(&request);
  for (int i = 0; i < count; i++) {
    if (longest[i] < least) least = longest[i];
  }
  return least;
}

static void measure(const char *stage, int value, int rank, MPI_Comm comm, MPI_Comm ring) {
  for (int i = 0; i < calls; i++) {
    const struct call *call = &all_calls[i];
    MPI_Comm used = needs_neighbours(call->name) ? ring : comm;
    MPI_Request request;
    meet();
    int right = is_right(call, used), all = 1;
    const double ns = least_ns(call, used, times[i]);
    MPI_Iallreduce(&right, &all, 1, MPI_INT, MPI_MIN, control, &request);
    settle(&request);
    if (rank != 0) continue;
    printf("time %s %s %s %d %.0f\n", stage, names[value], call->name, call->bytes, ns);
    if (!all) printf("wrong %s %s %s %d\n", stage, names[value], call->name, call->bytes);
  }
}

// So many calls as take the given time, the same number in all processes.
static void count_times(double most_ns, MPI_Comm comm, MPI_Comm ring) {
  for (int i = 0; i < calls; i++) {
    double least = 1e12;
    times[i] = 1;
    if (is_limit(all_calls[i].name)) continue;
    for (int j = 0; j < WARM_UPS; j++) {
      meet();
      const double ns = timed_call(&all_calls[i], needs_neighbours(all_calls[i].name) ? ring : comm);
      if (ns < least) least = ns;
    }
    const double count = most_ns / least;
    MPI_Request request;
    times[i] = count < LEAST_TIMES ? LEAST_TIMES : count > MOST_TIMES ? MOST_TIMES : (int)count;
    MPI_Ibcast(&times[i], 1, MPI_INT, 0, control, &request);
    settle(&request);
  }
}

static int parse_calls(int count, char **words) {
  int most = 0;
  if (count > MOST_CALLS) return 0;
  for (calls = 0; calls < count; calls++) {
    struct call *call = &all_calls[calls];
    if (sscanf(words[calls], "%39[a-z_]:%d", call->name, &call->bytes) != 2 || !is_call(call->name)) return 0;
    if (call->bytes > most) most = call->bytes;
  }
  make_buffers(most);
  return 1;
}

// Texts have no comma.
static int parse_values(const char *name, char *list) {
  int index = 0;
  strcpy(names[0], "-");
  if (strcmp(name, "-") == 0) return 1;
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS || describe(index, &variable) != MPI_SUCCESS ||
      open_handle(&variable) != MPI_SUCCESS || read_content(&variable, &contents[0]) != MPI_SUCCESS) {
    return 0;
  }
  is_written = 1;
  for (char *word = strtok(list, ","); word != NULL && values <= MOST_VALUES; word = strtok(NULL, ",")) {
    contents[values] = contents[0];
    if (variable.type == MPI_CHAR) {
      snprintf(contents[values].bytes, MOST_BYTES, "%s", word);
    } else if (is_integer(variable.type)) {
      set_integer(&variable, &contents[values], strtoll(word, NULL, 10));
    } else {
      return 0;
    }
    snprintf(names[values++], sizeof *names, "%s", word);
  }
  return 1;
}

static void repeat(int repetitions, int rank, MPI_Comm comm, MPI_Comm ring) {
  int order[MOST_VALUES + 1];
  srand(SEED);
  for (int i = 0; i < values; i++) order[i] = i;
  for (int i = 0; i < repetitions; i++) {
    for (int j = values - 1; j > 0; j--) {
      const int other = rand() % (j + 1), kept = order[j];
      order[j] = order[other];
      order[other] = kept;
    }
    for (int j = 0; j < values; j++) {
      if (!write_value(order[j])) {
        if (rank == 0) printf("refused %s\n", names[order[j]]);
        continue;
      }
      MPI_Comm new_comm, new_ring;
      MPI_Comm_dup(comm, &new_comm);
      MPI_Comm_dup(ring, &new_ring);
      measure("existing", order[j], rank, comm, ring);
      measure("new", order[j], rank, new_comm, new_ring);
      MPI_Comm_free(&new_comm);
      MPI_Comm_free(&new_ring);
    }
  }
  write_value(0);
}

int effect(int count, char **arguments) {
  int rank = 0, size = 0;
  const int periodic = 1;
  MPI_Comm comm, ring;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  alarm(MOST_SECONDS);
  if (!parse_values(arguments[0], arguments[1]) || !parse_calls(count - 4, arguments + 4)) {
    if (rank == 0) fprintf(stderr, "mpi_variables: unknown variable or call, or a value that cannot be written\n");
    return 2;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &control);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  count_times(atof(arguments[3]) * 1e3, comm, ring);
  repeat(atoi(arguments[2]), rank, comm, ring);
  if (rank == 0) printf("complete 1\n");
  MPI_Comm_free(&ring);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&control);
  return 0;
}
