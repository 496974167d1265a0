// The recorded process: what its threads share.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/fork_generation.h"
#include "base/spin_lock.h"
#include "core/agent.h"
#include "core/thread.h"
#include "format/definitions.h"
#include "format/format.h"
#include "transport/definitions_file.h"
#include "transport/trace_directory.h"

namespace parallax {

class Process {
 public:
  enum class State : uint32_t {
    kUnknown,   // nothing intercepted yet
    kStarting,
    kPassive,   // launcher, shell, not under `record`, failed, or ended: everything passes through
    kRecording,
  };

  // Decides, once, whether this process is recorded, and begins it.
  void start();
  State state() const { return state_.load(std::memory_order_acquire); }
  // It was made by fork, and has not executed a program since.
  bool isForked() const { return forked_; }
  // It is tuned and not recorded: routines are followed as far as their measurement needs it, and nothing is written.
  bool isSilent() const { return silent_; }

  // False in a child that shares the memory of its parent until it executes a program (vfork): its
  // calls must not change the trace of the parent. In a forked child, the first call creates the
  // child's own state.
  bool isOurs();

  // Creates the files if there are none yet (in a child after fork, at its first event).
  bool ensureFiles();
  // The process ends, or executes another program.
  void end(format::EndReason reason, int status);
  // The execution has failed: the process continues.
  void endFailed();
  // The process goes on, and is recorded no more. What its threads do in intercepted routines is not
  // written any more: the switch of the program (recording_switch.h) makes them ask.
  void detach();
  // Begins the recording of a process that was detached, into another trace. Its threads begin anew as well.
  void startAgain();
  bool isDetached() const { return detached_.load(std::memory_order_acquire); }
  // In a child after fork, on its only thread.
  void afterFork();

  // Writes to the files what the transport has in private memory, of all threads: before the memory may be lost, or
  // nothing may be written any more.
  void writeBuffered(bool ends = false);

  // Reserves space for later definitions, for the time when no file can be opened any more.
  bool provide(uint64_t definitionBytes);
  bool defineRecord(const void* record, size_t sizeBytes);
  // Counts in the trace what could not be recorded, and why: an errno or a reason of
  // trace_space.h, negative. False when there are no files to count it in. Signal handlers may call it.
  enum class Lost { kEvents, kDefinitions, kCallPaths };
  bool countLost(Lost what, uint64_t count, int error, uint64_t ticks);
  // Memory in the definitions file, zeroed, for the first block of a thread; null when there is no space.
  // It stays mapped until `hold` is given to letGoEvents.
  void* reserveEvents(size_t sizeBytes, void** hold);
  void letGoEvents(void* hold) { definitions_.letGo(hold); }
  uint32_t newThreadNumber() { return threads_.fetch_add(1, std::memory_order_relaxed); }
  // The name of a thread's event file, into a buffer of 256 bytes.
  void eventFileName(uint32_t thread, char* name) const;
  // The same of a file that the processes of this host share, by its ending.
  void hostFileName(const char* ending, char* name) const;
  // The name of its threads that were not given one.
  const ThreadName& name() const { return name_; }
  const TraceDirectory& directory() const { return *directory_; }
  // Opens HOST and `ending` in the trace directory for appending; negative when the process was never
  // recorded.
  int openOfHost(const char* ending) const;
  // Of the program; null while the process is not recorded.
  const char* executable() const { return executable_; }
  uint32_t sampleHz() const { return sampleHz_; }
  ClockPair startClocks() const { return {startTicks_, startMonotonicNs_}; }

  // What is to be written when the process exits, if anything: interpose/openmp, descriptors/file_lock.
  std::atomic<void (*)()> beforeExit{nullptr}, releasesAtExit{nullptr};

 private:
  bool prepare();
  bool findProgram();
  bool openTrace();
  void chooseTransport(bool mayUseRing);
  bool makeFiles();
  int openDefinitions(const char* host);
  size_t encodeProcess(const char* host, char* record, size_t recordBytes, char* scratch);
  void definitionsName(char* name) const;
  void writeEnd(const format::ProcessEndRecord& end);
  void unstage() const;
  void limitSpace();
  void readStartClocks();
  static void forgetNotes();
  bool wasForked() const { return forkGeneration() != generation_; }

  std::atomic<State> state_{State::kUnknown};
  std::atomic<uint32_t> threads_{0};
  std::atomic<bool> filesMade_{false};
  SpinLock makesFiles_;
  std::atomic<bool> ended_{false}, detached_{false};
  bool forked_ = false;
  bool silent_ = false;
  uint32_t generation_ = 0;
  int pid_ = 0;
  int parentPid_ = 0;
  uint32_t sampleHz_ = 0;
  ThreadName name_ = {};
  const char* executable_ = nullptr;
  uint64_t startTicks_ = 0, startMonotonicNs_ = 0, startRealtimeNs_ = 0;
  // In the definitions file from its beginning, so that they can be told on a full disk.
  format::RecordHeader* losses_ = nullptr;
  format::RecordHeader* end_ = nullptr;
  std::atomic<bool> endWritten_{false};
  std::atomic<uint64_t> definitionsRetryTicks_{0};
  // Of each trace another one: a thread that comes late must not write into the next trace.
  TraceDirectory firstDirectory_;
  TraceDirectory* directory_ = &firstDirectory_;
  DefinitionsFile definitions_;
  bool isStaged_ = false;             // the definitions are in memory (transport/definitions_stage.h)
  bool triesStage_ = true;            // once in a process
  char prefix_[224] = {};             // HOST.PID.SEQ
};

extern Process process;

// core/paths.cpp, core/sync_objects.cpp: definitions again, in the child after fork.
void redefineRegionsAndPaths();
void redefineSyncObjects();
// In another trace of the same process, all are new.
void forgetSyncObjects();

// core/thread.cpp
Thread* attachThread();       // slow path of currentThread
void endCurrentThread();      // last event of the calling thread
bool makeThreadKey();         // before the first thread begins
// Threads by their pthread_t. A thread registers itself when it begins. Its creator cannot do so
// after pthread_create: the thread may already have ended, and another thread may have the same
// pthread_t.
void registerThread(pthread_t thread, uint32_t number);
// The number + 1 of a thread that may be joined, 0 when it has not begun or is not recorded.
uint32_t registeredThread(pthread_t thread);
// It was joined.
void unregisterThread(pthread_t thread, uint32_t numberPlusOne);
// It will not be joined, whether it has begun or not.
void detachThread(pthread_t thread);

void forgetThreads();         // in a child after fork
// Of a process that is recorded again: what its threads still write is dropped, and their next call makes them new ones.
void retireThreads();

}  // namespace parallax
