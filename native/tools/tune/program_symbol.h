// Functions and variables of a program that it does not export, and that only its file names.
#pragma once

#include <cstdint>
#include <string>

namespace parallax::tuning {

struct ProgramSymbol {
  uint64_t address = 0;  // as in the file; 0: there is none of this name
  uint64_t bytes = 0;
  bool isVariable = false;
  bool isAmbiguous = false;  // several have the name
};

// In the table of symbols (.symtab) of a 64-bit ELF file.
ProgramSymbol findProgramSymbol(const std::string& path, const std::string& name);
// The same, and where that has none, among those that the file exports (.dynsym).
ProgramSymbol findSymbol(const std::string& path, const std::string& name);

}  // namespace parallax::tuning
