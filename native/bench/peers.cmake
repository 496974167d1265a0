# Runs of programs and what they tell, for several benchmarks and their tests.
add_library(parallax-peers STATIC interruptible.cpp peers_paths.cpp peers_report.cpp peers_run.cpp peers_stats.cpp
  peers_tools.cpp)

# Beside the tools that others have; those that are libraries are built into programs of their own
# where they are installed.
add_executable(parallax-bench-peers peers_main.cpp peers_costs.cpp peers_dilation.cpp
  peers_goals.cpp peers_short.cpp peers_signals.cpp)
add_executable(parallax-bench-short short_lived.c)
target_link_libraries(parallax-bench-short PRIVATE Threads::Threads)
target_link_libraries(parallax-bench-peers PRIVATE parallax-peers parallax-studies parallax-base)
add_dependencies(parallax-bench-peers parallax-agent parallax-record parallax-symbols
  parallax-programs parallax-bench-agent parallax-bench-short parallax-bench-unwind)

find_path(OTF2_INCLUDE otf2/otf2.h PATHS /usr/include /opt/otf2/include)
find_library(OTF2_LIBRARY NAMES otf2 open-trace-format2)
if(OTF2_INCLUDE AND OTF2_LIBRARY)
  add_executable(parallax-bench-otf2 peers_otf2.c)
  target_include_directories(parallax-bench-otf2 PRIVATE ${OTF2_INCLUDE})
  target_link_libraries(parallax-bench-otf2 PRIVATE ${OTF2_LIBRARY})
  add_dependencies(parallax-bench-peers parallax-bench-otf2)
endif()
find_path(LTTNG_UST_INCLUDE lttng/tracepoint.h)
find_library(LTTNG_UST_LIBRARY lttng-ust)
if(LTTNG_UST_INCLUDE AND LTTNG_UST_LIBRARY)
  add_executable(parallax-bench-lttng peers_lttng.c)
  target_include_directories(parallax-bench-lttng PRIVATE ${LTTNG_UST_INCLUDE})
  target_link_libraries(parallax-bench-lttng PRIVATE ${LTTNG_UST_LIBRARY} ${CMAKE_DL_LIBS})
  add_dependencies(parallax-bench-peers parallax-bench-lttng)
endif()

parallax_test(peers_parts_test peers_paths_test.cpp peers_stats_test.cpp)
target_link_libraries(peers_parts_test PRIVATE parallax-peers)
add_test(NAME bench.peers COMMAND parallax-bench-peers --quick)
set_tests_properties(bench.peers PROPERTIES TIMEOUT 300 COST 100)  # first, where several run
