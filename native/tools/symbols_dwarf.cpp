#include "tools/symbols_dwarf.h"

#include <dwarf.h>
#include <string.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/symbols_names.h"

namespace parallax::symbols {
namespace {

using format::SymbolFrame;

// Deeper trees are no code that a compiler made.
constexpr uint32_t kMostDepth = 1000;

bool number(Dwarf_Die* die, unsigned name, uint64_t* value) {
  Dwarf_Attribute attribute;
  Dwarf_Word word = 0;
  if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &word) != 0) return false;
  *value = word;
  return true;
}

const char* text(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

bool isFortran(int language) {
  switch (language) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
      return true;
    default:
      return false;
  }
}

bool isScopeOfNames(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_interface_type || tag == DW_TAG_module;
}

// What can hold code, at any depth.
bool canHoldCode(int tag) {
  return isScopeOfNames(tag) || tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block ||
         tag == DW_TAG_with_stmt;
}

constexpr char kUnnamed[] = "{unnamed line ";
constexpr char kLambda[] = "{lambda line ";

// Of a class, namespace or function. Several unnamed ones in a function differ by their lines.
std::string scopeName(Dwarf_Die* die, int tag) {
  if (const char* name = dwarf_diename(die)) return name;
  if (tag == DW_TAG_namespace) return "(anonymous namespace)";
  uint64_t line = 0;
  number(die, DW_AT_decl_line, &line);
  return kUnnamed + std::to_string(line) + "}";
}

// What stands before the name of a function: an unnamed class that can be called is a lambda.
std::string functionPrefix(std::string prefix, Dwarf_Die* function) {
  const char* name = dwarf_diename(function);
  const size_t start = prefix.rfind(kUnnamed);
  if (name == nullptr || strcmp(name, "operator()") != 0 || start == std::string::npos ||
      prefix.find("}::", start) + 3 != prefix.size()) {
    return prefix;
  }
  return prefix.replace(start, sizeof kUnnamed - 1, kLambda);
}

// "." and ".." are taken out, so that the same file always has the same name.
std::string normalized(const std::string& path) {
  std::vector<std::string_view> parts;
  const std::string_view whole = path;
  for (size_t at = 0; at < whole.size();) {
    const size_t slash = std::min(whole.find('/', at), whole.size());
    const std::string_view part = whole.substr(at, slash - at);
    at = slash + 1;
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
  }
  std::string result;
  for (const std::string_view part : parts) {
    if (!result.empty() || whole[0] == '/') result += '/';
    result += part;
  }
  return result;
}

}  // namespace

Dwarf_Die originOf(Dwarf_Die die) {
  for (int i = 0; i < 16; i++) {
    Dwarf_Attribute attribute;
    Dwarf_Die next;
    if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) == nullptr &&
        dwarf_attr(&die, DW_AT_specification, &attribute) == nullptr) {
      break;
    }
    if (dwarf_formref_die(&attribute, &next) == nullptr) break;
    die = next;
  }
  return die;
}

// ---- names

std::string ScopeNames::qualifiedName(Dwarf_Die die) {
  Dwarf_Die origin = originOf(die);
  const char* name = dwarf_diename(&origin);
  if (name == nullptr) name = dwarf_diename(&die);
  if (name == nullptr) return {};
  Dwarf_Die unit;
  if (dwarf_diecu(&origin, &unit, nullptr, nullptr) != nullptr &&
      unitsRead_.insert(unit.addr).second) {
    readUnit(unit);
  }
  const auto found = prefixes_.find(origin.addr);
  return found == prefixes_.end() ? name : found->second + name;
}

