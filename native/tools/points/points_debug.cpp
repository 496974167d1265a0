#include "tools/points/points_debug.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace parallax::points {

using symbols::DwarfUnit;

bool isFileNamed(const std::string& path, const std::string& typed) {
  std::string end = typed;
  while (end.compare(0, 2, "./") == 0) end.erase(0, 2);
  if (end.empty() || path.size() < end.size()) return false;
  const size_t at = path.size() - end.size();
  return path.compare(at, std::string::npos, end) == 0 &&
         (at == 0 || path[at - 1] == '/' || end[0] == '/');
}

void DebugInfo::readLines() {
  if (hasLines_) return;
  hasLines_ = true;
  for (const auto& unit : index_.units()) readLines(unit.get());
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.line < b.line; });
}

void DebugInfo::readLines(DwarfUnit* unit) {
  Dwarf_Lines* lines = nullptr;
  size_t count = 0;
  if (dwarf_getsrclines(&unit->skeleton(), &lines, &count) != 0) return;
  std::unordered_map<const char*, uint32_t> numbers;
  std::map<std::string, uint32_t> known;
  for (uint32_t i = 0; i < files_.size(); i++) known[files_[i]] = i;
  for (size_t i = 0; i + 1 < count; i++) {
    Dwarf_Line* row = dwarf_onesrcline(lines, i);
    bool endsSequence = false, isStatement = false;
    Dwarf_Addr begin = 0, end = 0;
    int line = 0;
    if (dwarf_lineendsequence(row, &endsSequence) != 0 || endsSequence) continue;
    if (dwarf_lineaddr(row, &begin) != 0 || dwarf_lineno(row, &line) != 0 || line <= 0) continue;
    dwarf_linebeginstatement(row, &isStatement);
    dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &end);
    if (begin == 0) continue;  // dropped by the linker
    const char* name = dwarf_linesrc(row, nullptr, nullptr);
    const auto [entry, isNew] = numbers.try_emplace(name, 0);
    if (isNew) {
      const std::string path = unit->fullPath(name);
      const auto [file, isNewFile] =
          known.try_emplace(path, static_cast<uint32_t>(files_.size()));
      if (isNewFile) files_.push_back(path);
      entry->second = file->second;
    }
    rows_.push_back({begin, std::max(begin, end), entry->second, static_cast<uint32_t>(line),
                     isStatement, unit});
  }
}

std::set<uint32_t> DebugInfo::filesNamed(const std::string& file) {
  readLines();
  std::set<uint32_t> found;
  for (uint32_t i = 0; i < files_.size(); i++) {
    if (isFileNamed(files_[i], file)) found.insert(i);
  }
  return found;
}

bool DebugInfo::hasFile(const std::string& file) { return !filesNamed(file).empty(); }

std::vector<std::string> DebugInfo::files() {
  readLines();
  return files_;
}

std::vector<LineCode> DebugInfo::find(const std::string& file, uint32_t line) {
  const std::set<uint32_t> wanted = filesNamed(file);
  const auto [first, last] = std::equal_range(
      rows_.begin(), rows_.end(), Row{0, 0, 0, line, false, nullptr},
      [](const Row& a, const Row& b) { return a.line < b.line; });
  // By the function or inlined call; code that none is described for is one by itself.
  std::map<std::pair<DwarfUnit*, uint32_t>, LineCode> lowest;
  for (auto row = first; row != last; ++row) {
    if (!row->isStatement || wanted.count(row->file) == 0) continue;
    const uint32_t scope = row->unit->scopeAt(row->begin);
    const auto [entry, isNew] = lowest.try_emplace({row->unit, scope}, LineCode{row->begin, ""});
    entry->second.address = std::min(entry->second.address, row->begin);
    if (isNew && scope != DwarfUnit::kNone) {
      entry->second.function = row->unit->knownScope(scope, index_.names()).function;
    }
  }
  std::vector<LineCode> result;
  for (auto& [scope, code] : lowest) result.push_back(std::move(code));
  std::sort(result.begin(), result.end(),
            [](const LineCode& a, const LineCode& b) { return a.address < b.address; });
  return result;
}

std::vector<CodeRange> DebugInfo::rangesOf(const std::string& file, uint32_t line) {
  const std::set<uint32_t> wanted = filesNamed(file);
  std::vector<CodeRange> all, merged;
  for (const Row& row : rows_) {
    if (row.line != line || wanted.count(row.file) == 0 || row.end <= row.begin) continue;
    all.push_back({row.begin, row.end});
  }
  std::sort(all.begin(), all.end(),
            [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; });
  for (const CodeRange& range : all) {
    if (!merged.empty() && range.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

std::vector<uint32_t> DebugInfo::linesNear(const std::string& file, uint32_t line) {
  const std::set<uint32_t> wanted = filesNamed(file);
  uint32_t before = 0, behind = UINT32_MAX;
  for (const Row& row : rows_) {
    if (!row.isStatement || wanted.count(row.file) == 0) continue;
    if (row.line < line) before = std::max(before, row.line);
    if (row.line > line) behind = std::min(behind, row.line);
  }
  std::vector<uint32_t> result;
  if (before != 0) result.push_back(before);
  if (behind != UINT32_MAX) result.push_back(behind);
  return result;
}

std::vector<InlinedCall> DebugInfo::inlinedCalls(const std::string& typed) {
  std::vector<InlinedCall> exact, others;
  for (const auto& unit : index_.units()) {
    const auto& scopes = unit->scopes();
    for (uint32_t i = 0; i < scopes.size(); i++) {
      if (!scopes[i].inlined) continue;
      // The plain name first: it is quick to get, and seldom the one.
      Dwarf_Die origin = symbols::originOf(scopes[i].die);
      const char* plain = dwarf_diename(&origin);
      if (plain == nullptr || typed.find(withoutTemplates(plain)) == std::string::npos) continue;
      const DwarfUnit::Scope& scope = unit->knownScope(i, index_.names());
      FunctionName name;
      name.linked = plain;
      name.full = scope.function;
      name.plain = withoutParameters(scope.function);
      name.simplest = withoutTemplates(name.plain);
      if (!endsInName(name, typed)) continue;
      InlinedCall call = {name.plain, scope.callFile, scope.callLine, {}};
      Dwarf_Die die = scope.die;
      Dwarf_Addr base = 0, begin = 0, end = 0;
      for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;) {
        if (begin != 0 && begin < end) call.ranges.push_back({begin, end});
      }
      (isNamed(name, typed) ? exact : others).push_back(std::move(call));
    }
  }
  return exact.empty() ? others : exact;
}

SourceLine DebugInfo::lineAt(uint64_t address) {
  const std::vector<format::SymbolFrame> frames = index_.find(address);
  if (frames.empty()) return {};
  return {frames.front().file, frames.front().line};
}

}  // namespace parallax::points
