// Names of functions by their addresses, from the symbol tables of the files that are loaded.
#pragma once

#include <cstdint>

namespace parallax {

// The mangled name of the function that begins at `address`, or null. Reads the file of its
// module at the first question about it; takes the dynamic linker's lock. What it returns stays.
const char* functionName(uintptr_t address);

}  // namespace parallax
