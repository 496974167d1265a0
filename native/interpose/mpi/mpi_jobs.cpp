// MPI_Comm_spawn, MPI_Comm_accept, MPI_Comm_connect, MPI_Comm_join and MPI_Comm_disconnect.
//
// They make an intercommunicator between processes of several jobs, whose id all of them have to know. The *host* (the
// spawning, accepting side) computes the id from its communicator and the sequence of the call there. Its rank 0 sends it
// to rank 0 of the *guests* over the new intercommunicator, within the call that created it. It is the first message from
// this rank, so that no message of the program can come before it.
//
// The other side may run without the agent, and must never get or miss a message because of it. Each side therefore
// counts itself, before the real call, in counters that the recorded processes of the host share, by the name of the
// port. After the real call, the root knows by the counts whether the other side is recorded; if not, neither sends nor
// waits, and the intercommunicator is shared with none. A guest waits for at most kMostWaitNs, then it gives up, and the
// host does not send any more: a message that nobody receives would be met by the program. If jobs of recorded and
// of unrecorded programs meet at one port at the same moment, the counts can be those of the others.
//
// All processes of a communicator are taken to be recorded if one is, as in MPI_Init. A process that was attached to agrees
// with nobody (mpi_alone.h).

#include "interpose/mpi/mpi_jobs.h"

#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/agent.h"
#include "core/shared_counters.h"
#include "format/slots.h"
#include "interpose/mpi/mpi_buffered.h"
#include "interpose/mpi/mpi_completion.h"
#include "interpose/mpi/mpi_real.h"

namespace parallax::mpi {
namespace {

using format::Collective;

// Whether this process has counted itself among those that were spawned.
bool arrived = false;

constexpr int kTag = 32767;  // the largest that all libraries have
constexpr uint64_t kMostWaitNs = 5'000'000'000;
constexpr uint64_t kMostWaitForSentNs = 60'000'000'000;  // once a host has said that it sends

// What the host sends. No message of a program is taken for it.
struct Introduction {
  uint64_t mark, id, check;

  static constexpr uint64_t kMark = 0x78616C6C61726150ull;  // "Parallax"
  static Introduction of(uint64_t id) { return {kMark, id, ~id}; }
};

uint64_t hashOf(const void* data, size_t sizeBytes, uint64_t hash) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < sizeBytes; ++i) hash = (hash ^ bytes[i]) * 0x100000001B3ull;
  return hash ^ hash >> 29;
}

// Where hosts and guests count themselves before they meet. Of each kind those that came, and those that have met.
class MeetingPlace {
 public:
  explicit MeetingPlace(uint64_t name)
      : counters_(sharedCounters(kKey, name)), words_(sharedCounters(kWordsKey, name)) {}
  static uint64_t nameOfPort(const char* port) { return hashOf(port, strlen(port), 0xCBF29CE484222325ull); }
  static MeetingPlace ofPort(const char* port) { return MeetingPlace(nameOfPort(port)); }
  // Where processes and those that they spawn meet: one for all, because a child has no name of its parents.
  static MeetingPlace ofSpawning() { return MeetingPlace(1); }

  // How many hosts have sent and guests have given up before the calling process came: see hostSends().
  using Moment = uint64_t;
  Moment hostComes() { return comes(kHosts); }
  Moment guestComes() { return comes(kGuests); }
  // The call has failed, or those who came will not meet anybody. False if a guest has met the host already: it waits for
  // the host's message.
  bool hostLeaves() { return counters_ == nullptr || take(kHosts, 1); }
  // Those that the other side has met already stay.
  void guestsLeave() { take(kGuests, 1); }

  // Whether so many recorded guests are there; they have met their host then. And the same of a host.
  bool meetsGuests(uint64_t n) { return take(kGuests, n); }
  bool meetsHost() { return take(kHosts, 1); }

  // Whether the host may send: false if a guest has given up since `came`. And whether the guest may give up: false if a
  // host has said since then that it sends. One of the two comes first.
  bool hostSends(Moment came) { return decide(kSent, [came](uint64_t word) { return gaveUp(word) == gaveUp(came); }); }
  bool guestGivesUp(Moment came) { return decide(kGaveUp, [came](uint64_t word) { return sent(word) == sent(came); }); }

 private:
  static constexpr uint64_t kKey = 0x4D50494D65657421ull;
  static constexpr uint64_t kWordsKey = 0x4D5049576F726473ull;
  enum Index { kHosts, kGuests, kHostsMet, kGuestsMet };
  // Both counts stand in one word.
  static constexpr uint64_t kSent = 1, kGaveUp = uint64_t{1} << 32;
  static uint64_t sent(uint64_t word) { return word & 0xffffffff; }
  static uint64_t gaveUp(uint64_t word) { return word >> 32; }

