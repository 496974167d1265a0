// Loads the library in its first argument so that it finds MPI past what is preloaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
  if (library == NULL) {
    fprintf(stderr, "deep: %s\n", dlerror());
    return 1;
  }
  int (*run)(int, char**) = (int (*)(int, char**))dlsym(library, "run_loaded");
  return run != NULL ? run(argc, argv) : 1;
}
