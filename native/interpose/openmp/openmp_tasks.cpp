#include "interpose/openmp/openmp_tasks.h"

#include <cstring>
#include <new>

#include "base/memory.h"
#include "base/spin_lock.h"
#include "interpose/openmp/openmp_team.h"

namespace parallax::openmp {
namespace {

// ------------------------------------------------------------------- blocks

constexpr size_t kBlockBytes = 256;
constexpr uint32_t kBatch = 32;
constexpr uint32_t kMostBlocks = 1 << 18;

struct Block {
  Block* next;
  Block* nextBatch;  // of the first of a batch
};

// Of a thread: up to two batches.
struct Spare {
  Block* blocks;
  uint32_t count;
};
__thread Spare spare __attribute__((tls_model("initial-exec"))) = {};

SpinLock batchesLock;
Block* batches = nullptr;
std::atomic<uint32_t> allBlocks{0};

bool obtainBatch() {
  if (batchesLock.lock()) {
    Block* batch = batches;
    if (batch != nullptr) batches = batch->nextBatch;
    batchesLock.unlock();
    if (batch != nullptr) {
      spare.blocks = batch;
      spare.count = 0;
      for (const Block* block = batch; block != nullptr; block = block->next) spare.count++;
      return true;
    }
  }
  if (allBlocks.fetch_add(kBatch, std::memory_order_relaxed) >= kMostBlocks) {
    allBlocks.fetch_sub(kBatch, std::memory_order_relaxed);
    return false;
  }
  auto* memory = static_cast<char*>(allocate(kBatch * kBlockBytes));
  if (memory == nullptr) return false;
  for (uint32_t i = 0; i < kBatch; i++) {
    auto* block = reinterpret_cast<Block*>(memory + i * kBlockBytes);
    block->next = spare.blocks;
    spare.blocks = block;
  }
  spare.count = kBatch;
  return true;
}

// Gives away all but `kept`.
void giveBlocks(uint32_t kept) {
  Block* batch = nullptr;
  while (spare.count > kept) {
    Block* block = spare.blocks;
    spare.blocks = block->next;
    spare.count--;
    block->next = batch;
    batch = block;
  }
  if (batch == nullptr || !batchesLock.lock()) return;
  batch->nextBatch = batches;
  batches = batch;
  batchesLock.unlock();
}

// A zeroed block; null if there is none.
template <class T>
T* obtain() {
  static_assert(sizeof(T) <= kBlockBytes);
  if (spare.blocks == nullptr && !obtainBatch()) return nullptr;
  Block* block = spare.blocks;
  spare.blocks = block->next;
  spare.count--;
  memset(static_cast<void*>(block), 0, sizeof(T));
  return new (block) T;
}

void giveBack(void* memory) {
  auto* block = static_cast<Block*>(memory);
  block->next = spare.blocks;
  spare.blocks = block;
  if (++spare.count > 2 * kBatch) giveBlocks(kBatch);
}

bool isAlone(const Task* task) { return task->team != nullptr && task->team->isAlone(task->region); }

void referTo(Task* task) { addTo(task->references, 1u, isAlone(task)); }

// Whether this was the last reference. Nobody else can make another one of the only one.
bool releaseLast(std::atomic<uint32_t>& references, bool alone) {
  return references.load(std::memory_order_acquire) == 1 || addTo(references, ~0u, alone) == 1;
}

void releaseEnds(Ends* ends) {
  if (ends != nullptr && releaseLast(ends->references, false)) giveBack(ends);
}

}  // namespace

void giveSpareBlocks() { giveBlocks(0); }

// -------------------------------------------------------------------- lists

bool TaskList::append(Task* task) {
  if (count_ < kFew) {
    few_[count_++] = task;
    return true;
  }
  if (more_ == nullptr || more_->count == kOfChunk) {
    auto* chunk = obtain<Chunk>();
    if (chunk == nullptr) return false;
    chunk->next = more_;
    more_ = chunk;
  }
  more_->tasks[more_->count++] = task;
  count_++;
  return true;
}

void TaskList::add(Task* task) {
  if (count_ >= kFew && count_ >= cleanAt_) {
    removeEnded();
    cleanAt_ = 2 * count_;
  }
  if (append(task)) referTo(task);
}

void TaskList::addRunning(const TaskList& others, const Task* except) {
  others.each([&](Task* task) {
    if (task != except && !task->isOver() && append(task)) referTo(task);
  });
}

void TaskList::removeEnded() {
  TaskList kept{};
  each([&](Task* task) {
    if (task->isOver() || !kept.append(task)) releaseTask(task);
  });
  for (Chunk* chunk = more_; chunk != nullptr;) {
    Chunk* next = chunk->next;
    giveBack(chunk);
    chunk = next;
  }
  *this = kept;
}

void TaskList::clear() {
  if (count_ == 0) return;
  each([](Task* task) { releaseTask(task); });
  for (Chunk* chunk = more_; chunk != nullptr;) {
    Chunk* next = chunk->next;
    giveBack(chunk);
    chunk = next;
  }
  *this = TaskList{};
}

void TaskList::takeFrom(TaskList& other) {
  clear();
  *this = other;
  other = TaskList{};
}

bool TaskList::isOver() const {
  bool over = true;
  each([&](const Task* task) { over = over && task->isOver(); });
  return over;
}

// -------------------------------------------------------------- dependences

// Of one address: the tasks that depend on it in the same way since the last one that did in
// another way (alone, where that is out), and those before them.
struct Entry {
  const void* memory;
  Entry* next;
  Dependence dependence;
  TaskList current, previous;
  Ends* exclusive;  // of those with mutexinoutset
};

struct Dependences {
  static constexpr uint32_t kFew = 16;
  Entry** buckets;  // null: few
  uint32_t capacity, count;
  Entry* all;       // what depends on all memory
  Entry* few[kFew];

