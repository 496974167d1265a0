// Functions, lines and inlined frames by debug information (DWARF 2 to 5).
//
// The tree of a compilation unit is walked once, when the first address of it is asked for,
// into sorted ranges; every further address costs two binary searches. Names and lines of a
// function are read when it is first hit.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "format/symbols_file.h"

namespace parallax::symbols {

// The die of the declaration that `die` completes or is an instance of, or itself.
Dwarf_Die originOf(Dwarf_Die die);

// Names of types and namespaces around functions without a linkage name.
class ScopeNames {
 public:
  // "Outer::Inner::name" of the function that `die` declares, or its plain name.
  std::string qualifiedName(Dwarf_Die die);

 private:
  void readUnit(const Dwarf_Die& unit);

  std::unordered_map<const void*, std::string> prefixes_;  // by the place of the DIE
  std::unordered_set<const void*> unitsRead_;
};

// One compilation unit.
class DwarfUnit {
 public:
  // `root` holds the tree, `skeleton` the lines; both are the same but for split DWARF.
  DwarfUnit(const Dwarf_Die& root, const Dwarf_Die& skeleton);

  static constexpr uint32_t kNone = UINT32_MAX;

  struct Scope {  // a function or an inlined call of one
    Dwarf_Die die;
    uint32_t parent;  // the scope that it is in, or kNone
    uint32_t depth;
    bool inlined;
    bool known = false;  // whether what follows has been read
    std::string function, callFile;
    uint32_t declaredLine = 0, callLine = 0;
  };

  // The frames at an address, innermost first; empty when no function of the unit covers it.
  // `names` is shared by all units of a file.
  std::vector<format::SymbolFrame> find(uint64_t address, ScopeNames* names);
  // File and line alone, for code without a described function.
  bool findLine(uint64_t address, std::string* file, uint32_t* line);
  Dwarf_Die& skeleton() { return skeleton_; }
  // All functions and inlined calls that have code.
  const std::vector<Scope>& scopes();
  // The innermost one at an address, or kNone.
  uint32_t scopeAt(uint64_t address);
  // With names and lines.
  const Scope& knownScope(uint32_t scope, ScopeNames* names);
  // The path of a file of this unit as all others name it.
  std::string fullPath(const char* path) const;

 private:
  struct Range {
    uint64_t start, end;
    uint32_t scope;
  };
  struct Line {
    uint64_t address;
    uint32_t line;
    uint32_t file;  // index into files_; kNone ends a sequence
  };

  void build();
  void walk();
  void addScope(const Dwarf_Die& die, uint32_t parent, bool inlined, uint32_t* scope);
  void flatten();
  void readLines();
  void know(Scope* scope, ScopeNames* names);

  Dwarf_Die root_, skeleton_;
  bool built_ = false;
  std::string directory_;  // of the compilation
  bool isFortran_ = false;
  std::vector<Scope> scopes_;
  std::vector<Range> ranges_;  // of scopes, until flatten()
  std::vector<Range> flat_;    // disjoint and sorted: the innermost scope of each address
  std::vector<Line> lines_;
  std::vector<std::string> files_;
};

// All units of a file.
class DwarfIndex {
 public:
  // `dwarf` must outlive the index.
  explicit DwarfIndex(Dwarf* dwarf);

  // The frames at an address, innermost first. Only file and line when no function is
  // described there, empty when nothing is known.
  std::vector<format::SymbolFrame> find(uint64_t address);
  const std::vector<std::unique_ptr<DwarfUnit>>& units() const { return units_; }
  ScopeNames* names() { return &names_; }

 private:
  struct UnitRange {
    uint64_t start, end;
    uint32_t unit;
  };
  void addRanges(Dwarf_Die* die, uint32_t unit);

  std::vector<std::unique_ptr<DwarfUnit>> units_;
  std::vector<UnitRange> ranges_;  // sorted by start
  std::vector<uint64_t> farthestEnd_;  // of ranges_[0..i]: where a search back may stop
  ScopeNames names_;
};

}  // namespace parallax::symbols
