add_library(parallax-synth-traces STATIC synth.cpp synth_program.cpp)
target_link_libraries(parallax-synth-traces PUBLIC parallax-trace-io)
# A hundred million events go through these files.
target_compile_options(parallax-synth-traces PRIVATE -O3)

add_executable(parallax-synth synth_main.cpp)
target_link_libraries(parallax-synth PRIVATE parallax-synth-traces)

parallax_plain_test(synth-test synth_test.cpp)
target_link_libraries(synth-test PRIVATE parallax-synth-traces)
