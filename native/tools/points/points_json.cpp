#include "tools/points/points_json.h"

#include <stdio.h>

#include "tools/points/points_words.h"

namespace parallax::points {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char buffer[8];
      snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(c));
      result += buffer;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string field(const char* name, const std::string& value) {
  return std::string("\"") + name + "\":" + value;
}

std::string pointText(const Point& point, size_t factor) {
  const Patch& patch = *point.patch;
  std::string text = "{" + field("id", std::to_string(point.id));
  const auto add = [&text](const char* name, const std::string& value) {
    text += "," + field(name, value);
  };
  add("factor", std::to_string(factor));
  add("module", std::to_string(point.module));
  add("offset", quoted(digits(patch.offset)));
  add("method", quoted(nameOf(patch.method)));
  add("pad", quoted(digits(patch.pad)));
  add("original", quoted(bytesText(patch.original)));
  add("code", quoted(bytesText(patch.displaced.code)));
  add("fixes", quoted(fixesText(patch.displaced)));
  add("address", quoted(digits(point.address)));
  if (!point.function.empty()) add("function", quoted(point.function));
  if (!point.file.empty()) add("file", quoted(point.file));
  if (point.line != 0) add("line", std::to_string(point.line));
  return text + "}";
}

std::string placeText(const Resolved& resolved, size_t factor) {
  std::string text = "{" + field("place", quoted(resolved.place.text));
  std::string list;
  for (const Point& point : resolved.points) {
    list += (list.empty() ? "\n   " : ",\n   ") + pointText(point, factor);
  }
  text += ",\n  " + field("points", "[" + list + "]");
  list.clear();
  for (const Range& range : resolved.ranges) {
    list += (list.empty() ? "{" : ",{") + field("factor", std::to_string(factor)) + "," +
            field("module", std::to_string(range.module)) + "," +
            field("begin", quoted(digits(range.begin))) + "," +
            field("end", quoted(digits(range.end))) + "}";
  }
  text += ",\n  " + field("ranges", "[" + list + "]");
  if (!resolved.points.empty()) {
    const Point& first = resolved.points.front();
    if (!first.function.empty()) text += ",\n  " + field("function", quoted(first.function));
    if (!first.file.empty()) text += ",\n  " + field("file", quoted(first.file));
    if (first.line != 0) text += ",\n  " + field("line", std::to_string(first.line));
  }
  if (!resolved.problem.empty()) text += ",\n  " + field("problem", quoted(resolved.problem));
  std::string notes;
  for (const std::string& note : resolved.notes) notes += (notes.empty() ? "" : "; ") + note;
  if (!notes.empty()) text += ",\n  " + field("note", quoted(notes));
  return text + "}";
}

}  // namespace

std::string toJson(const std::vector<std::unique_ptr<Module>>& modules,
                   const std::vector<Resolved>& places) {
  std::string text = "{\"modules\":[";
  for (size_t i = 0; i < modules.size(); i++) {
    text += (i == 0 ? "\n {" : ",\n {") + field("index", std::to_string(modules[i]->index())) +
            "," + field("path", quoted(modules[i]->image().path())) + "," +
            field("buildId", quoted(modules[i]->image().buildId())) + "}";
  }
  text += "],\n\"places\":[";
  for (size_t i = 0; i < places.size(); i++) {
    text += (i == 0 ? "\n " : ",\n ") + placeText(places[i], i);
  }
  return text + "]}\n";
}

}  // namespace parallax::points
