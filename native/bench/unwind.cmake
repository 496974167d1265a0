add_executable(parallax-bench-unwind unwind_bench.cpp $<TARGET_OBJECTS:parallax-core>)
target_link_libraries(parallax-bench-unwind PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
add_test(NAME SamplerBench.RunsToItsEnd COMMAND parallax-bench-unwind 500)
