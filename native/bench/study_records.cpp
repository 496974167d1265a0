#include "bench/study_records.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace parallax::bench {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line + ",");
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

}  // namespace

RecordFile::RecordFile(const std::string& folder, const std::string& settings, const RecordColumns& columns,
                       std::string* message)
    : path_(folder + "/measurements.csv"), columns_(columns) {
  const std::string before = contents(folder + "/settings"), text = contents(path_);
  std::istringstream lines(text);
  std::string line;
  const bool isKnown = before == settings && std::getline(lines, line) && line == heading();
  while (isKnown && std::getline(lines, line)) {
    // The last line of a run that was killed has no end.
    Record record;
    if (!lines.eof() && parse(line, &record)) found_.push_back(record);
  }
  if (!found_.empty()) {
    *message = std::to_string(found_.size()) + " measurements are there already; they are kept";
  } else if (!text.empty() && text != heading() + "\n") {
    *message = "the measurements there are of other settings; it begins anew";
  }
  std::ofstream(folder + "/settings") << settings;
  std::ofstream out(path_);
  out << heading() << '\n';
  for (const Record& record : found_) out << lineOf(record) << '\n';
}

bool RecordFile::add(const Record& record) const {
  if (path_.empty()) return true;
  std::ofstream out(path_, std::ios::app);
  out << lineOf(record) << std::endl;
  return static_cast<bool>(out);
}

std::string RecordFile::heading() const {
  std::string line;
  for (const std::string& name : columns_.keys) line += name + ",";
  line += "round,outcome";
  for (const std::string& name : columns_.figures) line += "," + name;
  return line;
}

std::string RecordFile::lineOf(const Record& record) const {
  std::string outcome = record.outcome;
  for (char& c : outcome) {
    if (c == ',' || c == '\n' || c == '"') c = ' ';
  }
  std::string line;
  for (const std::string& key : record.keys) line += key + ",";
  line += std::to_string(record.round) + "," + outcome;
  for (size_t i = 0; i < columns_.figures.size(); i++) {
    char text[40] = "";
    if (i < record.figures.size()) snprintf(text, sizeof text, "%.10g", record.figures[i]);
    line += std::string(",") + text;
  }
  return line;
}

// Returns false for a line that is not whole, or whose run is tried again.
bool RecordFile::parse(const std::string& line, Record* record) const {
  const std::vector<std::string> fields = fieldsOf(line);
  const size_t keys = columns_.keys.size();
  if (fields.size() != keys + 2 + columns_.figures.size()) return false;
  record->keys.assign(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(keys));
  record->round = atoi(fields[keys].c_str());
  record->outcome = fields[keys + 1];
  for (size_t i = keys + 2; i < fields.size() && record->outcome == Record::kDone; i++) {
    record->figures.push_back(atof(fields[i].c_str()));
  }
  return std::find(columns_.kept.begin(), columns_.kept.end(), record->outcome) != columns_.kept.end();
}

}  // namespace parallax::bench
