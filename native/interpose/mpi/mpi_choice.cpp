#include "interpose/mpi/mpi_choice.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/agent.h"
#include "core/clock.h"
#include "core/guard.h"
#include "interpose/mpi/mpi_methods.h"
#include "interpose/mpi/mpi_variable.h"
#include "interpose/tuning/library_actions.h"
#include "live/live_agent.h"
#include "live/live_job.h"

namespace parallax::mpi {

bool mayChoose = false;
bool isSwitched = false;
__thread uintptr_t chosenFrame = 0;

namespace {

constexpr char kOfMpich[] = "mpich:";

struct MethodName {
  const char* routine;
  const char* name;
  uint8_t method;
};
constexpr MethodName kNames[] = {{"MPI_Allreduce", "exchange", kExchange},
                                 {"MPI_Allreduce", "reduce-bcast", kReduceBcast},
                                 {"MPI_Allreduce", "scatter-gather", kScatterGather},
                                 {"MPI_Alltoall", "pairwise", kPairwise},
                                 {"MPI_Alltoall", "linear", kLinear}};
constexpr const char* kRoutines[] = {"MPI_Allreduce", "MPI_Alltoall"};  // in the order of Chosen
constexpr const char* kVariables[] = {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM"};

// Not of the group of MPI: "mpi:*" does not name them, because the calls are visits of MPI_Allreduce and MPI_Alltoall as well.
Region choosableRegions[] = {{"MPI_Allreduce:choosable", format::Group::kUser}, {"MPI_Alltoall:choosable", format::Group::kUser}};

// Of this process.
struct Choices {
  live::JobPage* page = nullptr;
  const char* obstacle = "the agent has not seen MPI_Init of this process";
  uint32_t rank = 0, size = 0;
  uint64_t calls = 0;  // counted ones that have begun
  bool hasWished[live::kChoiceRoutines] = {};
  SwitchedVariable variables[live::kChoiceRoutines];
  uint32_t switched = 0;  // which of them is set, if isSwitched
};
Choices choices;

bool isRoutine(const char* name, uint32_t* index) {
  for (uint32_t i = 0; i < live::kChoiceRoutines; i++) {
    if (strcmp(kRoutines[i], name) == 0) {
      *index = i;
      return true;
    }
  }
  return false;
}

uint64_t allMembers() { return choices.size == live::kMostMembers ? ~uint64_t{0} : (uint64_t{1} << choices.size) - 1; }

bool haveAllJoined(tuning::Answer& answer) {
  if (choices.page == nullptr) return answer.say(choices.obstacle).refuse();
  const uint64_t members = choices.page->members.load(std::memory_order_acquire);
  if (members == allMembers()) return true;
  return answer.say("only ").say(__builtin_popcountll(members)).say(" of ").say(choices.size)
      .say(" processes of MPI_COMM_WORLD are tuned on this machine; all must change their method at the same call").refuse();
}

bool findMethod(uint32_t routine, const char* name, tuning::Answer& answer, uint8_t* method) {
  for (const MethodName& known : kNames) {
    if (strcmp(known.routine, kRoutines[routine]) == 0 && strcmp(known.name, name) == 0) {
      *method = known.method;
      return true;
    }
  }
  if (strncmp(name, kOfMpich, sizeof kOfMpich - 1) != 0) {
    answer.say("there is no method \"").say(name).say("\" of ").say(kRoutines[routine]).say("; there is");
    for (const MethodName& known : kNames) {
      if (strcmp(known.routine, kRoutines[routine]) == 0) answer.say(" ").say(known.name);
    }
    return answer.refuse();
  }
  // MPICH replaces these two by another algorithm, silently.
  if (strcmp(name, "mpich:pairwise_sendrecv_replace") == 0) return answer.say(name).say(" works with MPI_IN_PLACE only").refuse();
  if (strcmp(name, "mpich:ccl") == 0) return answer.say(name).say(" works on accelerators only").refuse();
  int number = 0;
  SwitchedVariable& variable = choices.variables[routine];
  if (!variable.open(kVariables[routine], answer) || !variable.findValue(name + sizeof kOfMpich - 1, answer, &number)) return false;
  constexpr int kMostNumber = 255 - kLibrarys;
  if (number < 1 || number > kMostNumber) return answer.say("the number of the algorithm is not from 1 to ").say(kMostNumber).refuse();
  *method = static_cast<uint8_t>(kLibrarys + number);
  return true;
}

}  // namespace

void joinChoices(uint64_t job, uint32_t rank, uint32_t size, int threadLevel) {
  if (!live::page() || isAttached) return;
  choices.rank = rank;
  choices.size = size;
  if (size < 2 || size > live::kMostMembers) {
    choices.obstacle = "MPI_COMM_WORLD must have 2 to 64 processes";
  } else if (threadLevel == abi().threadSerialized || threadLevel == abi().threadMultiple) {
    choices.obstacle = "several threads of the program may call MPI";
  } else if ((choices.page = live::mapJobPage(job)) == nullptr) {
    choices.obstacle = "the page of the job cannot be made";
  } else {
    choices.page->members.fetch_or(uint64_t{1} << rank, std::memory_order_acq_rel);
    mayChoose = true;
  }
}

uint8_t chosenMethodOf(Chosen routine, uint64_t bytes, bool isPossible) {
  const auto index = static_cast<uint32_t>(routine);
  const uint64_t call = ++choices.calls;
  if (!choices.hasWished[index]) return kLibrary;
  const uint8_t decided = live::decide(*choices.page, choices.size, index, live::sizeClass(bytes), call, isPossible);
  // Another process may have decided for a call with other arguments, which then failed.
  return isPossible ? decided : uint8_t{kLibrary};
}

void leaveChosenFor(uintptr_t stackPointer) {
  if (chosenFrame != 0 && stackPointer > chosenFrame && stackPointer <= threadStack().high) endFailedCall();
}

void endFailedCall() {
  choices.calls--;
  chosenFrame = 0;
}

void ChoosableVisit::begin() {
  points_ = choosableRegions[static_cast<uint32_t>(routine_)].points();
  if (points_.isEmpty()) return;
  call_ = choices.calls;
  beginTicks_ = readTicks();
  live::tellBegin(*choices.page, call_, beginTicks_);
}

void ChoosableVisit::endNow() {
  const uint64_t now = readTicksAfter(), last = std::max(beginTicks_, live::lastBegin(*choices.page, call_));
  const Guard guard;  // one stands already, unless the thread is not recorded
  live::count(points_, live::kOthers, bytes_, now > last ? now - last : 0, true);
}

void switchLibrary(Chosen routine, uint8_t method, bool on) {
  if (!on) return switchBack();
  choices.switched = static_cast<uint32_t>(routine);
  isSwitched = true;
  choices.variables[choices.switched].set(method - kLibrarys);
}

void switchBack() {
  choices.variables[choices.switched].set(SwitchedVariable::kBefore);
  isSwitched = false;
}

}  // namespace parallax::mpi

namespace parallax::tuning {

using namespace mpi;

bool library::wishMpiMethod(const char* routine, const char* method, uint64_t least, uint64_t most, Answer& answer, void** place) {
  uint32_t index = 0;
  uint8_t number = 0;
  if (!isRoutine(routine, &index)) return answer.say("\"").say(routine).say("\" has no other methods").refuse();
  if (hasEnded()) return answer.say("MPI has ended").refuse();
  if (!reserveRoom()) return answer.say("there is no memory for the method").refuse();
  if (!haveAllJoined(answer) || !findMethod(index, method, answer, &number)) return false;
  if (least > most) {
    return answer.say("the range of sizes is empty: from ").say(static_cast<int64_t>(least)).say(" to ").say(static_cast<int64_t>(most)).refuse();
  }
  uint64_t from = 0;
  *place = live::addWish(choices.page->member[choices.rank], index, choices.calls, number, static_cast<uint8_t>(live::sizeClass(least)),
                         static_cast<uint8_t>(live::sizeClass(most)), &from);
  if (*place == nullptr) return answer.say("the process has ").say(live::kWishes).say(" methods of this routine already").refuse();
  choices.hasWished[index] = true;
  answer.say("from call ").say(static_cast<int64_t>(from)).say(" on, if all processes choose it");
  return true;
}

void library::takeBackMpiWish(void* place) { static_cast<std::atomic<uint64_t>*>(place)->store(0, std::memory_order_release); }

}  // namespace parallax::tuning
