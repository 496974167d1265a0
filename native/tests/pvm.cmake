# The PVM adapter. Needs pvm and pvm-dev; tests/programs/CMakeLists.txt looks for them.
if(TARGET program-pvm_farm)
  parallax_program(tuned_pvm ${CMAKE_C_COMPILER} SOURCES live/guests/tuned_pvm.c HEADERS live/guests/gates.h OPTIONS -lpvm3)
  parallax_plain_test(pvm-test pvm/pvm_test.cpp)
  target_link_libraries(pvm-test PRIVATE parallax-guest-runner)
  target_compile_definitions(pvm-test PRIVATE PARALLAX_PROGRAMS_DIR="${PARALLAX_PROGRAMS_DIR}")
  add_dependencies(pvm-test parallax-agent parallax-record program-pvm_farm)
endif()
