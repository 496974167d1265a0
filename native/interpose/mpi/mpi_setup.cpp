// Initialisation, the end, communicators that come and go, and the routines that have nothing
// but Enter and Leave.

#include "interpose/mpi/mpi_alone.h"
#include "interpose/mpi/mpi_buffered.h"
#include "interpose/mpi/mpi_choice.h"
#include "interpose/mpi/mpi_completion.h"
#include "interpose/mpi/mpi_dummy.h"
#include "interpose/mpi/mpi_jobs.h"
#include "interpose/mpi/mpi_offsets.h"
#include "interpose/mpi/mpi_place.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_session.h"
#include "interpose/mpi/mpi_shared_job.h"
#include "interpose/mpi/mpi_unseen.h"
#include "interpose/mpi/mpi_variable.h"
#include "interpose/openmp/openmp_threads.h"
#include "live/live_agent.h"

namespace parallax::mpi {
namespace {

using format::Collective;

Request creation(const Communicator& c, uint64_t sequence,
                 Collective op = Collective::kCommCreate) {
  Request r{};
  r.kind = RequestKind::kCollective;
  r.active = true;
  r.communicator = c.number;
  r.opAndRoot = static_cast<uint64_t>(op) << 31 | format::kNoRoot;
  r.sequence = sequence;
  return r;
}

// ---- begin and end

// The text of a note has to stay.
void noteUnknownLibrary() {
  static char text[320];
  static constexpr char kWhat[] = "MPI messages are not recorded: this MPI library has an unknown "
      "binary interface (known are MPI 5 ABI, Open MPI, MPICH): ";
  static_assert(sizeof kWhat + 100 < sizeof text, "room for the name of the library");
  memcpy(text, kWhat, sizeof kWhat - 1);
  libraryVersion(text + sizeof kWhat - 1, sizeof text - sizeof kWhat + 1);
  note(text);
}

// Defines the world and the process's place in it; null when that is not possible. Sets `parents` to the
// intercommunicator to those who spawned this process, if they are recorded.
Communicator* initialised(Communicator** parents) {
  if (abi().library == Library::kUnknown) {
    noteUnknownLibrary();
    return nullptr;
  }
  const Job job = sharedJob();
  beginOffsets();
  defineWorld(job.number);
  Communicator* world = findCommunicator(abi().world);
  if (world == nullptr) return nullptr;
  int level = 0;
  callService(Service::kQuery_thread, &level);
  live::tellRank(static_cast<int>(world->rank));
  if (!live::knowsLibrary()) {
    char library[256] = "";
    libraryVersion(library, sizeof library);
    live::tellLibrary(library);
  }
  definePlace({job.number, true, world->rank, world->size, threadLevel(level)});
  joinChoices(job.number, world->rank, world->size, level);
  declareBufferedSends(level);
  Handle handle = 0;
  if (job.parents != 0 && callService(Service::kComm_get_parent, &handle) == 0) {
    *parents = defineBetweenJobs(loadHandle(&handle), job.parents, Side::kSpawned);
  }
  return world;
}

// With a session the library has begun before, and ends later: then it may not wait here.
template <typename... Args>
int init(Target target, Args... args) {
  Scope scope(target);
  useIsSeen();
  if (scope && !isAttached) tellArrival();
  const Collective op = hasSession() ? Collective::kSessionInit : Collective::kInit;
  const int result = target.call(args...);
  Communicator *world = nullptr, *parents = nullptr;
  if (scope && result == 0 && worldCommunicator() == nullptr) world = isAttached ? beginAlone() : initialised(&parents);
  if (result == 0) {
    initialisedByCaller();
    worldBegan();
    startDummyMessages();
    openmp::declareThreads();
  }
  scope.returned();
  if (world != nullptr) {
    emitCollective(scope, Kind::kCollective, creation(*world, world->nextSequence(), op));
  }
  if (parents != nullptr) {
    emitCollective(scope, Kind::kCollective,
                   creation(*parents, parents->nextSequence(), Collective::kCommSpawn));
  }
  return result;
}

int finalize(Target target) {
  Scope scope(target);
  Communicator* world = scope ? findCommunicator(abi().world) : nullptr;
  const Collective op = hasSession() ? Collective::kSessionFinalize : Collective::kFinalize;
  endDummyMessages();
  completeBufferedSends();
  endOffsets();
  const int result = target.call();
  if (result == 0) worldEnded();
  scope.returned();
  if (world != nullptr && result == 0) {
    emitCollective(scope, Kind::kCollective, creation(*world, world->nextSequence(), op));
  }
  return result;
}

// ---- communicators

// Creation as a collective on `parent`, which stands in the first argument.
template <typename... Args>
int create(Target target, const void* newHandle, Handle parent, Args... args) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(parent) : nullptr;
  if (c == nullptr) {
    const int result = target.call(parent, args...);
    scope.returned();
    return result;
  }
  const uint64_t sequence = c->nextSequence();
  const int result = target.call(parent, args...);
  if (result == 0) {
    defineCommunicator(loadHandle(newHandle), *c, parent, originOf(c->globalId, sequence));
  }
  scope.returned();
  emitCollective(scope, Kind::kCollective, creation(*c, sequence));
  return result;
}

// MPI_Comm_idup: the new handle is usable once the request has completed.
template <typename... Args>
int createImmediately(Target target, const void* newHandle, const void* request, Handle parent,
                      Args... args) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(parent) : nullptr;
  if (c == nullptr) {
    const int result = target.call(parent, args...);
    scope.returned();
    return result;
  }
  Request r = creation(*c, c->nextSequence());
  r.newCommunicator = newHandle;
  r.duplicate = duplicationOf(*c, parent, r.sequence);
  emitCollective(scope, Kind::kCollectivePost, r);
  const int result = target.call(parent, args...);
  scope.returned();
  if (result == 0) addRequest(loadHandle(request), request, r);
  return result;
}

