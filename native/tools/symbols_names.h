// Names of functions as their authors know them.
#pragma once

#include <string>

namespace parallax::symbols {

// Returns the demangled name (C++, Rust, procedures of Fortran modules), or an empty string
// when `name` is not mangled.
std::string demangled(const char* name);

}  // namespace parallax::symbols
