# OpenMP programs under the agent; they are built where those of MPI are (mpi.cmake).
parallax_plain_test(openmp-test openmp_cancel_test.cpp openmp_fixture.cpp openmp_libraries_test.cpp openmp_test.cpp
  openmp_times_test.cpp)
target_link_libraries(openmp-test PRIVATE parallax-guest-runner)
target_compile_definitions(openmp-test PRIVATE PARALLAX_PROGRAMS_DIR="${PARALLAX_PROGRAMS_DIR}")
add_dependencies(openmp-test parallax-agent parallax-record parallax-programs)
