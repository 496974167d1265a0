add_executable(parallax-dump dump.cpp)
target_link_libraries(parallax-dump PRIVATE parallax-trace-io)