void ScopeNames::readUnit(const Dwarf_Die& unit) {
  struct Level {
    Dwarf_Die die;
    std::string prefix;
  };
  std::vector<Level> stack;
  Dwarf_Die parent = unit;
  Level level;
  if (dwarf_child(&parent, &level.die) != 0) return;
  stack.push_back(level);
  while (!stack.empty()) {
    Dwarf_Die die = stack.back().die;
    const std::string prefix = stack.back().prefix;
    if (dwarf_siblingof(&die, &stack.back().die) != 0) stack.pop_back();
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_subprogram && !prefix.empty()) {
      prefixes_[die.addr] = functionPrefix(prefix, &die);
    }
    if (!canHoldCode(tag) || stack.size() > kMostDepth) continue;
    level.prefix = prefix;
    // Classes and lambdas within functions are known by the function.
    if (isScopeOfNames(tag) || tag == DW_TAG_subprogram) {
      level.prefix.append(scopeName(&die, tag)).append("::");
    }
    if (dwarf_child(&die, &level.die) == 0) stack.push_back(level);
  }
}

// ---- one unit

DwarfUnit::DwarfUnit(const Dwarf_Die& root, const Dwarf_Die& skeleton)
    : root_(root), skeleton_(skeleton) {
  if (const char* directory = text(&skeleton_, DW_AT_comp_dir)) directory_ = directory;
}

void DwarfUnit::build() {
  built_ = true;
  isFortran_ = isFortran(dwarf_srclang(&root_));
  walk();
  flatten();
  readLines();
}

void DwarfUnit::addScope(const Dwarf_Die& die, uint32_t parent, bool inlined, uint32_t* scope) {
  Dwarf_Die copy = die;
  Dwarf_Addr base = 0, start = 0, end = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(&copy, at, &base, &start, &end)) > 0;) {
    // Linkers leave 0 or nearly -1 in place of functions that they dropped.
    if (start == 0 || start >= end || start >= UINT64_MAX - 1) continue;
    if (*scope == kNone) {
      *scope = static_cast<uint32_t>(scopes_.size());
      Scope s;
      s.die = die;
      s.parent = parent;
      s.depth = parent == kNone ? 0 : scopes_[parent].depth + 1;
      s.inlined = inlined && parent != kNone;
      scopes_.push_back(std::move(s));
    }
    ranges_.push_back({start, end, *scope});
  }
}

// Collects all functions and inlined calls that have code.
void DwarfUnit::walk() {
  struct Level {
    Dwarf_Die die;    // the next one to visit
    uint32_t parent;  // the scope around it
  };
  std::vector<Level> stack;
  Level level;
  level.parent = kNone;
  if (dwarf_child(&root_, &level.die) != 0) return;
  stack.push_back(level);
  while (!stack.empty()) {
    Dwarf_Die die = stack.back().die;
    const uint32_t parent = stack.back().parent;
    if (dwarf_siblingof(&die, &stack.back().die) != 0) stack.pop_back();
    const int tag = dwarf_tag(&die);
    if (!canHoldCode(tag)) continue;
    level.parent = parent;
    if (tag == DW_TAG_subprogram) {
      // A function within another, as in Fortran, is not inlined into it.
      level.parent = kNone;
      addScope(die, kNone, false, &level.parent);
    } else if (tag == DW_TAG_inlined_subroutine) {
      uint32_t scope = kNone;
      addScope(die, parent, true, &scope);
      if (scope != kNone) level.parent = scope;
    }
    if (stack.size() <= kMostDepth && dwarf_child(&die, &level.die) == 0) stack.push_back(level);
  }
}

// Turns nested ranges into disjoint ones: at each address the deepest scope holds.
void DwarfUnit::flatten() {
  struct Edge {
    uint64_t address;
    bool begins;
    uint32_t range;
  };
  std::vector<Edge> edges;
  edges.reserve(ranges_.size() * 2);
  for (uint32_t i = 0; i < ranges_.size(); i++) {
    edges.push_back({ranges_[i].start, true, i});
    edges.push_back({ranges_[i].end, false, i});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.address != b.address ? a.address < b.address : a.range < b.range;
  });
  std::set<std::pair<uint32_t, uint32_t>> open;  // depth, range
  for (size_t i = 0; i < edges.size();) {
    const uint64_t address = edges[i].address;
    if (!flat_.empty() && flat_.back().end == UINT64_MAX) flat_.back().end = address;
    for (; i < edges.size() && edges[i].address == address; i++) {
      const std::pair key(scopes_[ranges_[edges[i].range].scope].depth, edges[i].range);
      if (edges[i].begins) {
        open.insert(key);
      } else {
        open.erase(key);
      }
    }
    if (!open.empty()) flat_.push_back({address, UINT64_MAX, ranges_[open.rbegin()->second].scope});
  }
  ranges_ = {};
}

