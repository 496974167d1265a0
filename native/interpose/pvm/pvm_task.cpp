// Tasks of PVM: enrolling, creation of others, and what is neither message nor group.
#include <alloca.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/text.h"
#include "interpose/pvm/pvm.h"
#include "interpose/tuning/safe_moment.h"
#include "live/live_agent.h"

namespace parallax::pvm {

RealPvm<int()> realGetContext("pvm_getcontext"), realGetSendBuffer("pvm_getsbuf");
RealPvm<int(int, MessageInfo*)> realMessageInfo("pvm_getminfo");

namespace {

RealPvm<int()> realMyTid("pvm_mytid"), realParent("pvm_parent"), realExit("pvm_exit");
RealPvm<int(int*, int*, HostInfo**)> realConfig("pvm_config");
RealPvm<int(char*, char**, int, char*, int, int*)> realSpawn("pvm_spawn");

// Beyond those that MPI's communicators can have in a program of both.
constexpr uint32_t kFirstCommunicator = 0xF0000;
constexpr uint32_t kMostContexts = 64;
constexpr uint32_t kNoTask = 0;

std::atomic<uint32_t> task{kNoTask};
std::atomic<uint64_t> machine{0};
std::atomic<int64_t> contexts[kMostContexts];  // context + 1 << 1 | defined, by communicator

// {task, context, tag} of traces, then of the output, in libpvm3.
void tellOutput() {
  const auto* places = static_cast<const int*>(definedElsewhere("pvmtrc"));
  if (places != nullptr) live::tellOutput({places[3], places[4], places[5]});
}

// Whether this is a task whose output the daemon of PVM may have to be waited for.
bool mustAwaitOutput() {
  const live::Page page = live::page();
  struct stat status;
  return isTask() && page && page.header().output[0].load(std::memory_order_relaxed) > 0 &&
         sys::call(SYS_fstat, STDOUT_FILENO, sys::word(&status)) == 0 && S_ISFIFO(status.st_mode) && !tuning::mayBeInHandler();
}

// The program's own output, which it writes.
void flushOutput() {
  if (ftrylockfile(stdout) != 0) return;
  fflush(stdout);
  funlockfile(stdout);
}

// A task that another one than PVM's daemon has started: at pvm_exit, the daemon tells that its output has ended, also if some of it is
// still on the way. So that is waited for, but not for long; and the daemon answers once before, so that it has seen all.
// Inside of a Guard: what libpvm calls in it is not called by the program.
void awaitOutput() {
  constexpr int kTries = 1000, kTriesForNobody = 200;  // of 1 ms
  const live::Page page = live::page();
  const auto isSent = [&] {
    int bytes = 0;  // in the pipe; looked at before the state
    return sys::call(SYS_ioctl, STDOUT_FILENO, FIONREAD, sys::word(&bytes)) != 0 ||
           (bytes == 0 && page.header().outputState.load() == static_cast<uint32_t>(live::OutputState::kSent));
  };
  for (int i = 0; i < kTries && !isSent(); i++) {
    if (i == kTriesForNobody && page.header().outputState.load() == static_cast<uint32_t>(live::OutputState::kNobody)) break;
    const timespec pause{0, 1000000};
    sys::call(SYS_nanosleep, sys::word(&pause), 0);
  }
  int hostCount = 0, formats = 0;
  HostInfo* hosts = nullptr;
  realConfig(&hostCount, &formats, &hosts);
}

void copyVersion(char* text, size_t capacity) {
  auto* version = reinterpret_cast<char* (*)()>(librarySymbol("pvm_version", "pvm"));
  const char* found = version != nullptr ? version() : nullptr;
  text[appendText(text, 0, capacity - 1, found != nullptr ? found : "")] = '\0';
}

uint64_t hashed(uint64_t hash, const void* data, size_t bytes) {  // FNV-1a
  for (size_t i = 0; i < bytes; i++) {
    hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
  }
  return hash;
}

uint64_t hashedText(uint64_t hash, const char* text) {
  size_t bytes = 0;
  while (text[bytes] != '\0') bytes++;
  return hashed(hash, text, bytes);
}

// The first host of the table is the master, the same for all tasks of the machine.
uint64_t machineOf(const HostInfo& master) {
  return hashedText(hashed(0xcbf29ce484222325, &master.daemon, sizeof master.daemon), master.name);
}

}  // namespace

bool isTask() { return taskId() != kNoTask; }

uint32_t taskId() { return task.load(std::memory_order_acquire); }

void enrolled(const HostInfo* hosts, int count) {
  const int tid = realMyTid();
  if (tid <= 0 || count < 1 || hosts == nullptr) return;
  const int parent = realParent();
  const uint64_t identity = machineOf(hosts[0]);
  machine.store(identity, std::memory_order_relaxed);
  if (task.exchange(static_cast<uint32_t>(tid), std::memory_order_acq_rel) ==
      static_cast<uint32_t>(tid)) {
    return;
  }
  tellOutput();
  live::tellTask(tid);
  if (!live::knowsLibrary()) {
    char library[64] = "pvm ";
    copyVersion(library + 4, sizeof library - 4);
    live::tellLibrary(library);
  }
  define(format::PvmRecord{identity, static_cast<uint32_t>(tid),
                           parent > 0 ? static_cast<uint32_t>(parent) : 0});
}

void beginAnew() {
  task.store(kNoTask, std::memory_order_release);
  for (auto& context : contexts) context.store(0, std::memory_order_release);
}

void enrolled() {
  if (isTask()) return;
  int hostCount = 0, formats = 0;
  HostInfo* hosts = nullptr;
  if (realConfig(&hostCount, &formats, &hosts) >= 0) enrolled(hosts, hostCount);
}

uint32_t communicatorOf(int context) {
  const int64_t wanted = (static_cast<int64_t>(context) + 1) << 1;
  for (uint32_t i = 0; i < kMostContexts; i++) {
    int64_t known = contexts[i].load(std::memory_order_acquire);
    if (known == (wanted | 1)) return kFirstCommunicator + i;
    if (known != 0 && known != wanted) continue;
    if (known == 0 && !contexts[i].compare_exchange_strong(known, wanted) && known != wanted &&
        known != (wanted | 1)) {
      continue;
    }
    // Several threads may write it: the same record twice does no harm.
    format::CommunicatorRecord record;
    record.communicator = kFirstCommunicator + i;
    record.globalId = hashed(machine.load(std::memory_order_relaxed), &context, sizeof context);
    record.ownRank = task.load(std::memory_order_relaxed);
    record.flags = format::kPvmTasks;
    record.name = "PVM";
    define(record);
    contexts[i].store(wanted | 1, std::memory_order_release);
    return kFirstCommunicator + i;
  }
  note("PVM messages of some contexts are not recorded: the program uses more than 64 of them.");
  return 0;
}

uint64_t groupKey(const char* group) {
  return hashedText(machine.load(std::memory_order_relaxed) ^ 1, group);
}

}  // namespace parallax::pvm

