# What programs say of themselves by parallax.h.
parallax_guest(guest-phases guests/phases.c)
target_include_directories(guest-phases PRIVATE ${PROJECT_SOURCE_DIR}/include)
set_target_properties(guest-phases PROPERTIES C_EXTENSIONS ON)
target_compile_options(guest-phases PRIVATE -std=gnu89 -pedantic -O2)
parallax_plain_test(user-test user_events_test.cpp)
target_link_libraries(user-test PRIVATE parallax-guest-runner)
target_compile_definitions(user-test PRIVATE
  PARALLAX_SOURCE_DIRECTORY="${PROJECT_SOURCE_DIR}")
add_dependencies(user-test parallax-agent parallax-record guest-phases)
