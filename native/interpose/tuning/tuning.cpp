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
#include "interpose/tuning/actions.h"
#include "interpose/tuning/library_actions.h"
#include "interpose/tuning/safe_moment.h"
#include "live/live_agent.h"
#include "live/live_tunables.h"
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
    if (isMine_) end();
  }
  static void end() { taking.store(0, std::memory_order_release); }
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

// Set when modules have been unloaded while another thread took actions.
std::atomic<bool> mayBeGone{false};

// Forgets the variables of objects that are not loaded any more. Inside of Taking.
void forgetGone() {
  mayBeGone.store(false, std::memory_order_relaxed);
  for (DoneAction& done : doneActions) {
    if (done.id != 0 && done.address != nullptr && !isStillThere(done.object, done.address)) done.isGone = true;
  }
}

DoneAction* findDone(uint32_t id) {
  for (DoneAction& done : doneActions) {
    if (done.id == id && id != 0) return &done;
  }
  return nullptr;
}

// In the place of one that was undone, or else of an old one.
void rememberDone(const DoneAction& done) {
  DoneAction* place = &doneActions[doneCount % kMostDone];
  for (DoneAction& each : doneActions) {
    if (each.id == 0) {
      place = &each;
      break;
    }
  }
  *place = done;
  doneCount++;
}

bool undo(const Action& action, Answer& answer) {
  if (mayBeGone.load(std::memory_order_relaxed)) forgetGone();
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
      isUndone = library::writeMpiVariable(done->name, done->text, answer, nullptr, 0);
      break;
    case ActionKind::kArgument:
    case ActionKind::kInsertCall:
    case ActionKind::kReplace:
      isUndone = giveBackCode(*done, answer);
      break;
    case ActionKind::kCollective:
      library::takeBackMpiWish(done->address);
      isUndone = true;
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

bool performAlone(const Action& action, uint32_t id, Answer& answer) {
  DoneAction done = {};
  done.id = id;
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
      isDone = library::writeMpiVariable(action.name, action.text, answer, done.text, sizeof done.text);
      break;
    case ActionKind::kArgument:
    case ActionKind::kInsertCall:
    case ActionKind::kReplace:
      isDone = changeCode(action, answer, done);
      break;
    case ActionKind::kCollective:
      isDone = library::wishMpiMethod(action.name, action.text, action.arguments[0], action.arguments[1], answer, &done.address);
      break;
    case ActionKind::kUndo:
      return undo(action, answer);
    default:
      return answer.say("this process knows no action of the kind ").say(action.kind).refuse();
  }
  if (isDone) rememberDone(done);
  return isDone;
}

bool isCall(const Action& action) { return static_cast<ActionKind>(action.kind) == ActionKind::kCall; }

// Whether what an action of this kind changes may be changed by the calling thread now. `address`: of a variable.
bool mayChangeHere(ActionKind kind, const void* address) {
  switch (kind) {
    case ActionKind::kMpiVariable:
    case ActionKind::kCollective:
      return library::mayCallMpi();
    case ActionKind::kTunable:
      return !library::isOpenMpThreads(address) || library::mayUseOpenMpThreads();
    default:
      return true;
  }
}

// What an action undoes is known inside of Taking only.
bool mayTakeHere(const Action& action, bool isTaking) {
  if (strncmp(action.at, "mpi:*", sizeof action.at) == 0 && !library::mayCallMpi()) return false;
  const auto kind = static_cast<ActionKind>(action.kind);
  if (kind == ActionKind::kUndo) {
    const DoneAction* done = isTaking ? findDone(action.undoes) : nullptr;
    return done == nullptr || mayChangeHere(done->kind, done->address);
  }
  const live::DeclaredTunable* variable = kind == ActionKind::kTunable ? live::findTunable(action.name) : nullptr;
  return mayChangeHere(kind, variable != nullptr ? variable->address.load(std::memory_order_acquire) : nullptr);
}

// An action as it was when it was found to be due.
struct Due {
  Action* action;
  uint32_t id;
};

