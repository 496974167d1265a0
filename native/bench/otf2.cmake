# The import of archives beside the library's own reader, if it is there.
add_custom_target(parallax-bench-interchange)
if(TARGET parallax-otf2-import)
  add_executable(parallax-bench-otf2-import bench_otf2.cpp)
  target_link_libraries(parallax-bench-otf2-import PRIVATE parallax-otf2-writer)
  target_compile_options(parallax-bench-otf2-import PRIVATE -O3)
  add_dependencies(parallax-bench-otf2-import parallax-otf2)
  add_dependencies(parallax-bench-interchange parallax-bench-otf2-import)
  add_test(NAME bench.interchange
    COMMAND parallax-bench-otf2-import --short ${CMAKE_CURRENT_BINARY_DIR}/bench-interchange)
  set_tests_properties(bench.interchange PROPERTIES TIMEOUT 60 PASS_REGULAR_EXPRESSION "library's own reader .goal: 1.")
endif()
