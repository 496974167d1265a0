! Work sharing, locks and tasks of Fortran. Prints: sum 5050 locked 40 tasks 55
program fortran
  use omp_lib
  implicit none
  integer :: i, total, locked, nested, tasks
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  total = 0; locked = 0; nested = 0; tasks = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  !$omp parallel do num_threads(2) schedule(dynamic) reduction(+:total)
  do i = 1, 100
    total = total + i
  end do
  !$omp end parallel do
  !$omp parallel num_threads(2) private(i)
  do i = 1, 10
    call omp_set_lock(lock)
    locked = locked + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nest)
    call omp_set_nest_lock(nest)
    nested = nested + 1
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
  end do
  !$omp barrier
  !$omp single
  do i = 1, 10
    !$omp task firstprivate(i) shared(tasks)
    !$omp critical
    tasks = tasks + i
    !$omp end critical
    !$omp end task
  end do
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest)
  print '(a,i0,a,i0,a,i0)', 'sum ', total, ' locked ', locked + nested, ' tasks ', tasks
end program
