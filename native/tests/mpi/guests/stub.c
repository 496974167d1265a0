// A library that is no MPI, and says of itself what it was built to say: SAYS, ABI and MPI, its version of
// both. It initialises and finalises.
#include <string.h>

static int initialised;

#define BOTH(name, parameters, ...)       \
  int MPI_##name parameters __VA_ARGS__   \
  int PMPI_##name parameters __VA_ARGS__

BOTH(Init, (int* argc, char*** argv), {
  (void)argc, (void)argv;
  initialised = 1;
  return 0;
})
BOTH(Initialized, (int* flag), {
  *flag = initialised;
  return 0;
})
BOTH(Finalize, (void), { return 0; })
BOTH(Get_version, (int* version, int* subversion), {
  *version = MPI;
  *subversion = 1;
  return 0;
})
BOTH(Get_library_version, (char* text, int* length), {
  strcpy(text, SAYS);
  *length = (int)strlen(text);
  return 0;
})
#if ABI
BOTH(Abi_get_version, (int* major, int* minor), {
  *major = ABI;
  *minor = 0;
  return 0;
})
#endif
