#include "agent/process.h"

#include <errno.h>
#include <pthread.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <string_view>

#include "agent/clock.h"
#include "agent/cpu_clock.h"
#include "agent/functions.h"
#include "agent/machine_facts.h"
#include "agent/own_stack.h"
#include "agent/scratch.h"
#include "agent/settings.h"
#include "agent/sys.h"
#include "agent/text.h"
#include "agent/thread.h"
#include "sampler/sampler.h"

namespace parallax {

Process process;

namespace {

const char* baseName(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

// The executable of a process, without the mark of one that was replaced on the disk.
bool executableOf(int pid, char* path, size_t capacity) {
  char link[32] = "/proc/self/exe";
  if (pid != 0) {
    size_t at = appendNumber(link, sizeof "/proc/" - 1, sizeof link, pid);
    at = appendText(link, at, sizeof link - 1, "/exe");
    link[at] = '\0';
  }
  const long length = sys::readlink(link, path, capacity - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return true;
}

size_t readWhole(const char* path, char* buffer, size_t capacity) {
  const int fd = sys::openat(AT_FDCWD, path, O_RDONLY);
  if (fd < 0) return 0;
  size_t size = 0;
  while (size < capacity) {
    const long part = sys::read(fd, buffer + size, capacity - size);
    if (part <= 0) break;
    size += static_cast<size_t>(part);
  }
  sys::close(fd);
  return size;
}

void onExit(int status, void*) { process.end(format::EndReason::kExit, status); }
void onForkInChild() { process.afterFork(); }

}  // namespace

// ------------------------------------------------------------------- start

void Process::start() {
  State expected = State::kUnknown;
  if (state_.load(std::memory_order_acquire) != expected) return;
  if (environ == nullptr) return;  // libc has not begun yet (.preinit_array)
  if (!state_.compare_exchange_strong(expected, State::kStarting, std::memory_order_acq_rel)) {
    return;
  }
  if (!prepare() || !makeFiles()) {
    state_.store(State::kPassive, std::memory_order_release);
    return;
  }
  // First of all handlers, so that they run last and the events of the others are recorded.
  on_exit(onExit, nullptr);
  pthread_atfork(nullptr, nullptr, onForkInChild);
  makeThreadKey();
  state_.store(State::kRecording, std::memory_order_release);
  defineSettings();
  sampler::startProcess(sampleHz_);
}

bool Process::prepare() {
  copySettings();
  const char* directory = setting(Setting::kTrace).data();
  if (directory[0] == '\0') return false;
  const Scratch executable;
  if (!executable || !executableOf(0, executable.bytes(), Scratch::kBytes)) return false;
  const char* name = baseName(executable.bytes());
  if (isLauncher(name)) return false;
  const size_t pathBytes = strlen(executable.bytes()) + 1;
  auto* path = static_cast<char*>(allocate(pathBytes));
  if (path == nullptr) return false;
  memcpy(path, executable.bytes(), pathBytes);
  if (isScriptTool(name) &&
      executableOf(sys::getppid(), executable.bytes(), Scratch::kBytes) &&
      isShell(baseName(executable.bytes()))) {
    return false;
  }
  if (const int error = directory_.open(directory)) {
    log("cannot open the trace directory: error", -error);
    return false;
  }
  generation_ = forkGeneration();
  executable_ = path;

  utsname names{};
  sys::call(SYS_uname, sys::word(&names));
  startClock(settingNumber(Setting::kTickHz, 0),
             machine::has(setting(Setting::kMachine), names, machine::kInvariantTsc));
  sampleHz_ = static_cast<uint32_t>(settingNumber(Setting::kSampleHz, 100));
  pid_ = sys::getpid();
  parentPid_ = sys::getppid();
  name_ = ThreadName::ofCaller();
  readStartClocks();
  return true;
}

void Process::readStartClocks() {
  const ClockPair start = readClockPair();
  startTicks_ = start.ticks;
  startMonotonicNs_ = start.monotonicNs;
  startRealtimeNs_ = readClockNs(CLOCK_REALTIME);
}

// ------------------------------------------------------------------- files

// Several threads of a child may have their first event at once: one makes the files, the others
// wait. A signal handler that has interrupted it cannot, and gets none.
bool Process::ensureFiles() {
  if (__builtin_expect(filesMade_.load(std::memory_order_acquire), true)) return true;
  if (!makesFiles_.lock()) return false;
  bool made = filesMade_.load(std::memory_order_acquire);
  if (!made) callWithRoom([&] { made = makeFiles(); });
  makesFiles_.unlock();
  return made;
}

bool Process::makeFiles() {
  utsname names{};
  sys::call(SYS_uname, sys::word(&names));
  size_t at = 0;
  for (const char* c = names.nodename; *c != '\0' && at < 65; c++) {
    const bool plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                       (*c >= 'A' && *c <= 'Z') || *c == '-';
    prefix_[at++] = plain ? *c : '_';
  }
  prefix_[at++] = '.';
  at = appendNumber(prefix_, at, sizeof prefix_, pid_);
  prefix_[at++] = '.';

  constexpr uint32_t kMostSequences = 100000;
  char name[256];
  int error = -EEXIST;
  for (uint32_t sequence = 0; error == -EEXIST && sequence < kMostSequences; sequence++) {
    prefix_[appendNumber(prefix_, at, sizeof prefix_, sequence)] = '\0';
    const size_t length = strlen(prefix_);
    memcpy(name, prefix_, length);
    memcpy(name + length, ".def", 5);
    error = definitions_.open(directory_, name);
  }
  if (error != 0) {
    log("cannot make a definitions file: error", -error);
    return false;
  }
  writeProcessRecord(names.nodename);
  filesMade_.store(true, std::memory_order_release);
  if (forked_) {
    defineSettings();
    redefineRegionsAndPaths();
    redefineSyncObjects();
    sampler::redefine();
  }
  return true;
}

void Process::writeProcessRecord(const char* host) {
  constexpr size_t kCommandBytes = 128 << 10;
  constexpr size_t kRecordBytes = kCommandBytes + (16 << 10);
  constexpr size_t kPathBytes = 4096;
  constexpr size_t kAllBytes = kCommandBytes + kRecordBytes + kPathBytes;
  auto* buffer = static_cast<char*>(sys::pages(kAllBytes));
  if (buffer == nullptr) return;
  char* command = buffer;
  char* record = command + kCommandBytes;
  char* directory = record + kRecordBytes;

  size_t commandBytes = readWhole("/proc/self/cmdline", command, kCommandBytes);
  if (commandBytes > 0 && command[commandBytes - 1] == '\0') commandBytes--;
  const long directoryBytes = sys::call(SYS_getcwd, sys::word(directory), kPathBytes);

  CpuClock probe{};
  probe.open();
  format::ProcessRecord process;
  process.startTicks = startTicks_;
  process.monotonicNs = startMonotonicNs_;
  process.realtimeNs = startRealtimeNs_;
  process.tickHz = clockSettings.tickHz;
  process.pid = static_cast<uint32_t>(pid_);
  process.parentPid = static_cast<uint32_t>(parentPid_);
  process.clock = clockSettings.tsc ? format::Clock::kTsc : format::Clock::kMonotonic;
  process.cpuClock = probe.kind();
  process.sampleHz = sampleHz_;
  process.host = host;
  process.executable = executable_;
  process.command = std::string_view(command, commandBytes);
  process.directory = std::string_view(directory, directoryBytes > 0 ? strlen(directory) : 0);
  probe.close();
  const size_t size = format::RecordWriter(record, kRecordBytes).encode(process);
  if (size > 0) definitions_.append(record, size);
  sys::munmap(buffer, kAllBytes);
}

void Process::eventFileName(uint32_t thread, char* name) const {
  size_t at = strlen(prefix_);
  memcpy(name, prefix_, at);
  name[at++] = '.';
  at = appendNumber(name, at, 256, thread);
  memcpy(name + at, ".evt", 5);
}

bool Process::defineRecord(const void* record, size_t sizeBytes) {
  if (state() != State::kRecording) return false;
  if (wasForked()) afterFork();
  return ensureFiles() && definitions_.append(record, sizeBytes) != nullptr;
}

void* Process::reserveEvents(size_t sizeBytes) {
  if (!ensureFiles()) return nullptr;
  return definitions_.appendZeros(format::Record::kEvents, sizeof(format::RecordHeader) + sizeBytes);
}

// --------------------------------------------------------------------- end

bool Process::isOurs() {
  if (wasForked()) afterFork();
  return sys::getpid() == pid_;
}

void Process::afterFork() {
  if (state() != State::kRecording || !wasForked()) return;
  generation_ = forkGeneration();
  forked_ = true;
  parentPid_ = pid_;  // which may have ended by now
  pid_ = sys::getpid();
  readStartClocks();
  definitions_.forget();
  filesMade_.store(false, std::memory_order_release);
  ended_.store(false, std::memory_order_relaxed);
  endRecord_ = nullptr;
  threads_.store(1, std::memory_order_relaxed);
  forgetNotes();
  forgetThreads();
  sampler::startProcess(sampleHz_);
  if (local.functions != nullptr) local.functions->afterFork();
  if (local.thread == nullptr || local.inside == kNever) return;
  // Files come with the first event: a child that only executes another program needs none.
  const void* inside = local.inside;
  local.inside = kAgentWork;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Thread* thread = new (local.thread) Thread();
  thread->begin(0, 0);
  sampler::startThread(thread);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  local.inside = inside;
}

void Process::end(format::EndReason reason, int status) {
  if (state() != State::kRecording || !isOurs()) return;
  const bool exits = reason == format::EndReason::kExit;
  if (exits && ended_.exchange(true, std::memory_order_acq_rel)) return;
  if (auto* write = beforeExit.load(std::memory_order_acquire); exits && write != nullptr) write();
  Thread* thread = local.thread;
  if (exits && thread != nullptr && thread->live()) {
    local.inside = kNever;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    thread->ensureBegun();
    endCurrentThread();
  } else if (thread != nullptr && thread->live() && local.inside == nullptr) {
    Guard guard;
    if (guard) thread->writeAllVisits(thread->now());
  }
  if (filesMade_.load(std::memory_order_acquire)) {
    char record[64];
    format::ProcessEndRecord end;
    const ClockPair now = readClockPair();
    end.ticks = now.ticks;
    end.monotonicNs = now.monotonicNs;
    end.cpuNs = sys::clockNs(CLOCK_PROCESS_CPUTIME_ID);
    end.reason = reason;
    end.status = status;
    const size_t size = format::RecordWriter(record, sizeof record).encode(end);
    endRecord_ = definitions_.append(record, size);
  }
  if (!exits && thread != nullptr && thread->live()) sampler::pause(thread);
  // Other threads may still run. What they record until the kernel ends them stays in their
  // open blocks, as after a kill.
  if (exits) state_.store(State::kPassive, std::memory_order_release);
}

void Process::endFailed() {
  if (state() != State::kRecording || !isOurs()) return;
  if (endRecord_ != nullptr) DefinitionsFile::retract(endRecord_);
  endRecord_ = nullptr;
  if (local.thread != nullptr && local.thread->live()) sampler::resume(local.thread);
}

// ------------------------------------------------------------------- notes

namespace {
constexpr int kMostNotes = 64;
std::atomic<const char*> notes[kMostNotes];
}  // namespace

void Process::forgetNotes() {
  for (auto& text : notes) text.store(nullptr, std::memory_order_relaxed);
}

void note(const char* text) {
  for (auto& place : notes) {
    const char* known = nullptr;
    if (place.compare_exchange_strong(known, text, std::memory_order_acq_rel)) {
      define(format::NoteRecord{text});
      return;
    }
    if (strcmp(known, text) == 0) return;
  }
}

}  // namespace parallax
