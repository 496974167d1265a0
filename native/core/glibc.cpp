#include "core/glibc.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <signal.h>
#include <string.h>

#include <string_view>

#include "base/settings.h"
#include "base/switch_mark.h"
#include "base/sys.h"
#include "core/adapters.h"
#include "core/agent.h"

namespace parallax::glibc {

std::atomic<uint32_t> trusted{0};

namespace {

constexpr size_t kCount = static_cast<size_t>(Assumption::kEnd);

// libc's own function or object, past those that the agent has in its place.
template <class T>
T* own(const char* name) {
  return reinterpret_cast<T*>(nextSymbol(name));
}

// ------------------------------------------------------------------- checks

// The secret of the thread with which glibc mangles addresses.
uintptr_t unmangled(uintptr_t word) {
  constexpr int kRotation = 17;
  uintptr_t secret;
  asm("mov %%fs:0x30, %0" : "=r"(secret));
  return (word >> kRotation | word << (64 - kRotation)) ^ secret;
}

uintptr_t stackPointerIn(const __jmp_buf_tag* buffer) {
  constexpr int kStackPointer = 6;  // JB_RSP
  return unmangled(static_cast<uintptr_t>(buffer->__jmpbuf[kStackPointer]));
}

__attribute__((noinline)) bool checkJumpBuffer() {
  constexpr uintptr_t kNear = 256;  // it may move within this function
  jmp_buf buffer;
  if (_setjmp(buffer) != 0) return false;  // nobody jumps
  uintptr_t here;
  asm volatile("mov %%rsp, %0" : "=r"(here));
  return stackPointerIn(buffer) - here + kNear <= 2 * kNear;
}

// Behind the stream of any kind stands its table of functions, behind that of popen the process id. Whether
// that is one of a child is asked at each use.
bool checkPopenStream() {
  const auto* output = own<const char>("_IO_2_1_stderr_");
  if (output == nullptr || own<void>("_IO_proc_close") == nullptr) return false;
  const void* table;
  memcpy(&table, output + sizeof(FILE), sizeof table);
  return table != nullptr &&
         (table == own<void>("_IO_file_jumps") || table == own<void>("_IO_wfile_jumps"));
}

bool checkTimerSignal() {
  auto* sigaction = own<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
  struct sigaction former;
  return sigaction != nullptr && sigaction(kTimerSignal, nullptr, &former) != 0 && errno == EINVAL &&
         SIGRTMIN == kTimerSignal + 1;
}

using MutexFunction = int(pthread_mutex_t*);

// Checks kind, owner and count of a mutex before, during and after a lock.
bool checkMutexOf(const pthread_mutexattr_t* attributes, int kind) {
  auto* init = own<int(pthread_mutex_t*, const pthread_mutexattr_t*)>("pthread_mutex_init");
  auto* lock = own<MutexFunction>("pthread_mutex_lock");
  auto* unlock = own<MutexFunction>("pthread_mutex_unlock");
  pthread_mutex_t mutex;
  if (init == nullptr || lock == nullptr || unlock == nullptr || init(&mutex, attributes) != 0) return false;
  constexpr int kKinds = kMutexType | kRobustMutex | kSharedMutex;
  const int tid = sys::gettid();
  bool right = (mutex.__data.__kind & kKinds) == kind && mutex.__data.__owner == 0;
  if (lock(&mutex) != 0) return false;
  right = right && (tid < 0 || mutex.__data.__owner == tid);
  if (kind == PTHREAD_MUTEX_RECURSIVE) {
    right = right && mutex.__data.__count == 1 && lock(&mutex) == 0 && mutex.__data.__count == 2;
    unlock(&mutex);
  }
  unlock(&mutex);
  return right && mutex.__data.__owner == 0;
}

bool checkMutex() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  bool right = checkMutexOf(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  right = right && checkMutexOf(&attributes, PTHREAD_MUTEX_ERRORCHECK | kSharedMutex);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  right = right && checkMutexOf(&attributes, PTHREAD_MUTEX_ERRORCHECK | kSharedMutex | kRobustMutex);
  pthread_mutexattr_destroy(&attributes);
  return right;
}

bool checkCondition() {
  auto* init = own<int(pthread_cond_t*, const pthread_condattr_t*)>("pthread_cond_init");
  pthread_cond_t one, shared;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  const bool made = init != nullptr && init(&one, nullptr) == 0 && init(&shared, &attributes) == 0;
  pthread_condattr_destroy(&attributes);
  return made && (one.__data.__wrefs & 1) == 0 && (shared.__data.__wrefs & 1) != 0;
}

bool checkReadWriteLock() {
  auto* init = own<int(pthread_rwlock_t*, const pthread_rwlockattr_t*)>("pthread_rwlock_init");
  pthread_rwlock_t one, shared;
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  const bool made = init != nullptr && init(&one, nullptr) == 0 && init(&shared, &attributes) == 0;
  pthread_rwlockattr_destroy(&attributes);
  return made && one.__data.__shared == 0 && shared.__data.__shared != 0;
}

bool checkSemaphore() {
  constexpr unsigned kTokens = 5;
  auto* init = own<int(sem_t*, int, unsigned)>("sem_init");
  sem_t one, shared;
  if (init == nullptr || init(&one, 0, kTokens) != 0 || init(&shared, 1, kTokens) != 0) return false;
  return contentsOf(&one).value == kTokens && contentsOf(&one).waiters == 0 &&
         contentsOf(&one).shared == 0 && contentsOf(&shared).value == kTokens &&
         contentsOf(&shared).shared != 0;
}

bool checkBarrier() {
  constexpr unsigned kThreads = 3;
  auto* init = own<int(pthread_barrier_t*, const pthread_barrierattr_t*, unsigned)>("pthread_barrier_init");
  pthread_barrier_t one, shared;
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  const bool made = init != nullptr && init(&one, nullptr, kThreads) == 0 &&
                    init(&shared, &attributes, kThreads) == 0;
  pthread_barrierattr_destroy(&attributes);
  return made && contentsOf(&one).count == kThreads && contentsOf(&one).shared == 0 &&
         contentsOf(&shared).count == kThreads && contentsOf(&shared).shared != 0;
}

// True also where glibc registers none.
bool checkSequenceMark() {
  const auto* areaOffset = own<const ptrdiff_t>("__rseq_offset");
  const auto* areaBytes = own<const unsigned>("__rseq_size");
  return areaOffset == nullptr || areaBytes == nullptr ||
         switch_mark::mayHaveSignature(*areaOffset, *areaBytes);
}

// ------------------------------------------------------------------- table

struct Checked {
  const char* name;
  bool (*check)();  // null: by those that use it
  const char* note;
};

constexpr Checked kTable[] = {
    {"jump-buffer", checkJumpBuffer,
     "A routine that the program leaves by longjmp ends late, at the next call: this libc stores "
     "the target of a jump in an unknown place."},
    {"popen-stream", checkPopenStream,
     "Processes that popen starts are recorded without their parent: this libc stores their "
     "process ids in an unknown place."},
    {"timer-signal", checkTimerSignal,
     "Only perf events take samples, not timers: this libc leaves the signal of the timers to "
     "programs."},
    {"mutex", checkMutex,
     "Mutexes are not recorded: this libc stores their owners and kinds in an unknown place."},
    {"condition", checkCondition,
     "Conditions count as shared between processes if their memory is shared: this libc stores the "
     "attribute in an unknown place."},
    {"read-write-lock", checkReadWriteLock,
     "Read-write locks count as shared between processes if their memory is shared: this libc "
     "stores the attribute in an unknown place."},
    {"semaphore", checkSemaphore,
     "Semaphores are not recorded: this libc stores their values in an unknown place."},
    {"barrier", checkBarrier,
     "Barriers of threads are recorded without the threads that wait for each other: this libc "
     "stores the number of threads in an unknown place."},
    {"sequence-mark", checkSequenceMark,
     "The CPU time of threads is measured without restartable sequences: this libc registers them "
     "in an unknown way."},
    {"stdio-tables", nullptr,
     "Reads and writes of stdio are not recorded: this libc has an unknown structure. Streams that "
     "stdio uses are not matched."},
};
static_assert(sizeof kTable / sizeof kTable[0] == kCount);

constexpr uint32_t bitOf(size_t assumption) { return 1u << assumption; }
constexpr uint32_t kChecked = bitOf(31);  // of `trusted`

bool isDistrusted(const char* name) {
  std::string_view list = setting(Setting::kDistrust), word;
  while (nextWord(list, &word)) {
    if (word == name) return true;
  }
  return false;
}

}  // namespace

bool check(Assumption assumption) {
  const Checked& checked = kTable[static_cast<size_t>(assumption)];
  const int before = errno;
  const bool right = checked.check == nullptr || checked.check();
  errno = before;
  return right;
}

void check() {
  uint32_t found = kChecked;
  for (size_t i = 0; i < kCount; i++) {
    if (check(static_cast<Assumption>(i)) && !isDistrusted(kTable[i].name)) found |= bitOf(i);
  }
  trusted.store(found, std::memory_order_release);
}

void refute(Assumption assumption) {
  const auto which = static_cast<size_t>(assumption);
  trusted.fetch_and(~bitOf(which), std::memory_order_acq_rel);
  note(kTable[which].note);
}

void tell() {
  const uint32_t found = trusted.load(std::memory_order_acquire);
  for (size_t i = 0; i < kCount; i++) {
    if ((found & bitOf(i)) == 0) note(kTable[i].note);
  }
}

const char* nameOf(Assumption assumption) { return kTable[static_cast<size_t>(assumption)].name; }

// ------------------------------------------------------------------- uses

uintptr_t jumpTarget(const __jmp_buf_tag* buffer) {
  return holds(Assumption::kJumpBuffer) ? stackPointerIn(buffer) : 0;
}

int popenProcess(FILE* stream) {
  constexpr size_t kOffset = sizeof(FILE) + sizeof(void*);
  pid_t pid = 0;
  if (holds(Assumption::kPopenStream)) {
    memcpy(&pid, reinterpret_cast<const char*>(stream) + kOffset, sizeof pid);
  }
  return pid;
}

bool marksEndOfOptions() { return strverscmp(gnu_get_libc_version(), "2.38") >= 0; }

}  // namespace parallax::glibc
