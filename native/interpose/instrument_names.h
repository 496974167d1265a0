// Names of functions by their addresses, from the symbol tables of the files that are loaded.
#pragma once

#include <cstdint>

namespace parallax {

// The mangled name of the function that begins at `address`, or null. Reads the file of its
// module at the first question about it; takes the dynamic linker's lock. What it returns stays.
const char* functionName(uintptr_t address);

// Whether a function is to be measured, by PARALLAX_FILTER (instrument_filter.cpp). The file is
// read at the first question in the process.
bool isFunctionWanted(uintptr_t function);

}  // namespace parallax
