// What the OpenMP adapters share: teams, and for each of their threads two states, in the
// program's code and in the runtime.
//
// A thread is in the runtime from the Enter of a routine to its Leave, without a Guard on the
// stack. If the runtime calls the program's code (a thread's share of a parallel region, a task),
// the routine ends before this code and begins again after it. A thread of the runtime's pool is in
// the runtime whenever it executes no share and no task: at the barrier that ends a region, then in
// `[OpenMP idle]`. It learns the end of that barrier only at its next region, or at its own end.
// Until then its last events are not written; if the process ends first, the thread that ends it
// writes them.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/agent.h"
#include "core/thread.h"
#include "interpose/openmp/openmp_tasks.h"

namespace parallax::openmp {

struct State;

// What a runtime tells a thread in its share; null where the adapter is told otherwise.
struct Queries {
  unsigned (*threadCount)();
  unsigned (*threadNumber)();
};

// What a routine waits for: nothing that is told, nothing at all but the predecessors of the task that it creates, a
// barrier, the children of its task, or its innermost taskgroup.
enum class End : uint8_t { kPlain, kCreation, kBarrier, kChildren, kGroup };

// The team of a parallel region; used again for the next region of the same thread.
struct Team {
  uint32_t tasks;     // sync objects: what creates shares and tasks,
  uint32_t taskEnds;  // what ends tasks,
  uint32_t barrier;   // and shares
  State* master;
  Team* next;        // of spare ones
  Team* nextOfAll;

  // The current region.
  void (*function)(void*);
  void* data;
  Queries queries;
  const void* code;       // where the program began it
  uint64_t region;        // counts the regions of this object
  uint32_t path;          // of the region in its master; 0 when that is not recorded
  uint64_t started;       // the Signal of its beginning; 0 when that is not recorded
  // Of the master, outside.
  Team* outerTeam;
  uint32_t outerParticipants, outerBarriers;
  uint64_t outerRegion;
  Task* outerTask;

  // The region, while one thread executes it and no other one ends its tasks; else 0. Only that thread sets it, before
  // another one can know of the region or of such a task.
  std::atomic<uint64_t> aloneRegion;
  bool isAlone(uint64_t ofRegion) const { return aloneRegion.load(std::memory_order_relaxed) == ofRegion; }
  void setAlone(bool is) { aloneRegion.store(is ? region : 0, std::memory_order_relaxed); }
  std::atomic<uint64_t> signals;         // of `tasks`
  std::atomic<uint64_t> endSignals;      // of `taskEnds`
  std::atomic<uint64_t> barriersLeft;    // generation of the first barrier that nobody has left
  std::atomic<State*> arrived;           // threads at the barrier that ends the region
  std::atomic<uint32_t> arrivedCount;
  // By region: the end of the last task, and the last event of a detached task that was fulfilled.
  struct LastEnd {
    std::atomic<uint64_t> region, ticks;
    std::atomic<uint64_t> fulfilledTicks, fulfilled;
  };
  static constexpr uint64_t kLastEnds = 8;
  LastEnd lastEnds[kLastEnds];
};

// Of a thread that executes a task: the routine that it goes on with afterwards.
struct Suspended {
  uint32_t path;   // 0: the program's own code
  uint32_t brief;  // then: of the routine that stands around the begin and the end of the task
  End end;
  bool barrierLeft, atEnd;
  Task* task;
};

// A task as an adapter knows it.
struct Work {
  Task* task;        // null: there was no memory for it
  Team* team;
  uint64_t created;  // the Signal
};

struct State {
  uint32_t open;            // path of the routine of the runtime that is open, or 0
  uint64_t openedTicks;
  End end;                  // what it waits for
  bool barrierLeft;         // which has been written already
  uint32_t forks;           // regions that it is beginning: what it creates are OpenMP's threads
  bool looking;             // at the loaded modules
  bool mustLook;            // it loads or unloads some, or has done so
  // The innermost team.
  Team* team;
  uint64_t region;
  uint32_t participants, barriers;
  Task* task;               // which it executes; null where it is not known
  const Team* lastEndTeam;  // the last end of a task that it has told, and of which team that is
  uint64_t lastEnd;
  Team* spare;

