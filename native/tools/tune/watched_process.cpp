#include "tools/tune/watched_process.h"

#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tools/tune/code_changes.h"
#include "tools/tune/program_symbol.h"

namespace parallax::tuning {
namespace {

using live::ActionKind;
using live::ValueType;

// Field 22 of /proc/PID/stat; 0: there is no such process, or it only waits to be waited for.
uint64_t startTicksOf(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t name = line.rfind(')');
  if (name == std::string::npos) return 0;
  std::istringstream fields(line.substr(name + 1));
  constexpr int kBetween = 18;
  std::string state, field;
  fields >> state;  // field 3
  for (int i = 0; i < kBetween; i++) fields >> field;
  uint64_t ticks = 0;
  fields >> ticks;
  return state == "Z" || state == "X" ? 0 : ticks;
}

uint64_t bytesOf(ValueType type) {
  return type == ValueType::kI32 || type == ValueType::kU32 || type == ValueType::kF32 ? sizeof(uint32_t) : sizeof(uint64_t);
}

std::string keyText(live::Key key, uint64_t value) {
  if (key == live::Key::kNone) return "";
  return key == live::Key::kPeer && value == live::kOthers ? "others" : std::to_string(value);
}

}  // namespace

WatchedProcess::WatchedProcess(const std::string& path, ino_t inode, std::string* problem) : path_(path), inode_(inode) {
  *problem = page_.open(path);
  if (!problem->empty()) return;
  endFd_ = static_cast<int>(syscall(SYS_pidfd_open, pid(), 0));
  if (endFd_ < 0 || startTicksOf(pid()) == page_.header().startTicks) return;
  close(endFd_);  // of another process, which has the number now
  endFd_ = -1;
}

WatchedProcess::~WatchedProcess() {
  if (endFd_ >= 0) close(endFd_);
}

ProcessFacts WatchedProcess::facts() const {
  const live::Header& header = page_.header();
  ProcessFacts facts;
  facts.pid = header.pid;
  facts.program = page_.program();
  facts.library = page_.library();
  facts.rank = header.rank.load(std::memory_order_relaxed);
  if (const int task = header.task.load(std::memory_order_relaxed); task != -1) {
    char text[16];
    snprintf(text, sizeof text, "t%x", static_cast<unsigned>(task));
    facts.task = text;
  }
  return facts;
}

bool WatchedProcess::hasEnded() const {
  if (endFd_ >= 0) {
    pollfd end{endFd_, POLLIN, 0};
    return poll(&end, 1, 0) > 0;
  }
  return startTicksOf(pid()) != page_.header().startTicks;
}

std::string WatchedProcess::setPoints(const std::vector<Point>& points) {
  std::vector<Measured> measured;
  std::vector<live::AskedPoint> asked;
  std::string problems;
  for (const Point& point : points) {
    if (!point.holdsFor(pid())) continue;
    if (const std::string problem = live::MonitoredPage::problemOf(point.measured); !problem.empty()) {
      problems += (problems.empty() ? "" : "; ") + point.name + ": " + problem;
      continue;
    }
    const auto same = std::find(asked.begin(), asked.end(), point.measured);
    if (same == asked.end()) {
      asked.push_back(point.measured);
      measured.push_back({point.measured, {point.name}});
    } else {
      measured[static_cast<size_t>(same - asked.begin())].names.push_back(point.name);
    }
  }
  const std::string problem = page_.setPoints(asked);
  if (!problem.empty()) return problem;
  // What stays goes on counting.
  std::map<CellKey, live::Count> told;
  for (uint32_t now = 0; now < measured.size(); now++) {
    for (const auto& [key, count] : told_) {
      if (measured_[key.first].point == measured[now].point) told[{now, key.second}] = count;
    }
  }
  measured_ = std::move(measured);
  told_ = std::move(told);
  return problems;
}

std::vector<Metric> WatchedProcess::takeMetrics() {
  std::vector<Metric> metrics;
  for (const live::Count& count : page_.counts()) {
    if (count.point >= measured_.size()) continue;
    live::Count& told = told_[{count.point, count.key}];
    if (count.count == told.count) continue;
    const Measured& measured = measured_[count.point];
    for (const std::string& name : measured.names) {
      metrics.push_back({name, keyText(measured.point.key, count.key), count.count - told.count, count.bytes - told.bytes,
                         count.ns - told.ns, count.leastNs, count.mostNs, count.squares - told.squares});
    }
    told = count;
  }
  return metrics;
}

uint64_t WatchedProcess::takeLost() {
  const uint64_t lost = page_.header().lost.load(std::memory_order_relaxed);
  const uint64_t more = lost - toldLost_;
  toldLost_ = lost;
  return more;
}

// A program exports few of its functions and variables, and the process knows only those.
std::string WatchedProcess::locate(live::AskedAction* asked) const {
  const bool isVariable = asked->kind == ActionKind::kSetVariable;
  if ((!isVariable && asked->kind != ActionKind::kCall) || asked->name.empty()) return "";
  const std::string program = page_.program();
  const ProgramSymbol symbol = findProgramSymbol(program, asked->name);
  if (symbol.address == 0) return "";  // maybe of a library
  const std::string fact = asked->name + " of " + program;
  if (symbol.isAmbiguous) return "several things have the name " + fact + "; give the address of the right one";
  if (symbol.isVariable != isVariable) return fact + (isVariable ? " is a function" : " is a variable");
  if (isVariable && symbol.bytes != bytesOf(asked->valueType)) {
    return fact + " has " + std::to_string(symbol.bytes) + " bytes, and a value of this type " + std::to_string(bytesOf(asked->valueType));
  }
  asked->name.clear();
  asked->module = program;
  asked->address = symbol.address;
  return "";
}

std::string WatchedProcess::changePath(uint32_t id) const { return path_ + "." + std::to_string(id); }

std::string WatchedProcess::ask(const Action& action) {
  live::AskedAction asked = action.asked;
  if (isChangeOfCode(asked.kind)) {
    asked.text = changePath(asked.id);
    const std::string problem = page_.ask(asked);
    if (!problem.empty()) unlink(asked.text.c_str());
    return problem;
  }
  if (const std::string problem = locate(&asked); !problem.empty()) return problem;
  if (asked.kind == ActionKind::kTunable) {
    const std::vector<live::DeclaredVariable> variables = page_.tunables();
    const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& each) { return each.name == asked.name; });
    if (found == variables.end()) return "the program declares no variable " + asked.name;
    asked.valueType = found->type;
    if (const std::string wrong = setValue(action.value, &asked); !wrong.empty()) {
      return action.value + " is not " + wrong + ", which the variable " + asked.name + " has";
    }
  } else if (asked.kind == ActionKind::kCall) {
    asked.valueType = asked.returns == live::ReturnType::kDouble ? ValueType::kF64 : ValueType::kI64;
  }
  const std::string problem = page_.ask(asked);
  if (problem.empty()) asked_[asked.id] = asked.valueType;
  return problem;
}

