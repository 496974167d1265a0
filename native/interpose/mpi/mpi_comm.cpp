#include "interpose/mpi/mpi_comm.h"

#include "core/agent.h"
#include "interpose/mpi/mpi_memory.h"
#include "interpose/mpi/mpi_real.h"

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
uint32_t lastNumber = 0;
SpinLock writeLock;  // guards the four above against writers

Communicator* world = nullptr;

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

Communicator* newCommunicator() {
  SpinGuard guard(writeLock);
  Communicator* c = unusedCommunicators;
  if (c != nullptr) {
    unusedCommunicators = c->nextUnused;
  } else {
    c = static_cast<Communicator*>(allocate(sizeof(Communicator)));
    if (c == nullptr) return nullptr;
  }
  c->number = ++lastNumber;
  c->size = c->remoteSize = c->rank = c->sources = c->destinations = 0;
  c->globalId = c->nullNeighbours = 0;
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

// ---- members

// A group as world ranks in as few runs as they allow.
class Members {
 public:
  explicit Members(size_t ranks) : ranks_(ranks), buffer_(ranks * sizeof(format::RankRun)) {}

  format::RankRun* runs() { return static_cast<format::RankRun*>(buffer_.data()); }
  uint32_t count() const { return count_; }
  uint64_t hash() const { return hash_; }

  // False when a member is not in MPI_COMM_WORLD.
  bool add(Service groupOf, Handle communicator, uint32_t size);

 private:
  void append(uint32_t worldRank);

  size_t ranks_;
  CallBuffer buffer_;
  uint32_t count_ = 0;
  uint32_t groupStart_ = 0;
  uint64_t hash_ = 0;
};

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0xFF51AFD7ED558CCDull;
  return hash ^ (hash >> 32);
}

void Members::append(uint32_t worldRank) {
  hash_ = mix(hash_, worldRank + 1);
  if (count_ > groupStart_) {
    format::RankRun& last = runs()[count_ - 1];
    const int64_t step = static_cast<int64_t>(worldRank) -
                         (last.first + static_cast<int64_t>(last.stride) * (last.count - 1));
    if (last.count == 1 || step == last.stride) {
      last.stride = static_cast<int32_t>(step);
      ++last.count;
      return;
    }
  }
  runs()[count_++] = format::RankRun{worldRank, 1, 1};
}

bool Members::add(Service groupOf, Handle communicator, uint32_t size) {
  groupStart_ = count_;
  hash_ = size;
  if (runs() == nullptr) return false;
  Handle group = 0, worldGroup = 0;
  if (callService(groupOf, communicator, &group) != 0) return false;
  bool known = callService(Service::kComm_group, abi().world, &worldGroup) == 0;
  // Slices keep the room on the stack.
  constexpr uint32_t kSlice = 256;
  int ranks[kSlice], worldRanks[kSlice];
  for (uint32_t from = 0; known && from < size; from += kSlice) {
    const uint32_t n = size - from < kSlice ? size - from : kSlice;
    for (uint32_t i = 0; i < n; ++i) ranks[i] = static_cast<int>(from + i);
    known = callService(Service::kGroup_translate_ranks, normalised(group), static_cast<int>(n),
                        &ranks[0], normalised(worldGroup), &worldRanks[0]) == 0;
    for (uint32_t i = 0; known && i < n; ++i) {
      known = worldRanks[i] >= 0;
      if (known) append(static_cast<uint32_t>(worldRanks[i]));
    }
  }
  if (worldGroup != 0) callService(Service::kGroup_free, &worldGroup);
  callService(Service::kGroup_free, &group);
  return known;
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

// How many times this was called with `id` before.
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

std::string_view nameOf(Handle handle) {
  if (handle == abi().world) return "MPI_COMM_WORLD";
  if (handle == abi().self) return "MPI_COMM_SELF";
  return "";
}

}  // namespace

const Communicator* worldCommunicator() { return world; }

uint64_t originOf(uint64_t parentId, uint64_t sequence) { return mix(mix(1, parentId), sequence); }

