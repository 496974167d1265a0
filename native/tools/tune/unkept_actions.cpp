#include "tools/tune/unkept_actions.h"

#include <iterator>
#include <utility>

namespace parallax::tuning {
namespace {

using live::ActionKind;

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

void UnkeptActions::asked(const Action& action) {
  Asked asked;
  asked.pid = action.pid;
  asked.undoes = action.undoes != 0 ? action.undoes : action.asked.undoes;
  if (asked.undoes == 0) asked.undoing = undoingOf(action);
  if (const auto undone = asked_.find(asked.undoes); undone != asked_.end()) undone->second.isKept = false;
  if (asked.undoes != 0 || !asked.undoing.empty()) asked_[action.asked.id] = std::move(asked);
}

void UnkeptActions::answered(uint32_t id, bool done) {
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
  if (const auto found = asked_.find(id); found != asked_.end()) found->second.isKept = true;
}

void UnkeptActions::ended(int pid) {
  for (auto each = asked_.begin(); each != asked_.end();) each = each->second.pid == pid ? asked_.erase(each) : std::next(each);
}

std::vector<Action> UnkeptActions::takeUndoing() {
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
