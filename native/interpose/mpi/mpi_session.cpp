// MPI_Session_init and MPI_Session_finalize, and the communicators that are made from groups.
//
// Libraries start and stop with the first and the last session, and may wait for the other processes then: Open MPI 5.0
// and MPICH 4.0 in the first MPI_Session_init, MPICH in the last MPI_Session_finalize. These are collectives on the
// process set mpi://WORLD, which has no communicator but a number in the trace.

#include "interpose/mpi/mpi_session.h"

#include "core/agent.h"
#include "format/slots.h"
#include "interpose/mpi/mpi_completion.h"
#include "interpose/mpi/mpi_place.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_routine.h"
#include "interpose/mpi/mpi_unseen.h"

namespace parallax::mpi {
namespace {

using format::Collective;

struct Session {
  Session* next;
  Handle handle;  // 0: not used
  Handle group;   // mpi://WORLD
};

SpinLock lock;  // guards all of these
Session* sessions = nullptr;
uint32_t openSessions = 0;
bool isWorldUp = false;
Communicator* everyone = nullptr;  // mpi://WORLD as the trace has it

Session* slotOf(Handle handle) {
  for (Session* s = sessions; s != nullptr; s = s->next) {
    if (s->handle == handle) return s;
  }
  return nullptr;
}

// As the trace has it. Some libraries tell only a level that the program has asked for; then it is that of a program
// that has not.
uint32_t threadLevelOf(Handle session) {
  Handle info = 0;
  if (callService(Service::kSession_get_info, session, &info) != 0) return 0;
  char level[64] = "";
  int found = 0;
  callService(Service::kInfo_get, loadHandle(&info), "thread_level", static_cast<int>(sizeof level - 1), &level[0],
              &found);
  callService(Service::kInfo_free, &info);
  if (found == 0) return 0;
  static constexpr const char* kLevels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                            "MPI_THREAD_MULTIPLE"};
  for (uint32_t i = 0; i < 4; ++i) {
    if (strcmp(level, kLevels[i]) == 0) return i;
  }
  return 0;
}

// The first time, MPI_Init included.
void findPlace(Handle session, Handle group) {
  if (place().job != 0) return;
  int rank = -1, size = 0;
  if (callService(Service::kGroup_rank, group, &rank) != 0 || callService(Service::kGroup_size, group, &size) != 0 ||
      rank < 0) {
    return;
  }
  Place found{0, true, static_cast<uint32_t>(rank), static_cast<uint32_t>(size), threadLevelOf(session)};
  if (size > 1) found.job = jobOfLauncher(&found.isJobCertain);
  if (found.job == 0) {
    found.job = randomNumber();
    found.isJobCertain = size == 1;
  }
  definePlace(found);
}

// mpi://WORLD, if the library starts with this session.
Communicator* opened(Handle session) {
  Handle group = 0;
  if (callService(Service::kGroup_from_session_pset, session, "mpi://WORLD", &group) != 0) return nullptr;
  group = loadHandle(&group);
  findPlace(session, group);
  SpinGuard guard(lock);
  Session* slot = slotOf(0);
  if (slot == nullptr) {
    slot = static_cast<Session*>(allocate(sizeof(Session)));
    if (slot == nullptr) return nullptr;
    slot->next = sessions;
    sessions = slot;
  }
  slot->handle = session;
  slot->group = group;
  const Place own = place();
  if (everyone == nullptr && own.isJobCertain) everyone = defineWorldOfSessions(own.rank, own.size, own.job);
  return ++openSessions == 1 && !isWorldUp ? everyone : nullptr;
}

// mpi://WORLD, if the library ends with this session.
Communicator* closing(Handle session) {
  SpinGuard guard(lock);
  Session* slot = slotOf(session);
  if (slot == nullptr || session == 0) return nullptr;
  callService(Service::kGroup_free, &slot->group);
  slot->handle = 0;
  return --openSessions == 0 && !isWorldUp ? everyone : nullptr;
}

void emitOn(Scope& scope, Communicator* c, Collective op) {
  if (c == nullptr) return;
  scope.emit(Kind::kCollective, c->number, {format::opAndRoot(op, format::kNoRoot), 0, 0, c->nextSequence()});
}

int begin(Target target, Handle info, Handle errors, void* session) {
  Scope scope(target);
  useIsSeen();
  const int result = target.call(info, errors, session);
  const bool isKnown = scope && result == 0 && abi().library != Library::kUnknown;
  Communicator* all = isKnown ? opened(loadHandle(session)) : nullptr;
  scope.returned();
  emitOn(scope, all, Collective::kSessionInit);
  return result;
}

int end(Target target, void* session) {
  Scope scope(target);
  Communicator* all = scope ? closing(loadHandle(session)) : nullptr;
  const int result = target.call(session);
  scope.returned();
  emitOn(scope, all, Collective::kSessionFinalize);
  return result;
}

// A collective on what it creates.
template <typename... Args>
int create(Target target, const char* tag, const void* newHandle, Args... args) {
  Scope scope(target);
  const int result = target.call(args...);
  Communicator* created = nullptr;
  if (scope && result == 0 && place().job != 0 && tag != nullptr) {
    created = defineFromGroups(loadHandle(newHandle), hashOf(tag, 0));
  }
  scope.returned();
  if (created != nullptr && created->isShared) emitOn(scope, created, Collective::kCommCreate);
  return result;
}

// ---- agreement

struct Agreed {
  uint64_t job, id;
};

// To the own group, or, in an intercommunicator, from rank 0 of the sending group to the other one.
void share(Agreed* agreed, const Communicator& c, Handle handle, bool sends) {
  int root = 0;
  if (c.inter() && sends) root = c.rank == 0 ? abi().root : abi().procNull;
  callService(Service::kBcast, agreed, static_cast<int>(sizeof *agreed), abi().byteType, root, handle);
}

}  // namespace

bool hasSession() {
  SpinGuard guard(lock);
  return openSessions > 0;
}

WorldOfSessions::WorldOfSessions() : guard_(lock) {
  for (Session* s = sessions; s != nullptr && group_ == 0; s = s->next) {
    if (s->handle != 0) group_ = s->group;
  }
}

void worldBegan() {
  SpinGuard guard(lock);
  isWorldUp = true;
}

void forgetSessions() {
  SpinGuard guard(lock);
  everyone = nullptr;
}

void worldEnded() {
  SpinGuard guard(lock);
  isWorldUp = false;
}

uint64_t agreedId(const Communicator& c, Handle handle, bool isFirst) {
  Agreed agreed{place().job, randomNumber() | 1};
  if (!c.inter()) {
    if (c.size > 1) share(&agreed, c, handle, c.rank == 0);
  } else {
    // There and back, so that the other members of the first group get it, too.
    share(&agreed, c, handle, isFirst);
    share(&agreed, c, handle, !isFirst);
  }
  adoptJob(agreed.job);
  return agreed.id;
}

PARALLAX_MPI_ENTRY(Session_init, (Handle info, Handle errors, void* session), begin, info, errors, session)
PARALLAX_MPI_ENTRY(Session_finalize, (void* session), end, session)
PARALLAX_MPI_ENTRY(Comm_create_from_group, (Handle group, const char* tag, Handle info, Handle errors, void* created),
                   create, tag, created, group, tag, info, errors, created)
PARALLAX_MPI_ENTRY(Intercomm_create_from_groups,
                   (Handle local, int leader, Handle remote, int remoteLeader, const char* tag, Handle info,
                    Handle errors, void* created),
                   create, tag, created, local, leader, remote, remoteLeader, tag, info, errors, created)

}  // namespace parallax::mpi
