// Names of functions by their addresses, from the symbol tables of the files that are loaded.
#pragma once

#include "core/functions.h"

namespace parallax {

// Calls `use` with the mangled name of the function that begins at `address`, if it is known. Reads
// the file of its module at the first question about it; takes the dynamic linker's lock before.
// No module is forgotten while `use` runs, which must wait for no other thread.
void useFunctionName(uintptr_t address, void (*use)(const char* name, void* argument),
                     void* argument);
// The modules that begin between these two addresses were unloaded.
void forgetFunctionNames(uintptr_t begin, uintptr_t end);

// By PARALLAX_FILTER (instrument_filter.cpp). The file is read at the first question in the process.
extern const FunctionFilter functionFilter;

}  // namespace parallax