// The first of those that were asked for, if one is due.
Due findDue(const live::Page& page, const char* routine, format::Group group, bool isTaking) {
  Due first{};
  for (uint32_t i = 0; i < live::kActions; i++) {
    Action& action = page.action(i);
    const uint64_t word = action.place.load(std::memory_order_acquire);
    const uint32_t id = live::actionId(word);
    if (live::actionState(word) != ActionState::kAsked || (first.action != nullptr && id > first.id)) continue;
    if (live::names(action.at, sizeof action.at, routine, group) && mayTakeHere(action, isTaking)) first = {&action, id};
  }
  return first;
}

// False: the monitor has taken it back.
bool take(const live::Page& page, const Due& due) {
  uint64_t asked = live::actionWord(ActionState::kAsked, due.id);
  if (!due.action->place.compare_exchange_strong(asked, live::actionWord(ActionState::kTaken, due.id), std::memory_order_acq_rel)) return false;
  page.header().asked.fetch_sub(live::oneActionAsked, std::memory_order_acq_rel);
  return true;
}

// What the calling thread does at the moment, for the case that it is left by longjmp.
struct Underway {
  Due due;                // none: nothing
  uintptr_t frame;        // where it stands on the stack
  uint32_t generation;    // of forks: a child does nothing of its parent's
  bool isAlone;           // inside of Taking
};
__thread Underway underway __attribute__((tls_model("initial-exec")));

// Any number of times: the first answer is the one.
void answerWith(const Due& due, bool isDone) {
  due.action->answeredNs = monotonicNs();
  uint64_t taken = live::actionWord(ActionState::kTaken, due.id);
  const uint64_t answered = live::actionWord(isDone ? ActionState::kDone : ActionState::kRefused, due.id);
  due.action->place.compare_exchange_strong(taken, answered, std::memory_order_release, std::memory_order_relaxed);
}

void performUnderway() {
  const Underway& own = underway;
  Action& action = *own.due.action;
  Answer answer(action);
  const bool isDone = isCall(action) ? callFunction(action, answer) : performAlone(action, own.due.id, answer);
  if (own.generation == forkGeneration()) answerWith(own.due, isDone);
  underway = {};
}

// Returns false when there is nothing more to do. A called function may take long, or never return: other threads take actions
// meanwhile.
__attribute__((noinline)) bool takeOne(const live::Page& page, const char* routine, format::Group group) {
  {
    const SignalsBlocked blocked(kOfInstructions);  // no handler leaves it by longjmp
    const Taking taking;
    if (!taking) return false;
    const Due due = findDue(page, routine, group, true);
    if (due.action == nullptr || mayBeInHandler()) return false;
    if (!take(page, due)) return true;
    const bool isAlone = !isCall(*due.action);
    underway = {due, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), forkGeneration(), isAlone};
    if (isAlone) {
      performUnderway();
      return true;
    }
  }
  performUnderway();
  return true;
}

// Another stack frame than its own stands further out: then the function was left by an exception, say.
void endThoseLeft() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (underway.due.action != nullptr) leaveFor(here);
}

void takeDue(const char* routine, format::Group group) {
  endThoseLeft();
  const live::Page page = live::page();
  // A child that shares the memory of its parent until it executes a program must not change it.
  if (!page || page.header().pid != sys::getpid() || findDue(page, routine, group, false).action == nullptr) return;
  if (underway.due.action != nullptr) return;  // in a function that an action has called
  const int error = errno;
  while (takeOne(page, routine, group) && live::page().address() == page.address()) {  // a function that was called may have forked
  }
  errno = error;
}

}  // namespace

void leaveFor(uintptr_t stackPointer) {
  const Underway left = underway;
  const StackBounds stack = threadStack();
  if (left.due.action == nullptr || stackPointer <= left.frame || stackPointer > stack.high) return;
  underway = {};
  if (left.generation != forkGeneration()) return;
  Answer answer(*left.due.action);
  answer.say("it was begun, and left by longjmp or an exception").refuse();
  answerWith(left.due, false);
  if (left.isAlone) Taking::end();
}

void modulesChanged() {
  if (doneCount == 0) return;
  const SignalsBlocked blocked(kOfInstructions);
  const Taking taking;
  if (taking) {
    forgetGone();
  } else {
    mayBeGone.store(true, std::memory_order_relaxed);
  }
}

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
