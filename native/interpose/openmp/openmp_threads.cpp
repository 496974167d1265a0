#include "interpose/openmp/openmp_threads.h"

#include <link.h>
#include <time.h>

#include <cstring>

#include "base/directory_numbers.h"
#include "base/spin_lock.h"
#include "base/sys.h"
#include "core/agent.h"
#include "interpose/linker/defined_symbol.h"
#include "interpose/tuning/library_actions.h"
#include "live/live_agent.h"
#include "live/live_tunables.h"

namespace parallax::openmp {
namespace {

constexpr char kThreads[] = "/proc/self/task";
constexpr int64_t kMostThreads = 1024;

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

// Of the process. Changed by the thread that has initialised MPI alone.
struct {
  int thread;       // the one that has initialised MPI; 0: there is no OpenMP
  int64_t threads;  // the variable
  int64_t first;    // its first value
  int64_t wanted;   // its last one
  const void* runtime;        // the headers of its loaded object
  Processors own, launchers;  // of the process at first; of what has started it
  Processors others;          // the launcher's that are not its own
  Processors now, before;
  bool isBound;     // to fewer than the launcher's
} state;

// Threads of the runtime that were made since the variable was declared, in their order. A runtime makes the first one beside the thread
// that begins the region, and more when a region needs more.
class Workers {
 public:
  void add(int tid) {
    if (!lock_.lock()) return;
    removeEnded();
    if (count_ < kMost) tids_[count_++] = tid;
    lock_.unlock();
  }
  // Whether the process would not have it with its first number of threads.
  bool isAdditional(int tid, int64_t first) {
    if (!lock_.lock()) return false;
    removeEnded();
    size_t at = 0;
    while (at < count_ && tids_[at] != tid) at++;
    const bool isThere = at < count_;
    lock_.unlock();
    return isThere && static_cast<int64_t>(at) + 1 >= first;
  }

 private:
  static constexpr size_t kMost = 1024;

  // Their ids can be those of other threads later.
  void removeEnded() {
    size_t kept = 0;
    for (size_t i = 0; i < count_; i++) {
      if (sys::call(SYS_tgkill, sys::getpid(), tids_[i], 0) == 0) tids_[kept++] = tids_[i];
    }
    count_ = kept;
  }

  SpinLock lock_;
  int tids_[kMost];
  size_t count_;
};
Workers workers;

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

// The headers of the loaded object that an address is a part of.
const void* objectOf(const void* address) {
  struct {
    const void* address;
    const void* headers;
  } search{address, nullptr};
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* data) {
        auto& own = *static_cast<decltype(search)*>(data);
        if (!holds(*object, own.address)) return 0;
        own.headers = object->dlpi_phdr;
        return 1;
      },
      &search);
  return search.headers;
}

// The kernel's id of a thread that this one has just made and that has not ended: its CPU clock has it.
int idOf(pthread_t thread) {
  clockid_t clock;
  return pthread_getcpuclockid(thread, &clock) == 0 ? static_cast<int>(~(static_cast<unsigned>(clock) >> 3) & 0x1FFFFFFF) : 0;
}

// All but those that somebody has given other processors. LLVM's runtime gives each new thread those of the process at first.
void giveToAll() {
  const bool hasMore = state.wanted > state.first;
  forEachNumber(kThreads, [=](int tid) {
    Processors has;
    if (!has.read(tid) || !(has == state.own || has == state.before || has == state.others)) return;
    const Processors& wanted = hasMore && workers.isAdditional(tid, state.first) ? state.others : state.now;
    if (!(has == wanted)) wanted.give(tid);
  });
}

// At a measured call of MPI after threads were made: these get their processors. Within a region they may not have begun yet.
void attendToNewThreads() {
  if (!tuning::library::mayUseOpenMpThreads()) return;
  attendMeasuredMpi.store(nullptr, std::memory_order_release);
  giveToAll();
}

void noteThread(const void* routine, pthread_t thread) {
  if (objectOf(routine) != state.runtime) return;
  const int tid = idOf(thread);
  if (tid <= 0) return;
  workers.add(tid);
  attendMeasuredMpi.store(attendToNewThreads, std::memory_order_release);
}

Processors processorsFor(int64_t threads) {
  Processors some = state.own;
  if (threads < state.first) some.keepFirst((state.own.count() * threads + state.first - 1) / state.first);
  return some;
}

}  // namespace

std::atomic<void (*)(const void*, pthread_t)> threadMade{nullptr};

void declareThreads() {
  if (!live::page() || state.thread != 0 || !findRuntime() || isInParallel() != 0) return;
  const int threads = getMaxThreads();
  if (threads < 1 || threads > kMostThreads) return;
  state.thread = sys::gettid();
  state.threads = state.first = threads;
  state.isBound = state.own.read(0) && state.launchers.read(sys::getppid()) && state.launchers.holds(state.own) &&
                  !(state.own == state.launchers);
  state.others = state.launchers;
  state.others.remove(state.own);
  state.now = state.before = state.own;
  state.runtime = objectOf(reinterpret_cast<const void*>(setThreads));
  if (state.isBound && state.runtime != nullptr) threadMade.store(noteThread, std::memory_order_release);
  live::declare("openmp_threads", live::ValueType::kI64, &state.threads, 1, kMostThreads);
}

}  // namespace parallax::openmp

namespace parallax::tuning {

using namespace openmp;

bool library::isOpenMpThreads(const void* address) { return address == &state.threads; }

bool library::mayUseOpenMpThreads() { return state.thread == sys::gettid() && isInParallel() == 0; }

bool library::useOpenMpThreads(int64_t threads, Answer& answer) {
  if (state.isBound) {
    if (getBinding() != 0) {
      return answer.say("OpenMP binds its threads to processors (OMP_PROC_BIND), and the launcher has bound the process to processors").refuse();
    }
    const Processors next = processorsFor(threads);
    if (const long error = next.give(0); error < 0) {
      return answer.say("the processors of the process cannot be changed: error ").say(-error).refuse();
    }
    state.before = state.now;
    state.now = next;
    state.wanted = threads;
    giveToAll();
  }
  setThreads(static_cast<int>(threads));
  return true;
}

}  // namespace parallax::tuning
