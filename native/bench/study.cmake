# The measuring part of `parallax study hybrid`.
add_executable(parallax-study-hybrid study_hybrid.cpp)
target_link_libraries(parallax-study-hybrid PRIVATE parallax-peers)
add_dependencies(parallax-study-hybrid parallax-agent parallax-record parallax-symbols
  parallax-programs)
