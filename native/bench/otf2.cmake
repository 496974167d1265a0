# The import of archives beside the library's own reader, if it is there.
if(TARGET parallax-otf2-import)
  add_executable(parallax-bench-otf2-import bench_otf2.cpp)
  target_link_libraries(parallax-bench-otf2-import PRIVATE parallax-otf2-import parallax-otf2-writer)
  target_compile_options(parallax-bench-otf2-import PRIVATE -O3)
endif()
