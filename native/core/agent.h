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
// All functions can be called at any time, also before constructors have run and in a child after fork. In
// processes that are not recorded (shells, launchers) they do nothing. No function prints,
// aborts, throws, changes errno or calls malloc. Functions that signal handlers may call say so.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/log.h"
#include "base/memory.h"
#include "base/stack_bounds.h"
#include "core/calls.h"
#include "core/guard.h"
#include "core/regions.h"
#include "format/definitions.h"
#include "format/format.h"
#include "live/live_agent.h"

// Interposed symbols, and nothing else, are exported from the agent.
#define PARALLAX_EXPORT extern "C" __attribute__((visibility("default")))

namespace parallax {

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

// Whether live tuning asks for an adapter that is off because there is no trace.
bool isAskedFor(Adapter adapter);
// Whether an adapter is switched on; if not, calls go directly to the real routines. Costs one
// load. Signal handlers may call it.
inline bool adapterEnabled(Adapter adapter) {
  uint32_t adapters = enabledAdapters.load(std::memory_order_relaxed);
  if (__builtin_expect(adapters == 0, false)) adapters = readAdapters();
  if (__builtin_expect((adapters >> static_cast<uint32_t>(adapter) & 1) != 0, true)) return true;
  return __builtin_expect(live::isAsked(), false) && isAskedFor(adapter);
}

// Whether the agent was loaded into a program that ran already (interpose/attach).
extern bool isAttached;

// ----------------------------------------------------------------- events

// The state of the calling thread, or null if the thread is not recorded: the process is not
// recorded, or the thread belongs to a library. Signal handlers may call it.
Thread* currentThread();

// Whether this process is being recorded. True does not mean that this thread is.
bool recording();

// Number of a thread in the trace, and its kernel thread id.
uint32_t threadNumber(const Thread* thread);
uint32_t threadTid(const Thread* thread);
// Whether an instrumented function of the thread is open. Signal handlers may call it.
bool isInFunction(const Thread* thread);
// Whether the thread polls and does nothing else (core/polling.h): no sample is to be written, and the polling goes on.
// Inside a Guard.
bool isPollingAtSample(Thread* thread, uint64_t ticks);
// Whether recording is paused for the thread at `ticks`: no sample is to be taken. Inside a Guard.
bool isPausedAtSample(Thread* thread, uint64_t ticks);
// The stack on which the calling thread was started, which has its Thread.
StackBounds threadStack();
// For the ends of phases, right after an event at `ticks`, on the thread itself inside a Guard:
// writes ThreadCounters when one has changed. Returns how often the thread was switched out
// so far. Two system calls' time. Signal handlers may call it.
uint64_t emitThreadCounters(Thread* thread, uint64_t ticks);

// ------------------------------------------------------------ definitions

// Writes an encoded record. Lock-free; signal handlers may call it. False if the record is lost:
// there is no space, or the process is not recorded.
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
// Registers `write`, which is called in each child after fork before its first event, to write the
// definitions of an adapter again. A function may be registered more than once.
void onRedefinition(void (*write)());
// Writes a Note, a message for the user of the trace. Each text is written once per process.
void note(const char* text);

// ------------------------------------------------------------------ other

// For functions that the runtime of a sanitizer calls before it is ready, when it searches libc's
// functions with dlsym.
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
