parallax_test(perturb-core-test perturb/plan_test.cpp)

# Programs with delay points, some of them in a library that comes later.
parallax_guest(guest-perturb perturb/guest.cpp perturb/places.S)
target_compile_options(guest-perturb PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O2>)
target_link_libraries(guest-perturb PRIVATE ${CMAKE_DL_LIBS})
target_link_options(guest-perturb PRIVATE -no-pie)
set_target_properties(guest-perturb PROPERTIES BUILD_RPATH "$ORIGIN")
add_library(guest-perturb-library.so MODULE perturb/places.S)
set_property(TARGET guest-perturb-library.so PROPERTY LINKER_LANGUAGE CXX)
set_target_properties(guest-perturb-library.so PROPERTIES PREFIX "" SUFFIX ""
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/guests)

add_library(guest-perturb-early.so MODULE perturb/early.cpp)
set_target_properties(guest-perturb-early.so PROPERTIES PREFIX "" SUFFIX ""
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/guests)
target_link_libraries(guest-perturb-early.so PRIVATE Threads::Threads)

parallax_plain_test(perturb-test perturb/points_test.cpp)
target_link_libraries(perturb-test PRIVATE parallax-guest-runner)
add_dependencies(perturb-test parallax-agent parallax-record guest-perturb guest-perturb-library.so guest-perturb-early.so)

# Dummy messages, with both MPIs.
foreach(mpi openmpi mpich)
  if(MPICC_${mpi})
    parallax_program(perturb-ring.${mpi} ${MPICC_${mpi}} SOURCES perturb/mpi_ring.c perturb/places.S)
  endif()
endforeach()
parallax_plain_test(perturb-messages-test perturb/messages_test.cpp perturb/hosts_test.cpp)
target_link_libraries(perturb-messages-test PRIVATE parallax-mpi-runner)
add_dependencies(perturb-messages-test parallax-agent parallax-record parallax-programs)

# Virtual speed-ups beside real ones.
add_library(parallax-speedup-trials STATIC perturb/speedup_trials.cpp)
target_compile_options(parallax-speedup-trials PRIVATE -O0 -g1)
target_link_libraries(parallax-speedup-trials PUBLIC parallax-guest-runner)
target_compile_definitions(parallax-speedup-trials PRIVATE
  PARALLAX_PROGRAMS_DIR="${PARALLAX_PROGRAMS_DIR}")
parallax_test(speedup-core-test perturb/speedup_account_test.cpp perturb/speedup_simulated_test.cpp)
parallax_plain_test(speedup-test perturb/speedup_test.cpp)
target_link_libraries(speedup-test PRIVATE parallax-speedup-trials)
add_dependencies(speedup-test parallax-agent parallax-programs)

# Changes of code while it runs, in a library of known functions. Sanitizers would change them, too.
if(NOT PARALLAX_SANITIZE)
  add_library(patched-functions SHARED perturb/patched.S perturb/patched_functions.cpp)
  target_compile_options(patched-functions PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O2;-fcf-protection>)
  add_library(patched-plugin.so MODULE perturb/patched.S)
  set_property(TARGET patched-plugin.so PROPERTY LINKER_LANGUAGE CXX)
  set_target_properties(patched-plugin.so PROPERTIES PREFIX "" SUFFIX "")
  set_target_properties(patched-functions patched-plugin.so PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/guests CXX_VISIBILITY_PRESET default)
  parallax_test(patch-actions-test perturb/patch_actions_test.cpp perturb/patch_modules_test.cpp
    perturb/patch_threads_test.cpp)
  target_link_libraries(patch-actions-test PRIVATE parallax-points-core patched-functions)
  target_compile_definitions(patch-actions-test PRIVATE PATCHED_PLUGIN="$<TARGET_FILE:patched-plugin.so>")
  add_dependencies(patch-actions-test patched-plugin.so)
endif()
