// The state of one recorded thread. Adapters see it as an opaque pointer (agent.h).
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "base/sandbox.h"
#include "core/agent.h"
#include "core/clock.h"
#include "core/cpu_clock.h"
#include "core/place.h"
#include "core/polling.h"
#include "core/recording_switch.h"
#include "core/runnable_time.h"
#include "core/sync_objects.h"
#include "core/visits.h"
#include "transport/event_file.h"

namespace parallax {

// The data of each thread of the process, recorded or not. It uses the initial-exec model, because
// other models can call the dynamic linker, which allocates memory and is not safe in signal
// handlers.
struct Local {
  Place place;
  Thread* thread;      // null until the first intercepted call
  class FunctionStack* functions;  // null until the first instrumented function
  bool resolving;      // looking up a real function
  StackBounds stack;   // on which the thread was started, once its Thread has begun
};
extern __thread Local local __attribute__((tls_model("initial-exec")));

// The kernel's name of a thread.
struct ThreadName {
  char text[16];  // ends with a NUL
  static ThreadName ofCaller();
  bool operator!=(const ThreadName& other) const {
    return __builtin_strcmp(text, other.text) != 0;
  }
};

// The CPU clock of a thread and CLOCK_MONOTONIC_RAW at one moment. A CPU clock of 0: the program has forbidden the
// system call.
struct ClockReading {
  uint64_t cpuNs;
  uint64_t rawNs;
};
ClockReading readClocks(int cpuClock = CLOCK_THREAD_CPUTIME_ID);

// From the creator of a thread to the thread (interpose/pthread/pthread_create).
struct ThreadStart {
  void* (*routine)(void*);
  void* argument;
  uint32_t number;
  uint32_t creatorPlusOne;
  bool library;   // of a library: not recorded
  bool openMp;    // of an OpenMP runtime: outside the program's code when it begins
  bool detached;
  size_t stackBytes;  // 0: not known
  const sandbox::Rules* rules;  // that held for the creator
};

// A Thread has its own pages, which the kernel clears in a child after any kind of fork: in the
// child, `live` is false, and the first intercepted call creates the state again.
class Thread {
 public:
  // Pages for a thread that is about to be created; null when there is no memory.
  static Thread* make();
  void release();

  // On the thread itself, inside a Guard. `creatorPlusOne` as in the trace.
  void begin(uint32_t number, uint32_t creatorPlusOne);
  // Writes what begin() may have left to the first event: files, definition, ThreadBegin.
  bool ensureBegun();
  // Takes space for events that are still to come, for when no file can be opened any more.
  bool provide(uint32_t blocks);
  // Writes to the file what the transport has in private memory. On the thread itself.
  void writeBuffered();
  // Writes ThreadEnd, closes the file and stops the sampler.
  void end();
  // Of a process that is recorded again, called by any thread: nothing is written to the former trace any more.
  void retire();
  // The rest, on the thread itself, which is in no routine of the agent.
  void leaveFormer();
  bool isRetired() const { return isRetired_; }