  Moment comes(Index index) {
    if (counters_ == nullptr || words_ == nullptr) return 0;
    const Moment now = words_->value[0].load(std::memory_order_acquire);
    counters_->value[index].fetch_add(1, std::memory_order_acq_rel);
    return now;
  }
  template <class May>
  bool decide(uint64_t counted, May may) {
    if (words_ == nullptr) return counted == kGaveUp;
    uint64_t word = words_->value[0].load(std::memory_order_acquire);
    do {
      if (!may(word)) return false;
    } while (!words_->value[0].compare_exchange_weak(word, word + counted, std::memory_order_acq_rel));
    return true;
  }
  bool take(Index index, uint64_t n) {
    if (counters_ == nullptr) return false;
    std::atomic<uint64_t>& metNumber = counters_->value[index + 2];
    uint64_t met = metNumber.load(std::memory_order_acquire);
    do {
      const uint64_t came = counters_->value[index].load(std::memory_order_acquire);
      if (static_cast<int64_t>(came - met) < static_cast<int64_t>(n)) return false;
    } while (!metNumber.compare_exchange_weak(met, met + n, std::memory_order_acq_rel));
    return true;
  }

  SharedCounters* counters_;
  SharedCounters* words_;
};

// When this process has counted itself among those that were spawned.
MeetingPlace::Moment arrival = 0;

// Never waits: the buffer stays until the library has sent it.
void sendId(Handle intercommunicator, uint64_t id) {
  auto* buffer = static_cast<Introduction*>(allocate(sizeof(Introduction)));
  if (buffer == nullptr) return;
  *buffer = Introduction::of(id);
  Handle request = 0;
  if (callService(Service::kIsend, buffer, static_cast<int>(sizeof *buffer), abi().byteType, 0, kTag,
                  intercommunicator, &request) == 0) {
    callService(Service::kRequest_free, &request);
  }
}

// 0 if nothing comes in time. `came`: when this guest came to the place.
uint64_t receiveId(MeetingPlace place, MeetingPlace::Moment came, Handle intercommunicator) {
  uint64_t until = monotonicNs() + kMostWaitNs;
  bool isSent = false;
  alignas(8) unsigned char status[kMostStatusBytes];
  for (int found = 0;;) {
    if (callService(Service::kIprobe, 0, kTag, intercommunicator, &found, &status[0]) != 0) return 0;
    if (found != 0) break;
    if (monotonicNs() > until) {
      if (isSent || place.guestGivesUp(came)) return 0;
      isSent = true;
      until += kMostWaitForSentNs;
    }
    sched_yield();
  }
  Introduction received{};
  // The first message of a host that is not recorded is the program's.
  if (abi().bytesOf(status) != sizeof received) return 0;
  callService(Service::kRecv, &received, static_cast<int>(sizeof received), abi().byteType, 0, kTag, intercommunicator,
              abi().statusIgnore);
  return received.mark == Introduction::kMark && received.check == ~received.id ? received.id : 0;
}

template <class T>
T broadcast(T words, int root, Handle comm) {
  callService(Service::kBcast, &words, static_cast<int>(sizeof words), abi().byteType, root, comm);
  return words;
}

// What the root of the hosts finds: their id, 0 if they share none, and whether the guests wait for it, or for a 0.
struct Meeting {
  uint64_t id = 0;
  uint64_t sends = 0;
};

Meeting meetAsHost(MeetingPlace place, MeetingPlace::Moment came, uint64_t guests, uint64_t id) {
  if (!place.meetsGuests(guests)) {
    if (place.hostLeaves()) return {};
    id = 0;
  }
  if (!place.hostSends(came)) return {};
  return {id, 1};
}

// What the root of the guests finds: whether a host is there, and where and when this side came.
struct Expected {
  uint64_t isMet = 0;
  uint64_t place = 0;
  MeetingPlace::Moment came = 0;
};

uint32_t remoteSize(Handle intercommunicator) {
  int size = 0;
  callService(Service::kComm_remote_size, intercommunicator, &size);
  return size > 0 ? static_cast<uint32_t>(size) : 1;
}

void emitOn(Scope& scope, const Communicator& c, Collective op, uint64_t sequence) {
  scope.emit(Kind::kCollective, c.number, {format::opAndRoot(op, format::kNoRoot), 0, 0, sequence});
}

// The calling side is a collective on its communicator, and, if the other side is recorded, also one on the new
// intercommunicator, in which both take part.
void emitMeeting(Scope& scope, const Communicator& c, uint64_t sequence, Communicator* between, Collective op) {
  scope.returned();
  emitOn(scope, c, op, sequence);
  if (between != nullptr && between->isShared) emitOn(scope, *between, op, between->nextSequence());
}