// Packagers replace the directory by a relative one: then the path stays relative, too, and
// libdw may have put the directory before it already.
std::string DwarfUnit::fullPath(const char* path) const {
  if (path == nullptr || path[0] == 0) return {};
  const bool isComplete = path[0] == '/' || directory_.empty() ||
                          (directory_[0] != '/' && strncmp(path, directory_.c_str(),
                                                           directory_.size()) == 0);
  if (isComplete) return normalized(path);
  return normalized(directory_ + "/" + path);
}

void DwarfUnit::readLines() {
  Dwarf_Lines* lines = nullptr;
  size_t count = 0;
  if (dwarf_getsrclines(&skeleton_, &lines, &count) != 0) return;
  std::unordered_map<const char*, uint32_t> numbers;
  lines_.reserve(count);
  for (size_t i = 0; i < count; i++) {
    Dwarf_Line* row = dwarf_onesrcline(lines, i);
    Dwarf_Addr address = 0;
    int line = 0;
    bool endsSequence = false;
    if (dwarf_lineaddr(row, &address) != 0 || dwarf_lineendsequence(row, &endsSequence) != 0) {
      continue;
    }
    dwarf_lineno(row, &line);
    const char* name = endsSequence ? nullptr : dwarf_linesrc(row, nullptr, nullptr);
    uint32_t file = kNone;
    if (!endsSequence) {
      const auto [entry, isNew] = numbers.try_emplace(name, static_cast<uint32_t>(files_.size()));
      if (isNew) files_.push_back(fullPath(name));
      file = entry->second;
    }
    // Of several rows for an address the last one describes its instruction.
    if (!lines_.empty() && lines_.back().address == address && lines_.back().file != kNone) {
      lines_.pop_back();
    }
    // The end of one sequence where the next one begins says nothing.
    if (endsSequence && !lines_.empty() && lines_.back().address == address) continue;
    lines_.push_back({address, static_cast<uint32_t>(std::max(line, 0)), file});
  }
}

bool DwarfUnit::findLine(uint64_t address, std::string* file, uint32_t* line) {
  if (!built_) build();
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), address,
                                     [](uint64_t a, const Line& l) { return a < l.address; });
  if (next == lines_.begin() || (next - 1)->file == kNone) return false;
  *file = files_[(next - 1)->file];
  *line = (next - 1)->line;
  return true;
}

void DwarfUnit::know(Scope* scope, ScopeNames* names) {
  scope->known = true;
  Dwarf_Die* die = &scope->die;
  uint64_t value = 0;
  if (number(die, DW_AT_decl_line, &value)) scope->declaredLine = static_cast<uint32_t>(value);
  const char* linkage = text(die, DW_AT_linkage_name);
  if (linkage == nullptr) linkage = text(die, DW_AT_MIPS_linkage_name);
  if (linkage != nullptr && !isFortran_) scope->function = demangled(linkage);
  if (scope->function.empty()) scope->function = names->qualifiedName(*die);
  if (scope->function.empty() && linkage != nullptr) scope->function = linkage;
  if (!scope->inlined) return;
  if (number(die, DW_AT_call_line, &value)) scope->callLine = static_cast<uint32_t>(value);
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (number(die, DW_AT_call_file, &value) && dwarf_getsrcfiles(&root_, &files, &count) == 0 &&
      value < count) {
    scope->callFile = fullPath(dwarf_filesrc(files, value, nullptr, nullptr));
  }
}

const std::vector<DwarfUnit::Scope>& DwarfUnit::scopes() {
  if (!built_) build();
  return scopes_;
}

uint32_t DwarfUnit::scopeAt(uint64_t address) {
  if (!built_) build();
  const auto next = std::upper_bound(flat_.begin(), flat_.end(), address,
                                     [](uint64_t a, const Range& r) { return a < r.start; });
  return next == flat_.begin() || address >= (next - 1)->end ? kNone : (next - 1)->scope;
}

