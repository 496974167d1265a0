! Counts its own messages, in Fortran: with `use mpi`, and with `use mpi_f08` when
! PARALLAX_F08 is defined.
!
!   message_counts_f        at least two ranks
!
! Planted answer: a line for each rank and one for their sum, in the form of message_counts:
!   counts rank=R sends=.. send_bytes=.. receives=.. receive_bytes=.. probes=.. cancels=..
!          OP=CALLS/SENT/RECEIVED ...
! The numbers are the same for both modules and both libraries.

module counting
#ifdef PARALLAX_F08
  use mpi_f08
#define HANDLE(kind) type(kind)
#define STATUS_TYPE type(MPI_Status)
#define STATUSES_TYPE(n) type(MPI_Status), dimension(n)
#define SOURCE_OF(status) status%MPI_SOURCE
#else
  use mpi
#define HANDLE(kind) integer
#define STATUS_TYPE integer, dimension(MPI_STATUS_SIZE)
#define STATUSES_TYPE(n) integer, dimension(MPI_STATUS_SIZE, n)
#define SOURCE_OF(status) status(MPI_SOURCE)
#endif
  implicit none

  integer, parameter :: operations = 11
  character(len=14), parameter :: names(operations) = [character(len=14) :: &
      'barrier', 'bcast', 'gather', 'allgather', 'alltoall', 'reduce', 'allreduce', 'scan', &
      'comm_create', 'init', 'finalize']
  integer, parameter :: op_barrier = 1, op_bcast = 2, op_gather = 3, op_allgather = 4, &
      op_alltoall = 5, op_reduce = 6, op_allreduce = 7, op_scan = 8, op_comm_create = 9, &
      op_init = 10, op_finalize = 11
  integer, parameter :: columns = 6 + 3 * operations
  ! sends, send bytes, receives, receive bytes, probes, cancels, then calls, sent and received
  ! bytes of each operation
  integer :: counts(columns) = 0
  integer :: rank, ranks, code

