// Not linked with OpenMP: loads libraries that are, and calls each twice. It unloads none: GNU's
// runtime does not survive that once it has threads.
//
//   loader LIBRARY FUNCTION ...    prints for each call: sum 4950
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    void* library = dlopen(argv[i], RTLD_NOW);
    long (*sum)(int) = library != NULL ? (long (*)(int))dlsym(library, argv[i + 1]) : NULL;
    if (sum == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
    for (int call = 0; call < 2; call++) printf("sum %ld\n", sum(100));
  }
  return 0;
}
