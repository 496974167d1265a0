# What the agent's core takes, measured; also for benchmarks.
set(PARALLAX_EVENT_COSTS ${CMAKE_CURRENT_LIST_DIR}/event_costs.cpp CACHE INTERNAL "")

# The recorder runs it before the program.
add_executable(parallax-calibrate calibrate.cpp ${PARALLAX_EVENT_COSTS})
parallax_hold_layers(parallax-calibrate)
target_compile_options(parallax-calibrate PRIVATE -O2)
add_dependencies(parallax-record parallax-calibrate)
