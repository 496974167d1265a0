parallax_guest(guest-locks guests/locks.cpp)
parallax_guest(guest-semaphores guests/semaphores.cpp)
parallax_guest(guest-threads guests/threads.cpp)
parallax_guest(guest-endings guests/endings.cpp)
parallax_guest(guest-processes guests/processes.cpp)
parallax_guest(guest-process-signals guests/process_signals.cpp)
parallax_guest(guest-kernel-objects guests/kernel_objects.cpp)
parallax_guest(guest-executes guests/executes.cpp)
parallax_guest(guest-sandbox guests/sandbox.cpp)
target_compile_options(guest-sandbox PRIVATE -O1)
parallax_guest(guest-busy guests/busy.cpp)
parallax_guest(guest-attached guests/attached.cpp)
target_compile_options(guest-attached PRIVATE -O1)
parallax_guest(guest-attached-locks guests/attached_locks.cpp)
parallax_guest(guest-attached-slow guests/attached_slow.cpp)
parallax_guest(guest-attached-forks guests/attached_forks.cpp)
parallax_guest(guest-writes guests/writes.cpp)
parallax_guest(guest-streams guests/streams.cpp guests/streams_apart.cpp guests/streams_calls.cpp
  guests/streams_descriptors.cpp)
parallax_guest(guest-files guests/files.cpp)
parallax_guest(guest-space guests/space.cpp)
parallax_guest(guest-pauses guests/pauses.cpp)
target_include_directories(guest-pauses PRIVATE ${PROJECT_SOURCE_DIR}/include)
parallax_guest(guest-static guests/static.cpp)
target_link_options(guest-static PRIVATE -static -fno-sanitize=all)
target_compile_options(guest-static PRIVATE -fno-sanitize=all)

add_library(parallax-guest-runner STATIC guest_runner.cpp guest_trace.cpp other_load.cpp)
target_link_libraries(parallax-guest-runner PUBLIC parallax-trace-io GTest::gtest)
target_compile_definitions(parallax-guest-runner PUBLIC
  PARALLAX_BUILD_DIRECTORY="${CMAKE_BINARY_DIR}")
target_compile_options(parallax-guest-runner PRIVATE -O0 -g1)
# With sanitizers it is the programs under the agent that have them, not those that look at them,
# which would take longer to build than all else.
if(PARALLAX_SANITIZE)
  target_compile_options(parallax-guest-runner PUBLIC -fno-sanitize=all)
endif()
if(PARALLAX_SANITIZE STREQUAL thread)
  target_compile_definitions(parallax-guest-runner PUBLIC PARALLAX_NO_SAMPLES)
endif()

# Programs under the agent, as users run them.
parallax_plain_test(agent-guests-test
  agent_glibc_test.cpp agent_locks_test.cpp agent_semaphores_test.cpp agent_threads_test.cpp agent_endings_test.cpp agent_execute_test.cpp agent_processes_test.cpp agent_signals_test.cpp
  agent_exports_test.cpp agent_sandbox_test.cpp)
target_link_libraries(agent-guests-test PRIVATE parallax-guest-runner)
add_dependencies(agent-guests-test
  parallax-agent parallax-record guest-locks guest-semaphores guest-threads guest-endings guest-processes guest-process-signals guest-executes guest-busy
  guest-sandbox guest-static)

parallax_plain_test(agent-kernel-objects-test agent_kernel_objects_test.cpp)
target_link_libraries(agent-kernel-objects-test PRIVATE parallax-guest-runner)
add_dependencies(agent-kernel-objects-test parallax-agent parallax-record guest-kernel-objects)

# Programs that run already.
parallax_plain_test(agent-attach-test agent_attach_test.cpp agent_attach_list_test.cpp agent_attach_refusals_test.cpp running_program.cpp)
target_link_libraries(agent-attach-test PRIVATE parallax-guest-runner parallax-attach)
add_dependencies(agent-attach-test parallax-agent parallax-record parallax-symbols guest-attached guest-attached-forks guest-attached-locks guest-attached-slow
  guest-space guest-static)

# Pipes, sockets and files.
parallax_plain_test(agent-streams-test agent_streams_test.cpp agent_files_test.cpp
  client_server_test.cpp stream_arcs.cpp)
target_link_libraries(agent-streams-test PRIVATE parallax-guest-runner)
add_dependencies(agent-streams-test
  parallax-agent parallax-record guest-streams guest-files program-client_server)

parallax_plain_test(agent-record-test agent_record_test.cpp agent_keep_last_test.cpp agent_pauses_test.cpp agent_space_test.cpp
  other_load_test.cpp record_monitors_test.cpp)
target_link_libraries(agent-record-test PRIVATE parallax-guest-runner)
add_dependencies(agent-record-test
  parallax-agent parallax-record parallax-symbols guest-endings guest-locks guest-pauses guest-space guest-static)

parallax_plain_test(agent-transports-test agent_transports_test.cpp agent_written_transports_test.cpp agent_shared_transport_test.cpp
  agent_writer_files_test.cpp watched_calls.cpp)
target_link_libraries(agent-transports-test PRIVATE parallax-guest-runner)
add_dependencies(agent-transports-test
  parallax-agent parallax-record parallax-symbols guest-busy guest-endings guest-space guest-writes)

# POSIX AIO and io_uring.
find_path(LIBURING_INCLUDE liburing.h)
if(LIBURING_INCLUDE)
  parallax_guest(guest-async guests/async.cpp)
  parallax_guest(guest-async-local guests/async_local.cpp)
  target_link_libraries(guest-async PRIVATE uring)
  parallax_plain_test(agent-async-test agent_async_test.cpp stream_arcs.cpp)
  target_link_libraries(agent-async-test PRIVATE parallax-guest-runner)
  add_dependencies(agent-async-test parallax-agent parallax-record guest-async guest-async-local)
else()
  message(STATUS "liburing-dev is not installed: no tests of asynchronous I/O")
endif()

# The parts of the core.
parallax_test(agent-core-test
  agent_definitions_test.cpp agent_event_file_test.cpp block_buffer_test.cpp event_ring_test.cpp open_files_test.cpp agent_kept_past_test.cpp agent_relevance_test.cpp
  agent_programs_test.cpp agent_seccomp_filter_test.cpp
  agent_shared_counters_test.cpp agent_spin_lock_test.cpp agent_tables_test.cpp glibc_test.cpp place_test.cpp ring_lock_test.cpp)
target_link_libraries(agent-core-test PRIVATE parallax-trace-io)

# Who includes and calls whom.
parallax_plain_test(layers-test layers_test.cpp)
set(objects "")
foreach(layer base transport live core sampler perturb interpose)
  string(APPEND objects "${layer} $<JOIN:$<TARGET_OBJECTS:parallax-${layer}>,\n${layer} >\n")
endforeach()
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/layers/objects CONTENT "${objects}")
add_dependencies(layers-test parallax-agent)
target_compile_definitions(layers-test PRIVATE
  PARALLAX_SOURCE_DIRECTORY="${PROJECT_SOURCE_DIR}"
  PARALLAX_LAYER_OBJECTS="${CMAKE_BINARY_DIR}/layers/objects")

# The lowest layer, alone.
parallax_plain_test(base-test base_test.cpp own_memory_test.cpp)
target_link_libraries(base-test PRIVATE parallax-base Threads::Threads)
