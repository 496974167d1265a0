# The MPI adapter with real programs under all MPIs that are there.
add_subdirectory(${PROJECT_SOURCE_DIR}/../tests/programs ${CMAKE_BINARY_DIR}/tests/programs)
# As that folder has found them.
foreach(variable PARALLAX_MPIS_OF_TODAY MPICC_openmpi5 MPICC_mpich5 MPICC_mpiabi OPENMP_GNU OPENMP_LLVM libomp)
  get_directory_property(${variable} DIRECTORY ${PROJECT_SOURCE_DIR}/../tests/programs
    DEFINITION ${variable})
endforeach()

foreach(mpi openmpi mpich ${PARALLAX_MPIS_OF_TODAY})
  if(NOT MPICC_${mpi})
    continue()
  endif()
  parallax_program(layered.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/layered.c)
  parallax_program(attached.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/attached.c)
  parallax_program(partly.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/partly.c)
  parallax_program(queries.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/queries.c)
  parallax_program(tuned_buffered.${mpi} ${MPICC_${mpi}} SOURCES live/guests/tuned_buffered.c HEADERS live/guests/gates.h)
  parallax_program(tuned_collectives.${mpi} ${MPICC_${mpi}} SOURCES live/guests/tuned_collectives.c HEADERS live/guests/gates.h)
  parallax_program(tuned_mpi.${mpi} ${MPICC_${mpi}} SOURCES live/guests/tuned_mpi.c HEADERS live/guests/gates.h)
  if(OPENMP_GNU)
    parallax_program(tuned_threads.gnu.${mpi} "${CMAKE_COMMAND};-E;env;OMPI_CC=${OPENMP_GNU};MPICH_CC=${OPENMP_GNU};${MPICC_${mpi}}"
      SOURCES live/guests/tuned_threads.c HEADERS live/guests/gates.h OPTIONS -fopenmp -pthread)
  endif()
  if(OPENMP_LLVM AND libomp)
    parallax_program(tuned_threads.llvm.${mpi} "${CMAKE_COMMAND};-E;env;OMPI_CC=${OPENMP_LLVM};MPICH_CC=${OPENMP_LLVM};${MPICC_${mpi}}"
      SOURCES live/guests/tuned_threads.c HEADERS live/guests/gates.h OPTIONS -Wno-unknown-warning-option -fopenmp -pthread)
  endif()
  parallax_program(windows.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/windows.c)
  set(guard)
  if(mpi MATCHES "^openmpi")
    parallax_program(type_guard.so.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/type_guard.c OPTIONS -shared -fPIC)
    set(guard -Wl,--no-as-needed ${PARALLAX_PROGRAMS_DIR}/type_guard.so.${mpi})
  endif()
  parallax_program(types.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/types.c OPTIONS ${guard})
  if(guard)
    add_dependencies(program-types.${mpi} program-type_guard.so.${mpi})
  endif()
  parallax_program(loader.${mpi} ${CMAKE_C_COMPILER} SOURCES mpi/guests/loader.c OPTIONS -ldl)
  parallax_program(loaded.so.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/loaded.c
    OPTIONS -shared -fPIC)
  parallax_program(weak_library.so.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/weak_library.c
    HEADERS mpi/guests/weak.h OPTIONS -shared -fPIC)
endforeach()
parallax_program(stubbed.static ${CMAKE_C_COMPILER}
  SOURCES mpi/guests/stubbed.c mpi/guests/stub.c OPTIONS "-DSAYS=\"Other MPI\"" -DABI=0 -DMPI=3)
parallax_program(deep ${CMAKE_C_COMPILER} SOURCES mpi/guests/deep.c OPTIONS -ldl)
# Debian's MPICH cannot join jobs, and its Open MPI has no sessions.
foreach(mpi openmpi ${PARALLAX_MPIS_OF_TODAY})
  if(MPICC_${mpi})
    parallax_program(jobs.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/jobs.c)
  endif()
