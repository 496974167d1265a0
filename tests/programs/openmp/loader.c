// Not linked with OpenMP: loads libraries that are, and calls each twice.
//
//   loader LIBRARY FUNCTION ...    prints for each call: sum 4950
//
// Before the library: + it is loaded for all (RTLD_GLOBAL), - it is unloaded after its calls. By
// itself GNU's runtime does not survive that once it has threads.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const int forAll = argv[i][0] == '+', unload = argv[i][0] == '-';
    void* library =
        dlopen(argv[i] + (forAll || unload), RTLD_NOW | (forAll ? RTLD_GLOBAL : RTLD_LOCAL));
    long (*sum)(int) = library != NULL ? (long (*)(int))dlsym(library, argv[i + 1]) : NULL;
    if (sum == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
    for (int call = 0; call < 2; call++) printf("sum %ld\n", sum(100));
    if (unload) dlclose(library);
  }
  return 0;
}