  // A thread of the pool.
  bool worker;
  bool named;
  Thread* thread;
  const void* shareFrame;
  State *previous, *next;   // of all these,
  uint32_t listedGeneration;  // of the process
  enum Phase : uint32_t { kWorking, kWaiting, kWritten };
  std::atomic<uint32_t> phase;  // kWritten: the process has ended
  // The barrier that ended its last region, which has not been written yet. Its team may have begun
  // another region since.
  bool atEnd;
  bool endedRecorded;
  Team* endedTeam;
  uint64_t endedRegion;
  uint32_t endedParticipants;
  std::atomic<uint64_t> endedTicks;  // 0: not all are there
  State* nextArrived;
  Team* arrivedTeam;     // where it has arrived last
  uint64_t arrivedRegion;
  uint64_t arrivedTicks;

  // Of an adapter without a stack of its own.
  Suspended* tasks;
  uint32_t taskDepth, innerWaits;
};

extern __thread State state __attribute__((tls_model("initial-exec")));

inline bool inRuntime() { return local.place.isRuntime(); }

// ------------------------------------------------------------------ regions

// A parallel region is about to begin; the real routine follows. Null if there is no memory or
// nothing is recorded: the region must then run unchanged. If only this thread is not recorded
// (inside an intercepted routine), its workers are recorded nevertheless.
Team* beginRegion(void (*function)(void*), void* data, const Queries& queries, const void* code,
                  RoutineFrame frame, bool league = false);
// A thread begins, and ends, its share of it. `frame`: an address on its stack, beyond which a thread of the pool has
// nothing of the program's.
void beginShare(Team* team, unsigned participants, unsigned number, const void* frame);
void endShare(Team* team);
// All have ended, and the master goes on.
void endRegion(Team* team);
// What the runtime calls instead of the program's function; its argument is the team.
void runShare(void* team);

// ----------------------------------------------------------------- routines

// False, and does nothing, where the thread is inside already or not recorded. `frame`: of the function that is called.
bool beginRoutine(Region& region, End end, RoutineFrame frame);
// What the routine has waited for, if not for what it was begun with. Also for these tasks, which
// are then forgotten.
void endRoutine(End end, TaskList* predecessors = nullptr);

class Routine {
 public:
  Routine(RoutineFrame frame, Region& region, End end = End::kPlain)
      : begun_(beginRoutine(region, end, frame)), end_(end) {}
  ~Routine() {
    if (begun_) endRoutine(end_);
  }
  Routine(const Routine&) = delete;
  Routine& operator=(const Routine&) = delete;
  void endAs(End end) { end_ = end; }

 private:
  bool begun_;
  End end_;
};

// -------------------------------------------------------------------- tasks

// The thread creates tasks of its team, within a routine: the Signal, 0 for none.
uint64_t signalTasks();
// One task, a child of `parent`.
Work createTask(Task* parent);
// It executes one. `frame` as for a share; `brief` is the routine to write around the begin and the
// end of a task that the runtime executes out of the program's code, null where none is.
Suspended beginTask(const Work& work, const void* frame, Region* brief = nullptr);
// `detached`: it has ended when its event is fulfilled.
void endTask(const Suspended& suspended, const Work& work, bool detached = false);
// A part of a task that is not tied ends; any thread goes on with it.
void leaveTask(const Suspended& suspended, const Work& work);
// Within a routine: the event of the task is fulfilled.
void fulfillEvent(Task* task);

// ------------------------------------------------------------------ threads

// Whether what this thread creates now are threads of the runtime.
inline bool isForking() { return state.forks > 0; }
// The thread ends: others can use the teams that it keeps.
void giveSpareTeams();

}  // namespace parallax::openmp