  // ---- events; inside a Guard
  uint64_t now() { return notBefore(readTicks()); }
  uint64_t nowAfter() { return notBefore(readTicksAfter()); }
  // Instead of nowAfter() where it is known what must not lie after it.
  uint64_t nowNotBefore(uint64_t earliest) {
    const uint64_t ticks = readTicks();
    return notBefore(ticks > earliest ? ticks : earliest);
  }
  void emit(Kind kind, uint32_t operand, uint64_t ticks, const uint64_t* payload, size_t count) {
    if (__builtin_expect(mayBePaused(), false) && !admits(kind, payload, ticks)) return;
    if (__builtin_expect(polls(), false)) endPolling(ticks);
    if (__builtin_expect(!file_.fits(EventFile::slotsOf(operand, count), ticks), false)) {
      emitInNewBlock(kind, operand, ticks, payload, count);
      return;
    }
    eventTicks_ = ticks;
    file_.append(kind, operand, ticks, payload, count);
  }
  template <size_t N>
  void emit(Kind kind, uint32_t operand, uint64_t ticks, const uint64_t (&payload)[N]) {
    if (__builtin_expect(mayBePaused() || polls() || !file_.fits(EventFile::slotsOf(operand, N), ticks), false)) {
      return emit(kind, operand, ticks, payload, N);
    }
    eventTicks_ = ticks;
    file_.append(kind, operand, ticks, payload);
  }
  // The Enter of a call, and then an event, at one time.
  template <size_t N>
  void enterAndEmit(uint32_t path, Kind kind, uint32_t operand, uint64_t ticks, const uint64_t (&payload)[N]) {
    const size_t slots = EventFile::slotsOf(path, 0) + EventFile::slotsOf(operand, N);
    if (__builtin_expect(mayBePaused() || polls() || !file_.fits(slots, ticks), false)) {
      emit(Kind::kEnter, path, ticks, nullptr, 0);
      openPath = path;
      return emit(kind, operand, ticks, payload, N);
    }
    eventTicks_ = ticks;
    file_.append(Kind::kEnter, path, ticks, nullptr, 0);
    openPath = path;
    file_.append(kind, operand, ticks, payload);
  }
  // An event, and then the Leave of the open call, at one time.
  template <size_t N>
  void emitAndLeave(Kind kind, uint32_t operand, uint64_t ticks, const uint64_t (&payload)[N], uint32_t path) {
    const size_t slots = EventFile::slotsOf(operand, N) + EventFile::slotsOf(path, 0);
    if (__builtin_expect(mayBePaused() || polls() || polledPath != 0 || !file_.fits(slots, ticks), false)) {
      emit(kind, operand, ticks, payload, N);
      return leaveCall(path, ticks);
    }
    eventTicks_ = ticks;
    file_.append(kind, operand, ticks, payload);
    file_.append(Kind::kLeave, path, ticks, nullptr, 0);
  }
  // ---- pauses of recording (pauses.cpp); inside a Guard. False is certain.
  bool mayBePaused() const { return switchChanges() != recordsAt_; }
  // Whether what the thread does at `ticks` is not recorded. Writes the begins and ends of pauses up to then.
  bool isPausedAt(uint64_t ticks);
  // The last events follow, which are written in any case. Of another thread only while that one waits.
  void endSwitching(uint64_t ticks);

  // Writes a Cpu event when the thread has lost the processor since the last one. It may have
  // lost it after `ticks` was read, in which case that becomes the time of the Cpu event.
  void checkCpu(uint64_t& ticks) {
    if (cpu_.changed()) measureCpu(ticks);
  }
  // The same at the end of what may have waited since `since`.
  void checkCpuAfterWait(uint64_t since, uint64_t& ticks) {
    if (cpu_.changed() || (!cpu_.isOpen() && ticks - since > shortTicks())) measureCpu(ticks);
  }
  void checkCpuAtSample(uint64_t& ticks) {
    if (cpu_.changed() || !cpu_.isOpen()) measureCpu(ticks);
  }
  // Whether it may have done so since the last check, on the thread itself. False is certain.
  bool mayHaveLostCpu() const { return cpu_.mayHaveChanged(); }
  // Before an event that is written afterwards, at a time that is over: tells of what the thread
  // lost and cannot have lost since then. Of another thread only while that one waits.
  void checkCpuBefore(uint64_t ticks);
  // The CPU clock of a thread that waits, read by another one at the end of the process.
  void writeCpuOfWaiting(uint64_t& ticks);

