// What the monitor tells the analyzer: one JSON object a line, without the line's end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "live/monitored_page.h"

namespace parallax::tuning {

// Version of the lines in both directions.
inline constexpr int kProtocolVersion = 1;

using Number = std::variant<int64_t, uint64_t, double>;

// What stands as 64 bits in a live page.
Number numberOf(live::ValueType type, uint64_t bits);

struct ProcessFacts {
  int pid = 0;
  std::string program, task, library;  // empty: not known (yet)
  int rank = -1;

  bool operator==(const ProcessFacts& other) const {
    return pid == other.pid && program == other.program && task == other.task && library == other.library && rank == other.rank;
  }
};

// What happened at a point since it was last told. Least and most are those of the time since the point was put in.
struct Metric {
  std::string point, key;
  uint64_t count = 0, bytes = 0, ns = 0, leastNs = 0, mostNs = 0;
  double squares = 0;  // sum of the squares of bytes
};

// A variable that the program lets be changed.
struct Tunable {
  std::string name;
  Number value, least, most;

  bool operator==(const Tunable& other) const {
    return name == other.name && value == other.value && least == other.least && most == other.most;
  }
};

struct Answer {
  uint64_t id = 0;
  std::string state;  // waiting, done, refused, undone, lost
  std::string text;   // why
  std::optional<Number> result, old;
};

// What a monitor's line of a host, a process or an action says, for those that pass it on.
struct Told {
  bool isHost = false, isProcess = false, isAction = false, isMetrics = false;
  std::string host, event;  // of an action: its state
  ProcessFacts facts;       // of an action: the process alone
  uint64_t id = 0, timeNs = 0;
};
Told readReport(const std::string& line);

// Makes the lines of one host.
class Reports {
 public:
  explicit Reports(std::string host) : host_(std::move(host)) {}

  const std::string& host() const { return host_; }
  std::string hello(int pid, const std::string& secret) const;
  // Of any host of the program.
  std::string hostEvent(const std::string& host, const char* event, const std::string& architecture) const;
  // `status` as a shell gives it, where it is known.
  std::string process(const ProcessFacts& facts, const char* event, uint64_t timeNs, std::optional<int> status = {}) const;
  std::string metrics(int pid, uint64_t timeNs, const std::vector<Metric>& metrics) const;
  std::string tunables(int pid, const std::vector<Tunable>& tunables) const;
  std::string action(int pid, const Answer& answer, uint64_t timeNs) const;
  std::string problem(const std::string& text, uint64_t line = 0) const;
  // Between monitors: the one of this host is ready; how a process of this host has ended.
  std::string ready() const;
  std::string status(int pid, int status) const;
  std::string end(int status, uint64_t timeNs) const;

 private:
  const std::string host_;
};

}  // namespace parallax::tuning
