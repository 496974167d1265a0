// What the adapters (interpose/, sampler/) use of the agent.
//
//   int MPI_Send(...) {
//     static Region region("MPI_Send", format::Group::kMpi);
//     Call call(region);                                     // Enter: the clock is read once
//     if (call) call.emit(Kind::kSend, comm, {peerAndTag, bytes});
//     int result = real(...);
//     call.returned();                                       // the clock is read once
//     if (call) call.emit(Kind::kReceive, comm, {...});      // only what completed
//     return result;
//   }                                                        // Leave, at the time of returned()
//
// Everything here may be called at any time, also before constructors have run, in processes
// that are not recorded (shells, launchers) and in a child after fork; it then does nothing.
// Nothing here prints, aborts, throws, changes errno or calls malloc. What may be called in a
// signal handler says so.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "base/log.h"
#include "base/memory.h"
#include "base/stack_bounds.h"
#include "format/definitions.h"
#include "format/format.h"

// Interposed symbols, and nothing else, are exported from the agent.
#define PARALLAX_EXPORT extern "C" __attribute__((visibility("default")))

namespace parallax {

using format::Kind;

class Thread;  // core/thread.h

// ------------------------------------------------------------------ clocks

// Now, in the ticks of the trace. Signal handlers may call it.
uint64_t nowTicks();
// CLOCK_MONOTONIC. Signal handlers may call it.
uint64_t monotonicNs();

// --------------------------------------------------------------- settings

// What intercepts; each can be switched off by PARALLAX_ADAPTERS (adapters.h has the names).
enum class Adapter : uint8_t {
  kMpi, kPthread, kProcess, kStream, kFile, kOpenMp, kPvm,
  kUser,  // phases, marks, metrics and instrumented functions
};

constexpr uint32_t kAdaptersRead = 1u << 31;
extern std::atomic<uint32_t> enabledAdapters;  // a bit for each, once they are read
uint32_t readAdapters();

// Whether what an adapter intercepts is wanted; where not, calls pass straight through. One load.
// Signal handlers may call it.
inline bool adapterEnabled(Adapter adapter) {
  uint32_t adapters = enabledAdapters.load(std::memory_order_relaxed);
  if (__builtin_expect(adapters == 0, false)) adapters = readAdapters();
  return (adapters >> static_cast<uint32_t>(adapter) & 1) != 0;
}

// ------------------------------------------------------------- call paths

// How a routine is measured.
enum class Relevance : uint8_t {
  kUnknown,
  kFull,     // Enter and Leave with the call path
  kFlat,     // Enter and Leave; the stack is not walked
  kCounted,  // no Enter, no Leave and no other event; its calls are counted (Visits)
  kOff,      // not at all: its adapter is off
};

// A routine that is intercepted. Constant-initialised, so that it is usable before any
// constructor; meant for static storage (the agent keeps a pointer). Defined at first use.
class Region {
 public:
  constexpr Region(const char* name, format::Group group) : name_(name), group_(group) {}
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  // The number in the trace. Lock-free; signal handlers may call it.
  uint32_t id();
  const char* name() const { return name_; }

 private:
  friend class Regions;
  const char* name_;
  format::Group group_;
  Relevance resolve();
  std::atomic<Relevance> relevance_{Relevance::kUnknown};
  std::atomic<bool> defined_{false};
  std::atomic<uint32_t> id_{0};
  std::atomic<uint32_t> path_{0};  // the path of this region below the empty path, once known
  Region* next_ = nullptr;         // list of all regions in use

