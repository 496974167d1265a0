// Preloaded in a test, as if files were damaged in ways that the libraries do not survive:
// libdw dies on debug information, and with PARALLAX_TEST_FAIL_ELF set opening a file fails too.
#include <dlfcn.h>
#include <stdlib.h>

extern "C" __attribute__((visibility("default"))) int dwarf_get_units() { abort(); }

extern "C" __attribute__((visibility("default"))) void* elf_begin(int descriptor, int command,
                                                                  void* reference) {
  if (getenv("PARALLAX_TEST_FAIL_ELF") != nullptr) abort();
  using Function = void* (*)(int, int, void*);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "elf_begin"));
  return real(descriptor, command, reference);
}
