#include "tools/perfetto/json_scanner.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "tools/perfetto/timeline.h"

namespace parallax::perfetto {

bool JsonScanner::string(std::string* text) {
  text->clear();
  if (!take('"')) return fail("a string is expected");
  for (;;) {
    if (in_.peek() < 0) return fail("");
    const char* from = in_.data();
    const size_t available = in_.available();
    size_t used = 0;
    while (used < available && from[used] != '"' && from[used] != '\\') used++;
    text->append(from, used);
    in_.skip(used);
    if (used == available) continue;
    if (in_.get() == '"') return true;
    if (!escape(text)) return false;
  }
}

bool JsonScanner::codeUnit(uint32_t* unit) {
  *unit = 0;
  for (int i = 0; i < 4; i++) {
    const int c = in_.peek();
    const int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
    if (c < 0 || digit < 0) return fail("four hexadecimal digits are expected");
    in_.get();
    *unit = *unit << 4 | static_cast<uint32_t>(digit);
  }
  return true;
}

bool JsonScanner::escape(std::string* text) {
  const int c = in_.get();
  switch (c) {
    case 'n': *text += '\n'; return true;
    case 't': *text += '\t'; return true;
    case 'r': *text += '\r'; return true;
    case 'b': *text += '\b'; return true;
    case 'f': *text += '\f'; return true;
    case 'u': break;
    case -1: return fail("");
    default: *text += static_cast<char>(c); return true;  // a quote, a slash, or what some tools write
  }
  uint32_t code = 0;
  if (!codeUnit(&code)) return false;
  while (code >= 0xD800 && code < 0xDC00) {
    uint32_t low = 0;
    if (in_.peek() != '\\') break;
    in_.get();
    if (in_.peek() != 'u') return escape(text);
    in_.get();
    if (!codeUnit(&low)) return false;
    if (low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else {
      code = low;
    }
  }
  if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;  // half of a pair
  if (code < 0x80) {
    *text += static_cast<char>(code);
    return true;
  }
  const int further = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  *text += static_cast<char>((further == 1 ? 0xC0 : further == 2 ? 0xE0 : 0xF0) | code >> (6 * further));
  for (int i = further - 1; i >= 0; i--) *text += static_cast<char>(0x80 | (code >> (6 * i) & 0x3F));
  return true;
}

bool JsonScanner::word(std::string* text) {
  text->clear();
  for (int c = in_.peek(); c >= 0; c = in_.peek()) {
    const bool isPart = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '-' || c == '+' || c == '.';
    if (!isPart) break;
    *text += static_cast<char>(c);
    in_.get();
  }
  return !text->empty() || fail("a value is expected");
}

bool JsonScanner::value(Scalar* value) {
  const int c = next();
  if (c == '"') {
    value->kind = Scalar::Kind::kText;
    return string(&value->text);
  }
  if (c == '{' || c == '[') {
    value->kind = Scalar::Kind::kNested;
    value->text.clear();
    return skip();
  }
  value->kind = Scalar::Kind::kWord;
  return word(&value->text);
}

// Brackets are only counted: what is inside is of no use.
bool JsonScanner::skip() {
  uint64_t depth = 0;
  for (;;) {
    const int c = next();
    if (c < 0) return fail("");
    if (c == '"') {
      if (!string(&ignored_)) return false;
    } else if (c == '{' || c == '[') {
      in_.get();
      depth++;
      continue;
    } else if (depth > 0 && (c == '}' || c == ']')) {
      in_.get();
      depth--;
    } else if (depth > 0 && (c == ',' || c == ':')) {
      in_.get();
      continue;
    } else if (!word(&ignored_)) {
      return false;
    }
    if (depth == 0) return true;
  }
}

bool JsonScanner::recover() {
  for (int c = in_.get(); c >= 0; c = in_.get()) {
    if (c == '\n' && next() == '{') return true;
  }
  return false;
}

bool parseMicroseconds(const std::string& text, int64_t* ns) {
  const char* at = text.c_str();
  const bool isNegative = *at == '-';
  if (isNegative) at++;
  if (*at < '0' || *at > '9') return false;
  int64_t whole = 0;
  while (*at >= '0' && *at <= '9' && whole < kMostNs / 10000) whole = whole * 10 + (*at++ - '0');
  int64_t fraction = 0;
  if (*at == '.') {
    int digits = 0;
    for (at++; *at >= '0' && *at <= '9'; at++, digits++) {
      if (digits < 3) fraction = fraction * 10 + (*at - '0');
      if (digits == 3 && *at >= '5') fraction++;
    }
    for (; digits < 3; digits++) fraction *= 10;
  }
  if (*at != '\0') {  // an exponent, or very many digits
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end) * 1000;
    if (*end != '\0' || !(std::fabs(number) < static_cast<double>(kMostNs))) return false;
    *ns = static_cast<int64_t>(std::llround(number));
    return true;
  }
  *ns = whole * 1000 + fraction;
  if (isNegative) *ns = -*ns;
  return true;
}

}  // namespace parallax::perfetto
