# The programs of the studies of Irvin and Miller 1993, section 5, of Lyon, Snelick and Kacker 1992,
# section 3, and of Wang 1994: part of tests/programs/CMakeLists.txt.
set(studies ../studies)
set(header ${CMAKE_CURRENT_SOURCE_DIR}/../../native/include)
# A procedure that ends with a call is seen on its call path, too.
set(call_paths -fno-optimize-sibling-calls)

# Its many short procedures are measured by the compiler's hooks.
set(join_sources main.cpp relation.cpp exchange.cpp hash_join.cpp)
list(TRANSFORM join_sources PREPEND ${studies}/clock/)
foreach(build "" .inst)
  set(compiler c++)
  if(build STREQUAL .inst)
    set(compiler ${CMAKE_CURRENT_SOURCE_DIR}/../../bin/parallax-c++)
  endif()
  parallax_program(shm_join${build} ${compiler} SOURCES ${join_sources}
    HEADERS ${studies}/clock/join.h OPTIONS ${call_paths} -pthread)
endforeach()

# psim tells Parallax of its spinning barrier by the header.
set(psim_sources main.cpp network.cpp barrier.cpp cosched_client.cpp)
list(TRANSFORM psim_sources PREPEND ${studies}/psim/)
parallax_program(psim c++ SOURCES ${psim_sources}
  HEADERS ${studies}/psim/network.h ${studies}/psim/barrier.h ${studies}/psim/cosched.h
          ../../native/include/parallax/parallax.h
  OPTIONS ${call_paths} -pthread -I${header})
parallax_program(cosched c++ SOURCES ${studies}/psim/cosched.cpp)

set(server_sources server.cpp store.cpp locks.cpp log.cpp disk.cpp protocol.cpp)
set(server_headers store.h locks.h log.h disk.h protocol.h)
foreach(list server_sources server_headers)
  list(TRANSFORM ${list} PREPEND ${studies}/storage/)
endforeach()
parallax_program(sm_server c++ SOURCES ${server_sources} HEADERS ${server_headers}
  OPTIONS ${call_paths} -pthread)
foreach(client producer consumer)
  parallax_program(${client} c++
    SOURCES ${studies}/storage/${client}.cpp ${studies}/storage/client.cpp
            ${studies}/storage/protocol.cpp
    HEADERS ${studies}/storage/client.h ${studies}/storage/protocol.h OPTIONS ${call_paths})
endforeach()

# Where inlining pays by itself: with vectors, GCC 12 stores two numbers singly and loads both at once.
foreach(build "" .inline .pg)
  set(options "")
  if(build STREQUAL .inline)
    set(options -DINLINE_SWAP)
  elseif(build STREQUAL .pg)
    set(options -pg -no-pie)
  endif()
  parallax_program(quicksort${build} cc SOURCES ${studies}/quicksort/quicksort.c
    HEADERS ../../native/include/parallax/parallax.h
    OPTIONS -O1 ${options} -pthread -I${header})
endforeach()
foreach(mpi ${PARALLAX_MPIS})
  foreach(build "" .pg)
    set(options "")
    if(build STREQUAL .pg)
      set(options -pg -no-pie)
    endif()
    parallax_program(ring${build}.${mpi} ${MPICC_${mpi}} SOURCES ${studies}/ring/ring.c
      HEADERS ../../native/include/parallax/parallax.h OPTIONS ${mpi_flags} ${options} -I${header})
  endforeach()
endforeach()

# The integer sort of the NAS Parallel Benchmarks.
foreach(mpi ${PARALLAX_MPIS})
  parallax_program(integer_sort.${mpi} ${MPICC_${mpi}} SOURCES ${studies}/intrusion/integer_sort.c
    HEADERS bench_clock.h OPTIONS ${mpi_flags})
endforeach()

# Control variables of MPI_T, with each MPI library.
set(variables_sources main.c variables.c probe.c effect.c calls.c)
list(TRANSFORM variables_sources PREPEND ${studies}/mpi_variables/)
foreach(mpi ${PARALLAX_MPIS} ${PARALLAX_MPIS_OF_TODAY})
  if(NOT mpi STREQUAL mpiabi)  # the same library as mpich5
    parallax_program(mpi_variables.${mpi} ${MPICC_${mpi}} SOURCES ${variables_sources}
      HEADERS ${studies}/mpi_variables/variables.h OPTIONS ${mpi_flags})
  endif()
endforeach()

# An all-to-all or an all-reduce, again and again, with each MPI library.
foreach(mpi ${PARALLAX_MPIS} ${PARALLAX_MPIS_OF_TODAY})
  if(NOT mpi STREQUAL mpiabi)
    parallax_program(mpi_collectives.${mpi} ${MPICC_${mpi}} SOURCES ${studies}/mpi_collectives/collectives.c
      OPTIONS ${mpi_flags})
  endif()
endforeach()

# Round trips under PVM, which tests/programs/CMakeLists.txt has looked for; and the same integer sort.
if(PVM_INCLUDE AND PVM_DAEMON)
  parallax_program(integer_sort.pvm ${CMAKE_C_COMPILER}
    SOURCES ${studies}/intrusion/integer_sort.c ${studies}/pvm/mpi_by_pvm.c HEADERS bench_clock.h ${studies}/pvm/mpi.h
    OPTIONS -I${CMAKE_CURRENT_SOURCE_DIR}/${studies}/pvm -lpvm3 -lm)
  parallax_program(pvm_round_trip ${CMAKE_C_COMPILER} SOURCES ${studies}/pvm/round_trip.c OPTIONS -lpvm3 -lm)
endif()
