add_library(parallax-golden-traces STATIC
  golden.cpp golden_messages.cpp golden_threads.cpp golden_adapters.cpp golden_windows.cpp
  golden_corners.cpp)
target_link_libraries(parallax-golden-traces PUBLIC parallax-trace-io)

add_executable(parallax-golden golden_main.cpp)
target_link_libraries(parallax-golden PRIVATE parallax-golden-traces)

parallax_plain_test(golden-test golden_test.cpp golden_fuzz_test.cpp)
target_link_libraries(golden-test PRIVATE parallax-golden-traces)
target_compile_definitions(golden-test PRIVATE
  PARALLAX_GOLDEN_DIRECTORY="${CMAKE_CURRENT_SOURCE_DIR}/../format/golden")
