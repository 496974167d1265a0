// A shell that starts a client with fork and exec and a logger with posix_spawn, waits for both and
// talks to them; the client's phases, metrics, files, semaphore, OpenMP team and PVM task. Every
// kind of event and record that is not of MPI or pthread mutexes, as a run that could have been.

#include <cstring>

#include "tools/golden.h"

namespace parallax::golden {

using namespace format;

namespace {

constexpr Machine kHost = {"ada", Clock::kTsc, 2'000'000'000, 40'000'000'000'000,
                           20'000'000'000'000};
constexpr uint32_t kShell = 700, kClient = 701, kLogger = 702;  // pids
constexpr uint64_t kPipeKey = 0x1122334455667788, kConnectionKey = 0x99aabbccddeeff00;
constexpr uint64_t kSharedSemaphore = 0x5e11a;
constexpr uint32_t kMaster = 0x40002, kSlave = 0x40003;  // PVM task ids
constexpr uint64_t kVirtualMachine = 0xfeed0000beef;

void define(Process& process, uint32_t pid, uint32_t parentPid, uint64_t us,
            std::string_view executable, std::string_view command) {
  ProcessRecord record = process.processRecord(pid, parentPid, us);
  record.executable = executable;
  record.command = command;
  record.directory = "/srv";
  process.definitions().add(record);
  process.thread(0, pid, 0, us, "main");
  SettingRecord setting;
  setting.key = "sample-clock";
  setting.value = "cpu";
  process.definitions().add(setting);
  setting.key = "adapters";
  setting.value = "process,stream,file";
  process.definitions().add(setting);
}

void object(Process& process, uint32_t number, SyncKind kind, uint64_t key = 0) {
  SyncObjectRecord record;
  record.object = number;
  record.kind = kind;
  record.address = 0x7fff00000000 + 64 * number;
  record.key = key;
  process.definitions().add(record);
}

void stream(Process& process, uint32_t number, StreamKind kind, uint64_t keyHigh, uint64_t keyLow,
            std::string_view name) {
  StreamRecord record;
  record.stream = number;
  record.kind = kind;
  record.keyHigh = keyHigh;
  record.keyLow = keyLow;
  record.name = name;
  process.definitions().add(record);
}

void metric(Process& process, uint32_t number, MetricKind kind, MetricType type,
            std::string_view name, std::string_view unit) {
  MetricRecord record;
  record.metric = number;
  record.kind = kind;
  record.type = type;
  record.name = name;
  record.unit = unit;
  process.definitions().add(record);
}

void file(Process& process, uint32_t number, std::string_view path) {
  FileRecord record;
  record.file = number;
  record.path = path;
  process.definitions().add(record);
}

void pvm(Process& process, uint32_t task, uint32_t parentTask) {
  PvmRecord record;
  record.machine = kVirtualMachine;
  record.task = task;
  record.parentTask = parentTask;
  process.definitions().add(record);
  CommunicatorRecord communicator;
  communicator.communicator = 1;
  communicator.globalId = kVirtualMachine;
  communicator.ownRank = task;
  communicator.flags = kPvmTasks;
  communicator.name = "PVM";
  process.definitions().add(communicator);
}

void value(Thread& t, uint64_t us, uint32_t number, uint64_t bits) {
  t.event(us, Kind::kValue, number, {bits & 0xffffffff, bits >> 32});
}

uint64_t bitsOf(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

uint64_t creation(Creation how) { return static_cast<uint64_t>(how); }
uint64_t operation(FileOp op) { return static_cast<uint64_t>(op); }

// 700: forks the client (701), spawns the logger (702), is a PVM master, and waits for both.
void writeShell(const std::string& directory) {
  Process process(directory, kHost, kShell);
  define(process, kShell, 1, 0, "/bin/shell", "shell");
  const char* routines[] = {"fork", "vfork", "posix_spawn", "waitpid", "pvm_spawn"};
  for (uint32_t i = 0; i < 5; i++) {
    process.region(1 + i, i < 4 ? Group::kProcess : Group::kPvm, routines[i]);
    process.path(1 + i, 0, PathKind::kRegion, 1 + i);
  }
  process.region(6, Group::kStream, "write");
  process.path(6, 0, PathKind::kRegion, 6);
  process.region(7, Group::kPvm, "pvm_send");
  process.path(7, 0, PathKind::kRegion, 7);
  stream(process, 1, StreamKind::kPipe, kPipeKey, 1, "pipe:[4711]");
  stream(process, 2, StreamKind::kUdp, 0, 0, "");
  object(process, 1, SyncKind::kSemaphore, kSharedSemaphore);
  pvm(process, kMaster, 0);

  Thread t(process, 0, 0);
  t.event(0, Kind::kThreadBegin, 0, {0});
  t.enter(10, 1);
  t.event(40, Kind::kProcessCreate, 0, {kClient, creation(Creation::kFork)});
  t.leave(40, 1);
  t.enter(50, 3);
  t.event(80, Kind::kProcessCreate, 0, {kLogger, creation(Creation::kSpawn)});
  t.leave(80, 3);
  t.enter(90, 6);
  t.event(95, Kind::kStreamSend, 1, {0, 100});
  t.leave(95, 6);
  t.enter(100, 6);
  t.event(104, Kind::kStreamSend, 1, {100, 28});
  t.leave(104, 6);
  t.enter(110, 6);
  t.event(112, Kind::kStreamSend, 2, {0, 512});
  t.leave(112, 6);
  t.event(120, Kind::kSignal, 1, {1});
  t.enter(130, 5);
  t.event(170, Kind::kProcessCreate, 0, {kSlave, creation(Creation::kPvmSpawn)});
  t.event(170, Kind::kProcessCreate, 0, {77, creation(Creation::kMpiSpawn)});
  t.leave(170, 5);
  t.enter(180, 7);
  t.event(180, Kind::kSend, 1, {peerAndTag(kSlave, 9), 64});
  t.leave(185, 7);
  t.enter(186, 2);
  t.event(190, Kind::kProcessCreate, 0, {799, creation(Creation::kVfork)});
  t.leave(190, 2);
  t.event(195, Kind::kThreadCounters, 0, {3, 1, 120, 2});
  for (uint32_t pid : {kLogger, kClient}) {
    const uint64_t from = pid == kLogger ? 200 : 420;
    const uint64_t to = pid == kLogger ? 410 : 620;
    const Creation how = pid == kLogger ? Creation::kSpawn : Creation::kFork;
    t.enter(from, 4);
    t.cpu(to, to - from - 4);
    t.event(to, Kind::kProcessWait, 0, {pid, creation(how), pid == kLogger ? 0u : 0x100u});
    t.leave(to, 4);
  }
  t.event(630, Kind::kThreadCounters, 0, {5, 1, 130, 2});
  t.event(630, Kind::kThreadEnd);
  t.writer().close();
  process.end(640, 300, EndReason::kExit, 0);
  process.definitions().close();
}

// 701 before exec: what the shell is after fork.
void writeForked(const std::string& directory) {
  Process process(directory, kHost, kClient);
  define(process, kClient, kShell, 30, "/bin/shell", "shell");
  Thread t(process, 0, 30);
  t.event(30, Kind::kThreadBegin, 0, {0});
  t.event(60, Kind::kThreadEnd);
  t.writer().close();
  process.end(60, 20, EndReason::kExec, 0);
  process.definitions().close();
}

void defineClient(Process& process) {
  define(process, kClient, kShell, 65, "/opt/app/client", "client");
  ThreadNameRecord name;
  name.name = "request loop";
  process.definitions().add(name);
  const char* routines[] = {"read", "fwrite", "sem_wait", "omp_set_lock", "GOMP_parallel",
                            "pvm_recv"};
  const Group groups[] = {Group::kStream, Group::kFile,   Group::kPthread,
                          Group::kOpenMp, Group::kOpenMp, Group::kPvm};
  for (uint32_t i = 0; i < 6; i++) {
    process.region(1 + i, groups[i], routines[i]);
    process.path(1 + i, 0, PathKind::kRegion, 1 + i);
  }
  process.region(7, Group::kPhase, "load");
  process.region(8, Group::kPhase, "parse");
  process.region(9, Group::kPhase, "ready");
  process.path(7, 0, PathKind::kFunction, 0x401000);
  process.path(8, 7, PathKind::kFunction, 0x401200);
  process.path(9, 7, PathKind::kReturnAddress, 0x401080);
  process.path(10, 8, PathKind::kRegion, 1);
  stream(process, 1, StreamKind::kPipe, kPipeKey, 1, "pipe:[4711]");
  stream(process, 2, StreamKind::kTcp, kConnectionKey, 0, "10.0.0.1:5000->10.0.0.2:80");
  stream(process, 3, StreamKind::kUnixStream, 3, 0, "/run/log.sock");
  stream(process, 4, StreamKind::kUnixPacket, 4, 0, "@events");
  file(process, 1, "/srv/data \"1\".bin");
  metric(process, 1, MetricKind::kCounter, MetricType::kUnsigned, "requests", "");
  metric(process, 2, MetricKind::kGauge, MetricType::kDouble, "temperature", "K");
  object(process, 1, SyncKind::kReadWriteLock);
  object(process, 2, SyncKind::kSpinLock);
  object(process, 3, SyncKind::kSemaphore, kSharedSemaphore);
  object(process, 4, SyncKind::kOpenMpLock);
  object(process, 5, SyncKind::kOpenMpTasks);
  object(process, 6, SyncKind::kBarrier);
  process.thread(1, 703, 1, 300, "");
  pvm(process, kSlave, kMaster);
}

// 701 after exec.
void writeClient(const std::string& directory) {
  Process process(directory, kHost, kClient, 1);
  defineClient(process);
  {
    Thread t(process, 0, 65);
    t.event(65, Kind::kThreadBegin, 0, {0});
    t.event(66, Kind::kPhaseBegin, 7);
    t.enter(68, 7);
    t.event(70, Kind::kPhaseBegin, 8);
    t.enter(72, 8);
    t.enter(74, 10);
    t.cpu(99, 22);
    t.event(99, Kind::kStreamReceive, 1, {0, 100});
    t.leave(99, 10);
    t.leave(100, 8);
    t.event(101, Kind::kThrottled, 8, {10'000});
    t.event(102, Kind::kThreadCounters, 0, {1, 0, 40, 0});
    t.event(102, Kind::kPhaseEnd, 8);
    t.enter(104, 3);
    t.event(124, Kind::kWake, 3, {1});
    t.leave(124, 3);
    t.leave(126, 7);
    t.event(127, Kind::kPhaseEnd, 7);
    t.event(128, Kind::kMark, 9);
    value(t, 130, 1, 5'000'000'000'000'000'000);
    value(t, 131, 1, UINT64_MAX);
    value(t, 132, 2, bitsOf(-273.15));
    t.event(140, Kind::kSample, 9);
    t.event(150, Kind::kFile, 1, {operation(FileOp::kOpen), 0});
    t.enter(152, 2);
    t.event(160, Kind::kFile, 1, {operation(FileOp::kWrite), 4096});
    t.leave(160, 2);
    t.event(162, Kind::kFile, 1, {operation(FileOp::kSeek), 0});
    t.event(163, Kind::kFile, 1, {operation(FileOp::kRead), 17});
    t.event(164, Kind::kFile, 1, {operation(FileOp::kSync), 0});
    t.event(165, Kind::kFile, 1, {operation(FileOp::kOther), 0});
    t.event(166, Kind::kFile, 1, {operation(FileOp::kClose), 0});
    t.event(170, Kind::kAcquire, 1, {sequenceAndWaited(1, false), 1});
    t.event(172, Kind::kRelease, 1, {1});
    t.event(173, Kind::kAcquire, 1, {sequenceAndWaited(2, false), 0});
    t.event(174, Kind::kRelease, 1, {2});
    t.event(175, Kind::kAcquire, 2, {sequenceAndWaited(1, false)});
    t.event(176, Kind::kRelease, 2, {1});
    t.event(177, Kind::kAcquire, 4, {sequenceAndWaited(1, false)});
    t.enter(180, 6);
    t.event(186, Kind::kReceive, 1, {peerAndTag(kMaster, 9), 64});
    t.leave(186, 6);
    t.event(190, Kind::kStreamSend, 2, {0, 3000});
    t.event(191, Kind::kStreamSend, 3, {0, 200});
    t.event(192, Kind::kStreamSend, 4, {0, 32});
    t.event(200, Kind::kAcquire, 3, {sequenceAndWaited(1, false)});
    t.enter(300, 5);
    t.event(300, Kind::kSignal, 5, {1});
    t.event(300, Kind::kThreadCreate, 0, {1});
    t.event(360, Kind::kRelease, 4, {1});
    t.event(400, Kind::kBarrier, 6, {0, 2});
    t.leave(400, 5);
    t.event(590, Kind::kVisits, 1, {12});
    t.event(590, Kind::kVisits, 9, {3});
    t.event(600, Kind::kThreadEnd);
    t.writer().close();
  }
  Thread worker(process, 1, 310);
  worker.event(310, Kind::kThreadBegin, 0, {1});
  worker.event(312, Kind::kWake, 5, {1});
  worker.enter(320, 4);
  worker.cpu(362, 38);
  worker.event(362, Kind::kAcquire, 4, {sequenceAndWaited(2, true)});
  worker.leave(362, 4);
  worker.event(370, Kind::kRelease, 4, {2});
  worker.event(400, Kind::kBarrier, 6, {0, 2});
  worker.event(410, Kind::kThreadEnd);
  worker.writer().close();
  process.end(610, 400, EndReason::kExit, 1);
  process.definitions().close();
}

// 702: takes what the client sends; its pipe was opened elsewhere, in the middle.
void writeLogger(const std::string& directory) {
  Process process(directory, kHost, kLogger);
  define(process, kLogger, kShell, 75, "/opt/app/logger", std::string_view("logger\0-v", 9));
  process.region(1, Group::kStream, "recv");
  process.path(1, 0, PathKind::kRegion, 1);
  stream(process, 1, StreamKind::kUnixStream, 3, 0, "/run/log.sock");
  stream(process, 2, StreamKind::kUnixPacket, 4, 0, "@events");
  Thread t(process, 0, 75);
  t.event(75, Kind::kThreadBegin, 0, {0});
  t.enter(90, 1);
  t.cpu(195, 100);
  t.event(195, Kind::kStreamReceive, 1, {0, 150});
  t.leave(195, 1);
  t.enter(196, 1);
  t.event(197, Kind::kStreamReceive, 1, {150, 50});
  t.leave(197, 1);
  t.enter(198, 1);
  t.event(199, Kind::kStreamReceive, 2, {0, 32});
  t.leave(199, 1);
  t.event(400, Kind::kThreadEnd);
  t.writer().close();
  process.end(405, 150, EndReason::kExit, 0);
  process.definitions().close();
}

}  // namespace

void writeAdapters(const std::string& directory) {
  writeShell(directory);
  writeForked(directory);
  writeClient(directory);
  writeLogger(directory);
  writeManifest(directory, {{"run", "00ff00ff00ff00ff00ff00ff00ff00ff"},
                            {"created", "2026-09-21T14:13:20Z"},
                            {"host", "ada"},
                            {"directory", "/srv"},
                            {"command", "/bin/shell"},
                            {"agent", "0.1.0"},
                            {"sample-hz", "100"},
                            {"tick-hz", "2000000000"},
                            {"ended", "2026-09-21T14:13:20Z"},
                            {"elapsed-ns", "700000"},
                            {"exit-status", "0"}});
}

}  // namespace parallax::golden