namespace {

Communicator* defineWith(Handle handle, uint64_t origin, bool counted) {
  if (!isCommunicator(handle)) return nullptr;
  int size = 0, rank = 0, inter = 0, remote = 0;
  if (callService(Service::kComm_size, handle, &size) != 0 || size <= 0) return nullptr;
  callService(Service::kComm_rank, handle, &rank);
  callService(Service::kComm_test_inter, handle, &inter);
  if (inter != 0) callService(Service::kComm_remote_size, handle, &remote);

  Communicator* c = newCommunicator();
  if (c == nullptr) return nullptr;
  c->size = static_cast<uint32_t>(size);
  c->rank = static_cast<uint32_t>(rank);
  c->remoteSize = static_cast<uint32_t>(remote);

  Members members(static_cast<size_t>(size) + static_cast<size_t>(remote));
  bool known = members.add(Service::kComm_group, handle, c->size);
  const uint64_t ownHash = members.hash();
  const uint32_t ownRuns = members.count();
  uint64_t remoteHash = 0;
  if (known && inter != 0) {
    known = members.add(Service::kComm_remote_group, handle, c->remoteSize);
    remoteHash = members.hash();
  }
  // Both groups of an intercommunicator arrive at the same id.
  c->globalId = mix(mix(origin, ownHash < remoteHash ? ownHash : remoteHash),
                    ownHash < remoteHash ? remoteHash : ownHash);
  if (counted) c->globalId = mix(c->globalId, countEarlier(c->globalId));
  describeTopology(c, handle);

  format::CommunicatorRecord record;
  record.communicator = c->number;
  record.size = c->size;
  record.globalId = c->globalId;
  record.ownRank = c->rank;
  record.flags = (inter != 0 ? format::kIntercommunicator : 0) |
                 (known ? 0 : format::kMembersUnknown);
  if (known) {
    record.runs.data = members.runs();
    record.runs.ownCount = ownRuns;
    record.runs.remoteCount = members.count() - ownRuns;
  }
  record.name = nameOf(handle);
  define(record);
  insert(handle, c);
  return c;
}

}  // namespace

Communicator* defineCommunicator(Handle handle, uint64_t origin) {
  return defineWith(handle, origin, false);
}

Communicator* defineCommunicatorAmong(Handle handle, int tag) {
  return defineWith(handle, originOf(world != nullptr ? ~world->globalId : 0,
                                     static_cast<uint32_t>(tag)),
                    true);
}

void defineWorld(uint64_t job) {
  world = defineCommunicator(abi().world, originOf(job, 0));
  // That of MPI_COMM_SELF must differ from what is created on MPI_COMM_WORLD, by its parent.
  defineCommunicator(abi().self, originOf(job, 1));
}

Communicator* findCommunicator(Handle handle) {
  handle = normalised(handle);
  if (handle == abi().world && world != nullptr) return world;
  if (Communicator* known = lookUp(handle)) return known;
  // MPI_COMM_WORLD comes first, so that it has number 1.
  if (world == nullptr || !isCommunicator(handle)) return nullptr;
  static SpinLock lock;
  SpinGuard guard(lock);
  if (Communicator* known = lookUp(handle)) return known;
  // Its other members do not see where it came from in the same way: shared with none.
  return defineCommunicator(handle, randomNumber());
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

void forgetCommunicator(Handle handle) {
  handle = normalised(handle);
  if (handle != abi().world && handle != abi().self) forget(handle);
}

// ---- windows

Communicator* findWindow(Handle handle) {
  handle = normalised(handle);
  return abi().library != Library::kUnknown && handle != 0 ? lookUp(handle) : nullptr;
}

Communicator* defineWindow(Handle handle, uint64_t origin) {
  Handle group = 0;
  int size = 0, rank = 0;
  if (callService(Service::kWin_get_group, handle, &group) != 0) return nullptr;
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
  Members members(c->size);
  const bool known = members.add(Service::kWin_get_group, handle, c->size);
  c->globalId = mix(mix(origin, members.hash()), c->size);

  format::CommunicatorRecord record;
  record.communicator = c->number;
  record.size = c->size;
  record.globalId = c->globalId;
  record.ownRank = c->rank;
  record.flags = format::kWindowMembers | (known ? 0 : format::kMembersUnknown);
  if (known) record.runs = {members.runs(), members.count(), 0};
  define(record);
  insert(handle, c);
  return c;
}

void forgetWindow(Handle handle) {
  handle = normalised(handle);
  if (Communicator* window = lookUp(handle)) callService(Service::kGroup_free, &window->group);
  forget(handle);
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
