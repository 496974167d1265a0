# The monitor of live tuning.
parallax_guest(guest-commands guests/commands.cpp)

# Its program of its own: the requests.
parallax_plain_test(tune-requests-test tune/requests_test.cpp)
target_link_libraries(tune-requests-test PRIVATE parallax-tune-core)

parallax_plain_test(tune-test tune/attached_test.cpp tune/monitor_test.cpp tune/results_test.cpp tune/session.cpp running_program.cpp)
target_link_libraries(tune-test PRIVATE parallax-mpi-runner parallax-live-monitor)
foreach(mpi openmpi mpich ${PARALLAX_MPIS_OF_TODAY})
  if(MPICC_${mpi})
    add_dependencies(tune-test program-heat.${mpi} program-tuned_buffered.${mpi})
  endif()
endforeach()
target_compile_definitions(tune-test PRIVATE PARALLAX_BUILD_DIRECTORY="${CMAKE_BINARY_DIR}")
add_dependencies(tune-test parallax-tune parallax-agent guest-commands)

# In a virtual machine of PVM, which is made as for studies.
find_program(PVM_DAEMON pvmd)
if(TARGET parallax-tune-pvm AND PVM_DAEMON)
  parallax_guest(guest-pvm_commands guests/pvm_commands.cpp)
  target_link_libraries(guest-pvm_commands PRIVATE ${PVM_LIBRARY})
  parallax_plain_test(tune-pvm-test tune/pvm_test.cpp tune/session.cpp running_program.cpp)
  target_link_libraries(tune-pvm-test PRIVATE parallax-guest-runner parallax-pvm-study)
  target_compile_definitions(tune-pvm-test PRIVATE PARALLAX_PROGRAMS_DIR="${PARALLAX_PROGRAMS_DIR}")
  add_dependencies(tune-pvm-test parallax-tune parallax-record parallax-agent guest-pvm_commands program-pvm_farm program-tuned_pvm)
endif()
