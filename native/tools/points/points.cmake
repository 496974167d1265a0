# Where programs can be perturbed: reads their code, and is never loaded into them.
find_library(PARALLAX_ZYDIS Zydis REQUIRED)

add_library(parallax-points-core STATIC
  points_calls.cpp points_code.cpp points_debug.cpp points_decode.cpp points_displace.cpp
  points_frames.cpp points_functions.cpp points_image.cpp points_json.cpp points_lines.cpp
  points_module.cpp points_names.cpp points_patch.cpp points_place.cpp points_plan.cpp
  points_resolve.cpp points_targets.cpp points_variable.cpp points_words.cpp)
target_link_libraries(parallax-points-core PUBLIC parallax-symbol-reader ${PARALLAX_ZYDIS})

add_executable(parallax-points points_main.cpp)
target_link_libraries(parallax-points PRIVATE parallax-points-core)

# Programs that count their own calls: two compilers, all levels of optimization, both kinds of
# addresses.
set(samples ${CMAKE_BINARY_DIR}/tests/points-samples)
set(sources ${CMAKE_CURRENT_SOURCE_DIR}/tests/samples)
file(MAKE_DIRECTORY ${samples})
set(sample_files)
find_program(PARALLAX_GCC gcc)
find_program(PARALLAX_GXX g++)
find_program(PARALLAX_CLANG clang)
find_program(PARALLAX_CLANGXX clang++)
function(parallax_points_sample source name compiler)
  foreach(level O0 O1 O2 O3 Os)
    foreach(kind pie no-pie)
      set(file ${samples}/${source}-${name}-${level}-${kind})
      string(REPLACE "no-pie" "no-pic" code ${kind})
      if(kind STREQUAL "pie")
        set(code PIE)
      endif()
      add_custom_command(OUTPUT ${file}
        COMMAND ${compiler} -g -w -${level} -f${code} -${kind} ${sources}/${source} -o ${file}
        DEPENDS ${sources}/${source} ${sources}/counted.h VERBATIM)
      list(APPEND sample_files ${file})
    endforeach()
  endforeach()
  set(sample_files ${sample_files} PARENT_SCOPE)
endfunction()
if(PARALLAX_GCC AND PARALLAX_GXX)
  parallax_points_sample(control.c gcc ${PARALLAX_GCC})
  parallax_points_sample(control.cpp gcc ${PARALLAX_GXX})
endif()
if(PARALLAX_CLANG AND PARALLAX_CLANGXX)
  parallax_points_sample(control.c clang ${PARALLAX_CLANG})
  parallax_points_sample(control.cpp clang ${PARALLAX_CLANGXX})
endif()
# One program with names of all kinds.
set(names ${CMAKE_BINARY_DIR}/tests/points-names)
file(MAKE_DIRECTORY ${names})
function(parallax_points_names file)
  add_custom_command(OUTPUT ${names}/${file}
    COMMAND ${PARALLAX_GCC} -O2 -w -c ${sources}/names_help.c -o ${names}/${file}.o ${ARGN}
    COMMAND ${PARALLAX_GXX} -O2 -w ${sources}/names.cpp ${names}/${file}.o -o ${names}/${file} ${ARGN}
    DEPENDS ${sources}/names.cpp ${sources}/names_help.c ${sources}/counted.h VERBATIM)
  set(sample_files ${sample_files} ${names}/${file} PARENT_SCOPE)
endfunction()
parallax_points_names(names-debug -g)
parallax_points_names(names-plain)
parallax_points_names(names-stripped -s)
parallax_points_names(names-noplt -g -fno-plt)
parallax_points_names(names-static -static)
parallax_points_names(names-static-pie -fPIE -static-pie)
parallax_points_names(names-now -g -fcf-protection -Wl,-z,now,-z,ibtplt)
find_program(PARALLAX_GFORTRAN gfortran)
if(PARALLAX_GFORTRAN)
  set(procedures ${PROJECT_SOURCE_DIR}/tools/symbols_samples/procedures.f90)
  add_custom_command(OUTPUT ${names}/procedures
    COMMAND ${PARALLAX_GFORTRAN} -O1 -g ${procedures} -o ${names}/procedures -J ${names}
    DEPENDS ${procedures} VERBATIM)
  list(APPEND sample_files ${names}/procedures)
endif()
add_custom_target(points-samples DEPENDS ${sample_files})

add_executable(points-test tests/points_names_test.cpp tests/points_programs_test.cpp
  tests/points_real_test.cpp tests/run_points.cpp)
target_compile_options(points-test PRIVATE -O0 -g1)
parallax_precompile(points-test PLAIN)
target_link_libraries(points-test PRIVATE parallax-points-core GTest::gtest GTest::gtest_main)
set_target_properties(points-test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_dependencies(points-test points-samples parallax-points parallax-agent)
target_compile_definitions(points-test PRIVATE
  PARALLAX_POINTS="$<TARGET_FILE:parallax-points>" PARALLAX_AGENT="$<TARGET_FILE:parallax-agent>"
  PARALLAX_POINTS_NAMES="${names}" PARALLAX_POINTS_SAMPLES="${samples}" PARALLAX_POINTS_SOURCES="${sources}")
# Its programs are not built with sanitizers, and so cannot have an agent that is.
if(NOT PARALLAX_SANITIZE)
  gtest_discover_tests(points-test DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120 LABELS points-test)
endif()
