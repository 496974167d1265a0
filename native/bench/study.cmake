# The measuring part of `parallax study hybrid`.
add_executable(parallax-study-hybrid study_hybrid.cpp peers_run.cpp peers_stats.cpp
  peers_report.cpp peers_tools.cpp)
add_dependencies(parallax-study-hybrid parallax-agent parallax-record parallax-symbols
  parallax-programs)
