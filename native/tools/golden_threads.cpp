// One process whose threads queue on a mutex, signal a condition and meet at a barrier; as a
// run that could have been. A thread of a runtime library is known but not recorded.

#include "tools/golden.h"

namespace parallax::golden {

using namespace format;

namespace {

constexpr Machine kHost = {"thr", Clock::kTsc, 3'000'000'000, 900'000'000'000'000,
                           300'000'000'000'000};

enum Object : uint32_t { kMutex = 1, kCondition, kBarrierObject };
enum RegionNumber : uint32_t { kCreateRegion = 1, kJoinRegion, kLockRegion, kWaitRegion,
                               kSignalRegion, kBarrierRegion };
enum Path : uint32_t { kMain = 1, kWorker, kCreate, kJoin, kMainLock, kWorkerLock, kWorkerWait,
                       kMainSignal, kMainBarrier, kWorkerBarrier, kInPlugin };

void define(Process& process) {
  DefinitionsWriter& definitions = process.definitions();
  ProcessRecord record = process.processRecord(42, 1, 0);
  record.cpuClock = CpuClock::kPerfPage;
  record.executable = "/opt/app/bin/pool";
  record.command = "pool";
  record.directory = "/";
  definitions.add(record);
  process.thread(0, 42, 0, 0, "pool");
  ModuleRecord module;
  module.ticks = process.machine().ticks(0);
  module.loadBias = 0x400000;
  module.firstAddress = 0x401000;
  module.endAddress = 0x40a000;
  module.path = "/opt/app/bin/pool";
  definitions.add(module);
  module.module = 1;
  module.ticks = process.machine().ticks(120);
  module.loadBias = module.firstAddress = 0x7f0000000000;
  module.endAddress = 0x7f0000004000;
  module.buildId = "0123456789abcdef";
  module.path = "/opt/app/lib/plugin.so";
  definitions.add(module);
  ModuleUnloadRecord unload;
  unload.module = 1;
  unload.ticks = process.machine().ticks(300);
  definitions.add(unload);
  const char* names[] = {"pthread_create",    "pthread_join",        "pthread_mutex_lock",
                         "pthread_cond_wait", "pthread_cond_signal", "pthread_barrier_wait"};
  for (uint32_t i = 0; i < std::size(names); i++) {
    process.region(1 + i, Group::kPthread, names[i]);
  }
  process.region(7, Group::kUser, "phase");
  process.region(8, Group::kAgent, "flush");
  process.path(kMain, 0, PathKind::kReturnAddress, 0x401235);
  process.path(kWorker, 0, PathKind::kReturnAddress, 0x402001);
  process.path(kCreate, kMain, PathKind::kRegion, kCreateRegion);
  process.path(kJoin, kMain, PathKind::kRegion, kJoinRegion);
  process.path(kMainLock, kMain, PathKind::kRegion, kLockRegion);
  process.path(kWorkerLock, kWorker, PathKind::kRegion, kLockRegion);
  process.path(kWorkerWait, kWorker, PathKind::kRegion, kWaitRegion);
  process.path(kMainSignal, kMain, PathKind::kRegion, kSignalRegion);
  process.path(kMainBarrier, kMain, PathKind::kRegion, kBarrierRegion);
  process.path(kWorkerBarrier, kWorker, PathKind::kRegion, kBarrierRegion);
  process.path(kInPlugin, kWorker, PathKind::kAddress, 0x7f0000001010);
  const SyncKind kinds[] = {SyncKind::kMutex, SyncKind::kCondition, SyncKind::kBarrier};
  for (uint32_t i = 0; i < 3; i++) {
    SyncObjectRecord object;
    object.object = kMutex + i;
    object.kind = kinds[i];
    object.address = 0x7ffc00001000 + 64 * i;
    definitions.add(object);
  }
  process.thread(1, 43, 1, 10, "worker");
  process.thread(2, 44, 1, 20, "worker");
  process.thread(3, 45, 0, 25, "progress", kThreadNotRecorded);
  process.thread(4, 46, 1, 30, "");
}

void runMain(Thread& t) {
  t.event(0, Kind::kThreadBegin, 0, {0});
  for (uint32_t thread : {1, 2, 4}) {
    const uint64_t us = thread == 4 ? 30 : 10 * thread;
    t.enter(us, kCreate);
    t.event(us, Kind::kThreadCreate, 0, {thread});
    t.leave(us + 5, kCreate);
  }
  // Takes the mutex without waiting, on the fast path: no Enter and Leave.
  t.event(60, Kind::kAcquire, kMutex, {sequenceAndWaited(1, false)});
  t.event(100, Kind::kSample, kMain);
  t.event(110, Kind::kRelease, kMutex, {1});
  t.enter(200, kMainSignal);
  t.event(200, Kind::kSignal, kCondition, {1});
  t.leave(202, kMainSignal);
  t.enter(210, kMainBarrier);
  t.cpu(260, 48);
  t.event(260, Kind::kBarrier, kBarrierObject, {0, 3});
  t.leave(260, kMainBarrier);
  for (uint32_t thread : {1, 2}) {
    const uint64_t from = thread == 1 ? 300 : 345;
    const uint64_t to = thread == 1 ? 340 : 350;
    t.enter(from, kJoin);
    if (thread == 2) t.event(to, Kind::kPoll, 1, {5, 300});  // as if it were pthread_tryjoin_np
    t.event(to, Kind::kThreadJoin, 0, {thread});
    t.leave(to, kJoin);
  }
  t.event(400, Kind::kThreadEnd);
}

// Queues on the mutex behind the main thread and worker 1 behind worker 2.
void runWorker(Thread& t, uint32_t worker) {
  const uint64_t gotIt = worker == 2 ? 110 : 140;
  const uint64_t sequence = worker == 2 ? 2 : 3;
  t.event(10 * worker + 2, Kind::kThreadBegin, 0, {1});
  t.enter(70 + worker, kWorkerLock);
  t.cpu(gotIt, gotIt - 75);
  t.event(gotIt, Kind::kAcquire, kMutex, {sequenceAndWaited(sequence, true)});
  t.leave(gotIt, kWorkerLock);
  t.event(gotIt + 15, Kind::kSample, kInPlugin);
  if (worker == 2) {
    t.event(140, Kind::kRelease, kMutex, {2});
  } else {
    // The wait gives the mutex back and takes it again.
    t.enter(170, kWorkerWait);
    t.event(170, Kind::kRelease, kMutex, {3});
    t.cpu(204, 30);
    t.event(204, Kind::kWake, kCondition, {1});
    t.event(204, Kind::kAcquire, kMutex, {sequenceAndWaited(4, false)});
    t.leave(204, kWorkerWait);
    t.event(206, Kind::kRelease, kMutex, {4});
  }
  t.enter(worker == 1 ? 230 : 258, kWorkerBarrier);
  t.event(260 + worker, Kind::kBarrier, kBarrierObject, {0, 3});
  t.leave(260 + worker, kWorkerBarrier);
  t.event(worker == 1 ? 338 : 310, Kind::kThreadEnd);
}

}  // namespace

void writeThreads(const std::string& directory) {
  Process process(directory, kHost, 42);
  define(process);
  {
    Thread main(process, 0, 0);
    runMain(main);
    main.writer().close();
  }
  for (uint32_t worker : {1, 2}) {
    Thread thread(process, worker, 10 * worker);
    runWorker(thread, worker);
    thread.writer().close();
  }
  Thread(process, 4, 30).writer().close();  // a file of no bytes
  process.end(410, 700, EndReason::kExit, 3);
  process.definitions().close();
  writeManifest(directory, {{"run", "0f0e0d0c0b0a09080706050403020100"},
                            {"created", "2026-09-21T14:13:20Z"},
                            {"host", "thr"},
                            {"directory", "/"},
                            {"command", "/opt/app/bin/pool"},
                            {"agent", "0.1.0"},
                            {"sample-hz", "100"},
                            {"tick-hz", "3000000000"},
                            {"ended", "2026-09-21T14:13:20Z"},
                            {"elapsed-ns", "500000"},
                            {"exit-status", "3"}});
}

}  // namespace parallax::golden
