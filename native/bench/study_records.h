// Measurements of a study, each a line of a CSV file that a later run reads again.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

struct Record {
  static constexpr char kDone[] = "done";

  std::vector<std::string> keys;  // those of repetitions are the same
  int round = 0;
  std::string outcome;  // kDone, or why there are no figures
  std::vector<double> figures;
};

// The names of their columns, and the outcomes of which a run is not tried again.
struct RecordColumns {
  std::vector<std::string> keys, figures, kept;
};

class RecordFile {
 public:
  RecordFile() = default;  // keeps nothing
  // Reads FOLDER/measurements.csv, if it was written with the same settings (FOLDER/settings); else it begins anew.
  // A line that is cut off is dropped, and one with an outcome that is not kept. `message` says what was found.
  RecordFile(const std::string& folder, const std::string& settings, const RecordColumns& columns, std::string* message);

  const std::vector<Record>& found() const { return found_; }
  // Writes its line at once. Returns false if that fails.
  bool add(const Record& record) const;

 private:
  std::string heading() const;
  std::string lineOf(const Record& record) const;
  bool parse(const std::string& line, Record* record) const;

  std::string path_;
  RecordColumns columns_;
  std::vector<Record> found_;
};

}  // namespace parallax::bench
