// Reads JSON from a ByteSource token by token, without a document in memory.
#pragma once

#include <string>
#include <string_view>

#include "tools/conversion/byte_source.h"

namespace parallax::perfetto {

using conversion::ByteSource;

// A value of which only the text is wanted: a string, or a number, true, false or null as they stand there.
struct Scalar {
  enum class Kind : uint8_t { kNone, kText, kWord, kNested };
  Kind kind = Kind::kNone;
  std::string text;

  bool isNumber() const {
    return kind == Kind::kWord && !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
  }
};

class JsonScanner {
 public:
  explicit JsonScanner(ByteSource* source) : in_(*source) {}

  // The next byte that is no white space, which stays there; -1 at the end.
  int next() {
    for (;;) {
      const int c = in_.peek();
      if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return c;
      in_.get();
    }
  }
  // Takes `wanted` if it is next.
  bool take(char wanted) {
    if (next() != wanted) return false;
    in_.get();
    return true;
  }
  // All of these return false, with what() as the reason, if the input is wrong there.
  bool string(std::string* text);
  // Any value. What is nested is skipped.
  bool value(Scalar* value);
  bool skip();

  bool fail(const char* what) {
    what_ = in_.peek() < 0 ? "the file ends" : what;
    return false;
  }
  const char* what() const { return what_; }
  // Goes to the next line that begins with an object. False if there is none.
  bool recover();

  ByteSource& source() { return in_; }

 private:
  bool escape(std::string* text);
  bool codeUnit(uint32_t* unit);
  bool word(std::string* text);

  ByteSource& in_;
  std::string ignored_;
  const char* what_ = "";
};

// Microseconds with a fraction, as a number of JSON, in nanoseconds. False if it is none, or too large.
bool parseMicroseconds(const std::string& text, int64_t* ns);

}  // namespace parallax::perfetto
