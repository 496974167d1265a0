#include "tools/points/points_names.h"

#include <string.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

#include "tools/symbols_names.h"

namespace parallax::points {
namespace {

constexpr char kAnonymous[] = "(anonymous namespace)";
constexpr char kOperator[] = "operator";

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string withoutSpaces(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ') result += c;
  }
  return result;
}

bool startsWith(const std::string& text, size_t at, const char* with) {
  return at <= text.size() && text.compare(at, strlen(with), with) == 0;
}

// Behind "operator()", "operator<<" and the like at `at`, else `at`.
size_t behindOperator(const std::string& text, size_t at) {
  if (!startsWith(text, at, kOperator)) return at;
  size_t end = at + strlen(kOperator);
  if (end < text.size() && (isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) {
    return at;
  }
  if (startsWith(text, end, "()")) return end + 2;
  while (end < text.size() && strchr("<>=!+-*/%^&|~[],", text[end]) != nullptr) end++;
  return end;
}

bool equalOrEndsIn(const std::string& name, const std::string& typed, bool wholeOnly) {
  if (name == typed) return true;
  if (wholeOnly || name.size() < typed.size() + 2) return false;
  const size_t at = name.size() - typed.size();
  return name.compare(at, std::string::npos, typed) == 0 && name.compare(at - 2, 2, "::") == 0;
}

bool matches(const FunctionName& name, const std::string& typed, bool wholeOnly) {
  if (name.linked == typed) return true;
  const std::string wanted = withoutSpaces(typed);
  for (const std::string* known : {&name.full, &name.plain, &name.simplest}) {
    if (equalOrEndsIn(withoutSpaces(*known), wanted, wholeOnly)) return true;
  }
  // Fortran: solve_ of any case of letters, and procedures of modules.
  const std::string lower = lowered(typed);
  return name.linked == lower + "_" ||
         (startsWith(name.linked, 0, "__") && name.linked.find("_MOD_") != std::string::npos &&
          equalOrEndsIn(name.plain, lower, wholeOnly));
}

size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); j++) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string withoutParameters(const std::string& readable) {
  int depth = 0;
  size_t nameStart = 0, end = readable.size();
  for (size_t at = 0; at < readable.size(); at++) {
    if (startsWith(readable, at, kAnonymous)) {
      at += strlen(kAnonymous) - 1;
      continue;
    }
    const size_t behind = behindOperator(readable, at);
    if (behind != at) {
      // What follows, up to the parameters, is the operator: a type, new, "" _km.
      const size_t parameters = readable.find('(', behind);
      if (depth == 0) return readable.substr(nameStart, parameters - nameStart);
      at = behind - 1;
      continue;
    }
    const char c = readable[at];
    if (c == '<' || c == '[') depth++;
    if (c == '>' || c == ']') depth--;
    if (c == '{') depth++;  // {lambda(int)#1}
    if (c == '}') depth--;
    if (depth > 0) continue;
    if (c == ' ') nameStart = at + 1;  // behind the type of what templates return
    if (c == '(') {
      // "f(int)::{lambda(int)#1}::operator()(int) const": parameters of the function around it.
      int open = 0;
      size_t close = at;
      for (; close < readable.size(); close++) {
        if (readable[close] == '(') open++;
        if (readable[close] == ')' && --open == 0) break;
      }
      size_t next = close + 1;
      if (startsWith(readable, next, " const")) next += strlen(" const");
      if (startsWith(readable, next, "::")) {
        at = close;
        continue;
      }
      end = at;
      break;
    }
  }
  return readable.substr(nameStart, end - nameStart);
}

std::string withoutTemplates(const std::string& name) {
  std::string result;
  int depth = 0;
  for (size_t at = 0; at < name.size(); at++) {
    const size_t behind = behindOperator(name, at);
    if (behind != at) {
      if (depth == 0) result += name.substr(at, behind - at);
      at = behind - 1;
      continue;
    }
    if (name[at] == '<') depth++;
    if (depth == 0) result += name[at];
    if (name[at] == '>') depth--;
  }
  return result;
}

FunctionName nameOf(const std::string& symbol) {
  FunctionName name;
  const size_t dot = symbol.find('.', 1);
  name.linked = symbol.substr(0, dot);
  const std::string added = dot == std::string::npos ? std::string() : symbol.substr(dot);
  name.isPart = added.find(".cold") != std::string::npos || added.find(".part.") != std::string::npos;
  name.isClone = !added.empty() && !name.isPart;
  name.full = symbols::demangled(name.linked.c_str());
  if (name.full.empty()) name.full = name.linked;
  name.plain = withoutParameters(name.full);
  name.simplest = withoutTemplates(name.plain);
  return name;
}

bool isNamed(const FunctionName& name, const std::string& typed) {
  return matches(name, typed, true);
}

bool endsInName(const FunctionName& name, const std::string& typed) {
  return matches(name, typed, false);
}

std::vector<std::string> nearNames(const std::vector<std::string>& names, const std::string& typed,
                                   size_t most) {
  const std::string wanted = lowered(typed);
  std::set<std::pair<size_t, std::string>> ranked;
  for (const std::string& name : names) {
    if (name.size() > 2 * typed.size() + 40) continue;
    const std::string lower = lowered(name);
    // A part of the name counts as much as the whole: `stepp` is near `Solver::step`.
    const size_t scope = lower.rfind("::");
    size_t d = distance(lower, wanted);
    if (scope != std::string::npos) d = std::min(d, 1 + distance(lower.substr(scope + 2), wanted));
    if (typed.size() >= 3 && lower.find(wanted) != std::string::npos) d = std::min<size_t>(d, 2);
    if (d <= 1 + typed.size() / 3) ranked.insert({d, name});
  }
  std::vector<std::string> result;
  for (const auto& [d, name] : ranked) {
    if (result.size() < most && std::find(result.begin(), result.end(), name) == result.end()) {
      result.push_back(name);
    }
  }
  return result;
}

std::string didYouMean(const std::vector<std::string>& names, const std::string& typed) {
  const std::vector<std::string> near = nearNames(names, typed, 3);
  std::string text;
  for (size_t i = 0; i < near.size(); i++) {
    text += i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ";
    text += near[i];
  }
  return text.empty() ? text : text + "?";
}

}  // namespace parallax::points