  // ---- polling (polling.h); inside a Guard
  bool polls() const { return polling_.state != Polling::State::kIdle; }
  // Enough of it for a wait to be a part of it: several attempts, of which the trace knows.
  bool pollsOften() const {
    return polling_.state == Polling::State::kOpen && polling_.attempts > 1;
  }
  bool isPollingOpen() const { return polling_.state == Polling::State::kOpen; }
  // Whether what begins now belongs to the same polling as the attempts before; else that ends.
  bool continuesPolling(uint64_t ticks) {
    if (!polls()) return false;
    const uint64_t pause = ticks > polling_.endTicks ? ticks - polling_.endTicks : 0;
    return pause <= polling_.freeTicks || isPollingAfter(pause);
  }
  // An attempt, for which continuesPolling() was asked, had no success. `isTold`: it is recorded even if it is the only
  // one. `path`: of its Enter, 0 if that is to be found here.
  void missed(Region& region, uint64_t begin, uint64_t end, bool isTold, uint32_t path = 0);
  // The same of a wait whose time is over, when it has written its Enter. `timer`: the object of timers.
  void becomePolling(uint32_t path, uint64_t begin, uint64_t end, uint32_t timer);
  // The pause of the program since the last attempt is part of the polling.
  void pausePolling();
  // An attempt of this call path has success, or a wait begins that continues the polling: writes what is before its
  // events, and sets openPath and polledPath.
  void joinPolling(uint32_t path, uint64_t begin, uint64_t& ticks);
  // The end of the open call, and of the polling that it has joined.
  void leaveCall(uint32_t path, uint64_t ticks) {
    emit(Kind::kLeave, path, ticks, nullptr, 0);
    if (__builtin_expect(polledPath != 0, false)) leavePolling(ticks);
  }
  // Whether the thread polls and does nothing else. Then no sample is to be written.
  bool isPollingAtSample(uint64_t ticks);

  // Visits of a path without Enter. See calls.h.
  void countVisits(uint32_t path, uint64_t visits) {
    if (__builtin_expect(!visits_.add(path, visits), false)) replaceVisits(path, visits);
  }
  // Writes those that were counted since the last time.
  void writeAllVisits(uint64_t ticks);
  // Writes ThreadCounters when one of them has changed. Returns the context switches so far.
  uint64_t emitCounters(uint64_t ticks);

  // Records the name that the kernel has for this thread, if it is not the one that the trace
  // has, which is the program's at first. On the thread itself, inside a Guard.
  void recordName();

  uint64_t lastEventTicks() const { return eventTicks_; }
  // Whether the last event of the block is of this kind, which has no payload.
  bool lastEventIs(Kind kind, uint32_t operand) const { return file_.lastIs(kind, operand); }

  bool live() const { return live_; }
  uint32_t number() const { return number_; }
  uint32_t tid() const { return tid_; }
  // Whether `frame` is on the stack on which the thread was started. On the thread itself.
  bool onStack(const void* frame) const {
    const auto at = reinterpret_cast<uintptr_t>(frame);
    return at >= local.stack.low && at < local.stack.high;
  }

  LastSyncObject lastMutex;      // interpose/pthread/pthread_mutex
  uint32_t openPath = 0;         // of the innermost open Enter
  uint32_t polledPath = 0;       // of the polling that ends with the open call, if that has an Enter of its own
  uint32_t functionPath = 0;     // of the innermost open Enter of an instrumented function
  void* samplerData = nullptr;
  // On the thread, before its last event; false: that has been written for it (interpose/openmp).
  bool (*atEnd)(Thread*) = nullptr;
  int destructorRounds = 0;      // interpose/pthread: how often the destructor came round

  ThreadStart start = {};