// Creations that not all members of one communicator take part in are a collective on what they
// create. Those with the same members and tag are told apart by their order, which is the same
// in all members.
template <typename Define, typename... Args>
int createAmong(Target target, Handle parent, Define define, Args... args) {
  Scope scope(target);
  Communicator* from = scope ? findCommunicator(parent) : nullptr;
  const int result = target.call(args...);
  Communicator* created = nullptr;
  if (from != nullptr && result == 0) created = define(*from);
  scope.returned();
  if (created != nullptr) {
    emitCollective(scope, Kind::kCollective, creation(*created, created->nextSequence()));
  }
  return result;
}

int createGroup(Target target, Handle comm, Handle group, int tag, void* newHandle) {
  const auto define = [&](const Communicator& from) {
    return defineCommunicatorAmong(loadHandle(newHandle), &from, comm, tag);
  };
  return createAmong(target, comm, define, comm, group, tag, newHandle);
}

int createInter(Target target, Handle local, int leader, Handle peer, int remoteLeader, int tag,
                void* newHandle) {
  // The other group knows nothing of the local communicator, but that both are of sessions or not.
  const auto define = [&](const Communicator& from) {
    const Handle created = loadHandle(newHandle);
    return from.isOfSession ? defineFromGroups(created, static_cast<uint32_t>(tag)) : defineCommunicatorAmong(created, nullptr, 0, tag);
  };
  return createAmong(target, local, define, local, leader, peer, remoteLeader, tag, newHandle);
}

int freeCommunicator(Target target, void* handle) {
  Scope scope(target);
  if (scope) forgetCommunicator(loadHandle(handle));
  const int result = target.call(handle);
  scope.returned();
  return result;
}

// ---- nothing but Enter and Leave

// All arguments are integers or pointers, and none has more than the number of these, so that
// passing on too many does no harm.
template <typename... Args>
int plain(Target target, Args... args) {
  Scope scope(target);
  const int result = target.call(args...);
  scope.returned();
  return result;
}

}  // namespace

