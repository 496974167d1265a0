// What was done in the processes and is to be undone when tuning ends, however that happens.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tools/tune/requests.h"

namespace parallax::tuning {

class UnkeptActions {
 public:
  // Hears all that follows, in lines from which replay() makes the same again in another process.
  void setJournal(std::function<void(const std::string&)> journal) { journal_ = std::move(journal); }
  void replay(const std::string& line);
  // A process will take the action, or it is being prepared.
  void asked(const Action& action);
  // `done` also if it was undone. An action that has undone another one ends that, too.
  void answered(uint32_t id, bool done);
  // The analyzer wants the action to stay, unless it has it undone later.
  void keep(uint32_t id);
  void ended(int pid);
  // The actions that undo those that are done, the last ones first. They are not to be asked for twice.
  std::vector<Action> takeUndoing();

 private:
  struct Asked {
    int pid = 0;
    std::vector<Action> undoing;  // one, or none: nothing undoes it
    uint32_t undoes = 0;          // an action before; 0: none
    bool isDone = false;
    bool isKept = false;
  };

  void note(char kind, const std::string& text) const {
    if (journal_) journal_(kind + text);
  }

  std::map<uint32_t, Asked> asked_;  // by id
  std::function<void(const std::string&)> journal_;
  uint32_t lastId_ = UINT32_MAX;     // of the actions that undo; those of the analyzer begin with 1
};

}  // namespace parallax::tuning
