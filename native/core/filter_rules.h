// Filters say which functions are instrumented; for the agent and the tools. One rule a line:
//
//   # a comment
//   exclude function GLOB      GLOB of * and ?, to the end of the line; \* is a plain *
//   include function GLOB
//   exclude file GLOB          where it is defined; acts when the program is compiled
//
// The last rule that matches decides; what no rule matches is included. A function's name is, in
// C++, the demangled one with or without parameters and result, or the mangled one.
#pragma once

#include <cstddef>
#include <string_view>

namespace parallax {

struct FilterRule {
  bool include = false;
  bool file = false;
  std::string_view glob;
};

namespace filter_detail {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

// Takes a word and what follows it off the text; false when it begins otherwise.
inline bool takeWord(std::string_view& text, std::string_view word) {
  if (text.substr(0, word.size()) != word) return false;
  const std::string_view rest = text.substr(word.size());
  if (rest.empty() || (rest[0] != ' ' && rest[0] != '\t')) return false;
  text = trimmed(rest);
  return true;
}

}  // namespace filter_detail

// Calls f(rule) for each rule of a filter's text. Returns the number of the first line that is
// none, 0 when all are.
template <class F>
size_t forEachRule(std::string_view text, F f) {
  size_t number = 0, wrong = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = filter_detail::trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    number++;
    if (line.empty() || line[0] == '#') continue;
    FilterRule rule;
    rule.include = filter_detail::takeWord(line, "include");
    const bool begins = rule.include || filter_detail::takeWord(line, "exclude");
    rule.file = begins && filter_detail::takeWord(line, "file");
    if (begins && (rule.file || filter_detail::takeWord(line, "function"))) {
      rule.glob = line;
      f(rule);
    } else if (wrong == 0) {
      wrong = number;
    }
  }
  return wrong;
}

// The names of C++ as they are demangled: `int space::Type<int>::name<long>(char) const`.

// Without the parameters and what follows them: the bracket that the last one closes is theirs,
// unless it is that of `(anonymous namespace)::`.
inline std::string_view withoutParameters(std::string_view name) {
  const size_t end = name.rfind(')');
  if (end == std::string_view::npos || name.find("::", end) != std::string_view::npos) return name;
  int depth = 0;
  for (size_t i = end + 1; i-- > 0;) {
    if (name[i] == ')') depth++;
    if (name[i] == '(' && --depth == 0) return name.substr(0, i);
  }
  return name;
}

// Without these and without the type of the result, which instances of templates have.
inline std::string_view bareName(std::string_view name) {
  name = withoutParameters(name);
  if (name.find("operator") != std::string_view::npos) return name;
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')' || name[i] == '}') depth++;
    if (name[i] == '<' || name[i] == '(' || name[i] == '{') depth--;
    if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

}  // namespace parallax
