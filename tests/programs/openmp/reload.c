// Loads libraries that define routines of OpenMP (stub_runtime.c), calls them and unloads them; says
// why one cannot be loaded. Where it has a runtime of its own it calls that one between, and theirs
// where it has none.
//
//   reload LIBRARY ...
#include <dlfcn.h>
#include <stdio.h>

#ifdef _OPENMP
enum { kCallsTheirs = 0 };
#else
enum { kCallsTheirs = 1 };
#endif

static int calls;

int main(int argc, char** argv) {
  setbuf(stdout, NULL);
  for (int i = 1; i < argc; i++) {
    void* library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
#ifdef _OPENMP
#pragma omp critical
#endif
    calls++;
    if (library == NULL) {
      const char* why = dlerror();
      printf("%s\n", why != NULL ? why : "no message");
      continue;
    }
    int (*call)(int) = (int (*)(int))dlsym(library, "callStub");
    printf("%d\n", call(kCallsTheirs));
    dlclose(library);
    puts("closed");
  }
  return 0;
}
