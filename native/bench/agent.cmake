add_executable(parallax-bench-agent agent_bench.cpp agent_bench_events.cpp agent_bench_functions.cpp
  agent_bench_live.cpp agent_bench_samples.cpp ${PARALLAX_EVENT_COSTS})
parallax_hold_layers(parallax-bench-agent)
target_link_libraries(parallax-bench-agent PRIVATE parallax-live-monitor)
set_source_files_properties(agent_bench_functions.cpp PROPERTIES
  COMPILE_OPTIONS -finstrument-functions)
add_dependencies(parallax-bench-agent parallax-agent parallax-record)
add_test(NAME AgentBench.RunsToItsEnd COMMAND parallax-bench-agent --short)
