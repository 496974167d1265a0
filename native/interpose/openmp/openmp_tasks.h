// What is known of a task from its creation until nobody can ask for its end any more: its parent,
// its taskgroup, the siblings that it depends on, and the number of the Signal of its end. Whoever
// waited for the end of a task writes a Wake with that number.
//
// The runtimes decide themselves which task depends on which, and libgomp tells nobody. This is
// decided here once more, by the rules of OpenMP 5.1, section 2.19.11, over the siblings in the
// order of their creation. One task's children are created by one thread at a time, so the table of
// what they depend on needs no lock. All records are blocks of one size that are used again. There
// are at most kMostBlocks of them; tasks beyond have no record, and nobody is told to wait for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parallax::openmp {

struct State;
struct Team;
struct Task;
struct Dependences;

// Adds to a count of a team, and returns what it was. `alone`: no other thread changes it (Team::isAlone). An atomic addition
// costs half as much as reading the clock.
template <class T>
T addTo(std::atomic<T>& count, T more, bool alone) {
  if (!alone) return count.fetch_add(more, std::memory_order_acq_rel);
  const T before = count.load(std::memory_order_relaxed);
  count.store(static_cast<T>(before + more), std::memory_order_relaxed);
  return before;
}

// Raises what is only raised.
inline void raiseTo(std::atomic<uint64_t>& highest, uint64_t value, bool alone) {
  uint64_t known = highest.load(std::memory_order_relaxed);
  if (alone) {
    if (known < value) highest.store(value, std::memory_order_release);
    return;
  }
  while (known < value && !highest.compare_exchange_weak(known, value, std::memory_order_acq_rel)) {
  }
}

// The last end of several tasks: the children of a task, a taskgroup, or tasks that exclude each
// other.
struct Ends {
  std::atomic<uint32_t> references;
  std::atomic<uint64_t> last;  // Signal; 0: none
  uint64_t seen;               // that a Wake has been written for
  Ends* outer;                 // of a taskgroup: the one around it
};

// Tasks, each referred to. Those that have ended may be left out.
class TaskList {
 public:
  void add(Task* task);
  // Adds those that have not ended, except one.
  void addRunning(const TaskList& others, const Task* except);
  void clear();
  void takeFrom(TaskList& other);
  bool isOver() const;
  bool isEmpty() const { return count_ == 0; }
  template <class Visit>
  void each(Visit visit) const {
    for (uint32_t i = 0; i < count_ && i < kFew; i++) visit(few_[i]);
    for (const Chunk* chunk = more_; chunk != nullptr; chunk = chunk->next) {
      for (uint32_t i = 0; i < chunk->count; i++) visit(chunk->tasks[i]);
    }
  }

 private:
  static constexpr uint32_t kFew = 5, kOfChunk = 29;
  struct Chunk {
    Chunk* next;
    uint64_t count;
    Task* tasks[kOfChunk];
  };
  void removeEnded();
  bool append(Task* task);

  uint32_t count_, cleanAt_;
  Task* few_[kFew];
  Chunk* more_;
};

enum class Dependence : uint8_t { kIn, kOut, kExclusive, kSet };

struct Task {
  static constexpr size_t kMostExclusive = 4;

  std::atomic<uint32_t> references;
  std::atomic<bool> awaitsEvent;    // it has ended only when its event is fulfilled, too
  Team* team;
  const State* creator;             // the thread that has created it
  uint64_t region;
  Task* parent;                     // null for an implicit task
  Ends* group;                      // the taskgroup in which it was created
  uint64_t created;                 // Signals; 0: not recorded
  std::atomic<uint64_t> ended, fulfilled;
  std::atomic<uint64_t> left;       // the end of its last part, of a task that is not tied
  TaskList predecessors;
  Ends* exclusive[kMostExclusive];  // with whom it may not run at the same time
  // Of the thread that executes it.
  Ends children;
  Ends* innermost;                  // the taskgroup that it is in
  uint32_t lostGroups;              // inside of that, for which there was no memory
  Dependences* dependences;         // among its children

  static constexpr uint64_t kUnrecorded = ~uint64_t{0};
  bool isOver() const {
    return ended.load(std::memory_order_acquire) != 0 &&
           (!awaitsEvent.load(std::memory_order_relaxed) ||
            fulfilled.load(std::memory_order_acquire) != 0);
  }
};

// A task that this thread creates for a parent, which may be null; null if there is no memory.
Task* makeTask(Team* team, uint64_t region, Task* parent, uint64_t created);
void releaseTask(Task* task);
// The Signal of its end, kUnrecorded if there is none; nobody executes it any more.
void finishTask(Task* task, uint64_t signal);
// The same for the event of a task that awaits one.
void fulfillTask(Task* task, uint64_t signal);
// Nobody will execute it: its taskgroup or region was cancelled. It may be null.
void discardTask(Task* task);
// The task of a share ends. Its children may still refer to it, and to it alone. It may be null.
void endImplicitTask(Task* task);

// A new task depends on earlier children of its parent. `memory`: null is all memory.
void depend(Task* task, const void* memory, Dependence dependence);
// Those that a task with this dependence would have to wait for, among the children of `parent`.
void addPredecessors(const Task* parent, const void* memory, Dependence dependence,
                     TaskList* predecessors);

// Around the tasks of a taskgroup of `task`, which may be null.
void beginGroup(Task* task);
void endGroup(Task* task);

// The events of tasks that can be detached, by their handles. False: there is no memory, and the event is not known.
bool rememberEvent(const void* handle, Task* task);
Task* takeEvent(const void* handle);  // null if it is not known

// The thread ends: others can use the blocks that it keeps.
void giveSpareBlocks();

}  // namespace parallax::openmp
