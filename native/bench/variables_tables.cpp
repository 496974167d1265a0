#include "bench/variables_tables.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "bench/study_text.h"

namespace parallax::bench {
namespace {

constexpr char kColumns[] = "library,version,name,type,scope,bind,readable,writable,read_back,effect,needs,evidence\n";

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// "writable: yes 171, never 779", the most frequent first.
std::string counts(const std::string& title, const std::vector<VariableRow>& rows,
                   const std::string& (*word)(const VariableRow&)) {
  std::map<std::string, int> numbers;
  for (const VariableRow& row : rows) numbers[word(row)]++;
  std::vector<std::pair<std::string, int>> sorted(numbers.begin(), numbers.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [name, number] : sorted) text += (text.empty() ? "" : ", ") + name + " " + std::to_string(number);
  return title + ": " + text + "\n";
}

std::string tableOf(const std::vector<VariableRow>& rows) {
  std::string text = "=== " + rows.front().library + " " + rows.front().version + ": " + std::to_string(rows.size()) +
      " variables ===\n\n";
  text += counts("scope", rows, [](const VariableRow& row) -> const std::string& { return row.variable.scope; });
  text += counts("readable", rows, [](const VariableRow& row) -> const std::string& { return row.variable.readable; });
  text += counts("writable", rows, [](const VariableRow& row) -> const std::string& { return row.variable.writable; });
  text += counts("effect of writing", rows, [](const VariableRow& row) -> const std::string& { return row.effect.word; });
  size_t width = 8;
  for (const VariableRow& row : rows) {
    if (row.isShown) width = std::max(width, row.variable.name.size());
  }
  const int name = static_cast<int>(width);
  text += format("\n%-*s  %-11s  %-8s %-9s %-9s  %-17s  %s\n", name, "variable", "scope", "readable", "writable", "read back",
                 "effect", "evidence");
  for (const VariableRow& row : rows) {
    if (!row.isShown) continue;
    const Variable& v = row.variable;
    text += format("%-*s  %-11s  %-8s %-9s %-9s  %-17s  ", name, v.name.c_str(), v.scope.c_str(), v.readable.c_str(),
                   v.writable.c_str(), v.readBack.c_str(), row.effect.word.c_str());
    text += (row.effect.needs.empty() ? "" : "with " + row.effect.needs + ": ") + row.effect.evidence + "\n";
  }
  return text + "\n";
}

}  // namespace

std::string variablesCsv(const std::vector<VariableRow>& rows) { return variablesCsv(rows, ""); }

std::string variablesCsv(const std::vector<VariableRow>& rows, const std::string& before) {
  std::string text = kColumns;
  std::istringstream lines(before);
  std::string earlier;
  const bool isKnown = std::getline(lines, earlier) && earlier + "\n" == kColumns;
  while (isKnown && std::getline(lines, earlier)) {
    const std::string library = earlier.substr(0, earlier.find(','));
    const bool isAnew = std::any_of(rows.begin(), rows.end(), [&](const VariableRow& row) { return row.library == library; });
    if (!isAnew) text += earlier + "\n";
  }
  for (const VariableRow& row : rows) {
    const Variable& v = row.variable;
    std::string line;
    for (const std::string& each : {row.library, row.version, v.name, v.type, v.scope, v.bind, v.readable, v.writable,
                                    v.readBack, row.effect.word, row.effect.needs, row.effect.evidence}) {
      line += (line.empty() ? "" : ",") + field(each);
    }
    text += line + "\n";
  }
  return text;
}

std::string variablesTable(const std::vector<VariableRow>& rows) {
  std::string text;
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin;
    while (end < rows.size() && rows[end].library == rows[begin].library) end++;
    text += tableOf({rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.begin() + static_cast<std::ptrdiff_t>(end)});
    begin = end;
  }
  return withoutTrailingSpaces(text);
}

}  // namespace parallax::bench
