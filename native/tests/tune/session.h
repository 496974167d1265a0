// parallax-tune with a program, and the test as the analyzer.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/guest_runner.h"

namespace parallax::tests {

using Json = nlohmann::ordered_json;

class TuneSession {
 public:
  // Begins with a request that sets these points, so that the command starts at once. `before` precedes the monitor.
  TuneSession(const Words& command, const Json& points, const Words& options = {}, const Words& before = {});
  ~TuneSession();
  TuneSession(const TuneSession&) = delete;
  TuneSession& operator=(const TuneSession&) = delete;

  pid_t pid() const { return monitor_; }
  void send(const Json& line) { write(line.dump()); }
  void write(const std::string& line);
  void setPoints(const Json& points) { send({{"type", "points"}, {"points", points}}); }
  // As an analyzer that ends.
  void closeLines();

  // The first line, also of those before, for which the test holds; null if none comes in time.
  Json await(const std::function<bool(const Json&)>& holds, int patienceMs = 10000);
  Json await(const std::string& type, const std::string& member = "", const Json& value = {}, int patienceMs = 10000);
  const std::vector<Json>& lines() const { return lines_; }
  // Counts of metrics of this point, of all lines that have come, for this process or all (0).
  uint64_t count(const std::string& point, int pid = 0, const std::string& key = "") const;
  uint64_t sum(const std::string& point, const std::string& number, int pid = 0, const std::string& key = "") const;
  // Until the counts are these; false if they are not in time.
  bool awaitCount(const std::string& point, uint64_t count, int pid = 0, const std::string& key = "");

  // To the standard input of the command; a line of its standard output (empty: none in time); to its end.
  void toCommand(const std::string& line);
  std::string fromCommand(int patienceMs = 10000);
  void endCommandInput();
  // What is left of its standard output, to its end.
  std::string output();
  // Waits for the end of the monitor: its status. Reads all lines that are left.
  int end();

 private:
  bool readSome(int patienceMs);

  pid_t monitor_ = -1;
  int toMonitor_ = -1, fromMonitor_ = -1, toCommand_ = -1, fromCommand_ = -1;
  std::string rest_, commandRest_;
  std::vector<Json> lines_;
};

std::string monitorProgram();  // path of parallax-tune

}  // namespace parallax::tests