template <class Real>
int host(Target target, MeetingPlace (*placeOf)(const char*), const char* port, bool spawns, int root, Handle comm,
         const void* created, Real real) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(comm) : nullptr;
  if (c == nullptr || c->inter() || isAttached) {
    const int result = real();
    scope.returned();
    return result;
  }
  const uint64_t sequence = c->nextSequence();
  const bool isRoot = static_cast<int>(c->rank) == root && c->isShared;
  const MeetingPlace::Moment came = isRoot ? placeOf(port).hostComes() : 0;
  const int result = real();
  if (result != 0) {
    if (isRoot) placeOf(port).hostLeaves();
    scope.returned();
    emitOn(scope, *c, spawns ? Collective::kCommSpawn : Collective::kCommConnect, sequence);
    return result;
  }
  const Handle between = loadHandle(created);
  Meeting meeting;
  if (isRoot) {
    meeting = meetAsHost(placeOf(port), came, spawns ? remoteSize(between) : 1, originOf(c->globalId, ~sequence));
  }
  if (c->isShared) meeting = broadcast(meeting, root, comm);
  const uint64_t id = meeting.id;
  if (c->rank == 0 && meeting.sends != 0) sendId(between, id);
  Communicator* defined = defineBetweenJobs(between, id, Side::kFirst);
  emitMeeting(scope, *c, sequence, defined, spawns ? Collective::kCommSpawn : Collective::kCommConnect);
  if (isRoot && spawns && id != 0) {
    scope.emit(Kind::kProcessCreate, 0,
               {jobOfSpawned(id), static_cast<uint64_t>(format::Creation::kMpiSpawn)});
  }
  return result;
}

MeetingPlace spawning(const char*) { return MeetingPlace::ofSpawning(); }

int spawn(Target target, const void* command, void* arguments, int most, Handle info, int root, Handle comm,
          void* created, int* errors) {
  return host(target, spawning, nullptr, true, root, comm, created, [&] {
    return target.call(command, arguments, most, info, root, comm, created, errors);
  });
}

int spawnMultiple(Target target, int count, void* commands, void* arguments, const int* most, const void* infos,
                  int root, Handle comm, void* created, int* errors) {
  return host(target, spawning, nullptr, true, root, comm, created, [&] {
    return target.call(count, commands, arguments, most, infos, root, comm, created, errors);
  });
}

int accept(Target target, const char* port, Handle info, int root, Handle comm, void* created) {
  return host(target, MeetingPlace::ofPort, port, false, root, comm, created,
              [&] { return target.call(port, info, root, comm, created); });
}

int connect(Target target, const char* port, Handle info, int root, Handle comm, void* created) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(comm) : nullptr;
  if (c == nullptr || c->inter() || isAttached) {
    const int result = target.call(port, info, root, comm, created);
    scope.returned();
    return result;
  }
  const uint64_t sequence = c->nextSequence();
  const bool isRoot = static_cast<int>(c->rank) == root && c->isShared;
  Expected expected;
  if (isRoot) {
    expected.place = MeetingPlace::nameOfPort(port);
    expected.came = MeetingPlace(expected.place).guestComes();
  }
  const int result = target.call(port, info, root, comm, created);
  Communicator* defined = nullptr;
  if (result == 0) {
    const Handle between = loadHandle(created);
    if (isRoot) expected.isMet = MeetingPlace(expected.place).meetsHost() ? 1 : 0;
    if (isRoot && expected.isMet == 0) MeetingPlace(expected.place).guestsLeave();
    if (c->isShared) expected = broadcast(expected, root, comm);
    uint64_t id = 0;
    if (expected.isMet != 0) {
      if (c->rank == 0) id = receiveId(MeetingPlace(expected.place), expected.came, between);
      id = broadcast(id, 0, comm);
    }
    defined = defineBetweenJobs(between, id, Side::kSecond);
  } else if (isRoot) {
    MeetingPlace(expected.place).guestsLeave();
  }
  emitMeeting(scope, *c, sequence, defined, Collective::kCommConnect);
  return result;
}

// ---- two processes with a connection

union Address {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sockaddr_un local;
};

// The same number for both ends of a connection, and which of them is the host; 0 for a socket without addresses.
uint64_t nameOfConnection(int fd, bool* isHost) {
  Address own{}, peer{};
  socklen_t ownBytes = sizeof own, peerBytes = sizeof peer;
  if (getsockname(fd, &own.any, &ownBytes) != 0 || getpeername(fd, &peer.any, &peerBytes) != 0) return 0;
  if (own.any.sa_family != AF_INET && own.any.sa_family != AF_INET6) return 0;
  const uint64_t a = hashOf(&own, ownBytes, 0xCBF29CE484222325ull);
  const uint64_t b = hashOf(&peer, peerBytes, 0xCBF29CE484222325ull);
  if (a == b) return 0;
  *isHost = a < b;
  return ((a < b ? a : b) * 31 + (a < b ? b : a)) | 2;
}