PARALLAX_MPI_ENTRY(Init, (int* argc, char*** argv), init, argc, argv)
PARALLAX_MPI_ENTRY(Init_thread, (int* argc, char*** argv, int required, int* provided), init, argc,
                   argv, required, provided)
PARALLAX_EXPORT int MPI_Finalize() { return finalize({Routine::kFinalize, Layer::kMpi, nullptr}); }
PARALLAX_EXPORT int PMPI_Finalize() { return finalize({Routine::kFinalize, Layer::kPmpi, nullptr}); }

#define PARALLAX_CREATE_2                                                            \
  (Handle parent, uintptr_t b), create, reinterpret_cast<const void*>(b), parent, b
#define PARALLAX_CREATE_3                                                                \
  (Handle parent, uintptr_t b, uintptr_t c), create, reinterpret_cast<const void*>(c),   \
      parent, b, c
#define PARALLAX_CREATE_4                                                                  \
  (Handle parent, uintptr_t b, uintptr_t c, uintptr_t d), create,                          \
      reinterpret_cast<const void*>(d), parent, b, c, d
#define PARALLAX_CREATE_5                                                                  \
  (Handle parent, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e), create,             \
      reinterpret_cast<const void*>(e), parent, b, c, d, e
#define PARALLAX_CREATE_6                                                                  \
  (Handle parent, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f), create, \
      reinterpret_cast<const void*>(f), parent, b, c, d, e, f
#define PARALLAX_CREATE_9                                                                  \
  (Handle parent, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,         \
   uintptr_t g, uintptr_t h, uintptr_t i),                                                 \
      create, reinterpret_cast<const void*>(i), parent, b, c, d, e, f, g, h, i
#define PARALLAX_CREATE_10                                                                 \
  (Handle parent, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,         \
   uintptr_t g, uintptr_t h, uintptr_t i, uintptr_t j),                                    \
      create, reinterpret_cast<const void*>(j), parent, b, c, d, e, f, g, h, i, j
#define PARALLAX_EXPANDED_ENTRY(...) PARALLAX_MPI_ENTRY(__VA_ARGS__)
#define PARALLAX_MPI_CREATE(Name, name, arity) \
  PARALLAX_EXPANDED_ENTRY(Name, PARALLAX_CREATE_##arity)
#define PARALLAX_MPI_PLAIN(Name, name)                                                          \
  PARALLAX_MPI_ENTRY(Name,                                                                      \
                     (uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e,          \
                      uintptr_t f, uintptr_t g, uintptr_t h, uintptr_t i, uintptr_t j,          \
                      uintptr_t k, uintptr_t l),                                                \
                     plain, a, b, c, d, e, f, g, h, i, j, k, l)
#define PARALLAX_MPI_PLAIN_COUNTED(Name, name) \
  PARALLAX_MPI_PLAIN(Name, name)               \
  PARALLAX_MPI_PLAIN(Name##_c, name##_c)
#define PARALLAX_MPI_LOCAL(Name, name)                                                           \
  PARALLAX_MPI_ENTRY(Name,                                                                      \
                     (uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e,          \
                      uintptr_t f),                                                             \
                     plain, a, b, c, d, e, f)
#define PARALLAX_MPI(Name, name)
#include "interpose/mpi/mpi_routines.def"

PARALLAX_MPI_ENTRY(Comm_idup, (Handle comm, void* created, void* request), createImmediately,
                   created, request, comm, created, request)
PARALLAX_MPI_ENTRY(Comm_idup_with_info,
                   (Handle comm, Handle info, void* created, void* request), createImmediately,
                   created, request, comm, info, created, request)
PARALLAX_MPI_ENTRY(Comm_create_group, (Handle comm, Handle group, int tag, void* created),
                   createGroup, comm, group, tag, created)
PARALLAX_MPI_ENTRY(Intercomm_create,
                   (Handle local, int leader, Handle peer, int remoteLeader, int tag,
                    void* created),
                   createInter, local, leader, peer, remoteLeader, tag, created)
PARALLAX_MPI_ENTRY(Comm_free, (void* handle), freeCommunicator, handle)

}  // namespace parallax::mpi
