#include "core/thread.h"

#include <errno.h>
#include <limits.h>
#include <sys/prctl.h>

#include <cstring>
#include <new>

#include "base/address_table.h"
#include "base/sys.h"
#include "base/text.h"
#include "core/functions.h"
#include "core/own_stack.h"
#include "core/process.h"
#include "core/sampling.h"
#include "live/live_agent.h"
#include "transport/block_buffer.h"
#include "transport/event_ring.h"
#include "transport/kept_past.h"
#include "transport/trace_space.h"
#include "transport/transport_mode.h"

namespace parallax {
namespace {

constexpr size_t kThreadBytes = (sizeof(Thread) + 4095) / 4096 * 4096;
// A file of its own costs a thread more than its creation and end together: the first events stand in
// the definitions file.
constexpr size_t kFirstBlockBytes = 504, kMainBlockBytes = 4088;  // with the record's header 512, 4096

struct ThreadEntry {
  std::atomic<uint32_t> numberPlusOne;
};
AddressTable<ThreadEntry> threadTable;

pthread_key_t threadKey;
bool threadKeyMade = false;

// The thread sanitizer forgets a thread in the last round, after which no code of ours may run that
// was built with it.
#if defined(__SANITIZE_THREAD__)
constexpr int kLastRound = PTHREAD_DESTRUCTOR_ITERATIONS - 1;
#else
constexpr int kLastRound = PTHREAD_DESTRUCTOR_ITERATIONS;
#endif

// Destructors of other keys may still call intercepted routines: come last of all rounds.
void onThreadExit(void*) {
  Thread* thread = local.thread;
  if (thread == nullptr || local.place.isGone()) return;
  if (++thread->destructorRounds < kLastRound) {
    pthread_setspecific(threadKey, thread);
    return;
  }
  endCurrentThread();
}

}  // namespace

bool makeThreadKey() {
  if (!threadKeyMade) threadKeyMade = pthread_key_create(&threadKey, onThreadExit) == 0;
  // A value of a later key takes memory of malloc, and threads of an attached program begin in handlers of signals.
  constexpr pthread_key_t kKeysWithoutMemory = 32;
  if (isAttached && threadKeyMade && threadKey >= kKeysWithoutMemory) {
    pthread_key_delete(threadKey);
    threadKeyMade = false;
  }
  return threadKeyMade;
}

namespace {

// Pages of threads that have ended, for the next ones. They stay wiped in a child, where they are as
// good as new.
std::atomic<void*> spareThreads[64];

// Several at once, as the kernel keeps a record of each part that is to be wiped.
void* newThreadPages() {
  constexpr size_t kAtOnce = 8;
  auto* pages = static_cast<char*>(sys::pages(kAtOnce * kThreadBytes));
  if (pages == nullptr) return nullptr;
  sys::madvise(pages, kAtOnce * kThreadBytes, MADV_WIPEONFORK);
  for (size_t i = 1; i < kAtOnce; i++) reinterpret_cast<Thread*>(pages + i * kThreadBytes)->release();
  return pages;
}

}  // namespace

Thread* Thread::make() {
  void* pages = nullptr;
  for (auto& spare : spareThreads) {
    if (spare.load(std::memory_order_relaxed) == nullptr) continue;
    pages = spare.exchange(nullptr, std::memory_order_acq_rel);
    if (pages != nullptr) break;
  }
  if (pages == nullptr) pages = newThreadPages();
  return pages != nullptr ? new (pages) Thread() : nullptr;
}

void Thread::release() {
  for (auto& spare : spareThreads) {
    void* none = nullptr;
    if (spare.load(std::memory_order_relaxed) == nullptr &&
        spare.compare_exchange_strong(none, this, std::memory_order_acq_rel)) {
      return;
    }
  }
  sys::munmap(this, kThreadBytes);
}

void Thread::findStack() {
  tid_ = static_cast<uint32_t>(sys::gettid());
  // After a fork: any thread may have made it, whose stack goes on as the main thread's. A thread that existed before the agent
  // can begin in the memory allocator, when that locks a mutex: libc, which would ask for memory, must not be called then.
  if (local.stack.high != 0) return;
  local.stack = isAttached && start.stackBytes == 0 ? stackByMappings() : stackOfCaller(start.stackBytes);
}

namespace {

// A disk needs longer than a writer to have room again.
uint64_t retryAfterTicks(int error) { return clockSettings.tickHz / (error == -kWriterBehind ? 1000 : 10); }

// The threads of an attached process by their numbers; those beyond are not recorded again.
constexpr size_t kMostListed = 1 << 16;
std::atomic<std::atomic<Thread*>*> listed{nullptr};

// Several threads come first at once.
std::atomic<Thread*>* list() {
  std::atomic<Thread*>* known = listed.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  auto* made = static_cast<std::atomic<Thread*>*>(allocatePages(kMostListed * sizeof(Thread*)));
  if (made == nullptr) return nullptr;
  if (listed.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return made;
  releasePages(made, kMostListed * sizeof(Thread*));
  return known;
}

void list(Thread* thread, Thread* as) {
  std::atomic<Thread*>* all = thread->number() < kMostListed ? list() : nullptr;
  if (all != nullptr) all[thread->number()].store(as, std::memory_order_seq_cst);
}

}  // namespace

void retireThreads() {
  std::atomic<Thread*>* all = listed.load(std::memory_order_acquire);
  for (size_t i = 0; all != nullptr && i < kMostListed; i++) {
    Thread* thread = all[i].exchange(nullptr, std::memory_order_seq_cst);
    if (thread != nullptr) thread->retire();
  }
}

void Thread::retire() {
  isRetired_ = true;
  samplerData = nullptr;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  live_ = false;
}

void Thread::leaveFormer() {
  file_.leave();
  leaveFirstBlock();
  cpu_.close();
}

void Thread::begin(uint32_t number, uint32_t creatorPlusOne) {
  number_ = number;
  creatorPlusOne_ = creatorPlusOne;
  name_ = process.name();
  findStack();
  if (creatorPlusOne == 0) runnable_.begin();
  if (!process.isSilent()) cpu_.open();
  cpu_.changed();
  const ClockReading clocks = readClocks();
  cpuNs_ = clocks.cpuNs;
  cpuRawNs_ = clocks.rawNs;
  beginning_.cpuNs = clocks.cpuNs;
  beginning_.ticks = eventTicks_ = now();
  beginning_.monotonicNs = readClockNs(CLOCK_MONOTONIC);
  beginSwitching();
  live_ = true;
  if (isAttached) list(this, this);
  if (!start.detached) registerThread(pthread_self(), number);
  if (threadKeyMade) pthread_setspecific(threadKey, this);
}

bool Thread::ensureBegun() {
  if (begun_) return true;
  if (process.ensureFiles()) callWithRoom([this] { writeBeginning(); });
  return begun_;
}

void Thread::writeBeginning() {
  if (!defined_) {
    defined_ = define(format::ThreadRecord{number_, tid_, creatorPlusOne_, 0, beginning_.ticks, {}});
    if (!defined_) return;
  }
  bool started = false;
  if (!file_.isOpen()) {
    char name[256];
    process.eventFileName(number_, name);
    file_.open(process.directory(), name, number_);
    const size_t bytes = number_ == 0 ? kMainBlockBytes : kFirstBlockBytes;
    // Other transports write all events in their own way, unless the program forbids that.
    void* memory = transportMode.isPrivate() && !sandbox::isRestricted() ? nullptr
                                                                         : process.reserveEvents(bytes, &firstBlock_);
    if (memory != nullptr) {
      file_.beginElsewhere(memory, bytes, beginning_);
      started = true;
    }
  }
  if (!started && !startBlock(beginning_)) return;
  begun_ = true;
  const uint64_t payload = creatorPlusOne_;
  file_.append(Kind::kThreadBegin, 0, beginning_.ticks, &payload, 1);
  countDropped(file_.endEvent());
}

bool Thread::startBlock(const BlockStart& start, uint32_t windowBlocks) {
  sampler::keepSignal();  // libc may have taken it for a thread of its own that nobody saw
  error_ = file_.beginBlock(start, windowBlocks);
  leaveFirstBlock();
  if (const char* text = event_rings::takeNote()) note(text);
  if (const char* text = takeKeptNote()) note(text);
  return error_ == 0;
}

// Nothing is written any more into the block that stands in the definitions file.
void Thread::leaveFirstBlock() {
  process.letGoEvents(firstBlock_);
  firstBlock_ = nullptr;
}

bool Thread::beginNextBlock(uint64_t ticks, uint32_t windowBlocks) {
  // The three clocks are read together, a moment after `ticks`.
  BlockStart start;
  start.ticks = ticks;
  start.cpuNs = cpuNsNow();
  const uint64_t ago = ticksToNs(readTicks() - ticks);
  if (switching_) {  // that may be long ago, and what was lost until then has been told
    const uint64_t rawNs = readClockNs(CLOCK_MONOTONIC_RAW) - ago;
    start.cpuNs = cpuNs_ + (rawNs > cpuRawNs_ ? rawNs - cpuRawNs_ : 0);
  }
  start.monotonicNs = readClockNs(CLOCK_MONOTONIC) - ago;
  start.openPath = pausePath_ != 0 ? pausePath_ : openPath;
  start.lost = lost_;
  if (!startBlock(start, windowBlocks)) {
    lost_ += file_.takeDropped();
    return false;
  }
  lost_ = lostCounted_ = 0;
  retryTicks_ = 0;
  countForRate(format::kBlockBytes);
  visitsAreDue_ = file_.blocks() > 1;
  return true;
}

bool Thread::provide(uint32_t blocks) {
  if (!ensureBegun()) return false;
  bool done = false;
  callWithRoom([&] { done = beginNextBlock(now(), blocks); });
  return done;
}

// The slow path of emit(): returns whether an event of any size at `ticks` now fits.
bool Thread::makeRoom(size_t slots, uint64_t ticks) {
  int error;
  if (file_.continueBlock(slots, ticks, &error)) return true;
  if (error != 0) {
    lost_++;
    countDropped(error);
    return false;
  }
  if (retryTicks_ != 0 && ticks < retryTicks_) {
    lost_++;
    return false;
  }
  countLost();
  const bool begun = begun_;
  bool done = ensureBegun();
  if (done && (begun || !(file_.fits(slots, ticks) || file_.continueBlock(slots, ticks, &error)))) {
    done = beginNextBlock(ticks, 0);
  }
  if (done) {
    retryTicks_ = 0;
    lost_ = lostCounted_ = 0;
    return true;
  }
  lost_++;
  countLost();
  retryTicks_ = ticks + retryAfterTicks(error_);
  return false;
}

// Has the trace say what was lost up to now: at once for the first event, for the others when space is
// asked for again, and at the end.
void Thread::countLost() {
  if (lost_ == lostCounted_ || (error_ == -kProcessEnds && BlockBuffer::isStopped())) return;
  if (process.countLost(Process::Lost::kEvents, lost_ - lostCounted_, error_, lastTicks_)) {
    lostCounted_ = lost_;
  }
}

// What had fitted, but could not be written: the next attempt is made later, as where there is no space.
void Thread::countDropped(int error) {
  const uint32_t dropped = file_.takeDropped();
  lost_ += dropped;
  if (dropped != 0 && error == 0) error_ = file_.dropReason();
  if (error == 0) return;
  error_ = error;
  countLost();
  retryTicks_ = lastTicks_ + retryAfterTicks(error);
}

void Thread::writeBuffered() { countDropped(file_.write()); }

bool Thread::writeKeptState(KeptPast* past, size_t slots, uint64_t ticks) {
  past->begun();
  const uint64_t block = file_.blocks() - 1;
  file_.append(Kind::kKeptState, notRecorded.path(0), ticks, nullptr, 0);
  const bool isWhole = past->forEach([&](uint32_t operand, const uint64_t* payload, size_t count) {
    if (!file_.fits(EventFile::slotsOf(operand, count), ticks) && !beginNextBlock(ticks, 0)) return false;
    file_.append(Kind::kKept, operand, ticks, payload, count);
    return true;
  });
  if (isWhole) past->mark(block, ticks);
  return file_.fits(slots, ticks) || makeRoom(slots, ticks);
}

// Visits follow the event: before it they would take the time that a Cpu event is about.
void Thread::emitInNewBlock(Kind kind, uint32_t operand, uint64_t ticks, const uint64_t* payload,
                            size_t count) {
  const size_t slots = EventFile::slotsOf(operand, count);
  if (!makeRoom(slots, ticks)) return;
  KeptPast* const past = file_.duePast();
  // A state before it would take the time that a Cpu event is about, too.
  const bool isBefore = past != nullptr && kind == Kind::kCpu;
  if (isBefore) file_.append(kind, operand, ticks, payload, count);
  if (__builtin_expect(past != nullptr, false) && !writeKeptState(past, isBefore ? 0 : slots, ticks)) return;
  eventTicks_ = ticks;
  if (!isBefore) file_.append(kind, operand, ticks, payload, count);
  countDropped(file_.endEvent());
  if (!visitsAreDue_) return;
  visitsAreDue_ = false;
  writeAllVisits(ticks);
}

ThreadName ThreadName::ofCaller() {
  ThreadName name = {};
  sys::call(SYS_prctl, PR_GET_NAME, sys::word(name.text));
  return name;
}

void Thread::recordName() {
  const ThreadName now = ThreadName::ofCaller();
  if (now.text[0] == '\0' || !(now != name_)) return;  // none: it may not ask
  name_ = now;
  if (ensureBegun()) define(format::ThreadNameRecord{number_, name_.text});
}

void Thread::end() {
  recordName();
  sampler::stopThread(this);
  if (!process.isSilent() && (atEnd == nullptr || atEnd(this))) {
    uint64_t ticks = now();
    endSwitching(ticks);
    measureCpu(ticks, true);
    writeAllVisits(ticks);
    emitCounters(ticks);
    emit(Kind::kThreadEnd, 0, ticks, nullptr, 0);
  }
  if (process.isDetached()) {
    file_.leave();
  } else {
    file_.close();
  }
  countDropped(0);
  countLost();
  leaveFirstBlock();
  cpu_.close();
}

// -------------------------------------------------------- threads and libc

constexpr uint32_t kDetachedBeforeBegin = ~0u;

void registerThread(pthread_t thread, uint32_t number) {
  ThreadEntry* entry = threadTable.obtain(static_cast<uint64_t>(thread));
  if (entry == nullptr) return;
  // In one step: a detachment that comes meanwhile must not be overwritten.
  uint32_t registered = number + 1;
  if (entry->numberPlusOne.exchange(registered) == kDetachedBeforeBegin) {
    entry->numberPlusOne.compare_exchange_strong(registered, 0);
  }
}

uint32_t registeredThread(pthread_t thread) {
  ThreadEntry* entry = threadTable.find(static_cast<uint64_t>(thread));
  if (entry == nullptr) return 0;
  const uint32_t found = entry->numberPlusOne.load(std::memory_order_acquire);
  return found == kDetachedBeforeBegin ? 0 : found;
}

void unregisterThread(pthread_t thread, uint32_t numberPlusOne) {
  ThreadEntry* entry = threadTable.find(static_cast<uint64_t>(thread));
  // Another thread may have the pthread_t by now.
  if (entry != nullptr) entry->numberPlusOne.compare_exchange_strong(numberPlusOne, 0);
}

void detachThread(pthread_t thread) {
  ThreadEntry* entry = threadTable.obtain(static_cast<uint64_t>(thread));
  if (entry == nullptr) return;
  uint32_t known = 0;
  if (!entry->numberPlusOne.compare_exchange_strong(known, kDetachedBeforeBegin)) {
    entry->numberPlusOne.store(0, std::memory_order_release);
  }
}

void forgetThreads() {
  threadTable.forEach([](uint64_t, ThreadEntry& entry) {
    entry.numberPlusOne.store(0, std::memory_order_relaxed);
  });
}

namespace {

// Of a trace before this one.
void leaveFormerThread() {
  Thread* former = local.thread;
  if (former == nullptr || !former->isRetired()) return;
  local.thread = nullptr;
  former->leaveFormer();
  former->release();
}

}  // namespace

// Called by a Guard, which the thread has entered.
Thread* attachThread() {
  const uint32_t recording = forkGeneration();
  sandbox::inheritLatest();
  process.start();
  switch (process.state()) {
    case Process::State::kRecording:
      break;
    case Process::State::kPassive:
      if (process.isDetached()) {
        local.place.returnToProgram();  // it may be recorded again
      } else {
        local.place.end();
      }
      return nullptr;
    default:  // being started, by a call further up or by another thread
      local.place.returnToProgram();
      return nullptr;
  }
  if (!process.isOurs()) {
    local.place.returnToProgram();
    return nullptr;
  }
  if (local.thread != nullptr && local.thread->live()) return local.thread;  // forked just now
  leaveFormerThread();
  Thread* thread = Thread::make();
  if (thread == nullptr) {
    local.place.end();
    return nullptr;
  }
  local.thread = thread;
  thread->begin(process.newThreadNumber(), 0);
  if (isAttached && forkGeneration() != recording) {  // the process has begun another trace meanwhile, without this thread
    thread->retire();
    local.place.returnToProgram();
    return nullptr;
  }
  thread->ensureBegun();
  if (isAttached) thread->recordName();  // it was given one before
  sampler::startThread(thread);
  return thread;
}

void endCurrentThread() {
  Thread* thread = local.thread;
  leaveFormerThread();
  if (thread == nullptr || local.thread == nullptr || !thread->live()) return;
  if (isAttached) list(thread, nullptr);
  local.place.end();
  if (local.functions != nullptr) {
    local.functions->leaveAll(thread);
    local.functions->release();
    local.functions = nullptr;
  }
  thread->end();
  live::leaveShard();
  local.thread = nullptr;
  thread->release();
}

}  // namespace parallax