 private:
  uint64_t notBefore(uint64_t ticks) {
    if (ticks > lastTicks_) lastTicks_ = ticks;
    return lastTicks_;
  }
  static uint64_t shortTicks() { return clockSettings.tickHz / 400000; }  // 2.5 us
  bool makeRoom(size_t slots, uint64_t ticks);
  void countDropped(int error);
  bool beginNextBlock(uint64_t ticks, uint32_t windowBlocks);
  void emitInNewBlock(Kind kind, uint32_t operand, uint64_t ticks, const uint64_t* payload,
                      size_t count);
  bool startBlock(const BlockStart& start, uint32_t windowBlocks = 0);
  // At the begin of a block: what the events before it leave to those from here on. Returns whether an event of so many
  // slots fits behind it.
  bool writeKeptState(KeptPast* past, size_t slots, uint64_t ticks);
  void writeBeginning();
  uint64_t cpuNsNow() const;
  // `always`: also where nothing was lost.
  void measureCpu(uint64_t& ticks, bool always = false);
  // `asks`: it also tells whether the thread was runnable. If not, that is told later: nothing can be asked of another
  // thread, or about the past.
  void writeCpu(uint64_t cpuNs, uint64_t rawNs, uint64_t measured, uint64_t& ticks, bool asks, bool always);
  void findStack();
  void countLost();
  void leaveFirstBlock();
  void writeVisits(uint32_t path, uint64_t visits, uint64_t ticks) {
    emit(Kind::kVisits, path, ticks, &visits, 1);
  }
  void replaceVisits(uint32_t path, uint64_t visits);
  uint64_t lostCpuNs() const;
  bool isPollingAfter(uint64_t pauseTicks);
  bool openPolling(Region& region, uint32_t path);
  void extendPolling(uint64_t begin, uint64_t end);
  void emitPoll(const Polling& polling, bool success, uint64_t ticks);
  void measurePollingCpu();
  // An episode cannot end after `ticks`, the time of the next event: at the end of a process another thread takes it,
  // while this one may still poll.
  void endPolling(uint64_t ticks, bool mayHaveLostCpu = false);

  void leavePolling(uint64_t ticks);

  void beginSwitching();
  bool admits(Kind kind, const uint64_t* payload, uint64_t ticks);
  void followSwitches(uint64_t ticks);
  void setRecordsAt();
  void beginPause(uint64_t ticks);
  void endPause(uint64_t ticks);
  void enterAgain(uint64_t ticks);
  void writeCpuAtSwitch(uint64_t ticks, bool ends);
  ClockReading readOwnClocks() const;

  EventFile file_ = {};
  void* firstBlock_ = nullptr;    // holds the memory of a block in the definitions file
  uint64_t lastTicks_ = 0;        // never given out an earlier time
  uint64_t eventTicks_ = 0;       // of the last event
  Polling polling_ = {};
  CpuClock cpu_ = {};
  uint64_t cpuNs_ = 0;            // CPU clock and CLOCK_MONOTONIC_RAW (the CPU clock is not slewed
  uint64_t cpuRawNs_ = 0;         // either) at the last Cpu event
  RunnableTime runnable_ = {};
  uint64_t counters_[4] = {};     // as in the last ThreadCounters
  bool live_ = false;
  bool begun_ = false;
  bool isRetired_ = false;
  bool visitsAreDue_ = false;     // a block has begun
  ThreadName name_ = {};          // as the trace has it
  uint32_t number_ = 0;
  uint32_t tid_ = 0;
  uint32_t creatorPlusOne_ = 0;
  uint32_t lost_ = 0;             // events since the last block
  uint32_t lostCounted_ = 0;      // of these, which the process's definitions tell
  int error_ = 0;                 // why there was no space last time
  bool defined_ = false;
  uint64_t retryTicks_ = 0;       // when to ask for space again
  BlockStart beginning_ = {};
  bool writingVisits_ = false;
  // While recording is paused, or a change is to come that the thread has not seen, no number of changes is this one.
  uint32_t recordsAt_ = 0;
  bool switching_ = false;        // everything is written
  bool cpuIsDue_ = false;         // the thread has lost the processor in the pause
  uint32_t pausePath_ = 0;        // of the pause that has begun
  SwitchReader switches_ = {};
  VisitCounts visits_ = {};
};

}  // namespace parallax