  Entry** table() { return buckets != nullptr ? buckets : few; }
  Entry** place(const void* memory) {
    const auto address = reinterpret_cast<uint64_t>(memory);
    return &table()[(address * 0x9E3779B97F4A7C15u >> 40) & (capacity - 1)];
  }
  Entry* find(const void* memory) {
    Entry* entry = *place(memory);
    while (entry != nullptr && entry->memory != memory) entry = entry->next;
    return entry;
  }
  template <class Visit>
  void each(Visit visit) {
    for (uint32_t i = 0; i < capacity; i++) {
      for (Entry* entry = table()[i]; entry != nullptr;) {
        Entry* next = entry->next;
        visit(entry);
        entry = next;
      }
    }
  }
  Entry* obtainEntry(const void* memory);
  void clear();

 private:
  void makeRoom();
};

namespace {

void releaseEntry(Entry* entry) {
  entry->current.clear();
  entry->previous.clear();
  releaseEnds(entry->exclusive);
  giveBack(entry);
}

void releasePagesOf(Entry** buckets, uint32_t capacity) {
  if (buckets != nullptr) releasePages(buckets, capacity * sizeof(Entry*));
}

}  // namespace

// Entries whose tasks have all ended are of no use any more.
void Dependences::makeRoom() {
  if (count < 2 * capacity) return;
  constexpr uint32_t kMostBuckets = 1 << 16;
  Entry* used = nullptr;
  count = 0;
  each([&](Entry* entry) {
    if (entry->current.isOver() && entry->previous.isOver()) {
      releaseEntry(entry);
      return;
    }
    entry->next = used;
    used = entry;
    count++;
  });
  Entry** old = buckets;
  const uint32_t oldCapacity = capacity;
  void* pages = count > capacity && capacity < kMostBuckets
                    ? allocatePages(8 * capacity * sizeof(Entry*)) : nullptr;
  if (pages != nullptr) {
    buckets = static_cast<Entry**>(pages);
    capacity *= 8;
    releasePagesOf(old, oldCapacity);
  } else {
    memset(static_cast<void*>(table()), 0, capacity * sizeof(Entry*));
  }
  while (Entry* entry = used) {
    used = entry->next;
    Entry** at = place(entry->memory);
    entry->next = *at;
    *at = entry;
  }
}

Entry* Dependences::obtainEntry(const void* memory) {
  if (Entry* entry = find(memory)) return entry;
  makeRoom();
  auto* entry = obtain<Entry>();
  if (entry == nullptr) return nullptr;
  count++;
  Entry** at = place(memory);
  entry->memory = memory;
  entry->next = *at;
  *at = entry;
  return entry;
}

void Dependences::clear() {
  each(releaseEntry);
  count = 0;
  memset(static_cast<void*>(table()), 0, capacity * sizeof(Entry*));
}

namespace {

void addPredecessorsAt(const Entry& entry, Dependence dependence, const Task* except,
                       TaskList* predecessors) {
  const bool joins = dependence != Dependence::kOut && dependence == entry.dependence;
  predecessors->addRunning(joins ? entry.previous : entry.current, except);
}

void collect(Dependences* all, const void* memory, Dependence dependence, const Task* except,
             TaskList* predecessors) {
  if (memory == nullptr) {
    all->each([&](Entry* entry) {
      addPredecessorsAt(*entry, Dependence::kOut, except, predecessors);
    });
  } else if (const Entry* entry = all->find(memory)) {
    addPredecessorsAt(*entry, dependence, except, predecessors);
  }
  if (all->all != nullptr) predecessors->addRunning(all->all->current, except);
}

void joinEntry(Entry* entry, Task* task, Dependence dependence) {
  if (dependence == Dependence::kOut || dependence != entry->dependence) {
    if (dependence == Dependence::kOut) {
      entry->previous.clear();
      entry->current.clear();
    } else {
      entry->previous.takeFrom(entry->current);
    }
    entry->dependence = dependence;
    releaseEnds(entry->exclusive);
    entry->exclusive = nullptr;
  }
  entry->current.add(task);
}

void exclude(Entry* entry, Task* task) {
  size_t at = 0;
  while (at < Task::kMostExclusive && task->exclusive[at] != nullptr) at++;
  if (at == Task::kMostExclusive) return;
  if (entry->exclusive == nullptr) {
    entry->exclusive = obtain<Ends>();
    if (entry->exclusive == nullptr) return;
    entry->exclusive->references.store(1, std::memory_order_relaxed);
  }
  entry->exclusive->references.fetch_add(1, std::memory_order_relaxed);
  task->exclusive[at] = entry->exclusive;
}

Dependences* dependencesOf(Task* parent) {
  if (parent->dependences == nullptr) {
    parent->dependences = obtain<Dependences>();
    if (parent->dependences != nullptr) parent->dependences->capacity = Dependences::kFew;
  }
  return parent->dependences;
}

void releaseDependences(Dependences* all) {
  if (all == nullptr) return;
  all->clear();
  if (all->all != nullptr) releaseEntry(all->all);
  releasePagesOf(all->buckets, all->capacity);
  giveBack(all);
}

}  // namespace

void depend(Task* task, const void* memory, Dependence dependence) {
  Task* parent = task->parent;
  Dependences* all = parent != nullptr ? dependencesOf(parent) : nullptr;
  if (all == nullptr) return;
  collect(all, memory, dependence, task, &task->predecessors);
  if (memory == nullptr) {
    all->clear();
    if (all->all == nullptr) all->all = obtain<Entry>();
    if (all->all != nullptr) joinEntry(all->all, task, Dependence::kOut);
    return;
  }
  Entry* entry = all->obtainEntry(memory);
  if (entry == nullptr) return;
  joinEntry(entry, task, dependence);
  if (dependence == Dependence::kExclusive) exclude(entry, task);
}

void addPredecessors(const Task* parent, const void* memory, Dependence dependence,
                     TaskList* predecessors) {
  if (parent == nullptr || parent->dependences == nullptr) return;
  collect(parent->dependences, memory, dependence, nullptr, predecessors);
}

// -------------------------------------------------------------------- tasks

Task* makeTask(Team* team, uint64_t region, Task* parent, uint64_t created) {
  auto* task = obtain<Task>();
  if (task == nullptr) return nullptr;
  task->references.store(1, std::memory_order_relaxed);
  task->team = team;
  task->creator = &state;
  task->region = region;
  task->created = created;
  task->parent = parent;
  if (parent == nullptr) return task;
  referTo(parent);
  task->group = task->innermost = parent->innermost;
  if (task->group != nullptr) task->group->references.fetch_add(1, std::memory_order_relaxed);
  return task;
}

void releaseTask(Task* task) {
  while (task != nullptr && releaseLast(task->references, isAlone(task))) {
    Task* parent = task->parent;
    // Nobody has begun it, or it has left a taskgroup by an exception.
    while (task->innermost != task->group) {
      Ends* group = task->innermost;
      task->innermost = group->outer;
      releaseEnds(group);
    }
    releaseEnds(task->group);
    for (Ends* ends : task->exclusive) releaseEnds(ends);
    task->predecessors.clear();
    releaseDependences(task->dependences);
    giveBack(task);
    task = parent;
  }
}

namespace {

void raiseAll(Task* task, uint64_t signal) {
  if (signal == Task::kUnrecorded) return;
  const bool alone = isAlone(task);
  if (task->parent != nullptr) raiseTo(task->parent->children.last, signal, alone);
  if (task->group != nullptr) raiseTo(task->group->last, signal, alone);
  for (Ends* ends : task->exclusive) {
    if (ends != nullptr) raiseTo(ends->last, signal, alone);
  }
}

}  // namespace

void finishTask(Task* task, uint64_t signal) {
  raiseAll(task, signal);
  task->ended.store(signal, std::memory_order_release);
  // Its children are known by their references to it, not by what they depend on.
  releaseDependences(task->dependences);
  task->dependences = nullptr;
}

void discardTask(Task* task) {
  if (task == nullptr) return;
  task->awaitsEvent.store(false, std::memory_order_relaxed);
  finishTask(task, Task::kUnrecorded);
  releaseTask(task);
}

void endImplicitTask(Task* task) {
  if (task == nullptr) return;
  finishTask(task, Task::kUnrecorded);
  releaseTask(task);
}

void fulfillTask(Task* task, uint64_t signal) {
  raiseAll(task, signal);
  task->fulfilled.store(signal, std::memory_order_release);
}

// --------------------------------------------------------------- taskgroups

void beginGroup(Task* task) {
  if (task == nullptr) return;
  auto* group = task->lostGroups == 0 ? obtain<Ends>() : nullptr;
  if (group == nullptr) {
    task->lostGroups++;
    return;
  }
  group->references.store(1, std::memory_order_relaxed);
  group->outer = task->innermost;
  task->innermost = group;
}

void endGroup(Task* task) {
  if (task == nullptr) return;
  if (task->lostGroups > 0) {
    task->lostGroups--;
    return;
  }
  Ends* group = task->innermost;
  if (group == task->group) return;
  task->innermost = group->outer;
  releaseEnds(group);
}

// ------------------------------------------------------------------- events

namespace {

struct Event {
  const void* handle;
  Task* task;
  Event* next;
};

constexpr size_t kEventLists = 256;
SpinLock eventsLock;
Event* events[kEventLists];

Event** eventsOf(const void* handle) {
  return &events[reinterpret_cast<uintptr_t>(handle) * 0x9E3779B97F4A7C15u >> 56];
}

}  // namespace

bool rememberEvent(const void* handle, Task* task) {
  auto* event = obtain<Event>();
  if (event == nullptr) return false;
  if (!eventsLock.lock()) {
    giveBack(event);
    return false;
  }
  referTo(task);
  event->handle = handle;
  event->task = task;
  event->next = *eventsOf(handle);
  *eventsOf(handle) = event;
  eventsLock.unlock();
  return true;
}

Task* takeEvent(const void* handle) {
  if (!eventsLock.lock()) return nullptr;
  Event** at = eventsOf(handle);
  while (*at != nullptr && (*at)->handle != handle) at = &(*at)->next;
  Event* event = *at;
  if (event != nullptr) *at = event->next;
  eventsLock.unlock();
  if (event == nullptr) return nullptr;
  Task* task = event->task;
  giveBack(event);
  return task;
}

}  // namespace parallax::openmp
