# What is loaded into programs, in layers:
#
#   base <- format <- transport <- live <- core <- sampler <- perturb <- interpose
#
# Each is a target, and sees the headers of those that it links and no others: an include in the wrong
# direction finds no file. Headers are included by the path below native/, such as "core/agent.h"; each
# layer has a folder of its own for that, in which a link leads to its sources.
#
# What a lower layer needs of a higher one, it declares itself and is bound when all are linked:
# core/sampling.h. tests/layers_test.cpp knows these, and fails for any other symbol or include.
option(PARALLAX_CHECK_PLACES "End the process at a transition that core/place.h does not have" OFF)
if(PARALLAX_CHECK_PLACES OR PARALLAX_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL Debug)
  add_compile_definitions(PARALLAX_CHECK_PLACES)  # in tests too, which have the same functions
endif()
set(PARALLAX_GUEST_OPTIONS
  ${PARALLAX_DEBUG_OPTIONS} -fdata-sections $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>)
# For code that preserves no other registers.
set(PARALLAX_GENERAL_REGISTERS -mgeneral-regs-only -fno-sanitize=all -fno-stack-protector)
# GCC clears records of more than 32 bytes by a string instruction, which takes some 10 ns to start.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  list(APPEND PARALLAX_GUEST_OPTIONS
    $<$<COMPILE_LANGUAGE:CXX>:-mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign>)
  list(APPEND PARALLAX_GENERAL_REGISTERS -mmemset-strategy=unrolled_loop:512:noalign,libcall:-1:noalign)
endif()

# The target parallax-NAME gets the folder of headers.
function(parallax_layer_headers name scope)
  set(folder ${CMAKE_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${name} ${folder}/${name} SYMBOLIC)
  target_include_directories(parallax-${name} ${scope} ${folder})
endfunction()

# What runs inside of programs is compiled in one way.
function(parallax_guest_options target)
  target_compile_options(${target} PRIVATE ${PARALLAX_GUEST_OPTIONS})
  # Intercepted routines are called in handlers of signals, on alternate stacks of 8 KB.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT PARALLAX_SANITIZE AND
     NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    target_compile_options(${target} PRIVATE -Werror=frame-larger-than=1024)
  endif()
endfunction()

# parallax_layer(NAME [ABOVE LAYERS...] SOURCES FILES...): the target parallax-NAME, on top of others.
function(parallax_layer name)
  cmake_parse_arguments(arg "" "" "ABOVE;SOURCES" ${ARGN})
  add_library(parallax-${name} OBJECT ${arg_SOURCES})
  parallax_layer_headers(${name} PUBLIC)
  parallax_guest_options(parallax-${name})
  foreach(below ${arg_ABOVE})
    target_link_libraries(parallax-${name} PUBLIC parallax-${below})
  endforeach()
endfunction()

# Links the layers below `interpose`, which have no interposed symbol, so that tests and benchmarks can
# hold them.
function(parallax_hold_layers target)
  foreach(layer base transport live core sampler perturb)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:parallax-${layer}>)
  endforeach()
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
endfunction()

# All layers together are what is loaded into programs.
function(parallax_link_agent)
  add_library(parallax-agent SHARED $<TARGET_OBJECTS:parallax-interpose>)
  parallax_hold_layers(parallax-agent)
  parallax_guest_options(parallax-agent)
  if(NOT PARALLAX_SANITIZE)  # whose own are wanted then
    target_sources(parallax-agent PRIVATE base/no_exceptions.cpp base/own_memory.cpp)
    set_source_files_properties(base/own_memory.cpp PROPERTIES COMPILE_OPTIONS "${PARALLAX_GENERAL_REGISTERS}")
  endif()
  set(symbols ${PROJECT_SOURCE_DIR}/interpose/real.map)
  # Sorted by alignment, the large tables stand together, and so do the small variables: a program that is
  # started touches a few pages of the agent's data and not one for each source file.
  target_link_options(parallax-agent PRIVATE
    -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,defs -Wl,-z,now -Wl,--sort-section=alignment
    -Wl,--version-script=${symbols})
  set_target_properties(parallax-agent PROPERTIES LINK_DEPENDS ${symbols})
endfunction()
