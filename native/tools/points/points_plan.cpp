#include "tools/points/points_plan.h"

#include "tools/points/points_words.h"

namespace parallax::points {
namespace {

std::string line(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields) {
    if (!text.empty()) text += '\t';
    for (const char c : field) text += c == '\t' || c == '\n' ? ' ' : c;
  }
  return text + '\n';
}

std::string pointLines(const Point& point, const std::string& factor) {
  const Patch& patch = *point.patch;
  const std::string id = std::to_string(point.id);
  return line({"point", id, factor, std::to_string(point.module), digits(patch.offset),
               nameOf(patch.method), digits(patch.pad), bytesText(patch.original),
               bytesText(patch.displaced.code), fixesText(patch.displaced)}) +
         line({"where", id, point.function, point.file, std::to_string(point.line)});
}

}  // namespace

std::string toPlan(const std::vector<std::unique_ptr<Module>>& modules,
                   const std::vector<Answer>& answers) {
  std::string text;
  uint32_t nextId = 0;
  for (const auto& module : modules) {
    const std::string buildId = module->image().buildId();
    text += line({"module", std::to_string(module->index()), buildId.empty() ? "-" : buildId,
                  module->image().path()});
  }
  for (const Answer& answer : answers) {
    for (const Point& point : answer.place.points) {
      if (point.id >= nextId) nextId = point.id + 1;
    }
  }
  for (size_t i = 0; i < answers.size(); i++) {
    const Answer& answer = answers[i];
    const Resolved& resolved = answer.place;
    const std::string factor = std::to_string(i);
    if (!answer.problem().empty()) {
      text += line({"problem", factor, answer.problem()});
    } else if (answer.isVariable) {
      text += line({"variable", factor, std::to_string(answer.variable.module),
                    digits(answer.variable.address)});
    } else if (resolved.place.kind == PlaceKind::kMacro) {
      text += line({"macro", std::to_string(nextId++), factor, resolved.place.name});
    }
    for (const Point& point : resolved.points) text += pointLines(point, factor);
    for (const Range& range : resolved.ranges) {
      text += line({"range", factor, std::to_string(range.module), digits(range.begin),
                    digits(range.end)});
    }
    for (const std::string& note : resolved.notes) text += line({"note", factor, note});
  }
  return text;
}

}  // namespace parallax::points
