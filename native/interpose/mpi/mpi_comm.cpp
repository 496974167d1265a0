#include "interpose/mpi/mpi_comm.h"

#include "core/agent.h"
#include "interpose/mpi/mpi_alone.h"
#include "interpose/mpi/mpi_members.h"
#include "interpose/mpi/mpi_place.h"
#include "interpose/mpi/mpi_memory.h"
#include "interpose/mpi/mpi_real.h"
#include "interpose/mpi/mpi_session.h"

namespace parallax::mpi {
namespace {

// ---- handle -> communicator: open addressing, read without a lock

struct Slot {
  std::atomic<Handle> handle;  // stays when the communicator is freed: MPI reuses handles
  std::atomic<Communicator*> communicator;
};

struct Table {
  size_t mask;
  Slot slots[1];
};

std::atomic<Table*> table{nullptr};
size_t usedSlots = 0;
Communicator* unusedCommunicators = nullptr;
uint32_t lastNumber = 1;  // that of MPI_COMM_WORLD, which a program with sessions can do without
SpinLock writeLock;  // guards the four above against writers

size_t firstSlot(const Table* t, Handle handle) {
  return static_cast<size_t>((handle * 0x9E3779B97F4A7C15ull) >> 20) & t->mask;
}

Slot* slotOf(Table* t, Handle handle, bool orFree) {
  for (size_t i = firstSlot(t, handle);; i = (i + 1) & t->mask) {
    const Handle found = t->slots[i].handle.load(std::memory_order_acquire);
    if (found == handle) return &t->slots[i];
    if (found == 0) return orFree ? &t->slots[i] : nullptr;
  }
}

// Called under writeLock. A table that was outgrown stays: readers may still be in it.
Table* tableWithRoom() {
  Table* old = table.load(std::memory_order_relaxed);
  if (old != nullptr && usedSlots * 2 < old->mask) return old;
  const size_t slots = old != nullptr ? (old->mask + 1) * 2 : 256;
  auto* bigger = static_cast<Table*>(allocate(sizeof(Table) + slots * sizeof(Slot)));
  if (bigger == nullptr) return nullptr;
  bigger->mask = slots - 1;
  for (size_t i = 0; old != nullptr && i <= old->mask; ++i) {
    const Handle handle = old->slots[i].handle.load(std::memory_order_relaxed);
    if (handle == 0) continue;
    Slot* slot = slotOf(bigger, handle, true);
    slot->communicator.store(old->slots[i].communicator.load(std::memory_order_relaxed));
    slot->handle.store(handle, std::memory_order_relaxed);
  }
  table.store(bigger, std::memory_order_release);
  return bigger;
}

Communicator* lookUp(Handle handle) {
  Table* t = table.load(std::memory_order_acquire);
  Slot* slot = t != nullptr ? slotOf(t, handle, false) : nullptr;
  return slot != nullptr ? slot->communicator.load(std::memory_order_acquire) : nullptr;
}

Communicator* newCommunicator(bool isWorld = false) {
  SpinGuard guard(writeLock);
  Communicator* c = unusedCommunicators;
  if (c != nullptr) {
    unusedCommunicators = c->nextUnused;
  } else {
    c = static_cast<Communicator*>(allocate(sizeof(Communicator)));
    if (c == nullptr) return nullptr;
  }
  c->number = isWorld ? 1 : ++lastNumber;
  c->size = c->remoteSize = c->rank = c->sources = c->destinations = 0;
  c->globalId = c->nullNeighbours = 0;
  c->isShared = c->isBetweenJobs = c->isSecondGroup = c->isOfSession = false;
  c->group = 0;
  c->access.count = c->exposure.count = c->neighbours.count = 0;
  c->sequence.store(0, std::memory_order_relaxed);
  return c;
}

void insert(Handle handle, Communicator* communicator) {
  SpinGuard guard(writeLock);
  Table* t = tableWithRoom();
  if (t == nullptr) return;
  Slot* slot = slotOf(t, handle, true);
  slot->communicator.store(communicator, std::memory_order_release);
  if (slot->handle.load(std::memory_order_relaxed) == 0) {
    slot->handle.store(handle, std::memory_order_release);
    ++usedSlots;
  }
}

// ---- topologies

bool makeRoom(Ranks* ranks, uint32_t count) {
  if (count <= ranks->capacity) return true;
  uint32_t capacity = 16;
  while (capacity < count) capacity *= 2;
  auto* at = static_cast<uint32_t*>(allocate(capacity * sizeof(uint32_t)));
  if (at == nullptr) return false;
  ranks->at = at;
  ranks->capacity = capacity;
  return true;
}

void describeCartesian(Communicator* c, Handle handle) {
  int dimensions = 0;
  if (callService(Service::kCartdim_get, handle, &dimensions) != 0 || dimensions < 0) return;
  c->sources = c->destinations = 2 * static_cast<uint32_t>(dimensions);
  if (dimensions > 32 || !makeRoom(&c->neighbours, c->sources)) return;
  for (int d = 0; d < dimensions; ++d) {
    int sides[2] = {0, 0};
    if (callService(Service::kCart_shift, handle, d, 1, &sides[0], &sides[1]) != 0) return;
    for (int side = 0; side < 2; ++side) {
      const bool null = sides[side] == abi().procNull;
      if (null) c->nullNeighbours |= 1ull << (2 * d + side);
      c->neighbours.at[2 * d + side] = null ? kNullNeighbour : static_cast<uint32_t>(sides[side]);
    }
  }
  c->neighbours.count = c->sources;
}

// Has MPI write the sources, `ask(room)` for ints.
template <class Ask>
void describeNeighbours(Communicator* c, Ask ask) {
  static_assert(sizeof(int) == sizeof(uint32_t));
  if (c->sources == 0 || !makeRoom(&c->neighbours, c->sources)) return;
  if (ask(reinterpret_cast<int*>(c->neighbours.at)) == 0) c->neighbours.count = c->sources;
}

void describeTopology(Communicator* c, Handle handle) {
  int topology = kUndefined;
  if (c->inter() || callService(Service::kTopo_test, handle, &topology) != 0) return;
  if (topology == abi().topologyCart) {
    describeCartesian(c, handle);
  } else if (topology == abi().topologyGraph) {
    int neighbours = 0;
    callService(Service::kGraph_neighbors_count, handle, static_cast<int>(c->rank), &neighbours);
    c->sources = c->destinations = static_cast<uint32_t>(neighbours);
    describeNeighbours(c, [&](int* ranks) {
      return callService(Service::kGraph_neighbors, handle, static_cast<int>(c->rank), neighbours, ranks);
    });
  } else if (topology == abi().topologyDistGraph) {
    int in = 0, out = 0, weighted = 0;
    callService(Service::kDist_graph_neighbors_count, handle, &in, &out, &weighted);
    c->sources = static_cast<uint32_t>(in);
    c->destinations = static_cast<uint32_t>(out);
    // MPI wants room for all of it, and the weights.
    CallBuffer rest((static_cast<size_t>(in) + 2 * static_cast<size_t>(out)) * sizeof(int));
    auto* ints = static_cast<int*>(rest.data());
    if (ints == nullptr) return;
    describeNeighbours(c, [&](int* ranks) {
      return callService(Service::kDist_graph_neighbors, handle, in, ranks, ints, out, ints + in, ints + in + out);
    });
  }
}

bool isCommunicator(Handle handle) {
  return abi().library != Library::kUnknown && handle != 0 && handle != abi().commNull &&
         abi().mayBeCommunicator(handle);
}

std::string_view nameOf(Handle handle) {
  if (handle == abi().world) return "MPI_COMM_WORLD";
  if (handle == abi().self) return "MPI_COMM_SELF";
  return "";
}

}  // namespace

Communicator* knownWorld = nullptr;

uint64_t countEarlier(uint64_t id) {
  struct Count {
    Count* next;
    uint64_t id, times;
  };
  static Count* counts = nullptr;
  static SpinLock lock;
  SpinGuard guard(lock);
  for (Count* count = counts; count != nullptr; count = count->next) {
    if (count->id == id) return count->times++;
  }
  auto* first = static_cast<Count*>(allocate(sizeof(Count)));
  if (first == nullptr) return 0;
  *first = Count{counts, id, 1};
  counts = first;
  return 0;
}

uint64_t originOf(uint64_t parentId, uint64_t sequence) { return mix(mix(1, parentId), sequence); }

namespace {

// What a communicator is derived from.
struct Derivation {
  const Communicator* parent;
  Handle handle;
  uint64_t origin;
  bool isCounted;  // several can have the same origin, in the same order in all members
  bool isOfSession;
};

Universe universeOf(bool isOfSession) { return isOfSession ? Universe::kSession : Universe::kWorld; }

// A communicator that MPI has just created, with its sizes. Null for MPI_COMM_NULL.
Communicator* measured(Handle handle) {
  if (!isCommunicator(handle)) return nullptr;
  int size = 0, rank = 0, inter = 0, remote = 0;
  if (callService(Service::kComm_size, handle, &size) != 0 || size <= 0) return nullptr;
  callService(Service::kComm_rank, handle, &rank);
  callService(Service::kComm_test_inter, handle, &inter);
  if (inter != 0) callService(Service::kComm_remote_size, handle, &remote);
  Communicator* c = newCommunicator(handle == abi().world);
  if (c == nullptr) return nullptr;
  c->size = static_cast<uint32_t>(size);
  c->rank = static_cast<uint32_t>(rank);
  c->remoteSize = static_cast<uint32_t>(remote);
  return c;
}

void publish(Communicator* c, Handle handle, uint32_t flags, const format::RankRuns& runs) {
  describeTopology(c, handle);
  format::CommunicatorRecord record;
  record.communicator = c->number;
  record.size = c->size;
  record.globalId = c->globalId;
  record.ownRank = c->rank;
  record.flags = flags | (c->inter() ? format::kIntercommunicator : 0) |
                 (c->isSecondGroup ? format::kSecondGroup : 0);
  record.runs = runs;
  record.name = nameOf(handle);
  define(record);
  insert(handle, c);
}

// Of members that are not all in MPI_COMM_WORLD only the number is told.
void publishUnknown(Communicator* c, Handle handle, uint32_t flags) {
  c->isBetweenJobs = true;
  format::RankRun sizes[2] = {{0, 1, c->size}, {0, 1, c->remoteSize}};
  publish(c, handle, flags | format::kMembersUnknown, {&sizes[0], 1, c->inter() ? 1u : 0u});
}

void identify(Communicator* c, uint64_t id, bool isCounted) {
  c->isShared = id != 0;
  c->globalId = id == 0 ? randomNumber() : isCounted ? mix(id, countEarlier(id)) : id;
}

// Both groups of an intercommunicator arrive at the same id.
uint64_t idOf(uint64_t origin, uint64_t ownHash, uint64_t remoteHash) {
  return mix(mix(origin, ownHash < remoteHash ? ownHash : remoteHash),
             ownHash < remoteHash ? remoteHash : ownHash);
}

// Of a communicator with members of several jobs, from what it is derived from; 0 if its members share none.
uint64_t idBetweenJobs(Communicator* c, Handle handle, const Communicator* parent, Handle parentHandle,
                       uint64_t origin) {
  if (parent == nullptr || !parent->isShared) return 0;
  const uint64_t own = hashWithin(*parent, parentHandle, Service::kComm_group, handle, c->size);
  uint64_t remote = 0;
  if (c->inter()) {
    remote = hashWithin(*parent, parentHandle, Service::kComm_remote_group, handle, c->remoteSize);
    c->isSecondGroup = parent->inter() ? parent->isSecondGroup : own > remote;
  }
  return own != 0 && (!c->inter() || remote != 0) ? idOf(origin, own, remote) : 0;
}

// Both groups of a communicator.
bool addAll(Members& members, const Communicator& c, Handle handle, uint64_t origin, uint64_t* id, uint32_t* ownRuns) {
  if (!members.add(Service::kComm_group, handle, c.size)) return false;
  const uint64_t ownHash = members.hash();
  *ownRuns = members.count();
  if (c.inter() && !members.add(Service::kComm_remote_group, handle, c.remoteSize)) return false;
  *id = idOf(origin, ownHash, c.inter() ? members.hash() : 0);
  return true;
}

// `betweenJobs(c)` is the id if not all members are in the universe.
template <class BetweenJobs>
Communicator* defineAs(Handle handle, uint64_t origin, bool isCounted, bool isOfSession, BetweenJobs betweenJobs) {
  Communicator* c = measured(handle);
  if (c == nullptr) return nullptr;
  c->isOfSession = isOfSession;
  Members members(universeOf(isOfSession), static_cast<size_t>(c->size) + c->remoteSize);
  uint64_t id = 0;
  uint32_t ownRuns = 0;
  if (addAll(members, *c, handle, origin, &id, &ownRuns)) {
    identify(c, id, isCounted);
    publish(c, handle, 0, {members.runs(), ownRuns, members.count() - ownRuns});
  } else {
    identify(c, betweenJobs(c), isCounted);
    publishUnknown(c, handle, 0);
  }
  return c;
}

Communicator* defineWith(Handle handle, const Derivation& from) {
  return defineAs(handle, from.origin, from.isCounted, from.isOfSession, [&](Communicator* c) {
    return idBetweenJobs(c, handle, from.parent, from.handle, from.origin);
  });
}

}  // namespace

Communicator* defineCommunicator(Handle handle, const Communicator& parent, Handle parentHandle,
                                 uint64_t origin) {
  return defineWith(handle, {&parent, parentHandle, origin, false, parent.isOfSession});
}

Duplication duplicationOf(const Communicator& parent, Handle handle, uint64_t sequence) {
  Duplication d{originOf(parent.globalId, sequence), 0, parent.isSecondGroup, parent.isOfSession};
  if (!parent.isBetweenJobs) return d;
  Communicator like{};
  like.size = parent.size;
  like.remoteSize = parent.remoteSize;
  d.idBetweenJobs = idBetweenJobs(&like, handle, &parent, handle, d.origin);
  return d;
}

Communicator* defineDuplicate(Handle handle, const Duplication& of) {
  return defineAs(handle, of.origin, false, of.isOfSession, [&](Communicator* c) {
    c->isSecondGroup = of.isSecondGroup;
    return of.idBetweenJobs;
  });
}

Communicator* defineCommunicatorAmong(Handle handle, const Communicator* parent, Handle parentHandle, int tag) {
  uint64_t among = knownWorld != nullptr ? ~knownWorld->globalId : 0;
  if (parent != nullptr && (parent->isBetweenJobs || parent->isOfSession)) among = ~parent->globalId;
  return defineWith(handle, {parent, parentHandle, originOf(among, static_cast<uint32_t>(tag)), true,
                             parent != nullptr && parent->isOfSession});
}

Communicator* defineFromGroups(Handle handle, uint64_t tag) {
  if (isAttached) return findCommunicator(handle);
  // No other process is asked if that is not necessary: only those who record the call would answer.
  if (const uint64_t job = commonJob()) {
    return defineAs(handle, originOf(~job, tag), true, true, [](Communicator*) { return uint64_t{0}; });
  }
  Communicator* c = measured(handle);
  if (c == nullptr) return nullptr;
  c->isOfSession = true;
  Members members(Universe::kSession, static_cast<size_t>(c->size) + c->remoteSize);
  uint64_t unused = 0;
  uint32_t ownRuns = 0;
  const bool known = addAll(members, *c, handle, 0, &unused, &ownRuns);
  const bool isFirst = !c->inter() || (known && members.runs()[0].first < members.runs()[ownRuns].first);
  // Groups with others than those of mpi://WORLD have no order that both know.
  identify(c, known || !c->inter() ? agreedId(*c, handle, isFirst) : 0, false);
  if (known) {
    publish(c, handle, 0, {members.runs(), ownRuns, members.count() - ownRuns});
  } else {
    publishUnknown(c, handle, 0);
  }
  return c;
}

Communicator* defineWorldOfSessions(uint32_t rank, uint32_t size, uint64_t job) {
  Communicator* c = newCommunicator();
  if (c == nullptr) return nullptr;
  c->size = size;
  c->rank = rank;
  c->isOfSession = true;
  // Each communicator of a job that is not derived has a number of its own: see defineWorld().
  identify(c, originOf(job, 2), false);
  format::CommunicatorRecord record;
  record.communicator = c->number;
  record.size = size;
  record.globalId = c->globalId;
  record.ownRank = rank;
  const format::RankRun all{0, 1, size};
  record.runs = {&all, 1, 0};
  record.name = "mpi://WORLD";
  define(record);
  return c;
}

Communicator* defineBetweenJobs(Handle handle, uint64_t id, Side side) {
  Communicator* c = measured(handle);
  if (c == nullptr) return nullptr;
  c->isSecondGroup = side != Side::kFirst;
  identify(c, id, false);
  publishUnknown(c, handle, side == Side::kSpawned && id != 0 ? format::kParentGroup : 0);
  return c;
}

void defineWorld(uint64_t job) {
  knownWorld = defineWith(abi().world, {nullptr, 0, originOf(job, 0), false, false});
  // That of MPI_COMM_SELF must differ from what is created on MPI_COMM_WORLD, by its parent.
  defineWith(abi().self, {nullptr, 0, originOf(job, 1), false, false});
}

Communicator* findOtherCommunicator(Handle handle) {
  if (Communicator* known = lookUp(handle)) return known;
  // MPI_COMM_WORLD comes first, so that it has number 1.
  if (isAttached && knownWorld == nullptr && beginAlone() != nullptr) return findCommunicator(handle);
  const bool isOfSession = knownWorld == nullptr;
  if ((isOfSession && !hasSession()) || !isCommunicator(handle)) return nullptr;
  static SpinLock lock;
  SpinGuard guard(lock);
  if (Communicator* known = lookUp(handle)) return known;
  // Its other members do not see where it came from in the same way: shared with none.
  Communicator* c = defineWith(handle, {nullptr, 0, randomNumber(), false, isOfSession});
  if (c != nullptr) c->isShared = false;
  return c;
}

namespace {

void forget(Handle handle) {
  SpinGuard guard(writeLock);
  Table* t = table.load(std::memory_order_relaxed);
  Slot* slot = t != nullptr ? slotOf(t, handle, false) : nullptr;
  if (slot == nullptr) return;
  Communicator* c = slot->communicator.exchange(nullptr, std::memory_order_acq_rel);
  if (c == nullptr) return;
  c->nextUnused = unusedCommunicators;
  unusedCommunicators = c;
}

}  // namespace

// Those that are forgotten are not used again: a thread may still be in a call with one.
void forgetAllCommunicators() {
  SpinGuard guard(writeLock);
  Table* t = table.load(std::memory_order_relaxed);
  for (size_t i = 0; t != nullptr && i <= t->mask; ++i) t->slots[i].communicator.store(nullptr, std::memory_order_release);
  knownWorld = nullptr;
}

void forgetCommunicator(Handle handle) {
  handle = normalised(handle);
  if (handle != abi().world && handle != abi().self) forget(handle);
}

// ---- windows

Communicator* findWindow(Handle handle) {
  handle = normalised(handle);
  return abi().library != Library::kUnknown && handle != 0 ? lookUp(handle) : nullptr;
}

namespace {

// A communicator of the processes of a window or file. Keeps their group.
Communicator* defineProcessesOf(Service groupOf, Handle handle, Handle key, uint32_t flags, const Communicator& parent,
                                uint64_t sequence) {
  Handle group = 0;
  int size = 0, rank = 0;
  if (callService(groupOf, handle, &group) != 0) return nullptr;
  group = normalised(group);
  callService(Service::kGroup_size, group, &size);
  callService(Service::kGroup_rank, group, &rank);
  Communicator* c = size > 0 ? newCommunicator() : nullptr;
  if (c == nullptr) {
    callService(Service::kGroup_free, &group);
    return nullptr;
  }
  c->size = static_cast<uint32_t>(size);
  c->rank = static_cast<uint32_t>(rank);
  c->group = group;
  c->isOfSession = parent.isOfSession;
  Members members(universeOf(c->isOfSession), c->size);
  const bool known = members.add(groupOf, handle, c->size);
  c->globalId = mix(mix(originOf(parent.globalId, sequence), known ? members.hash() : 0), c->size);

  format::CommunicatorRecord record;
  record.communicator = c->number;
  record.size = c->size;
  record.globalId = c->globalId;
  record.ownRank = c->rank;
  record.flags = flags | (known ? 0 : format::kMembersUnknown);
  const format::RankRun all{0, 1, c->size};
  record.runs = known ? format::RankRuns{members.runs(), members.count(), 0} : format::RankRuns{&all, 1, 0};
  define(record);
  insert(key, c);
  return c;
}

void forgetProcessesOf(Handle key) {
  if (Communicator* c = lookUp(key)) callService(Service::kGroup_free, &c->group);
  forget(key);
}

// Pointers and the handles of MPICH must not meet in the table.
Handle keyOfFile(Handle handle) { return handle ^ 0xF11E000000000000ull; }

}  // namespace

Communicator* defineWindow(Handle handle, const Communicator& parent, uint64_t sequence) {
  return defineProcessesOf(Service::kWin_get_group, handle, handle, format::kWindowMembers, parent, sequence);
}

Communicator* findFile(Handle handle) {
  return abi().library != Library::kUnknown && handle != 0 ? lookUp(keyOfFile(handle)) : nullptr;
}

Communicator* defineFile(Handle handle, uint32_t file, const Communicator& parent, uint64_t sequence) {
  Communicator* c = defineProcessesOf(Service::kFile_get_group, handle, keyOfFile(handle), 0, parent, sequence);
  if (c != nullptr) c->file = file;
  return c;
}

void forgetFile(Handle handle) { forgetProcessesOf(keyOfFile(handle)); }

void forgetWindow(Handle handle) {
  forgetProcessesOf(normalised(handle));
}

void ranksIn(const Communicator& window, Handle group, Ranks* into) {
  into->count = 0;
  int size = 0;
  group = normalised(group);
  if (callService(Service::kGroup_size, group, &size) != 0 || size <= 0) return;
  const auto count = static_cast<uint32_t>(size);
  if (!makeRoom(into, count)) return;
  constexpr uint32_t kSlice = 64;
  int members[kSlice], ranks[kSlice];
  for (uint32_t from = 0; from < count; from += kSlice) {
    const uint32_t n = count - from < kSlice ? count - from : kSlice;
    for (uint32_t i = 0; i < n; ++i) members[i] = static_cast<int>(from + i);
    if (callService(Service::kGroup_translate_ranks, group, static_cast<int>(n), &members[0],
                    window.group, &ranks[0]) != 0) {
      return;
    }
    for (uint32_t i = 0; i < n; ++i) {
      if (ranks[i] >= 0) into->at[into->count++] = static_cast<uint32_t>(ranks[i]);
    }
  }
}

}  // namespace parallax::mpi
