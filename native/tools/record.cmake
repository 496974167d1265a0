# Calls of functions in a process that runs.
add_library(parallax-attach STATIC attach/callers.cpp attach/lock_wait.cpp attach/problem.cpp attach/safe_point.cpp attach/stopped_thread.cpp attach/target.cpp attach/thread_status.cpp attach/trace_users.cpp attach/visit.cpp)
target_compile_options(parallax-attach PRIVATE ${PARALLAX_GUEST_OPTIONS})
target_link_libraries(parallax-attach PUBLIC parallax-base PRIVATE ${CMAKE_DL_LIBS})

# What starts a command with the agent, also for others than parallax-record.
add_library(parallax-record-start OBJECT
  record_agent.cpp record_orphans.cpp record_program.cpp record_run.cpp record_user.cpp
  ${PROJECT_SOURCE_DIR}/core/clock.cpp ${PROJECT_SOURCE_DIR}/core/outcomes.cpp)
target_compile_options(parallax-record-start PRIVATE ${PARALLAX_GUEST_OPTIONS})
target_link_libraries(parallax-record-start PRIVATE parallax-transport parallax-base)

add_executable(parallax-record
  record.cpp record_attach.cpp record_calibration.cpp record_candidates.cpp record_collector.cpp record_definitions.cpp record_event_files.cpp record_manifest.cpp record_monitors.cpp record_options.cpp record_message_writer.cpp record_ring_writer.cpp
  record_space.cpp record_transport.cpp record_writer.cpp
  $<TARGET_OBJECTS:parallax-transport> $<TARGET_OBJECTS:parallax-record-start>
  ${PROJECT_SOURCE_DIR}/perturb/plan.cpp)
target_compile_options(parallax-record PRIVATE ${PARALLAX_GUEST_OPTIONS})
target_link_libraries(parallax-record PRIVATE parallax-attach parallax-trace-io parallax-transport parallax-base Threads::Threads)
target_compile_definitions(parallax-record PRIVATE PARALLAX_VERSION="${PROJECT_VERSION}")
# It starts the monitor that stands beside it.
add_dependencies(parallax-record parallax-monitor)