endforeach()
if(MPICC_openmpi)
  parallax_program(late_spawn.so.openmpi ${MPICC_openmpi} SOURCES mpi/guests/late_spawn.c OPTIONS -shared -fPIC)
  parallax_program(late_jobs.openmpi ${MPICC_openmpi} SOURCES mpi/guests/jobs.c
    OPTIONS -Wl,--no-as-needed ${PARALLAX_PROGRAMS_DIR}/late_spawn.so.openmpi)
  add_dependencies(program-late_jobs.openmpi program-late_spawn.so.openmpi)
endif()
foreach(mpi mpich ${PARALLAX_MPIS_OF_TODAY})
  if(MPICC_${mpi})
    parallax_program(sessions.${mpi} ${MPICC_${mpi}} SOURCES mpi/guests/sessions.c)
  endif()
endforeach()
# Libraries whose binary interface is not known.
foreach(stub "other;Other MPI 1.0, by nobody;0;3" "proposal;MPICH Version: 4.3.0;1;4")
  list(GET stub 0 name)
  list(GET stub 1 says)
  list(GET stub 2 abi)
  list(GET stub 3 version)
  set(library libmpi_${name}.so)
  parallax_program(${library} ${CMAKE_C_COMPILER} SOURCES mpi/guests/stub.c
    OPTIONS -shared -fPIC "-DSAYS=\"${says}\"" -DABI=${abi} -DMPI=${version}
            -Wl,-soname,${library})
  parallax_program(stubbed.${name} ${CMAKE_C_COMPILER} SOURCES mpi/guests/stubbed.c
    OPTIONS ${PARALLAX_PROGRAMS_DIR}/${library} -Wl,-rpath,${PARALLAX_PROGRAMS_DIR})
  add_dependencies(program-stubbed.${name} program-${library})
endforeach()
parallax_program(by_name ${CMAKE_C_COMPILER} SOURCES mpi/guests/by_name.c OPTIONS -ldl)
parallax_program(weak ${CMAKE_C_COMPILER} SOURCES mpi/guests/weak.c HEADERS mpi/guests/weak.h
  OPTIONS -ldl)

# Runs them and reads what they have recorded.
add_library(parallax-mpi-runner STATIC mpi/mpi_trace.cpp mpi/mpi_runner.cpp)
target_compile_options(parallax-mpi-runner PRIVATE -O0 -g1)
target_link_libraries(parallax-mpi-runner PUBLIC parallax-guest-runner)
target_compile_definitions(parallax-mpi-runner PUBLIC
  PARALLAX_PROGRAMS_DIR="${PARALLAX_PROGRAMS_DIR}"
  PARALLAX_MPI_LIBRARIES="${PARALLAX_MPI_LIBRARIES}"
  PARALLAX_MPI_GUESTS="${CMAKE_CURRENT_SOURCE_DIR}/mpi/guests")

parallax_plain_test(mpi-test PREFIX mpi.
  mpi/mpi_counts_test.cpp mpi/mpi_programs_test.cpp mpi/mpi_endings_test.cpp mpi/mpi_loading_test.cpp
  mpi/mpi_relevance_test.cpp mpi/mpi_windows_test.cpp mpi/mpi_providers_test.cpp
  mpi/mpi_sessions_test.cpp mpi/mpi_jobs_test.cpp mpi/mpi_attach_test.cpp running_program.cpp)
target_link_libraries(mpi-test PRIVATE parallax-mpi-runner)
add_dependencies(mpi-test parallax-agent parallax-record parallax-programs)

# Its parts that need no MPI.
parallax_test(mpi-core-test mpi/mpi_request_test.cpp
  ${PROJECT_SOURCE_DIR}/interpose/mpi/mpi_request.cpp ${PROJECT_SOURCE_DIR}/interpose/mpi/mpi_memory.cpp
  ${PROJECT_SOURCE_DIR}/interpose/mpi/mpi_tables.cpp)
