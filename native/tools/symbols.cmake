find_library(PARALLAX_LIBDW dw REQUIRED)
find_library(PARALLAX_LIBELF elf REQUIRED)

add_library(parallax-symbol-reader STATIC
  symbols_collect.cpp symbols_dwarf.cpp symbols_files.cpp symbols_names.cpp symbols_resolve.cpp
  symbols_table.cpp symbols_unwind.cpp
  ../sampler/cfi.cpp ../sampler/cfi_expression.cpp ../sampler/frame_memory.cpp ../sampler/unwind_rule.cpp)
target_link_libraries(parallax-symbol-reader PUBLIC
  parallax-trace-io ${PARALLAX_LIBDW} ${PARALLAX_LIBELF} PRIVATE parallax-base)

add_executable(parallax-symbols symbols_main.cpp)
target_link_libraries(parallax-symbols PRIVATE parallax-symbol-reader)

# Sample programs whose addresses the tests resolve: one source, built in many ways.
set(samples ${CMAKE_BINARY_DIR}/tests/symbols-samples)
file(MAKE_DIRECTORY ${samples})
set(sample_files)
function(parallax_symbols_sample name source)
  add_custom_command(OUTPUT ${samples}/${name}
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${ARGN} ${source} -o ${samples}/${name} -lm
    DEPENDS ${source} VERBATIM)
  set(sample_files ${sample_files} ${samples}/${name} PARENT_SCOPE)
endfunction()
set(inlining ${CMAKE_CURRENT_SOURCE_DIR}/symbols_samples/inlining.cpp)
set(cxx ${CMAKE_CXX_COMPILER} -std=c++17)
parallax_symbols_sample(inlining-dwarf4 ${inlining} ${cxx} -O2 -gdwarf-4)
parallax_symbols_sample(inlining-dwarf5 ${inlining} ${cxx} -O2 -gdwarf-5)
parallax_symbols_sample(inlining-O0 ${inlining} ${cxx} -O0 -g)
parallax_symbols_sample(inlining-lto ${inlining} ${cxx} -O2 -g -flto)
parallax_symbols_sample(inlining-static ${inlining} ${cxx} -O3 -g -no-pie)
parallax_symbols_sample(inlining-compressed ${inlining} ${cxx} -O2 -g -gz=zlib)
parallax_symbols_sample(inlining-split ${inlining} ${cxx} -O2 -g -gsplit-dwarf)
parallax_symbols_sample(inlining-plain ${inlining} ${cxx} -O2)
parallax_symbols_sample(inlining.so ${inlining} ${cxx} -O2 -g -shared -fPIC)
find_program(PARALLAX_GFORTRAN gfortran)
if(PARALLAX_GFORTRAN)
  parallax_symbols_sample(procedures ${CMAKE_CURRENT_SOURCE_DIR}/symbols_samples/procedures.f90
    ${PARALLAX_GFORTRAN} -O1 -g)
endif()
add_custom_target(symbols-samples DEPENDS ${sample_files})

add_library(failing-libdw MODULE symbols_samples/failing_libdw.cpp)
target_link_libraries(failing-libdw PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(failing-libdw PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests PREFIX "")

parallax_plain_test(symbols-test
  symbols_oracle_test.cpp symbols_files_test.cpp symbols_trace_test.cpp)
add_dependencies(symbols-test symbols-samples parallax-symbols failing-libdw)
target_link_libraries(symbols-test PRIVATE parallax-symbol-reader)
target_compile_definitions(symbols-test PRIVATE
  PARALLAX_SYMBOLS_SAMPLES="${samples}" PARALLAX_SYMBOLS="$<TARGET_FILE:parallax-symbols>"
  PARALLAX_FAILING_LIBDW="$<TARGET_FILE:failing-libdw>")
