// Every routine of one-sided communication, between two ranks. Each rank calls each operation once, and once more
// with a request where there is such a form; the test knows how much that is.

#include <mpi.h>
#include <stdio.h>

static int rank, other;

static void operations(MPI_Win window) {
  int value = 1, compared = 0, result[2] = {0, 0};
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, window);
  MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window);
  MPI_Get(result, 2, MPI_INT, other, 2, 2, MPI_INT, window);
  MPI_Accumulate(&value, 1, MPI_INT, other, 4, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Get_accumulate(&value, 1, MPI_INT, result, 1, MPI_INT, other, 5, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Fetch_and_op(&value, result, MPI_INT, other, 6, MPI_SUM, window);
  MPI_Fetch_and_op(NULL, result, MPI_INT, other, 6, MPI_NO_OP, window);
  MPI_Get_accumulate(NULL, 0, MPI_INT, result, 1, MPI_INT, other, 5, 1, MPI_INT, MPI_NO_OP, window);
  MPI_Get_accumulate(&value, 1, MPI_INT, result, 1, MPI_INT, other, 5, 1, MPI_INT, MPI_NO_OP, window);
  MPI_Win_fence(0, window);
  MPI_Compare_and_swap(&value, &compared, result, MPI_INT, other, 7, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

static void requests(MPI_Win window) {
  int value = 1, result[2], more[1];
  MPI_Request all[4];
  MPI_Status statuses[4];
  MPI_Win_lock_all(0, window);
  MPI_Rput(&value, 1, MPI_INT, other, 0, 1, MPI_INT, window, &all[0]);
  MPI_Rget(result, 2, MPI_INT, other, 2, 2, MPI_INT, window, &all[1]);
  MPI_Raccumulate(&value, 1, MPI_INT, other, 4, 1, MPI_INT, MPI_SUM, window, &all[2]);
  MPI_Rget_accumulate(&value, 1, MPI_INT, more, 1, MPI_INT, other, 5, 1, MPI_INT, MPI_SUM, window, &all[3]);
  MPI_Waitall(4, all, statuses);
  MPI_Win_flush(other, window);
  MPI_Win_flush_all(window);
  MPI_Win_flush_local(other, window);
  MPI_Win_flush_local_all(window);
  MPI_Win_sync(window);
  MPI_Win_unlock_all(window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, window);
  MPI_Win_unlock(other, window);
  MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window);
  MPI_Win_unlock(other, window);
}

// Both expose, and both access; one ends its exposure by MPI_Win_wait, the other one by MPI_Win_test.
static void epochs(MPI_Win window) {
  MPI_Group all, group;
  MPI_Win_get_group(window, &all);
  MPI_Group_incl(all, 1, &other, &group);
  MPI_Win_post(group, 0, window);
  MPI_Win_start(group, 0, window);
  MPI_Win_complete(window);
  if (rank == 0) {
    MPI_Win_wait(window);
  } else {
    for (int done = 0; !done;) MPI_Win_test(window, &done);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&all);
}

int main(int argc, char** argv) {
  static int own[8];
  int* memory;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Win_create(own, sizeof own, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  operations(window);
  MPI_Win_free(&window);
  MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  requests(window);
  MPI_Win_free(&window);
  MPI_Win_allocate_shared(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  epochs(window);
  MPI_Win_free(&window);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, own, sizeof own);
  MPI_Win_fence(0, window);
  MPI_Win_detach(window, own);
  MPI_Win_free(&window);
  printf("rank %d is done\n", rank);
  MPI_Finalize();
  return 0;
}
