// A program without MPI that loads the library in its first argument for itself alone.

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "loader: %s\n", dlerror());
    return 1;
  }
  int (*run)(int, char**) = (int (*)(int, char**))dlsym(library, "run_loaded");
  return run != NULL ? run(argc, argv) : 1;
}
