# The measuring part of `parallax study hybrid`.
add_executable(parallax-study-hybrid study_hybrid.cpp)
target_link_libraries(parallax-study-hybrid PRIVATE parallax-peers)
add_dependencies(parallax-study-hybrid parallax-agent parallax-record parallax-symbols
  parallax-programs)

# What studies share that are resumed and draw charts.
add_library(parallax-studies STATIC study_chart.cpp study_command.cpp study_records.cpp study_rounds.cpp
  study_text.cpp)
target_link_libraries(parallax-studies PUBLIC parallax-peers)
parallax_test(studies_parts_test study_rounds_test.cpp)
target_link_libraries(studies_parts_test PRIVATE parallax-studies)

# `parallax study intrusion`, and what it shares with `parallax bench transports`.
add_library(parallax-transports STATIC transports_chart.cpp transports_results.cpp transports_runs.cpp
  transports_settings.cpp transports_store.cpp transports_tables.cpp)
target_link_libraries(parallax-transports PUBLIC parallax-studies)
add_executable(parallax-study-intrusion study_intrusion.cpp)
target_link_libraries(parallax-study-intrusion PRIVATE parallax-transports)
add_executable(parallax-bench-transports bench_transports.cpp)
target_link_libraries(parallax-bench-transports PRIVATE parallax-transports)
set(transport_needs parallax-agent parallax-record parallax-symbols)
if(MPICC_openmpi)
  list(APPEND transport_needs program-integer_sort.openmpi)
endif()

# The contended store needs FUSE; without it, only that store is missing.
find_path(FUSE3_INCLUDE fuse.h PATH_SUFFIXES fuse3)
find_library(FUSE3_LIBRARY fuse3)
if(FUSE3_INCLUDE AND FUSE3_LIBRARY)
  add_executable(parallax-contended-store contended_store.cpp)
  target_include_directories(parallax-contended-store SYSTEM PRIVATE ${FUSE3_INCLUDE})
  target_compile_definitions(parallax-contended-store PRIVATE _FILE_OFFSET_BITS=64)
  target_link_libraries(parallax-contended-store PRIVATE ${FUSE3_LIBRARY})
  list(APPEND transport_needs parallax-contended-store)
else()
  message(STATUS "libfuse3-dev is not installed: no contended store")
endif()

add_dependencies(parallax-study-intrusion ${transport_needs})
add_dependencies(parallax-bench-transports ${transport_needs})

parallax_test(transports_parts_test transports_test.cpp)
target_link_libraries(transports_parts_test PRIVATE parallax-transports)
if(TARGET parallax-contended-store)
  add_dependencies(transports_parts_test parallax-contended-store)
endif()

# `parallax study pvm-library` and `pvm-is`. Their programs need PVM; tests/programs/CMakeLists.txt looks for it.
configure_file(pvm_machine.sh ${CMAKE_BINARY_DIR}/parallax-pvm-machine COPYONLY)
add_library(parallax-pvm-study STATIC pvm_chart.cpp pvm_findings.cpp pvm_machine.cpp pvm_results.cpp pvm_runs.cpp
  pvm_settings.cpp pvm_sort.cpp pvm_sort_effects.cpp pvm_sort_tables.cpp pvm_tables.cpp)
target_link_libraries(parallax-pvm-study PUBLIC parallax-studies)
add_executable(parallax-study-pvm-library study_pvm_library.cpp)
target_link_libraries(parallax-study-pvm-library PRIVATE parallax-pvm-study)
add_executable(parallax-study-pvm-is study_pvm_is.cpp)
target_link_libraries(parallax-study-pvm-is PRIVATE parallax-pvm-study)
parallax_test(pvm_study_test pvm_study_test.cpp)
target_link_libraries(pvm_study_test PRIVATE parallax-pvm-study parallax-guest-runner)
add_dependencies(pvm_study_test parallax-study-pvm-library parallax-study-pvm-is)
if(TARGET program-pvm_round_trip)
  add_dependencies(parallax-study-pvm-library program-pvm_round_trip)
  add_dependencies(parallax-study-pvm-is program-integer_sort.pvm parallax-agent parallax-tune)
endif()

# `parallax study mpi-variables`, with each MPI library for which there is a program.
add_library(parallax-variables STATIC variables_effect.cpp variables_plan.cpp variables_probe.cpp variables_runs.cpp
  variables_search.cpp variables_tables.cpp variables_times.cpp)
target_compile_definitions(parallax-variables PRIVATE PARALLAX_MPI_LIBRARIES="${PARALLAX_MPI_LIBRARIES}")
target_link_libraries(parallax-variables PUBLIC parallax-studies)
add_executable(parallax-study-mpi-variables study_mpi_variables.cpp)
target_link_libraries(parallax-study-mpi-variables PRIVATE parallax-variables)
foreach(mpi openmpi mpich openmpi5 mpich5)
  if(TARGET program-mpi_variables.${mpi})
    add_dependencies(parallax-study-mpi-variables program-mpi_variables.${mpi})
  endif()
endforeach()
parallax_test(variables_test variables_test.cpp)
target_link_libraries(variables_test PRIVATE parallax-variables parallax-guest-runner)
add_dependencies(variables_test parallax-study-mpi-variables)

# `parallax study mpi-collectives`, in the same way.
add_library(parallax-collectives STATIC collectives_runs.cpp collectives_tables.cpp collectives_turns.cpp)
target_compile_definitions(parallax-collectives PRIVATE PARALLAX_MPI_LIBRARIES="${PARALLAX_MPI_LIBRARIES}")
target_link_libraries(parallax-collectives PUBLIC parallax-studies)
add_executable(parallax-study-mpi-collectives study_mpi_collectives.cpp)
target_link_libraries(parallax-study-mpi-collectives PRIVATE parallax-collectives)
add_dependencies(parallax-study-mpi-collectives parallax-agent parallax-tune)
foreach(mpi openmpi mpich openmpi5 mpich5)
  if(TARGET program-mpi_collectives.${mpi})
    add_dependencies(parallax-study-mpi-collectives program-mpi_collectives.${mpi})
  endif()
endforeach()
parallax_test(collectives_test collectives_test.cpp)
target_link_libraries(collectives_test PRIVATE parallax-collectives parallax-guest-runner)
add_dependencies(collectives_test parallax-study-mpi-collectives)
