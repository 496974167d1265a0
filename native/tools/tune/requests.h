// What an analyzer asks of the monitor: one JSON object a line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "live/monitored_page.h"
#include "tools/points/points_prepare.h"

namespace parallax::tuning {

// A process; without a host: of any host.
struct ProcessName {
  std::string host;
  int pid = 0;
};

// Routines that are measured together.
struct Point {
  std::string name;
  live::AskedPoint measured;
  bool everywhere = true;      // or in these processes alone
  std::vector<ProcessName> processes;

  // Leaves out the processes of other hosts.
  void keepThoseOf(const std::string& host);
  // Among those of the host.
  bool holdsFor(int pid) const;
};

// All points from now on: those that are not among them are removed.
struct Points {
  std::vector<Point> points;
};

// How long the monitor gathers before it tells metrics.
struct Interval {
  uint64_t ns = 0;
};

// One action in one process.
struct Action {
  std::string host;  // empty: that of the monitor
  int pid = 0;
  live::AskedAction asked;
  std::string value;  // as it stands in the line, of a variable whose type the monitor looks up
  points::ActionRequest change;  // of code
  uint32_t undoes = 0;           // the action that a call undoes; 0: none
  std::string line;              // that it came in
  std::shared_ptr<const Action> undo;  // undoes a call, when tuning ends before the analyzer has wanted it to stay
};

// An action is to stay when tuning ends. Others that can be undone are undone then.
struct Keep {
  std::string host;  // empty: that of the monitor
  uint32_t id = 0;
};

// Of the monitor that has lost its analyzer, for those of other hosts.
struct Lost {};

// An action that waits is not to be taken any more.
struct TakeBack {
  std::string host;  // empty: that of the monitor
  int pid = 0;
  uint32_t id = 0;
};

// No more tuning; the program goes on.
struct Stop {};

// A signal for the command.
struct Kill {
  int signal = 0;
};

// Not of an analyzer, but of who started the process: how it has ended, as a shell gives it.
struct Status {
  int pid = 0, status = 0;
};

// Of another host, whose monitor is ready.
struct Ready {};

using Request = std::variant<Points, Interval, Action, TakeBack, Keep, Lost, Stop, Kill, Status, Ready>;

// The value of the action becomes this text, of its valueType. Returns what is expected instead, empty if it is right.
std::string setValue(const std::string& text, live::AskedAction* asked);

// Returns what is wrong with the line, empty when nothing is. Unknown members are ignored: a later analyzer may have more.
std::string parseRequest(const std::string& line, Request* request);

}  // namespace parallax::tuning