const DwarfUnit::Scope& DwarfUnit::knownScope(uint32_t scope, ScopeNames* names) {
  if (!built_) build();
  if (!scopes_[scope].known) know(&scopes_[scope], names);
  return scopes_[scope];
}

std::vector<SymbolFrame> DwarfUnit::find(uint64_t address, ScopeNames* names) {
  std::vector<SymbolFrame> frames;
  const uint32_t innermost = scopeAt(address);
  if (innermost == kNone) return frames;
  SymbolFrame frame;
  findLine(address, &frame.file, &frame.line);
  for (uint32_t at = innermost; at != kNone; at = scopes_[at].parent) {
    const Scope& scope = knownScope(at, names);
    frame.function = scope.function;
    frame.declaredLine = scope.declaredLine;
    frame.inlined = scope.inlined;
    frames.push_back(frame);
    frame.file = scope.callFile;
    frame.line = scope.callLine;
  }
  return frames;
}

// ---- all units

DwarfIndex::DwarfIndex(Dwarf* dwarf) {
  std::map<Dwarf_Off, uint32_t> withoutRanges;  // by the offset of the unit's DIE
  Dwarf_CU* cu = nullptr;
  Dwarf_Half version = 0;
  uint8_t type = 0;
  Dwarf_Die unitDie, splitDie;
  while (dwarf_get_units(dwarf, cu, &cu, &version, &type, &unitDie, &splitDie) == 0) {
    if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
    const Dwarf_Die root = type == DW_UT_skeleton && splitDie.addr != nullptr ? splitDie : unitDie;
    const auto unit = static_cast<uint32_t>(units_.size());
    units_.push_back(std::make_unique<DwarfUnit>(root, unitDie));
    const size_t before = ranges_.size();
    addRanges(&unitDie, unit);
    if (ranges_.size() == before) withoutRanges[dwarf_dieoffset(&unitDie)] = unit;
  }
  // Units that do not say where their code is: another table may.
  Dwarf_Aranges* table = nullptr;
  size_t count = 0;
  if (!withoutRanges.empty() && dwarf_getaranges(dwarf, &table, &count) == 0) {
    for (size_t i = 0; i < count; i++) {
      Dwarf_Addr start = 0;
      Dwarf_Word length = 0;
      Dwarf_Off offset = 0;
      if (dwarf_getarangeinfo(dwarf_onearange(table, i), &start, &length, &offset) != 0) continue;
      const auto found = withoutRanges.find(offset);
      if (found == withoutRanges.end() || start == 0 || start + length < start) continue;
      ranges_.push_back({start, start + length, found->second});
    }
  }
  std::sort(ranges_.begin(), ranges_.end(),
            [](const UnitRange& a, const UnitRange& b) { return a.start < b.start; });
  uint64_t farthest = 0;
  for (const UnitRange& range : ranges_) {
    farthest = std::max(farthest, range.end);
    farthestEnd_.push_back(farthest);
  }
}

void DwarfIndex::addRanges(Dwarf_Die* die, uint32_t unit) {
  Dwarf_Addr base = 0, start = 0, end = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
    if (start != 0 && start < end && start < UINT64_MAX - 1) ranges_.push_back({start, end, unit});
  }
}

std::vector<SymbolFrame> DwarfIndex::find(uint64_t address) {
  const auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                     [](uint64_t a, const UnitRange& r) { return a < r.start; });
  SymbolFrame lineOnly;
  for (auto i = static_cast<size_t>(next - ranges_.begin()); i-- > 0;) {
    if (farthestEnd_[i] <= address) break;
    if (ranges_[i].end <= address) continue;
    DwarfUnit& unit = *units_[ranges_[i].unit];
    std::vector<SymbolFrame> frames = unit.find(address, &names_);
    if (!frames.empty()) return frames;
    if (lineOnly.file.empty()) unit.findLine(address, &lineOnly.file, &lineOnly.line);
  }
  if (lineOnly.file.empty()) return {};
  return {lineOnly};
}

}  // namespace parallax::symbols
