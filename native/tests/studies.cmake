# The programs of the studies, built with those of tests/programs.
parallax_plain_test(studies-test studies_test.cpp)
target_link_libraries(studies-test PRIVATE parallax-guest-runner)
add_dependencies(studies-test parallax-agent parallax-record program-shm_join
  program-shm_join.inst program-psim program-cosched program-sm_server program-producer
  program-consumer)
foreach(mpi openmpi mpich)
  if(MPICC_${mpi})
    add_dependencies(studies-test program-integer_sort.${mpi})
    target_compile_definitions(studies-test PRIVATE HAS_${mpi})
  endif()
endforeach()
