! A session in Fortran: a communicator of all, an intercommunicator of two groups, and a message over each.
program sessions
#ifdef PARALLAX_F08
  use mpi_f08
  implicit none
  type(MPI_Session) :: session
  type(MPI_Group) :: all, own, other
  type(MPI_Comm) :: comm, between
#else
  use mpi
  implicit none
  integer :: session, all, own, other, comm, between
#endif
  integer :: rank, ierr, got, ranks(1), others(1)
  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session, ierr)
  call MPI_Group_from_session_pset(session, "mpi://WORLD", all, ierr)
  call MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm, ierr)
  call MPI_Comm_rank(comm, rank, ierr)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 4, got, 1, MPI_INTEGER, 1 - rank, 4, comm, MPI_STATUS_IGNORE, ierr)
  ranks(1) = rank
  others(1) = 1 - rank
  call MPI_Group_incl(all, 1, ranks, own, ierr)
  call MPI_Group_incl(all, 1, others, other, ierr)
  call MPI_Intercomm_create_from_groups(own, 0, other, 0, "between", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, between, ierr)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 5, got, 1, MPI_INTEGER, 0, 5, between, MPI_STATUS_IGNORE, ierr)
  print *, "rank", rank, "got", got
  call MPI_Comm_free(between, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Group_free(own, ierr)
  call MPI_Group_free(other, ierr)
  call MPI_Group_free(all, ierr)
  call MPI_Session_finalize(session, ierr)
end program
