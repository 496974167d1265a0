#include "tools/tune/unkept_actions.h"

#include <cstdlib>
#include <iterator>
#include <utility>

namespace parallax::tuning {
namespace {

using live::ActionKind;

// What a line of the journal begins with; then the line of the analyzer, an id, or a pid.
constexpr char kAsked = 'A', kDone = 'D', kRefused = 'R', kKept = 'K', kEnded = 'E', kTaken = 'T';

std::vector<Action> undoingOf(const Action& action) {
  if (action.undo != nullptr) return {*action.undo};
  if (action.asked.kind == ActionKind::kCall || action.asked.kind == ActionKind::kUndo) return {};
  Action undo;
  undo.asked.kind = ActionKind::kUndo;
  undo.asked.at = action.asked.at;
  undo.asked.undoes = action.asked.id;
  return {undo};
}

}  // namespace

void UnkeptActions::replay(const std::string& line) {
  if (line.empty()) return;
  const std::string text = line.substr(1);
  const auto number = [&] { return static_cast<uint32_t>(strtoul(text.c_str(), nullptr, 10)); };
  Request request;
  switch (line[0]) {
    case kAsked:
      if (parseRequest(text, &request).empty() && std::holds_alternative<Action>(request)) asked(std::get<Action>(request));
      break;
    case kDone: case kRefused: answered(number(), line[0] == kDone); break;
    case kKept: keep(number()); break;
    case kEnded: ended(static_cast<int>(number())); break;
    case kTaken: takeUndoing(); break;
    default: break;
  }
}

void UnkeptActions::asked(const Action& action) {
  note(kAsked, action.line);
  Asked asked;
  asked.pid = action.pid;
  asked.undoes = action.undoes != 0 ? action.undoes : action.asked.undoes;
  if (asked.undoes == 0) asked.undoing = undoingOf(action);
  if (const auto undone = asked_.find(asked.undoes); undone != asked_.end()) undone->second.isKept = false;
  if (asked.undoes != 0 || !asked.undoing.empty()) asked_[action.asked.id] = std::move(asked);
}

void UnkeptActions::answered(uint32_t id, bool done) {
  note(done ? kDone : kRefused, std::to_string(id));
  const auto found = asked_.find(id);
  if (found == asked_.end()) return;
  const uint32_t undoes = found->second.undoes;
  if (done && undoes == 0) {
    found->second.isDone = true;
    return;
  }
  if (done) asked_.erase(undoes);
  asked_.erase(id);
}

void UnkeptActions::keep(uint32_t id) {
  note(kKept, std::to_string(id));
  if (const auto found = asked_.find(id); found != asked_.end()) found->second.isKept = true;
}

void UnkeptActions::ended(int pid) {
  note(kEnded, std::to_string(pid));
  for (auto each = asked_.begin(); each != asked_.end();) each = each->second.pid == pid ? asked_.erase(each) : std::next(each);
}

std::vector<Action> UnkeptActions::takeUndoing() {
  note(kTaken, "");
  std::vector<Action> undoing;
  for (auto each = asked_.rbegin(); each != asked_.rend(); ++each) {
    Asked& asked = each->second;
    if (!asked.isDone || asked.isKept || asked.undoing.empty()) continue;
    Action undo = std::move(asked.undoing.front());
    undo.pid = asked.pid;
    undo.undoes = each->first;
    undo.asked.id = lastId_--;
    undoing.push_back(std::move(undo));
    asked.undoing.clear();
  }
  return undoing;
}

}  // namespace parallax::tuning