 public:
  // Path (parent, this region). Lock-free; signal handlers may call it.
  uint32_t path(uint32_t parent);
  // As PARALLAX_COUNT, PARALLAX_FLAT and PARALLAX_FULL say. One load.
  Relevance relevance() {
    const Relevance known = relevance_.load(std::memory_order_relaxed);
    return __builtin_expect(known != Relevance::kUnknown, true) ? known : resolve();
  }
};

// Returns the number of the path (parent, kind, value), defining it at first use: the same
// number for the same three. Lock-free; signal handlers may call it. Returns `parent` when
// memory has run out.
uint32_t callPath(uint32_t parent, format::PathKind kind, uint64_t value);

// ----------------------------------------------------------------- events

// The state of the calling thread, or null when nothing of it is to be recorded: the process
// is not recorded, or the thread belongs to a library. Signal handlers may call it.
Thread* currentThread();

// Whether this process is being recorded. True does not mean that this thread is.
bool recording();

// Marks this thread as being inside the agent or an intercepted routine for as long as it
// lives: nested intercepted calls then pass straight through, and the sampler keeps out.
// False when the thread was inside already, or is not recorded. Signal handlers may use it.
class Guard {
 public:
  Guard() : thread_(enter(this)) {}
  ~Guard() {
    if (thread_ != nullptr) leave();
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  explicit operator bool() const { return thread_ != nullptr; }
  Thread* thread() const { return thread_; }
  void release();  // ends it early

  // For longjmp to a place on the stack further out than the guard of the running thread: ends
  // what it leaves.
  static void endIfLeftFor(uintptr_t stackPointer);

  // From here to endWaiting() the routine does nothing but wait: a handler of the program that
  // calls something recorded ends it, as far as events go. True: that has happened.
  void beginWaiting() { mark_ = reinterpret_cast<uintptr_t>(this) ^ kWaitingMark; }
  bool endWaiting();
  // Whether the calling thread is between the two.
  static bool isWaiting();

 private:
  friend class Call;
  friend class FdCall;  // interpose/descriptors/fd_call.h
  friend class CountedRoutineAside;
  static Thread* enter(Guard* guard);
  static void leave();
  bool wasLeftBefore(const Guard* later, uintptr_t frame) const;
  // From here on the routine counts as code of the program for samples.
  void letSamplesIn() { mark_ = reinterpret_cast<uintptr_t>(this) ^ kSampledMark; }
  bool hasMark(uintptr_t mark) const { return mark_ == (reinterpret_cast<uintptr_t>(this) ^ mark); }
  void stand(uintptr_t frame) {
    mark_ = reinterpret_cast<uintptr_t>(this) ^ kMark;
    frame_ = frame;
  }

  // Overwritten soon when the frame is left in a way that runs no destructor (exceptions).
  static constexpr uintptr_t kMark = 0x5AFE9A4A11A40001;
  static constexpr uintptr_t kSampledMark = 0x5AFE9A4A11A40002;
  static constexpr uintptr_t kWaitingMark = 0x5AFE9A4A11A40003;
  volatile uintptr_t mark_;
  uintptr_t frame_;  // the stack pointer of the routine
  Thread* thread_;
};

using Payload = std::initializer_list<uint64_t>;

// Events of one moment without Enter and Leave: samples, uncontended locks. The clock is read
// once, when it is made. False, and does nothing, where Guard is false. Signal handlers may
// use it. An operand of any size is written correctly, and so are payloads below 2^63.
class Instant {
 public:
  Instant() {
    if (guard_) begin();
  }
  explicit operator bool() const { return bool(guard_); }
  Thread* thread() const { return guard_.thread(); }
  uint64_t ticks() const { return ticks_; }
  void emit(Kind kind, uint32_t operand, Payload payload = {});

 private:
  void begin();

  Guard guard_;
  uint64_t ticks_ = 0;
};

// The path of an Enter of this routine, which is measured in full or flat.
uint32_t enterPath(Thread* thread, Region& region, Relevance relevance);

// An intercepted routine: Enter when it is made, Leave when it ends. False, and does nothing,
// where Guard is false, and where the routine is only counted. Left by longjmp it is ended there,
// left by an exception soon after.
class Call {
 public:
  explicit Call(Region& region);
  ~Call();
  explicit operator bool() const { return bool(guard_) && !ended_; }
  Thread* thread() const { return guard_.thread(); }
  // The time of what emit() writes now: that of the Enter, after returned() that of the Leave.
  uint64_t ticks() const { return ticks_; }
  uint64_t enterTicks() const { return enterTicks_; }

