add_library(parallax-machine-metrics STATIC monitor_machine.cpp)
add_executable(parallax-monitor monitor_main.cpp)
target_link_libraries(parallax-monitor PRIVATE parallax-machine-metrics)
target_compile_definitions(parallax-monitor PRIVATE PARALLAX_VERSION="${PROJECT_VERSION}")

add_executable(series-writer series_writer.c)
target_include_directories(series-writer PRIVATE ${PROJECT_SOURCE_DIR}/include)
set_target_properties(series-writer PROPERTIES C_EXTENSIONS ON
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_compile_options(series-writer PRIVATE -std=gnu89 -pedantic -Werror)

parallax_plain_test(monitor-test monitor_test.cpp)
target_link_libraries(monitor-test PRIVATE parallax-machine-metrics)
add_dependencies(monitor-test parallax-monitor series-writer)
target_compile_definitions(monitor-test PRIVATE
  PARALLAX_MONITOR="$<TARGET_FILE:parallax-monitor>"
  PARALLAX_SERIES_WRITER="$<TARGET_FILE:series-writer>"
  PARALLAX_DISK_FILE="${CMAKE_CURRENT_BINARY_DIR}/monitor-test-file"
  PARALLAX_GOLDEN_SERIES="${PROJECT_SOURCE_DIR}/format/golden/c-header.series")
