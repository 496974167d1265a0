// Symbols of libraries that the program may have loaded with RTLD_LOCAL.
#pragma once

namespace parallax {

// The next definition of a symbol after this library's own, or else one in a loaded object whose
// path contains `pathPart`. Null when there is none. May allocate, with the program's malloc.
void* librarySymbol(const char* name, const char* pathPart);

// The symbol of any loaded object other than this library, or null.
void* definedElsewhere(const char* name);

}  // namespace parallax
