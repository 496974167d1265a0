add_executable(parallax-bench-perturb perturb_bench.cpp)
target_link_libraries(parallax-bench-perturb PRIVATE parallax-guest-runner)
add_dependencies(parallax-bench-perturb parallax-agent guest-perturb)
add_test(NAME PerturbBench.RunsToItsEnd COMMAND parallax-bench-perturb --short)