using namespace parallax;
using namespace parallax::pvm;

#define PARALLAX_PVM(name, parameters, arguments)                \
  PARALLAX_EXPORT int name parameters {                          \
    static RealPvm<int parameters> real(#name);                  \
    static Region region(#name, format::Group::kPvm);            \
    return enterAndLeave(region, [&] { return real arguments; }); \
  }

PARALLAX_PVM(pvm_mytid, (), ())
PARALLAX_PVM(pvm_parent, (), ())
PARALLAX_PVM(pvm_addhosts, (char** hosts, int count, int* results), (hosts, count, results))
PARALLAX_PVM(pvm_delhosts, (char** hosts, int count, int* results), (hosts, count, results))
PARALLAX_PVM(pvm_kill, (int tid), (tid))
PARALLAX_PVM(pvm_mstat, (char* host), (host))
PARALLAX_PVM(pvm_pstat, (int tid), (tid))
PARALLAX_PVM(pvm_tasks, (int where, int* count, void** tasks), (where, count, tasks))
PARALLAX_PVM(pvm_notify, (int what, int tag, int count, int* tids), (what, tag, count, tids))
PARALLAX_PVM(pvm_sendsig, (int tid, int signal), (tid, signal))
PARALLAX_PVM(pvm_siblings, (int** tids), (tids))
PARALLAX_PVM(pvm_hostsync, (int host, void* remote, void* difference), (host, remote, difference))
PARALLAX_PVM(pvm_putinfo, (char* name, int buffer, int flags), (name, buffer, flags))
PARALLAX_PVM(pvm_recvinfo, (char* name, int index, int flags), (name, index, flags))
PARALLAX_PVM(pvm_delinfo, (char* name, int index, int flags), (name, index, flags))
PARALLAX_PVM(pvm_getmboxinfo, (char* pattern, int* count, void** info), (pattern, count, info))
PARALLAX_PVM(pvm_newcontext, (), ())
PARALLAX_PVM(pvm_freecontext, (int context), (context))

PARALLAX_EXPORT int pvm_config(int* hostCount, int* formats, HostInfo** hosts) {
  if (!wanted()) return realConfig(hostCount, formats, hosts);
  static Region region("pvm_config", format::Group::kPvm);
  Call call(region);
  int count = 0;
  HostInfo* found = nullptr;
  const int result = realConfig(&count, formats, &found);
  call.returned();
  if (hostCount != nullptr) *hostCount = count;
  if (hosts != nullptr) *hosts = found;
  if (call && result >= 0 && !isTask()) enrolled(found, count);
  return result;
}

// A task that has left the machine may enroll again, under another task id.
PARALLAX_EXPORT int pvm_exit() {
  const bool awaits = mustAwaitOutput();
  if (awaits) flushOutput();
  if (!wanted()) {
    const Guard guard;
    if (awaits) awaitOutput();
    return realExit();
  }
  static Region region("pvm_exit", format::Group::kPvm);
  Call call(region);
  if (awaits) awaitOutput();
  const int result = realExit();
  call.returned();
  if (call && result >= 0) beginAnew();
  return result;
}

PARALLAX_EXPORT int pvm_spawn(char* program, char** arguments, int flags, char* where, int count,
                              int* tids) {
  if (!wanted()) return realSpawn(program, arguments, flags, where, count, tids);
  constexpr int kMostOwn = 4096;
  static Region region("pvm_spawn", format::Group::kPvm);
  Call call(region);
  int* results = tids;
  if (call && tids == nullptr && count > 0 && count <= kMostOwn) {
    results = static_cast<int*>(alloca(static_cast<size_t>(count) * sizeof(int)));
  }
  const int result = realSpawn(program, arguments, flags, where, count, results);
  call.returned();
  if (call && result >= 0) {
    enrolled();
    for (int i = 0; results != nullptr && i < count; i++) {
      if (results[i] <= 0) continue;
      call.emit(Kind::kProcessCreate, 0,
                {static_cast<uint32_t>(results[i]),
                 static_cast<uint64_t>(format::Creation::kPvmSpawn)});
    }
  }
  return result;
}
