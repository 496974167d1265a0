// Functions by the symbol tables of ELF files: the fall-back where there is no debug
// information.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/symbols_files.h"

namespace parallax::symbols {

class SymbolTable {
 public:
  // Adds the functions of `file`: of its full table, or, `onlyExported`, of the dynamic one.
  void add(const ElfFile& file, bool onlyExported);
  // Adds the stubs of the procedure linkage table as NAME@plt.
  void addStubs(const ElfFile& file);
  // Sorts what was added; to be called once, before find().
  void finish();

  bool empty() const { return functions_.empty(); }
  // The name of the function at the address, demangled, or an empty string.
  std::string find(uint64_t address) const;
  // Debug information has one of the names of a function, `__printf` or `fmaxf32x`: the one that
  // people know, or `name` itself when the function at the address has no such name.
  std::string bestOf(uint64_t address, const std::string& name) const;

 private:
  struct Function {
    uint64_t start, end;
    std::string name;
    uint32_t rank;  // of names of the same function, the lowest is shown
  };
  const Function* functionAt(uint64_t address) const;

  std::vector<Function> functions_;
  std::vector<Function> others_;  // further names of functions, by start
};

}  // namespace parallax::symbols
