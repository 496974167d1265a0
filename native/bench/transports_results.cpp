#include "bench/transports_results.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <tuple>

#include "bench/transports_settings.h"

namespace parallax::bench {
namespace {

constexpr char kKeys[] = "class,processes,store,mode,round,outcome";
constexpr size_t kKeyCount = 6;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool isOf(const Measurement& m, const Cell& cell) { return !(m.cell < cell) && !(cell < m.cell); }

size_t placeOf(const std::string& figure) {
  const auto& names = figureNames();
  return static_cast<size_t>(std::find(names.begin(), names.end(), figure) - names.begin());
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string heading() {
  std::string line = kKeys;
  for (const std::string& name : figureNames()) line += "," + name;
  return line;
}

std::string lineOf(const Measurement& m) {
  std::string outcome = m.outcome;
  for (char& c : outcome) {
    if (c == ',' || c == '\n' || c == '"') c = ' ';
  }
  std::string line = m.cell.size + "," + std::to_string(m.cell.processes) + "," + m.cell.store + "," + m.cell.mode +
      "," + std::to_string(m.round) + "," + outcome;
  for (size_t i = 0; i < figureNames().size(); i++) {
    char text[40] = "";
    if (i < m.figures.size()) snprintf(text, sizeof text, "%.10g", m.figures[i]);
    line += std::string(",") + text;
  }
  return line;
}

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line + ",");
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

// Returns false for a line that is not whole.
bool parse(const std::string& line, Measurement* m) {
  const std::vector<std::string> fields = fieldsOf(line);
  if (fields.size() != kKeyCount + figureNames().size()) return false;
  m->cell = {fields[0], atoi(fields[1].c_str()), fields[2], fields[3]};
  m->round = atoi(fields[4].c_str());
  m->outcome = fields[5];
  m->figures.clear();
  for (size_t i = kKeyCount; i < fields.size() && m->outcome == Measurement::kDone; i++) {
    m->figures.push_back(atof(fields[i].c_str()));
  }
  return true;
}

}  // namespace

const std::vector<std::string>& figureNames() {
  static const std::vector<std::string> names = {"wall_ns", "cpu_ns", "elapsed_ns", "trace_bytes", "rss_kb",
                                                 "most_rss_kb", "minor_faults", "major_faults",
                                                 "store_requests", "store_bytes", "store_busy_ns", "load"};
  return names;
}

bool Cell::operator<(const Cell& other) const {
  return std::tie(size, processes, store, mode) < std::tie(other.size, other.processes, other.store, other.mode);
}

double Measurement::figure(const std::string& name) const {
  const size_t place = placeOf(name);
  return place < figures.size() ? figures[place] : 0;
}

void Measurement::set(const std::string& name, double value) {
  figures.resize(figureNames().size());
  figures.at(placeOf(name)) = value;
}

Cell untraced(const Cell& cell) { return {cell.size, cell.processes, Store::kPlain, kUntraced}; }

Results::Results(const std::string& folder, const std::string& settings, std::string* message)
    : file_(folder + "/measurements.csv") {
  const std::string before = contents(folder + "/settings"), text = contents(file_);
  std::istringstream lines(text);
  std::string line;
  const bool isKnown = before == settings && std::getline(lines, line) && line == heading();
  while (isKnown && std::getline(lines, line)) {
    // The last line of a run that was killed has no end.
    Measurement m;
    if (!lines.eof() && parse(line, &m) && !m.isFailed()) all_.push_back(m);
  }
  if (!all_.empty()) {
    *message = std::to_string(all_.size()) + " measurements are there already; they are kept";
  } else if (!text.empty() && text != heading() + "\n") {
    *message = "the measurements there are of other settings; it begins anew";
  }
  std::ofstream(folder + "/settings") << settings;
  std::ofstream out(file_);
  out << heading() << '\n';
  for (const Measurement& m : all_) out << lineOf(m) << '\n';
}

bool Results::add(const Measurement& measurement) {
  all_.push_back(measurement);
  if (file_.empty()) return true;
  std::ofstream out(file_, std::ios::app);
  out << lineOf(measurement) << std::endl;
  return static_cast<bool>(out);
}

const Measurement* Results::find(const Cell& cell, int round) const {
  for (const Measurement& m : all_) {
    if (m.round == round && isOf(m, cell)) return &m;
  }
  return nullptr;
}

bool Results::isTooLong(const Cell& cell) const {
  const auto tooLong = std::count_if(all_.begin(), all_.end(), [&](const Measurement& m) {
    return m.outcome == Measurement::kTooLong && isOf(m, cell);
  });
  return static_cast<size_t>(tooLong) > of(cell).size();
}

std::vector<const Measurement*> Results::of(const Cell& cell) const {
  std::vector<const Measurement*> found;
  for (const Measurement& m : all_) {
    if (m.outcome == Measurement::kDone && isOf(m, cell)) found.push_back(&m);
  }
  return found;
}

Estimate Results::estimateOf(const Cell& cell, const std::string& figure) const {
  std::vector<double> values;
  for (const Measurement& m : all_) {
    if (!isOf(m, cell)) continue;
    if (m.outcome == Measurement::kTooLong) values.push_back(kInfinity);
    if (m.outcome == Measurement::kDone) values.push_back(m.figure(figure));
  }
  return estimate(values);
}

// NaN if it is not known; infinite if it took too long.
double Results::increase(const Measurement& m, const std::string& figure) const {
  const Measurement* plain = find(untraced(m.cell), m.round);
  if (plain == nullptr || plain->outcome != Measurement::kDone || plain->figure(figure) <= 0) return std::nan("");
  if (m.outcome == Measurement::kTooLong) return kInfinity;
  return m.outcome == Measurement::kDone ? m.figure(figure) / plain->figure(figure) - 1 : std::nan("");
}

Estimate Results::increaseOf(const Cell& cell, const std::string& figure) const {
  std::vector<double> values;
  for (const Measurement& m : all_) {
    const double value = isOf(m, cell) ? increase(m, figure) : std::nan("");
    if (!std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

Estimate Results::increaseAbove(const Cell& cell, const Cell& other, const std::string& figure) const {
  std::vector<double> values;
  for (const Measurement& m : all_) {
    const Measurement* base = isOf(m, cell) ? find(other, m.round) : nullptr;
    const double value = base != nullptr ? increase(m, figure) - increase(*base, figure) : std::nan("");
    if (!std::isnan(value)) values.push_back(value);
  }
  return estimate(values);
}

std::vector<const Measurement*> Results::failures() const {
  std::vector<const Measurement*> found;
  for (const Measurement& m : all_) {
    if (m.isFailed()) found.push_back(&m);
  }
  return found;
}

}  // namespace parallax::bench
