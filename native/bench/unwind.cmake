add_executable(parallax-bench-unwind unwind_bench.cpp)
parallax_hold_layers(parallax-bench-unwind)
add_test(NAME SamplerBench.RunsToItsEnd COMMAND parallax-bench-unwind 500)
