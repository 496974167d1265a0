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

# Functions that the compiler has instrumented, by both that have the hooks.
parallax_plain_test(instrument-test instrument_test.cpp instrument_paths_test.cpp
  instrument_filter_test.cpp instrument_wrappers_test.cpp instrument_run.cpp)
set(functions ${CMAKE_CURRENT_SOURCE_DIR}/guests/functions)
parallax_guest(guest-functions-gcc ${functions}.cpp)
target_compile_options(guest-functions-gcc PRIVATE -O2 -finstrument-functions
  -finstrument-functions-exclude-file-list=/usr/include)
target_link_options(guest-functions-gcc PRIVATE -no-pie)
target_link_libraries(guest-functions-gcc PRIVATE ${CMAKE_DL_LIBS})
add_library(guest-functions-plugin.so MODULE ${functions}_plugin.cpp)
target_compile_options(guest-functions-plugin.so PRIVATE -finstrument-functions)
set_target_properties(guest-functions-plugin.so PROPERTIES PREFIX "" SUFFIX ""
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/guests)
# Another one of the same size, with a function at the same place.
add_library(guest-functions-plugin.so2 MODULE ${functions}_plugin.cpp)
target_compile_definitions(guest-functions-plugin.so2 PRIVATE plugged=plucked)
target_compile_options(guest-functions-plugin.so2 PRIVATE -finstrument-functions)
set_target_properties(guest-functions-plugin.so2 PROPERTIES PREFIX "" SUFFIX ""
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/guests)
foreach(build "" -instrumented)
  parallax_guest(guest-paths${build} guests/instrument_paths.cpp)
  target_compile_options(guest-paths${build} PRIVATE -O2 -fno-optimize-sibling-calls)
  target_link_options(guest-paths${build} PRIVATE -no-pie)
  add_dependencies(instrument-test guest-paths${build})
endforeach()
parallax_guest(guest-names guests/instrument_names.cpp)
target_compile_options(guest-names PRIVATE -O2 -finstrument-functions
  -finstrument-functions-exclude-file-list=/usr/)
target_link_options(guest-names PRIVATE -no-pie)
target_compile_options(guest-paths-instrumented PRIVATE -finstrument-functions
  -finstrument-functions-exclude-file-list=/usr/)
target_compile_definitions(instrument-test PRIVATE
  PARALLAX_BIN="${PROJECT_SOURCE_DIR}/../bin"
  PARALLAX_SOURCES="${CMAKE_CURRENT_SOURCE_DIR}/guests")
add_dependencies(instrument-test parallax-agent parallax-record parallax-filter parallax-symbols
  guest-functions-gcc guest-functions-plugin.so guest-functions-plugin.so2
  guest-names)
find_program(CLANGXX NAMES clang++ clang++-14)
if(CLANGXX)
  set(output ${CMAKE_BINARY_DIR}/tests/guests/guest-functions-clang)
  add_custom_command(OUTPUT ${output} DEPENDS ${functions}.cpp VERBATIM
    COMMAND ${CLANGXX} -O2 -no-pie -pthread -finstrument-functions-after-inlining
            ${functions}.cpp -o ${output} -ldl)
  add_custom_target(guest-functions-clang DEPENDS ${output})
  add_dependencies(instrument-test guest-functions-clang)
endif()
target_link_libraries(instrument-test PRIVATE parallax-guest-runner)
