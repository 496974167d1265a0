// Taking the actions of the live page at safe moments.
#include "interpose/tuning/tuning.h"

#include <cerrno>
#include <cstring>

#include "base/fork_generation.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/signals_blocked.h"
#include "base/sys.h"
#include "core/agent.h"
#include "core/clock.h"
#include "core/process.h"
#include "interpose/mpi/mpi_variable.h"
#include "interpose/tuning/actions.h"
#include "interpose/tuning/safe_moment.h"
#include "live/live_agent.h"
#include "perturb/patch_actions.h"

namespace parallax::tuning {
namespace {

using live::Action;
using live::ActionKind;
using live::ActionState;

// One thread takes actions at a time. The generation of forks in which it does: in a child, nobody does any more.
std::atomic<uint32_t> taking{0};

class Taking {
 public:
  Taking() : own_(forkGeneration()) {
    uint32_t holder = taking.load(std::memory_order_relaxed);
    isMine_ = holder != own_ && taking.compare_exchange_strong(holder, own_, std::memory_order_acquire);
  }
  ~Taking() {
    if (isMine_) taking.store(0, std::memory_order_release);
  }
  Taking(const Taking&) = delete;
  Taking& operator=(const Taking&) = delete;
  explicit operator bool() const { return isMine_; }

 private:
  uint32_t own_;
  bool isMine_;
};

// What was done and can be undone: the last ones.
constexpr uint32_t kMostDone = 256;
DoneAction doneActions[kMostDone];
uint32_t doneCount = 0;

DoneAction* findDone(uint32_t id) {
  for (DoneAction& done : doneActions) {
    if (done.id == id && id != 0) return &done;
  }
  return nullptr;
}

bool undo(const Action& action, Answer& answer) {
  DoneAction* done = findDone(action.undoes);
  if (done == nullptr) {
    return answer.say("no action ").say(action.undoes).say(" was done that can be undone; of a call, ask for the opposite").refuse();
  }
  bool isUndone = false;
  switch (done->kind) {
    case ActionKind::kSetVariable:
    case ActionKind::kTunable:
      isUndone = restoreVariable(*done, answer);
      break;
    case ActionKind::kMpiVariable:
      isUndone = mpi::writeVariable(done->name, done->text, answer, nullptr, 0);
      break;
    case ActionKind::kArgument:
    case ActionKind::kInsertCall:
    case ActionKind::kReplace:
      isUndone = giveBackCode(*done, answer);
      break;
    default:
      break;
  }
  if (isUndone) done->id = 0;
  return isUndone;
}

constexpr uint64_t bitOf(int number) { return uint64_t{1} << (number - 1); }
// Those that an instruction raises, among them the traps of changed code.
constexpr uint64_t kOfInstructions = bitOf(SIGTRAP) | bitOf(SIGSEGV) | bitOf(SIGBUS) | bitOf(SIGILL) | bitOf(SIGFPE) | bitOf(SIGSYS);

bool performAlone(const Action& action, Answer& answer) {
  DoneAction done = {};
  done.id = action.id;
  done.kind = static_cast<ActionKind>(action.kind);
  memcpy(done.name, action.name, sizeof done.name);
  bool isDone = false;
  switch (done.kind) {
    case ActionKind::kSetVariable:
      isDone = setVariable(action, answer, done);
      break;
    case ActionKind::kTunable:
      isDone = setTunable(action, answer, done);
      break;
    case ActionKind::kMpiVariable:
      isDone = mpi::writeVariable(action.name, action.text, answer, done.text, sizeof done.text);
      break;
    case ActionKind::kArgument:
    case ActionKind::kInsertCall:
    case ActionKind::kReplace:
      isDone = changeCode(action, answer, done);
      break;
    case ActionKind::kUndo:
      return undo(action, answer);
    default:
      return answer.say("this process knows no action of the kind ").say(action.kind).refuse();
  }
  if (isDone) doneActions[doneCount++ % kMostDone] = done;
  return isDone;
}

bool perform(const Action& action, Answer& answer) {
  if (static_cast<ActionKind>(action.kind) == ActionKind::kCall) return callFunction(action, answer);
  const SignalsBlocked blocked(kOfInstructions);  // no handler leaves it by longjmp
  return performAlone(action, answer);
}

// MPI may be called by this thread alone.
bool needsMpiThread(const Action& action) {
  return static_cast<ActionKind>(action.kind) == ActionKind::kMpiVariable || strncmp(action.at, "mpi:*", sizeof action.at) == 0;
}

bool isDue(const Action& action, const char* routine, format::Group group) {
  if (action.state.load(std::memory_order_acquire) != static_cast<uint32_t>(ActionState::kAsked) ||
      !live::names(action.at, sizeof action.at, routine, group)) {
    return false;
  }
  return !needsMpiThread(action) || (mpi::isInitialisingThread() && mpi::hasBegun());
}

// The first of those that were asked for; null: none is due.
Action* findDue(const live::Page& page, const char* routine, format::Group group) {
  Action* first = nullptr;
  for (uint32_t i = 0; i < live::kActions; i++) {
    Action& action = page.action(i);
    if ((first == nullptr || action.id < first->id) && isDue(action, routine, group)) first = &action;
  }
  return first;
}

// False: the monitor has taken it back.
bool take(const live::Page& page, Action& action) {
  auto asked = static_cast<uint32_t>(ActionState::kAsked);
  if (!action.state.compare_exchange_strong(asked, static_cast<uint32_t>(ActionState::kTaken), std::memory_order_acq_rel)) return false;
  page.header().asked.fetch_sub(live::oneActionAsked, std::memory_order_acq_rel);
  return true;
}

void answerTo(Action& action) {
  Answer answer(action);
  const bool isDone = perform(action, answer);
  action.answeredNs = monotonicNs();
  action.state.store(static_cast<uint32_t>(isDone ? ActionState::kDone : ActionState::kRefused), std::memory_order_release);
}

void takeDue(const char* routine, format::Group group) {
  const live::Page page = live::page();
  // A child that shares the memory of its parent until it executes a program must not change it.
  if (!page || page.header().pid != sys::getpid() || findDue(page, routine, group) == nullptr) return;
  const Taking taking;
  if (!taking || mayBeInHandler()) return;
  const int error = errno;
  while (Action* action = findDue(page, routine, group)) {
    if (take(page, *action)) answerTo(*action);
  }
  errno = error;
}

}  // namespace

void start() {
  const std::string_view directory = setting(Setting::kTune);
  if (directory.empty() || !recording()) return;
  if (const char* wrong = live::begin(directory.data(), process.executable(), clockSettings.tickHz)) {
    log(wrong);
    return;
  }
  // While the process has one thread, in which nothing blocks SIGTRAP yet. If it fails, changes of code are refused.
  if (const char* wrong = perturb::startPatching()) log(wrong);
  takeActions.store(takeDue, std::memory_order_release);
}

}  // namespace parallax::tuning
