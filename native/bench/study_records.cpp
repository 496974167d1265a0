#include "bench/study_records.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace parallax::bench {
namespace {

constexpr size_t kOthers = 3;  // columns between keys and figures: session, round, outcome

bool isThere(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Whole or not at all, also if this program is killed. Returns false if that fails.
bool writeWhole(const std::string& path, const std::string& text) {
  const std::string partial = path + ".part";
  const int fd = open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  const bool isWritten = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(fd) == 0;
  return close(fd) == 0 && isWritten && rename(partial.c_str(), path.c_str()) == 0;
}

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line + ",");
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

std::string nameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

RecordFile::RecordFile(const std::string& folder, const std::string& settings, const RecordColumns& columns,
                       std::string* message)
    : columns_(columns) {
  isUsable_ = choose(folder, settings);
  const std::string text = contents(path_);
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !lines.eof()) {
    Record record;
    if (!parse(line, &record)) continue;
    session_ = std::max(session_, record.session + 1);
    if (!record.isFailed()) found_.push_back(record);
  }
  // The last line of a run that was killed has no end.
  const size_t whole = text.rfind('\n') + 1;
  if (whole < text.size() && truncate(path_.c_str(), static_cast<off_t>(whole)) != 0) isUsable_ = false;
  const bool isFirst = nameOf(path_) == "measurements.csv";
  if (!found_.empty()) {
    *message = std::to_string(found_.size()) + " measurements are there already" + (isFirst ? "" : ", in " + nameOf(path_)) +
        "; they are kept";
  } else if (!isFirst) {
    *message = "the measurements there are of other settings; those of these settings are kept in " + nameOf(path_);
  }
}

// The settings are written first: without them measurements belong to nothing. Returns false if a file cannot be written.
bool RecordFile::choose(const std::string& folder, const std::string& settings) {
  for (int number = 1;; number++) {
    const std::string ending = number == 1 ? "" : "-" + std::to_string(number);
    const std::string about = folder + "/settings" + ending;
    path_ = folder + "/measurements" + ending + ".csv";
    if (!isThere(about) && !isThere(path_)) return writeWhole(about, settings) && writeWhole(path_, heading() + "\n");
    if (contents(about) != settings) continue;
    if (!isThere(path_)) return writeWhole(path_, heading() + "\n");
    if (contents(path_).compare(0, heading().size() + 1, heading() + "\n") == 0) return true;
  }
}

bool RecordFile::add(const Record& record) const {
  if (path_.empty()) return true;
  if (!isUsable_) return false;
  std::ofstream out(path_, std::ios::app);
  out << lineOf(record) << std::endl;
  return static_cast<bool>(out);
}

std::string RecordFile::heading() const {
  std::string line;
  for (const std::string& name : columns_.keys) line += name + ",";
  line += "session,round,outcome";
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
  line += std::to_string(record.session) + "," + std::to_string(record.round) + "," + outcome;
  for (size_t i = 0; i < columns_.figures.size(); i++) {
    char text[40] = "";
    if (i < record.figures.size()) snprintf(text, sizeof text, "%.10g", record.figures[i]);
    line += std::string(",") + text;
  }
  return line;
}

// Returns false for a line that is not whole.
bool RecordFile::parse(const std::string& line, Record* record) const {
  const std::vector<std::string> fields = fieldsOf(line);
  const size_t keys = columns_.keys.size();
  if (fields.size() != keys + kOthers + columns_.figures.size()) return false;
  record->keys.assign(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(keys));
  record->session = atoi(fields[keys].c_str());
  record->round = atoi(fields[keys + 1].c_str());
  record->outcome = fields[keys + 2];
  for (size_t i = keys + kOthers; i < fields.size() && record->outcome == Record::kDone; i++) {
    record->figures.push_back(atof(fields[i].c_str()));
  }
  return true;
}

}  // namespace parallax::bench
