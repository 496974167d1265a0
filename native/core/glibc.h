// What the agent takes for granted of glibc beyond what glibc promises, all in one place: where it keeps what, and
// which signal is its own.
//
// Each assumption is checked when the process begins to be recorded or perturbed. Before that, and where it
// is false, what depends on it is left out, as said beside it, and the trace has a Note. Names of
// assumptions in PARALLAX_DISTRUST, with commas between them, count as false: for tests, and for a libc on
// which a check is wrong.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdio.h>

#include <atomic>
#include <cstdint>

namespace parallax::glibc {

enum class Assumption : uint8_t {
  kJumpBuffer,     // jump-buffer: without it longjmp ends no routine; the next one that is called does
  kPopenStream,    // popen-stream: the processes of popen are not recorded
  kTimerSignal,    // timer-signal: no timers, only perf events take samples
  kMutex,          // mutex: mutexes are not recorded, nor delayed by experiments
  kCondition,      // condition: whether processes share one is asked of the kernel
  kReadWriteLock,  // read-write-lock: the same
  kSemaphore,      // semaphore: semaphores are not recorded
  kBarrier,        // barrier: barriers have no object
  kSequenceMark,   // sequence-mark: another clock tells that a thread has lost the processor
  kStdioTables,    // stdio-tables: what stdio reads and writes is not seen
  kEnd
};

// A bit for each that is true; none before check().
extern std::atomic<uint32_t> trusted;
// One load. Signal handlers may call it.
inline bool holds(Assumption assumption) {
  return (trusted.load(std::memory_order_relaxed) >> static_cast<uint32_t>(assumption) & 1) != 0;
}

// Looks at all of them, once: some 30 us, most of it for the names of functions.
void check();
// Looks at one, whatever PARALLAX_DISTRUST says.
bool check(Assumption assumption);
// It was found to be false by those that use it.
void refute(Assumption assumption);
// Writes a Note for each that is false; once the process is recorded, and again in a child after fork.
void tell();

const char* nameOf(Assumption assumption);

// --------------------------------------------------------------- jumps

// The stack pointer to which a jump goes; 0: not known.
uintptr_t jumpTarget(const __jmp_buf_tag* buffer);

// --------------------------------------------------------------- stdio

// The word behind the process's table of functions in a stream that popen has made: the process id. 0: not known.
int popenProcess(FILE* stream);

// Whether system() and popen() mark the end of the shell's options, since 2.38.
bool marksEndOfOptions();

// --------------------------------------------------------------- signals

// The second of the two signals that libc keeps for itself, SIGSETXID. No program can block, await or
// handle it through libc, so none misses it. libc takes it to change the user of all threads, which
// passes through the sampler's handler. (The first one comes with cancellation, which unwinds from its
// handler.)
constexpr int kTimerSignal = 33;

// --------------------------------------------------------------- locks

// Kinds of mutexes.
constexpr int kMutexType = 3, kRobustMutex = 16, kSharedMutex = 128;

// Since 2.21.
struct Semaphore {
  uint32_t value, waiters;
  int shared;
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));
inline const Semaphore& contentsOf(const sem_t* semaphore) {
  return *reinterpret_cast<const Semaphore*>(semaphore);
}

// Since 2.25.
struct Barrier {
  uint32_t in, round, count;
  int shared;
  uint32_t out;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));
inline const Barrier& contentsOf(const pthread_barrier_t* barrier) {
  return *reinterpret_cast<const Barrier*>(barrier);
}

// Whether several processes may use it.
inline bool mayBeShared(const pthread_cond_t* condition) {
  constexpr unsigned kShared = 1;
  return !holds(Assumption::kCondition) || (condition->__data.__wrefs & kShared) != 0;
}
inline bool mayBeShared(const pthread_rwlock_t* lock) {
  return !holds(Assumption::kReadWriteLock) || lock->__data.__shared != 0;
}

}  // namespace parallax::glibc
