// Names of functions by their addresses, from the symbol tables of the files that are loaded.
#pragma once

#include "agent/functions.h"

namespace parallax {

// The mangled name of the function that begins at `address`, or null. Reads the file of its
// module at the first question about it; takes the dynamic linker's lock. What it returns stays
// until the module is forgotten.
const char* functionName(uintptr_t address);
// The modules that begin between these two addresses were unloaded.
void forgetFunctionNames(uintptr_t begin, uintptr_t end);

// By PARALLAX_FILTER (instrument_filter.cpp). The file is read at the first question in the process.
extern const FunctionFilter functionFilter;

}  // namespace parallax
