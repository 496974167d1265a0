// The live page of a process, from the side of the monitor. One monitor at a time uses a page. No function waits for the
// process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "live/live_page.h"

namespace parallax::live {

// Messages and visits of one point with one key, since the page was made.
struct Count {
  uint32_t point;  // as in setPoints()
  uint64_t key;    // kNone: 0; kPeer: the peer, or kOthers; kSize: the least bytes of the class
  uint64_t count = 0, bytes = 0;
  double squares = 0;
  uint64_t ns = 0, leastNs = 0, mostNs = 0;
};

struct AskedPoint {
  std::vector<std::string> routines;
  Key key = Key::kNone;

  bool operator==(const AskedPoint& other) const { return routines == other.routines && key == other.key; }
};

struct Argument {
  ArgumentType type = ArgumentType::kInteger;
  int64_t integer = 0;
  double number = 0;
  std::string text;

  static Argument of(int64_t integer) { return {ArgumentType::kInteger, integer, 0, ""}; }
  static Argument ofDouble(double number) { return {ArgumentType::kDouble, 0, number, ""}; }
  static Argument ofText(const std::string& text) { return {ArgumentType::kString, 0, 0, text}; }
};

struct AskedAction {
  uint32_t id = 0;
  ActionKind kind = ActionKind::kCall;
  std::string at = "any", name, module, text;
  uint64_t address = 0;
  uint32_t undoes = 0;
  ReturnType returns = ReturnType::kInt;
  ValueType valueType = ValueType::kI64;
  std::vector<Argument> arguments;  // of a call; else the first one is the value
};

struct Answer {
  uint32_t id;
  ActionKind kind;
  bool done;  // false: refused
  uint64_t result, old;  // doubles by their bits
  uint64_t ns;           // CLOCK_MONOTONIC
  std::string text;
};

struct DeclaredVariable {
  std::string name;
  ValueType type;
  uint64_t value, least, most;  // doubles by their bits
};

class MonitoredPage {
 public:
  // Maps the page. Returns an empty text, or what is wrong with the file.
  std::string open(const std::string& path);
  MonitoredPage() = default;
  MonitoredPage(MonitoredPage&& other) noexcept { *this = std::move(other); }
  MonitoredPage& operator=(MonitoredPage&& other) noexcept;
  ~MonitoredPage();

  const Header& header() const { return page_.header(); }
  std::string program() const;
  std::string library() const;
  bool hasEnded() const { return header().state.load(std::memory_order_acquire) == static_cast<uint32_t>(ProcessState::kEnded); }

  // From now on exactly these are counted; those that stay as they were go on counting. The index of each is its place in the
  // list. Returns an empty text, or why a point cannot be asked for, and then nothing is changed.
  std::string setPoints(const std::vector<AskedPoint>& points);
  // Why this one cannot be asked for; empty if it can.
  static std::string problemOf(const AskedPoint& point);
  // What was counted for the points since each was first set, of all threads together; empty cells are left out. A point
  // with the key kPeer has up to 63 peers for each thread.
  std::vector<Count> counts() const;

  // Puts the action into the page. Returns an empty text, or why it cannot be.
  std::string ask(const AskedAction& action);
  // Nothing is measured or asked any more, whatever a monitor that was killed has left half done. For who comes after it.
  void clear();
  // Takes an action back that the process has not taken. False: it has, or there is none.
  bool takeBack(uint32_t id);
  // The answers that have come since the last call. Their places are free then.
  std::vector<Answer> takeAnswers();
  // The ids of actions that were not answered yet.
  std::vector<uint32_t> unanswered() const;

  std::vector<DeclaredVariable> tunables() const;

 private:
  double nsOf(uint64_t ticks) const { return static_cast<double>(ticks) * 1e9 / static_cast<double>(header().ticksPerSecond); }

  Page page_;
  struct Place {
    AskedPoint point;
    bool isUsed = false;
  };
  std::vector<Place> places_ = std::vector<Place>(kPoints);
  std::vector<uint32_t> order_;  // of the asked points: their places
  // Cells that nobody ends writing, with their sequence: a thread was left by longjmp or killed there. They are waited for once.
  mutable std::map<const Cell*, uint32_t> left_;
};

}  // namespace parallax::live