contains

  subroutine count_send(bytes)
    integer, intent(in) :: bytes
    counts(1) = counts(1) + 1
    counts(2) = counts(2) + bytes
  end subroutine

  subroutine count_receive(bytes)
    integer, intent(in) :: bytes
    counts(3) = counts(3) + 1
    counts(4) = counts(4) + bytes
  end subroutine

  subroutine count_collective(operation, sent, received)
    integer, intent(in) :: operation, sent, received
    integer :: at
    at = 6 + 3 * (operation - 1)
    counts(at + 1) = counts(at + 1) + 1
    counts(at + 2) = counts(at + 2) + sent
    counts(at + 3) = counts(at + 3) + received
  end subroutine

  subroutine require(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    write (0, '(a,i0,a,a)') 'rank ', rank, ': not true: ', what
    call MPI_Abort(MPI_COMM_WORLD, 3, code)
  end subroutine

  subroutine print_line(who, line)
    character(len=*), intent(in) :: who
    integer, intent(in) :: line(columns)
    integer :: i, at
    write (*, '(a,a,6(a,i0))', advance='no') 'counts ', who, ' sends=', line(1), &
        ' send_bytes=', line(2), ' receives=', line(3), ' receive_bytes=', line(4), &
        ' probes=', line(5), ' cancels=', line(6)
    do i = 1, operations
      at = 6 + 3 * (i - 1)
      if (line(at + 1) == 0) cycle
      write (*, '(a,a,a,i0,a,i0,a,i0)', advance='no') ' ', trim(names(i)), '=', line(at + 1), '/', &
          line(at + 2), '/', line(at + 3)
    end do
    write (*, '(a)') ''
  end subroutine

  subroutine print_counts()
    integer, allocatable :: all(:, :)
    integer :: r
    character(len=16) :: who
    ! Counted before they happen, so that the numbers are those of the whole run.
    call count_collective(op_gather, 4 * columns, merge(4 * columns * ranks, 0, rank == 0))
    call count_collective(op_finalize, 0, 0)
    allocate (all(columns, ranks))
    call MPI_Gather(counts, columns, MPI_INTEGER, all, columns, MPI_INTEGER, 0, MPI_COMM_WORLD, &
        code)
    if (rank /= 0) return
    do r = 1, ranks
      write (who, '(a,i0)') 'rank=', r - 1
      call print_line(trim(who), all(:, r))
    end do
    call print_line('total', sum(all, dim=2))
  end subroutine

end module

module phases
  use counting
  implicit none

  ! Variables of the module, since the library changes them between calls that do not name them.
  integer, parameter :: batch = 8
  integer :: out_batch(batch), in_batch(batch), out_started(7), in_started(7), one, total

contains

  ! Each rank to the next, received from any source.
  subroutine blocking()
    integer :: out(50), in(50), k, to, from
    STATUS_TYPE :: status
    to = mod(rank + 1, ranks)
    from = mod(rank + ranks - 1, ranks)
    do k = 1, 10
      out = rank * 100 + k
      if (mod(rank, 2) == 0) then
        call MPI_Send(out, 5 * k, MPI_INTEGER, to, k, MPI_COMM_WORLD, code)
        call MPI_Recv(in, 50, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, &
            code)
        call require(SOURCE_OF(status) == from, 'source of a receive')
      else
        call MPI_Recv(in, 50, MPI_INTEGER, from, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        call MPI_Ssend(out, 5 * k, MPI_INTEGER, to, k, MPI_COMM_WORLD, code)
      end if
      call count_send(20 * k)
      call count_receive(20 * k)
      call require(in(5 * k) == from * 100 + k, 'content of a receive')
    end do
    call MPI_Sendrecv(out, 3, MPI_INTEGER, to, 1, in, 3, MPI_INTEGER, from, 1, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE, code)
    call count_send(12)
    call count_receive(12)
    call MPI_Send(out, 3, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, code)
  end subroutine

  subroutine nonblocking()
    integer :: k, to, from, index, done, indices(2 * batch)
    logical :: flag
    HANDLE(MPI_Request) :: requests(2 * batch)
    STATUSES_TYPE(2 * batch) :: statuses
    STATUS_TYPE :: status
    integer :: way
    to = mod(rank + 1, ranks)
    from = mod(rank + ranks - 1, ranks)
    do way = 1, 5
      do k = 1, batch
        call MPI_Irecv(in_batch(k), 1, MPI_INTEGER, from, k, MPI_COMM_WORLD, requests(k), code)
        out_batch(k) = way * 1000 + rank * 10 + k
      end do
      do k = 1, batch
        call MPI_Isend(out_batch(k), 1, MPI_INTEGER, to, k, MPI_COMM_WORLD, requests(batch + k), &
            code)
        call count_send(4)
        call count_receive(4)
      end do
      select case (way)
      case (1)
        call MPI_Waitall(2 * batch, requests, MPI_STATUSES_IGNORE, code)
      case (2)
        call MPI_Waitall(2 * batch, requests, statuses, code)
      case (3)
        do k = 1, 2 * batch
          call MPI_Waitany(2 * batch, requests, index, status, code)
          ! MPICH 4.0 counts from 0 here with mpi_f08.
          if (index < batch) call require(SOURCE_OF(status) == from, 'source of waitany')
        end do
      case (4)
        k = 0
        do while (k < 2 * batch)
          call MPI_Testsome(2 * batch, requests, done, indices, MPI_STATUSES_IGNORE, code)
          k = k + done
        end do
      case (5)
        do k = 1, 2 * batch
          flag = .false.
          do while (.not. flag)
            call MPI_Test(requests(k), flag, MPI_STATUS_IGNORE, code)
          end do
        end do
      end select
      do k = 1, batch
        call require(in_batch(k) == way * 1000 + from * 10 + k, 'content of an irecv')
      end do
    end do
  end subroutine

  subroutine persistent()
    integer :: k, to, from
    HANDLE(MPI_Request) :: requests(2)
    to = mod(rank + 1, ranks)
    from = mod(rank + ranks - 1, ranks)
    call MPI_Recv_init(in_started, 7, MPI_INTEGER, from, 3, MPI_COMM_WORLD, requests(1), code)
    call MPI_Send_init(out_started, 7, MPI_INTEGER, to, 3, MPI_COMM_WORLD, requests(2), code)
    do k = 1, 4
      out_started = k
      call MPI_Startall(2, requests, code)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, code)
      call count_send(28)
      call count_receive(28)
      call require(in_started(7) == k, 'content of a persistent receive')
    end do
    call MPI_Request_free(requests(1), code)
    call MPI_Request_free(requests(2), code)
  end subroutine

  subroutine probing()
    integer :: in(20), number
    STATUS_TYPE :: status
    if (rank == 0) then
      in = 5
      call MPI_Send(in, 20, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, code)
      call count_send(80)
    else if (rank == 1) then
      call MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, status, code)
      counts(5) = counts(5) + 1
      call MPI_Get_count(status, MPI_INTEGER, number, code)
      call require(number == 20 .and. SOURCE_OF(status) == 0, 'what a probe says')
      call MPI_Recv(in, number, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
      call count_receive(80)
    end if
  end subroutine

  subroutine collectives()
    integer :: a(30), b(30), all(30 * 64)
    HANDLE(MPI_Request) :: request
    HANDLE(MPI_Comm) :: half
    a = rank
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call count_collective(op_barrier, 0, 0)
    b = merge(77, 0, rank == 1)
    call MPI_Bcast(b, 30, MPI_INTEGER, 1, MPI_COMM_WORLD, code)
    call count_collective(op_bcast, merge(120, 0, rank == 1), merge(0, 120, rank == 1))
    call require(b(30) == 77, 'bcast')
    call MPI_Allgather(a, 30, MPI_INTEGER, all, 30, MPI_INTEGER, MPI_COMM_WORLD, code)
    call count_collective(op_allgather, 120, 120 * ranks)
    call require(all(30 * ranks) == ranks - 1, 'allgather')
    all = rank
    call MPI_Alltoall(MPI_IN_PLACE, 4, MPI_INTEGER, all, 4, MPI_INTEGER, MPI_COMM_WORLD, code)
    call count_collective(op_alltoall, 16 * ranks, 16 * ranks)
    call require(all(4 * ranks) == ranks - 1, 'alltoall in place')
    call MPI_Reduce(a, b, 30, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
    call count_collective(op_reduce, 120, merge(120, 0, rank == 0))
    one = 1
    call MPI_Iallreduce(one, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, code)
    call MPI_Wait(request, MPI_STATUS_IGNORE, code)
    call count_collective(op_allreduce, 4, 4)
    call require(total == ranks, 'iallreduce')
    call MPI_Allreduce(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call count_collective(op_allreduce, 4, 4)
    call require(one == ranks, 'allreduce in place')
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, code)
    call count_collective(op_comm_create, 0, 0)
    one = 1
    call MPI_Scan(one, total, 1, MPI_INTEGER, MPI_SUM, half, code)
    call count_collective(op_scan, 4, 4)
    call require(total == rank / 2 + 1, 'scan')
    call MPI_Comm_free(half, code)
  end subroutine

end module

program message_counts_f
  use phases
  implicit none
  call MPI_Init(code)
  call count_collective(op_init, 0, 0)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call require(ranks >= 2, 'there are at least two ranks')
  call blocking()
  call nonblocking()
  call persistent()
  call probing()
  call collectives()
  call print_counts()
  call MPI_Finalize(code)
end program
