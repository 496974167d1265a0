// A library with instrumented functions, which calls the program while it is being loaded.
#include <stdlib.h>

__attribute__((constructor, no_instrument_function)) static void load() {
  const char* address = getenv("DURING_LOAD");
  if (address != nullptr) reinterpret_cast<void (*)()>(strtoull(address, nullptr, 16))();
}

extern "C" __attribute__((visibility("default"), noinline)) void plugged() { asm volatile(""); }