std::vector<Answer> WatchedProcess::takeAnswers() {
  std::vector<Answer> answers;
  for (const live::Answer& answer : page_.takeAnswers()) {
    Answer told;
    told.id = answer.id;
    told.text = answer.text;
    told.state = !answer.done ? "refused" : answer.kind == ActionKind::kUndo ? "undone" : "done";
    const auto asked = asked_.find(answer.id);
    const ValueType type = asked != asked_.end() ? asked->second : ValueType::kI64;
    const bool hasNumbers = answer.done && (answer.kind == ActionKind::kCall || answer.kind == ActionKind::kSetVariable ||
                                            answer.kind == ActionKind::kTunable);
    if (hasNumbers) told.result = numberOf(type, answer.result);
    if (hasNumbers && answer.kind != ActionKind::kCall) told.old = numberOf(type, answer.old);
    if (asked != asked_.end()) asked_.erase(asked);
    if (isChangeOfCode(answer.kind)) unlink(changePath(answer.id).c_str());
    answers.push_back(std::move(told));
  }
  return answers;
}

bool WatchedProcess::takeBack(uint32_t id) {
  if (!page_.takeBack(id)) return false;
  unlink(changePath(id).c_str());
  asked_.erase(id);
  return true;
}

std::vector<Answer> WatchedProcess::takeAllBack(const std::string& why) {
  std::vector<Answer> answers = takeAnswers();
  for (const uint32_t id : page_.unanswered()) {
    if (takeBack(id)) answers.push_back({id, "lost", why, {}, {}});
  }
  return answers;
}

std::vector<Answer> WatchedProcess::giveUp(const std::string& why) {
  std::vector<Answer> answers = takeAllBack(why);
  for (const uint32_t id : page_.unanswered()) answers.push_back({id, "lost", why, {}, {}});
  return answers;
}

std::vector<Tunable> WatchedProcess::tunables() const {
  std::vector<Tunable> tunables;
  for (const live::DeclaredVariable& variable : page_.tunables()) {
    tunables.push_back({variable.name, numberOf(variable.type, variable.value), numberOf(variable.type, variable.least),
                        numberOf(variable.type, variable.most)});
  }
  return tunables;
}

}  // namespace parallax::tuning