int join(Target target, int fd, void* created) {
  Scope scope(target);
  bool isHost = false;
  const uint64_t name = scope && !isAttached ? nameOfConnection(fd, &isHost) : 0;
  MeetingPlace place(name);
  MeetingPlace::Moment came = 0;
  if (name != 0) came = isHost ? place.hostComes() : place.guestComes();
  const int result = target.call(fd, created);
  Communicator* defined = nullptr;
  if (name != 0 && result != 0) {
    if (isHost) {
      place.hostLeaves();
    } else {
      place.guestsLeave();
    }
  }
  if (scope && result == 0) {
    const Handle between = loadHandle(created);
    uint64_t id = 0;
    if (name != 0 && isHost) {
      const Meeting meeting = meetAsHost(place, came, 1, randomNumber() | 1);
      id = meeting.id;
      if (meeting.sends != 0) sendId(between, id);
    } else if (name != 0) {
      if (place.meetsHost()) {
        id = receiveId(place, came, between);
      } else {
        place.guestsLeave();
      }
    }
    defined = defineBetweenJobs(between, id, isHost ? Side::kFirst : Side::kSecond);
  }
  scope.returned();
  if (defined != nullptr && defined->isShared) {
    emitOn(scope, *defined, Collective::kCommConnect, defined->nextSequence());
  }
  return result;
}

// A collective on what it ends, whose processes may wait for each other.
int disconnect(Target target, void* handle) {
  Scope scope(target);
  Communicator* c = scope ? findCommunicator(loadHandle(handle)) : nullptr;
  uint32_t number = 0;
  uint64_t sequence = 0;
  if (c != nullptr) {
    number = c->number;
    sequence = c->nextSequence();
    if (!c->isShared) c = nullptr;
    forgetCommunicator(loadHandle(handle));
  }
  completeBufferedSends();
  const int result = target.call(handle);
  scope.returned();
  if (c != nullptr) {
    scope.emit(Kind::kCollective, number,
               {format::opAndRoot(Collective::kCommDisconnect, format::kNoRoot), 0, 0, sequence});
  }
  return result;
}

}  // namespace

uint64_t jobOfSpawned(uint64_t intercommunicatorId) {
  return originOf(intercommunicatorId, 2) & INT64_MAX;
}

// What launchers set for spawned processes: those of MPICH, and of Open MPI. Programs that these start inherit it.
void tellArrival() {
  if (!recording()) return;
  const char* spawned = getenv("PMI_SPAWNED");
  if ((spawned != nullptr && atoi(spawned) != 0) || getenv("OMPI_PARENT_PORT") != nullptr) {
    arrived = true;
    arrival = MeetingPlace::ofSpawning().guestComes();
  }
}

uint64_t receiveFromParents() {
  if (!arrived) return 0;
  Handle parents = 0;
  if (callService(Service::kComm_get_parent, &parents) != 0) return 0;
  parents = loadHandle(&parents);
  // None: this process was started by one that was spawned.
  return parents != abi().commNull && MeetingPlace::ofSpawning().meetsHost()
             ? receiveId(MeetingPlace::ofSpawning(), arrival, parents)
             : 0;
}

void leaveParents() {
  if (arrived) MeetingPlace::ofSpawning().guestsLeave();
}

PARALLAX_MPI_ENTRY(Comm_spawn,
                   (const void* command, void* arguments, int most, Handle info, int root, Handle comm,
                    void* created, int* errors),
                   spawn, command, arguments, most, info, root, comm, created, errors)
PARALLAX_MPI_ENTRY(Comm_spawn_multiple,
                   (int count, void* commands, void* arguments, const int* most, const void* infos, int root,
                    Handle comm, void* created, int* errors),
                   spawnMultiple, count, commands, arguments, most, infos, root, comm, created, errors)
PARALLAX_MPI_ENTRY(Comm_accept, (const char* port, Handle info, int root, Handle comm, void* created), accept,
                   port, info, root, comm, created)
PARALLAX_MPI_ENTRY(Comm_connect, (const char* port, Handle info, int root, Handle comm, void* created), connect,
                   port, info, root, comm, created)
PARALLAX_MPI_ENTRY(Comm_join, (int fd, void* created), join, fd, created)
PARALLAX_MPI_ENTRY(Comm_disconnect, (void* handle), disconnect, handle)

}  // namespace parallax::mpi
