#include "interpose/tuning/openmp_threads.h"

#include <sys/stat.h>

#include <cstring>

#include "base/directory_numbers.h"
#include "base/sys.h"
#include "core/agent.h"
#include "interpose/mpi/mpi_variable.h"
#include "live/live_agent.h"
#include "live/live_tunables.h"

namespace parallax::tuning {
namespace {

constexpr char kThreads[] = "/proc/self/task";
constexpr int64_t kMostThreads = 1024;
constexpr size_t kMostKnown = 1024;
// Calls of MPI after a change in which new threads are looked for.
constexpr int kLooks = 10000;

// A set of processors.
struct Processors {
  static constexpr size_t kWords = 16;
  uint64_t words[kWords];

  bool read(int tid) {
    memset(words, 0, sizeof words);
    return sys::call(SYS_sched_getaffinity, tid, sizeof words, sys::word(words)) > 0;
  }
  long give(int tid) const { return sys::call(SYS_sched_setaffinity, tid, sizeof words, sys::word(words)); }
  bool operator==(const Processors& other) const { return memcmp(words, other.words, sizeof words) == 0; }
  int64_t count() const {
    int64_t count = 0;
    for (const uint64_t word : words) count += __builtin_popcountll(word);
    return count;
  }
  bool holds(const Processors& other) const {
    for (size_t i = 0; i < kWords; i++) {
      if ((other.words[i] & ~words[i]) != 0) return false;
    }
    return true;
  }
  void remove(const Processors& others) {
    for (size_t i = 0; i < kWords; i++) words[i] &= ~others.words[i];
  }
  void keepFirst(int64_t count) {
    for (uint64_t& word : words) {
      uint64_t kept = 0;
      for (; word != 0 && count > 0; count--) {
        kept |= word & -word;
        word &= word - 1;
      }
      word = kept;
    }
  }
};

struct {
  int64_t threads;  // the variable
  int64_t first;    // its first value
  int64_t wanted;   // its last one
  Processors own, launchers;  // of the process at first; of what has started it
  Processors others;          // the launcher's that are not its own
  Processors now, before;
  bool isBound;     // to fewer than the launcher's
  uint64_t seen;    // threads of the process, when they were looked at last
  int looks;        // left
} state;

// Threads that were there before a change to more, and those that came with it.
class Threads {
 public:
  void clear() { count_ = 0; }
  void add(int tid) {
    if (count_ < kMostKnown) tids_[count_++] = tid;
  }
  bool has(int tid) const {
    for (size_t i = 0; i < count_; i++) {
      if (tids_[i] == tid) return true;
    }
    return false;
  }

 private:
  int tids_[kMostKnown];
  size_t count_;
};
Threads known, added;

int (*getMaxThreads)();
void (*setThreads)(int);
int (*isInParallel)();
int (*getBinding)();

template <class F>
bool find(F& function, const char* name) {
  function = reinterpret_cast<F>(nextSymbol(name));
  return function != nullptr;
}

bool findRuntime() {
  return find(getMaxThreads, "omp_get_max_threads") && find(setThreads, "omp_set_num_threads") &&
         find(isInParallel, "omp_in_parallel") && find(getBinding, "omp_get_proc_bind");
}

void declareThreads() {
  if (state.threads != 0) return;
  const int threads = getMaxThreads();
  if (threads < 1 || threads > kMostThreads) return;
  state.threads = state.first = threads;
  state.isBound = state.own.read(0) && state.launchers.read(sys::getppid()) && state.launchers.holds(state.own) &&
                  !(state.own == state.launchers);
  state.others = state.launchers;
  state.others.remove(state.own);
  state.now = state.before = state.own;
  live::declare("openmp_threads", live::ValueType::kI64, &state.threads, 1, kMostThreads);
}

uint64_t countThreads() {
  struct stat status = {};
  return sys::call(SYS_newfstatat, AT_FDCWD, sys::word(kThreads), sys::word(&status), 0) == 0 ? status.st_nlink : 0;
}

// All but those that somebody has given other processors. LLVM's runtime gives each new thread those of the process at first.
void giveToAll() {
  const bool hasMore = state.wanted > state.first;
  forEachNumber(kThreads, [=](int tid) {
    Processors has;
    if (!has.read(tid) || !(has == state.own || has == state.before || has == state.others)) return;
    (hasMore && added.has(tid) ? state.others : state.now).give(tid);
  });
  state.seen = countThreads();
}

// A runtime keeps its threads, or makes the last ones anew.
void learnThreads() {
  forEachNumber(kThreads, [](int tid) {
    if (known.has(tid)) return;
    known.add(tid);
    if (state.wanted > state.first) added.add(tid);
  });
}

Processors processorsFor(int64_t threads) {
  Processors some = state.own;
  if (threads < state.first) some.keepFirst((state.own.count() * threads + state.first - 1) / state.first);
  return some;
}

// At a measured call of MPI: threads that were made since the change get the processors of the others.
void attendToNewThreads() {
  if (!mpi::isInitialisingThread()) return;
  if (countThreads() != state.seen) {
    learnThreads();
    giveToAll();
  }
  if (--state.looks <= 0) attendMeasuredMpi.store(nullptr, std::memory_order_release);
}

}  // namespace

void declareOpenMpThreads() {
  if (live::page() && findRuntime() && isInParallel() == 0) declareThreads();
}

bool isOpenMpThreads(const void* address) { return address == &state.threads; }

bool useOpenMpThreads(int64_t threads, Answer& answer) {
  if (!mpi::isInitialisingThread()) return answer.say("the threads of OpenMP are changed on the thread that initialised MPI").refuse();
  if (isInParallel() != 0) return answer.say("the program is in a parallel region").refuse();
  if (state.isBound) {
    if (getBinding() != 0) {
      return answer.say("OpenMP itself binds its threads to processors (OMP_PROC_BIND), and the launcher has bound the process to some").refuse();
    }
    const Processors next = processorsFor(threads);
    if (const long error = next.give(0); error < 0) {
      return answer.say("the processors of the process cannot be changed: error ").say(-error).refuse();
    }
    learnThreads();
    state.before = state.now;
    state.now = next;
    state.wanted = threads;
    giveToAll();
    state.looks = kLooks;
    attendMeasuredMpi.store(attendToNewThreads, std::memory_order_release);
  }
  setThreads(static_cast<int>(threads));
  return true;
}

}  // namespace parallax::tuning