  void emit(Kind kind, uint32_t operand, Payload payload = {});
  // The real routine, which may have waited for others, has returned: reads the clock after all
  // that it has read of them. Leave follows when the object ends; without this, with a time that
  // may lie some 50 ns before what the routine read last, at half the price.
  void returned();
  // For a handler that runs while the thread unwinds past the object, which then has no end of
  // its own (cancellation): writes Leave.
  void endUnwinding();
  // In a child after fork, where the thread is a new one that has not called: writes nothing.
  void abandon() {
    ended_ = true;
    guard_.release();
  }

 private:
  void begin(Region& region);
  bool beginBriefly(Region& region, Relevance relevance);
  void end();

  Guard guard_;
  bool returned_ = false;
  bool ended_ = false;
  uint32_t path_ = 0;
  uint32_t outerPath_ = 0;
  uint64_t ticks_ = 0;
  uint64_t enterTicks_ = 0;
};

// For the sampler, around what it does in a signal handler: a routine that is only counted counts
// as the program's own code, in which samples are taken.
class CountedRoutineAside {
 public:
  CountedRoutineAside();
  ~CountedRoutineAside();
  CountedRoutineAside(const CountedRoutineAside&) = delete;
  CountedRoutineAside& operator=(const CountedRoutineAside&) = delete;

 private:
  const void* inside_ = nullptr;
};

// Counts visits of the leaf of a path by this thread, which have no Enter; they are written as
// Visits where its next block begins and before ThreadEnd. Inside a Guard.
void countVisits(Thread* thread, uint32_t path, uint64_t visits = 1);

// Number of a thread in the trace, and its kernel thread id.
uint32_t threadNumber(const Thread* thread);
uint32_t threadTid(const Thread* thread);
// Whether an instrumented function of the thread is open. Signal handlers may call it.
bool isInFunction(const Thread* thread);
// The stack on which the calling thread was started, which has its Thread.
StackBounds threadStack();
// For the ends of phases, right after an event at `ticks`, on the thread itself inside a Guard:
// writes ThreadCounters when one has changed. Returns how often the thread was switched out
// so far. Two system calls' time. Signal handlers may call it.
uint64_t emitThreadCounters(Thread* thread, uint64_t ticks);

// ------------------------------------------------------------ definitions

// Publishes an encoded record. Lock-free; signal handlers may call it. False when the record
// was lost: no space left, or nothing is recorded.
bool defineEncoded(const void* record, size_t sizeBytes);
// The same for a record that is larger than usual.
template <class R>
__attribute__((noinline)) bool defineLarge(const R& record) {
  constexpr size_t kLargeBytes = 16 << 20;
  void* large = allocatePages(kLargeBytes);  // only what is used becomes memory
  if (large == nullptr) return false;
  const size_t size = format::RecordWriter(large, kLargeBytes).encode(record);
  const bool done = size > 0 && defineEncoded(large, size);
  releasePages(large, kLargeBytes);
  return done;
}

// Writes one record of format/definitions.h, such as define(format::CommunicatorRecord{...}).
template <class R>
bool define(const R& record) {
  char small[320];
  const size_t size = format::RecordWriter(small, sizeof small).encode(record);
  return size > 0 ? defineEncoded(small, size) : defineLarge(record);
}

// Defines a sync object and returns its number (from 1). A key other than 0 is shared by all
// processes that use the object.
uint32_t defineSyncObject(format::SyncKind kind, uint64_t address, uint64_t key = 0);
// Has `write` called in each child after fork before its first event: it writes the definitions of
// an adapter again. Once or more often for each function.
void onRedefinition(void (*write)());
// A Note: what the person who reads the trace must be told. Each text once in a process.
void note(const char* text);

// ------------------------------------------------------------------ other

// Of what the runtime of a sanitizer calls before it is ready: it looks for libc's functions by dlsym.
#define PARALLAX_EARLY \
  __attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined")))

// libc's dlsym, past the agent's own. Null where libc has none that is known.
using Dlsym = void*(void* handle, const char* name);
Dlsym* realDlsym();
// What it answers to the agent, or null. Calls that it causes itself are not recorded.
void* symbolOf(void* handle, const char* name);
// The next definition of an interposed symbol after the agent's, or null.
void* nextSymbol(const char* name);

void*& samplerData(Thread* thread);  // one word of the sampler for each thread

}  // namespace parallax
