#include "tools/points/points_place.h"

#include <stdlib.h>
#include <string.h>

namespace parallax::points {
namespace {

bool takePrefix(std::string* text, const char* prefix) {
  if (text->compare(0, strlen(prefix), prefix) != 0) return false;
  text->erase(0, strlen(prefix));
  return true;
}

// The last colon that is not one of "::", or npos.
size_t lastSingleColon(const std::string& text) {
  for (size_t at = text.size(); at-- > 0;) {
    if (text[at] != ':') continue;
    if (at > 0 && text[at - 1] == ':') {
      at--;
      continue;
    }
    return at;
  }
  return std::string::npos;
}

// FILE:LINE; leaves its results alone when it is none.
bool splitLine(const std::string& text, std::string* file, uint32_t* line) {
  const size_t colon = lastSingleColon(text);
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size() ||
      text.find_first_not_of("0123456789", colon + 1) != std::string::npos ||
      text.size() - colon > 9) {
    return false;
  }
  *file = text.substr(0, colon);
  *line = static_cast<uint32_t>(strtoul(text.c_str() + colon + 1, nullptr, 10));
  return true;
}

// FILE:FUNCTION or FUNCTION.
void splitFunction(const std::string& text, std::string* file, std::string* function) {
  const size_t colon = lastSingleColon(text);
  // A file has no parenthesis, which parameters of functions may be behind.
  const bool hasFile = colon != std::string::npos && colon > 0 && colon < text.find('(');
  if (hasFile) *file = text.substr(0, colon);
  *function = hasFile ? text.substr(colon + 1) : text;
}

// libsolver.so!solve; "operator!" is no module.
void takeModule(std::string* text, std::string* module) {
  const size_t mark = text->find('!');
  if (mark == std::string::npos || mark == 0) return;
  const std::string before = text->substr(0, mark);
  for (const char* kind : {"line:", "macro:", "before:", "after:", "exit:", "entry:"}) {
    if (before.compare(0, strlen(kind), kind) == 0) return;  // it stands behind that
  }
  constexpr char kOperator[] = "operator";
  const bool isOperator = before.size() >= strlen(kOperator) &&
                          before.compare(before.size() - strlen(kOperator), std::string::npos,
                                         kOperator) == 0;
  if (isOperator || before.find('(') != std::string::npos) return;
  *module = before;
  text->erase(0, mark + 1);
}

}  // namespace

Place parsePlace(const std::string& text) {
  Place place;
  place.text = text;
  std::string rest = text;
  takeModule(&rest, &place.module);
  const bool isLine = takePrefix(&rest, "line:");
  bool isCall = false, isFunction = false;
  if (takePrefix(&rest, "macro:")) {
    place.kind = PlaceKind::kMacro;
  } else if (takePrefix(&rest, "before:")) {
    place.kind = PlaceKind::kBefore;
    isCall = true;
  } else if (takePrefix(&rest, "after:")) {
    place.kind = PlaceKind::kAfter;
    isCall = true;
  } else if (takePrefix(&rest, "exit:")) {
    place.kind = PlaceKind::kExit;
    isFunction = true;
  } else if (takePrefix(&rest, "entry:")) {
    isFunction = true;
  }
  if (place.module.empty()) takeModule(&rest, &place.module);
  if (place.kind == PlaceKind::kMacro) {
    place.name = rest;
  } else if (isCall) {
    const size_t at = rest.find('@');
    place.name = rest.substr(0, at);
    const std::string where = at == std::string::npos ? std::string() : rest.substr(at + 1);
    if (at != std::string::npos && where.empty()) {
      place.problem = "after '@', write a function or FILE:LINE";
    }
    if (!splitLine(where, &place.inFile, &place.inLine)) {
      splitFunction(where, &place.inFile, &place.inFunction);
    }
  } else if (!isFunction && splitLine(rest, &place.file, &place.line)) {
    place.kind = PlaceKind::kLine;
    place.name = rest;
  } else if (isLine) {
    place.problem = "a line is FILE:LINE, such as solver.c:120";
  } else {
    splitFunction(rest, &place.file, &place.name);
  }
  if (place.name.empty() && place.problem.empty()) place.problem = "a name is missing";
  return place;
}

}  // namespace parallax::points
