! One-sided communication in Fortran: a fence, a lock, an operation of each rank one with a request, and some that send nothing.
program windows
#ifdef PARALLAX_F08
  use mpi_f08
  implicit none
  type(MPI_Win) :: window
  type(MPI_Request) :: request
#else
  use mpi
  implicit none
  integer :: window, request
#endif
  integer :: rank, ierr, value, result, own(4)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, at
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  own = 0; value = 3; bytes = 16; at = 1
  call MPI_Win_create(own, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
  call MPI_Win_fence(MPI_MODE_NOPRECEDE, window, ierr)
  call MPI_Put(value, 1, MPI_INTEGER, 1 - rank, at, 1, MPI_INTEGER, window, ierr)
  call MPI_Fetch_and_op(value, result, MPI_INTEGER, 1 - rank, at, MPI_NO_OP, window, ierr)
  call MPI_Get_accumulate(value, 1, MPI_INTEGER, result, 1, MPI_INTEGER, 1 - rank, at, 1, MPI_INTEGER, MPI_NO_OP, &
      window, ierr)
  call MPI_Fetch_and_op(value, result, MPI_INTEGER, 1 - rank, at, MPI_SUM, window, ierr)
  call MPI_Win_fence(0, window, ierr)
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, window, ierr)
  call MPI_Rput(value, 1, MPI_INTEGER, 1 - rank, at, 1, MPI_INTEGER, window, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Win_unlock(1 - rank, window, ierr)
  call MPI_Win_free(window, ierr)
  print *, "rank", rank, "is done"
  call MPI_Finalize(ierr)
end program
