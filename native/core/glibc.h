// All assumptions of the agent about glibc that glibc does not guarantee: the layout of its
// structures, and its private signal.
//
// Each assumption is checked when the recording or the perturbation of the process begins. Before
// the check, and if the assumption is false, the agent does without the features that depend on it,
// as stated beside each assumption; the trace then has a Note. Assumptions named in
// PARALLAX_DISTRUST, separated by commas, count as false: for tests, and for a libc on which a
// check is wrong.
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
  kPopenStream,    // popen-stream: popen has no ProcessCreate
  kTimerSignal,    // timer-signal: no timers, only perf events take samples
  kMutex,          // mutex: mutexes are neither recorded nor delayed by experiments
  kCondition,      // condition: counts as shared between processes if its memory is
  kReadWriteLock,  // read-write-lock: the same
  kSemaphore,      // semaphore: semaphores are not recorded
  kBarrier,        // barrier: barriers have no object
  kSequenceMark,   // sequence-mark: the CPU clock uses another method
  kStdioTables,    // stdio-tables: reads and writes of stdio are not recorded
  kEnd
};

// A bit for each assumption that is true; none before check().
extern std::atomic<uint32_t> trusted;
// One load. Signal handlers may call it.
inline bool holds(Assumption assumption) {
  return (trusted.load(std::memory_order_relaxed) >> static_cast<uint32_t>(assumption) & 1) != 0;
}

// Checks all assumptions, once; takes about 30 us, mostly to search for function names.
void check();
// Checks one assumption, independent of PARALLAX_DISTRUST.
bool check(Assumption assumption);
// Code that uses the assumption found it to be false.
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

// The second of the two signals that libc reserves for itself, SIGSETXID. No program can block,
// await or handle it through libc, so no program is affected. libc uses it to change the user of
// all threads; the sampler's handler passes these signals on to libc. (The first reserved signal
// cannot be used: cancellation unwinds the stack from its handler.)
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

// --------------------------------------------------------------- threads

// The kernel's id of a thread of this process that may still run; 0: not known. Checked at each use with the calling
// thread, whose id is `own`.
inline uint32_t tidOf(pthread_t thread, uint32_t own) {
  constexpr uintptr_t kTid = 720;  // since 2.4
  const auto of = [](pthread_t handle) { return *reinterpret_cast<const volatile uint32_t*>(handle + kTid); };
  return thread != 0 && of(pthread_self()) == own ? of(thread) : 0;
}

}  // namespace parallax::glibc
