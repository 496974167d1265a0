// Measurements of a study, each a line of a CSV file that a later run reads again.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

struct Record {
  static constexpr char kDone[] = "done";
  static constexpr char kTooLong[] = "too long";  // it was ended

  std::vector<std::string> keys;  // those of repetitions are the same
  int round = 0;
  std::string outcome;  // kDone, kTooLong, or why there are no figures
  std::vector<double> figures;
  int session = 0;  // the run of the study that has measured it

  bool isFailed() const { return outcome != kDone && outcome != kTooLong; }
};

// The names of their columns.
struct RecordColumns {
  std::vector<std::string> keys, figures;
};

// Each line that was measured stays for good: a run of a study only adds lines, and one with other settings has a file of its
// own.
class RecordFile {
 public:
  RecordFile() = default;  // keeps nothing
  // Reads the file in `folder` that was written with the same settings and columns: measurements.csv with `settings`, or
  // measurements-2.csv with `settings-2`, and so on. If there is none it begins the first that is not there. A last line that
  // was cut off is dropped. `message` says what was found.
  RecordFile(const std::string& folder, const std::string& settings, const RecordColumns& columns, std::string* message);

  // Where it is; empty without a file.
  const std::string& path() const { return path_; }
  // Those that did not fail. The last one counts, if several have the same keys and round.
  const std::vector<Record>& found() const { return found_; }
  // The session of what is added: higher than all that were found.
  int session() const { return session_; }
  // Writes its line at once. Returns false if that fails.
  bool add(const Record& record) const;

 private:
  bool choose(const std::string& folder, const std::string& settings);
  std::string heading() const;
  std::string lineOf(const Record& record) const;
  bool parse(const std::string& line, Record* record) const;

  std::string path_;
  bool isUsable_ = true;
  RecordColumns columns_;
  std::vector<Record> found_;
  int session_ = 1;
};

}  // namespace parallax::bench
