! Names of Fortran procedures: in a module, external, and the program itself.
module physics
contains
  subroutine advance(x)
    real, intent(inout) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = x(i) * 1.5 + i
    end do
  end subroutine advance
end module physics

subroutine outside(x, n)
  integer, intent(in) :: n
  real, intent(inout) :: x(n)
  x = x - 1.0
end subroutine outside

program ring
  use physics
  real :: x(10)
  x = 1.0
  call advance(x)
  call outside(x, 10)
  print *, x(3)
end program ring
