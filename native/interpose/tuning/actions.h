// The actions of live tuning. Each is taken at a safe moment; returns whether it was done. If not, the answer
// says why.
#pragma once

#include "interpose/tuning/answer.h"
#include "interpose/tuning/program_symbols.h"
#include "live/live_page.h"

namespace parallax::tuning {

// What an action has left to be undone.
struct DoneAction {
  uint32_t id;
  live::ActionKind kind;
  live::ValueType type;
  void* address;
  LoadedObject object;  // of a variable: where it is
  bool isGone;          // that object has been unloaded since
  uint64_t old;  // of a change of code: its number
  char name[sizeof(live::Action::name)];
  char text[128];  // of a variable of MPI, before
};

bool callFunction(const live::Action& action, Answer& answer);
bool setVariable(const live::Action& action, Answer& answer, DoneAction& done);
bool setTunable(const live::Action& action, Answer& answer, DoneAction& done);
// A change of code, prepared in the file that the text names (perturb/patch_actions.h).
bool changeCode(const live::Action& action, Answer& answer, DoneAction& done);
bool giveBackCode(const DoneAction& done, Answer& answer);
// The value in a variable of the program, again.
bool restoreVariable(const DoneAction& done, Answer& answer);

}  // namespace parallax::tuning
