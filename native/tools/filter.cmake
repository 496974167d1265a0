add_executable(parallax-filter filter_main.cpp filter_profile.cpp)
target_link_libraries(parallax-filter PRIVATE parallax-symbol-reader)
