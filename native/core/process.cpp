#include "core/process.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <string_view>

#include "base/launchers.h"
#include "base/machine_facts.h"
#include "base/process_status.h"
#include "base/sandbox.h"
#include "base/scratch.h"
#include "base/settings.h"
#include "base/signals_blocked.h"
#include "base/sys.h"
#include "base/text.h"
#include "core/clock.h"
#include "core/cpu_clock.h"
#include "core/functions.h"
#include "core/glibc.h"
#include "core/own_stack.h"
#include "core/recording_switch.h"
#include "core/sampling.h"
#include "core/setting_records.h"
#include "core/shared_counters.h"
#include "core/thread.h"
#include "live/live_agent.h"
#include "transport/block_buffer.h"
#include "transport/definitions_stage.h"
#include "transport/event_ring.h"
#include "transport/kept_past.h"
#include "transport/shared_table.h"
#include "transport/trace_space.h"
#include "transport/transport_mode.h"

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
// The parent may end without being seen: daemon() does so inside of libc.
void onForkInParent() { process.writeBuffered(); }

}  // namespace

// ------------------------------------------------------------------- start

void Process::start() {
  State expected = State::kUnknown;
  if (state_.load(std::memory_order_acquire) != expected) return;
  if (environ == nullptr) return;  // libc has not begun yet (.preinit_array)
  if (!state_.compare_exchange_strong(expected, State::kStarting, std::memory_order_acq_rel)) {
    return;
  }
  copySettings();
  ProcessStatus status;
  if (!setting(Setting::kTrace).empty() || !setting(Setting::kPerturb).empty() || !setting(Setting::kTune).empty()) {
    // No seccomp filter ends the process here: the dynamic linker has just opened and read files in the same way.
    status = readProcessStatus();
    sandbox::inheritFromEnvironment(status.filters);
  }
  if (!setting(Setting::kPerturb).empty()) glibc::check();
  if (!prepare() || (!silent_ && !makeFiles())) {
    state_.store(State::kPassive, std::memory_order_release);
    return;
  }
  // First of all handlers, so that they run last and the events of the others are recorded.
  on_exit(onExit, nullptr);
  pthread_atfork(nullptr, transportMode.isPrivate() ? onForkInParent : nullptr, onForkInChild);
  makeThreadKey();
  state_.store(State::kRecording, std::memory_order_release);
  if (!silent_) defineSettings();
  sampler::startProcess(sampleHz_, status.tracer);
}

bool Process::prepare() {
  if (setting(Setting::kTrace).empty() && setting(Setting::kTune).empty()) return false;
  if (sandbox::isUnknown() || !findProgram()) return false;
  silent_ = setting(Setting::kTrace).empty();
  if (!silent_ && !openTrace()) return false;
  if (setting(Setting::kPerturb).empty()) glibc::check();
  generation_ = forkGeneration();

  utsname names{};
  sys::call(SYS_uname, sys::word(&names));
  const std::string_view facts = setting(Setting::kMachine);
  startClock(settingNumber(Setting::kTickHz, 0),
             machine::has(facts, names, machine::kInvariantTsc), machine::has(facts, names, machine::kOrderingFence));
  if (machine::has(facts, names, machine::kHardwareCrc)) format::useHardwareCrc();
  sampleHz_ = silent_ ? 0 : static_cast<uint32_t>(settingNumber(Setting::kSampleHz, 100));
  if (!silent_) chooseTransport(machine::has(facts, names, machine::kRing));
  pid_ = sys::getpid();
  parentPid_ = sys::getppid();
  name_ = ThreadName::ofCaller();
  readStartClocks();
  return true;
}

// Whether the program is one that is recorded, or tuned.
bool Process::findProgram() {
  const Scratch executable;
  if (!executable || !executableOf(0, executable.bytes(), Scratch::kBytes)) return false;
  const char* name = baseName(executable.bytes());
  if (isLauncher(name)) return false;
  const size_t pathBytes = strlen(executable.bytes()) + 1;
  auto* path = static_cast<char*>(allocate(pathBytes));
  if (path == nullptr) return false;
  memcpy(path, executable.bytes(), pathBytes);
  if (!isAttached && isScriptTool(name) &&
      executableOf(sys::getppid(), executable.bytes(), Scratch::kBytes) &&
      isShell(baseName(executable.bytes()))) {
    return false;
  }
  executable_ = path;
  return true;
}

bool Process::openTrace() {
  const int error = directory_->open(setting(Setting::kTrace).data());
  if (error != 0) log("cannot open the trace directory: error", -error);
  return error == 0;
}

void Process::chooseTransport(bool mayUseRing) {
  if (setting(Setting::kTransport).empty()) {
    // Nobody has asked for a transport: on the host of the recorder, it may have a writer.
    transportMode.isUsual = true;
    if (!setting(Setting::kRings).empty()) transportMode.kind = TransportMode::Kind::kShared;
  } else {
    parseTransport(setting(Setting::kTransport), &transportMode);
  }
  transportMode.mayUseRing = mayUseRing;
  if (transportMode.hasWriter()) {
    event_rings::attach(setting(Setting::kRings).data(), *directory_);
    if (transportMode.isShared()) definitions_stage::attach(setting(Setting::kRings).data());
    event_rings::beginProcess();
    if (transportMode.isUsual && !event_rings::mayBeTaken()) transportMode.kind = TransportMode::Kind::kMapped;
  }
}

void Process::readStartClocks() {
  const ClockPair start = readClockPair();
  startTicks_ = start.ticks;
  startMonotonicNs_ = start.monotonicNs;
  startRealtimeNs_ = readClockNs(CLOCK_REALTIME);
}

// ------------------------------------------------------------------- files

// Several threads of a child may have their first event at once: one makes the files, the others
// wait. A signal handler could not wait for the thread that it interrupts, so none runs meanwhile.
bool Process::ensureFiles() {
  if (__builtin_expect(filesMade_.load(std::memory_order_acquire), true)) return true;
  if (silent_) return false;
  SignalsBlocked blocked;
  if (!makesFiles_.lock()) return false;
  bool made = filesMade_.load(std::memory_order_acquire);
  if (!made) callWithRoom([&] { made = makeFiles(); });
  makesFiles_.unlock();
  return made;
}

bool Process::makeFiles() {
  utsname names{};
  sys::call(SYS_uname, sys::word(&names));
  size_t at = appendHost(prefix_, 0, 65, names.nodename);
  prefix_[at++] = '.';
  at = appendNumber(prefix_, at, sizeof prefix_, pid_);
  prefix_[at++] = '.';
  prefix_[at] = '\0';

  if (!forked_) {
    limitSpace();
    openHostSwitch();
  }
  limitProcessSpace(settingNumber(Setting::kMaxProcessSize, 0));
  if (const int error = openDefinitions(names.nodename)) {
    log("cannot create a definitions file: error", -error);
    return false;
  }
  filesMade_.store(true, std::memory_order_release);
  if (forked_) {
    defineSettings();
    redefineRegionsAndPaths();
    redefineSyncObjects();
    sampler::redefine();
  }
  return true;
}

// Under the first name that is new, or that of the empty file which says that there was no space.
int Process::openDefinitions(const char* host) {
  constexpr size_t kRecordBytes = 144 << 10, kAllBytes = kRecordBytes + (132 << 10);
  auto* record = static_cast<char*>(sys::pages(kAllBytes));
  if (record == nullptr) return -ENOMEM;
  const size_t size = encodeProcess(host, record, kRecordBytes, record + kRecordBytes);
  char losses[96], end[64];
  const size_t lossesSize = format::RecordWriter(losses, sizeof losses).encode(format::LossesRecord{});
  const size_t endSize = format::RecordWriter(end, sizeof end).encode(format::ProcessEndRecord{});
  format::RecordHeader unwritten{static_cast<uint32_t>(endSize),
                                 static_cast<uint16_t>(format::Record::kReserved), 0};
  memcpy(end, &unwritten, sizeof unwritten);

  const size_t at = strlen(prefix_);
  const auto openIn = [&](const TraceDirectory& directory, uint32_t first) {
    int error = -EEXIST;
    for (uint32_t sequence = first; error == -EEXIST && sequence < first + definitions_stage::kFirstSequence; sequence++) {
      prefix_[appendNumber(prefix_, at, sizeof prefix_, sequence)] = '\0';
      char name[256];
      definitionsName(name);
      error = definitions_.open(directory, name, size + lossesSize + endSize);
    }
    return error;
  };
  const TraceDirectory* stage = triesStage_ ? definitions_stage::directory() : nullptr;
  isStaged_ = stage != nullptr && event_rings::mayBeTaken() && definitions_stage::hasRoom() &&
              openIn(*stage, definitions_stage::kFirstSequence) == 0;
  // The writer ends when there is no file: it has seen this one, or has ended by now.
  if (isStaged_ && !event_rings::writerLives()) {
    char name[256];
    definitionsName(name);
    definitions_.forget();
    definitions_stage::empty(*stage, name);
    isStaged_ = false;
  }
  triesStage_ = isStaged_;
  const int error = isStaged_ ? 0 : openIn(*directory_, 0);
  if (error == 0) {
    definitions_.append(record, size);
    losses_ = static_cast<format::RecordHeader*>(definitions_.appendFixed(losses, lossesSize));
    end_ = static_cast<format::RecordHeader*>(definitions_.appendFixed(end, endSize));
  } else {
    prefix_[at] = '\0';
  }
  sys::munmap(record, kAllBytes);
  return error;
}

// The Process record, whose size is returned. `scratch` holds a command of 128 KiB and a path.
size_t Process::encodeProcess(const char* host, char* record, size_t recordBytes, char* scratch) {
  constexpr size_t kCommandBytes = 128 << 10;
  constexpr size_t kPathBytes = 4096;
  char* const command = scratch;
  char* const directory = command + kCommandBytes;

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
  return format::RecordWriter(record, recordBytes).encode(process);
}

void Process::definitionsName(char* name) const {
  const size_t length = strlen(prefix_);
  memcpy(name, prefix_, length);
  memcpy(name + length, ".def", 5);
}

// The part of the host has no dot (FORMAT.md).
void Process::hostFileName(const char* ending, char* name) const {
  const size_t length = lengthBefore(prefix_, ".");
  memcpy(name, prefix_, length);
  memcpy(name + length, ending, strlen(ending) + 1);
}

void Process::eventFileName(uint32_t thread, char* name) const {
  size_t at = strlen(prefix_);
  memcpy(name, prefix_, at);
  name[at++] = '.';
  at = appendNumber(name, at, 256, thread);
  memcpy(name + at, ".evt", 5);
}

int Process::openOfHost(const char* ending) const {
  if (prefix_[0] == '\0') return -1;
  char name[256];
  hostFileName(ending, name);
  return directory_->openFile(name, O_RDWR | O_CREAT | O_APPEND);
}

bool Process::provide(uint64_t definitionBytes) {
  writeBuffered();
  return ensureFiles() && definitions_.provide(definitionBytes);
}

bool Process::defineRecord(const void* record, size_t sizeBytes) {
  if (state() != State::kRecording) {
    // Threads that the end of the process has not reached yet define what they use.
    return ended_.load(std::memory_order_relaxed) && !wasForked() &&
           definitions_.append(record, sizeBytes) == 0;
  }
  if (wasForked()) afterFork();
  if (silent_) return true;  // nobody reads it
  if (!ensureFiles()) return false;
  const uint64_t now = readTicks();
  int error = -ENOSPC;
  if (now >= definitionsRetryTicks_.load(std::memory_order_relaxed)) {
    error = definitions_.append(record, sizeBytes);
    if (error == 0) return true;
    definitionsRetryTicks_.store(now + clockSettings.tickHz / 10, std::memory_order_relaxed);
  }
  countLost(Lost::kDefinitions, 1, error, now);
  return false;
}

// ------------------------------------------------------------------ losses

namespace {

format::LossCause causeOf(int error) {
  const format::LossCause cause = lossCause(error);
  return cause == format::LossCause::kOther && sandbox::isRestricted() ? format::LossCause::kForbidden : cause;
}

}  // namespace

// A thread that begins a block while the recording is detached finds no directory: its events come after the end.
bool Process::countLost(Lost what, uint64_t count, int error, uint64_t ticks) {
  if (isDetached()) return true;
  if (!filesMade_.load(std::memory_order_acquire) || losses_ == nullptr) return false;
  using format::LossesBody;
  const uint32_t number = -error < kDiskReserved ? static_cast<uint32_t>(-error) : 0;
  format::addLosses(reinterpret_cast<LossesBody*>(losses_ + 1),
                    what == Lost::kEvents        ? &LossesBody::events
                    : what == Lost::kDefinitions ? &LossesBody::definitions
                                                 : &LossesBody::callPaths,
                    count, causeOf(error), number, ticks);
  return true;
}

// What all processes write together is counted in HOST.shared.
void Process::limitSpace() {
  const uint64_t maxBytes = settingNumber(Setting::kMaxSize, 0);
  std::atomic<uint64_t>* taken = nullptr;
  if (maxBytes != 0) {
    char name[256];
    hostFileName(".shared", name);
    taken = mapTraceSize(*directory_, name);
  }
  limitTraceSpace(settingNumber(Setting::kKeepFree, kUsualFree), maxBytes, taken);
  limitRate(settingNumber(Setting::kMaxRate, 0));
  const auto keptMs = static_cast<double>(settingNumber(Setting::kKeepLast, 0));
  keepLast(static_cast<uint64_t>(keptMs * static_cast<double>(clockSettings.tickHz) / 1e3));
}

void* Process::reserveEvents(size_t sizeBytes, void** hold) {
  if (!ensureFiles()) return nullptr;
  return definitions_.appendZeros(format::Record::kEvents, sizeof(format::RecordHeader) + sizeBytes,
                                  hold);
}

// --------------------------------------------------------------------- end

bool Process::isOurs() {
  if (wasForked()) afterFork();
  const int pid = sys::getpid();
  return pid == pid_ || pid < 0;  // a sandbox without that call makes no vfork
}

void Process::afterFork() {
  if (state() != State::kRecording || !wasForked()) return;
  generation_ = forkGeneration();
  forked_ = true;
  parentPid_ = pid_;  // which may have ended by now
  pid_ = sys::getpid();
  readStartClocks();
  BlockBuffer::forgetAll();
  if (transportMode.hasWriter()) event_rings::beginProcess();
  definitions_.forget();
  triesStage_ = true;
  filesMade_.store(false, std::memory_order_release);
  ended_.store(false, std::memory_order_relaxed);
  losses_ = end_ = nullptr;
  endWritten_.store(false, std::memory_order_relaxed);
  definitionsRetryTicks_.store(0, std::memory_order_relaxed);
  threads_.store(1, std::memory_order_relaxed);
  forgetNotes();
  forgetThreads();
  sampler::startProcess(sampleHz_, 0);
  live::beginInChild();
  if (local.functions != nullptr) local.functions->afterFork();
  if (local.thread == nullptr || local.place.isGone()) return;
  // Files come with the first event: a child that only executes another program needs none.
  const Place former = local.place.enterAgent();
  Thread* thread = new (local.thread) Thread();
  thread->begin(0, 0);
  sampler::startThread(thread);
  local.place.resume(former);
}

void Process::end(format::EndReason reason, int status) {
  if (state() != State::kRecording || !isOurs()) return;
  const bool exits = reason != format::EndReason::kExec;
  if (exits && ended_.exchange(true, std::memory_order_acq_rel)) return;
  live::end();
  for (auto* hook : {&releasesAtExit, &beforeExit}) {
    if (auto* write = hook->load(std::memory_order_acquire); exits && write != nullptr) write();
  }
  Thread* thread = local.thread;
  if (exits && thread != nullptr && thread->live()) {
    local.place.end();
    thread->ensureBegun();
    endCurrentThread();
  } else if (thread != nullptr && thread->live() && local.place.isProgram()) {
    Guard guard;
    if (guard) thread->writeAllVisits(thread->now());
  }
  exits ? BlockBuffer::stop() : BlockBuffer::stopForExecution();
  writeBuffered(true);
  if (const uint64_t lost = transportMode.isShared() ? event_rings::writeOwn() : 0) {
    countLost(Lost::kEvents, lost, -EIO, readTicks());
  }
  if (const char* text = event_rings::takeNote()) note(text);
  while (const char* text = takeKeptNote()) note(text);
  if (filesMade_.load(std::memory_order_acquire)) {
    format::ProcessEndRecord end;
    const ClockPair now = readClockPair();
    end.ticks = now.ticks;
    end.monotonicNs = now.monotonicNs;
    end.cpuNs = sys::clockNs(CLOCK_PROCESS_CPUTIME_ID);
    end.reason = reason;
    end.status = status;
    writeEnd(end);
    unstage();
  }
  if (!exits && thread != nullptr && thread->live()) sampler::pause(thread);
  // Other threads may still run. What they record until the kernel ends them stays in their
  // open blocks, as after a kill.
  if (exits) state_.store(State::kPassive, std::memory_order_release);
}

void Process::detach() {
  if (state() != State::kRecording || !isOurs() || ended_.exchange(true, std::memory_order_acq_rel)) return;
  detached_.store(true, std::memory_order_release);
  live::end();
  switchOwn(true);
  while (const char* text = takeKeptNote()) note(text);
  format::ProcessEndRecord end;
  const ClockPair now = readClockPair();
  end.ticks = now.ticks;
  end.monotonicNs = now.monotonicNs;
  end.cpuNs = sys::clockNs(CLOCK_PROCESS_CPUTIME_ID);
  end.reason = format::EndReason::kDetached;
  if (filesMade_.load(std::memory_order_acquire)) writeEnd(end);
  state_.store(State::kPassive, std::memory_order_release);
  directory_->close();
}

// As in a child after fork, but with all threads.
void Process::startAgain() {
  State expected = State::kPassive;
  if (!isDetached() || !state_.compare_exchange_strong(expected, State::kStarting, std::memory_order_acq_rel)) return;
  raiseForkGeneration();  // before: a thread that is just beginning sees the one or the other
  retireThreads();
  forgetNotes();
  forgetThreads();
  forgetSyncObjects();
  forgetSharedCounters();
  definitions_.forget();
  if (void* memory = allocate(sizeof(TraceDirectory))) directory_ = new (memory) TraceDirectory;
  forked_ = false;
  triesStage_ = true;
  losses_ = end_ = nullptr;
  endWritten_.store(false, std::memory_order_relaxed);
  definitionsRetryTicks_.store(0, std::memory_order_relaxed);
  threads_.store(0, std::memory_order_relaxed);
  filesMade_.store(false, std::memory_order_release);
  if (!prepare() || !makeFiles()) {
    state_.store(State::kPassive, std::memory_order_release);
    return;
  }
  ended_.store(false, std::memory_order_release);
  detached_.store(false, std::memory_order_release);
  switchOwn(false);
  state_.store(State::kRecording, std::memory_order_release);
  defineSettings();
  redefineRegionsAndPaths();
  sampler::startAgain(sampleHz_);
}

// Of this thread in its own way, which also knows what a handler has interrupted; of the others what they have now.
void Process::writeBuffered(bool ends) {
  if (!transportMode.isPrivate() || state() != State::kRecording || !isOurs()) return;
  if (local.thread != nullptr && local.thread->live()) local.thread->writeBuffered();
  const BlockBuffer::Unwritten left = BlockBuffer::writeAll(ends);
  if (left.events > 0) countLost(Lost::kEvents, left.events, left.error, readTicks());
}

// Into its reserved place; of several threads that end the process at once only one is told of.
void Process::writeEnd(const format::ProcessEndRecord& end) {
  if (end_ == nullptr || endWritten_.exchange(true, std::memory_order_acq_rel)) return;
  char record[64];
  const size_t size = format::RecordWriter(record, sizeof record).encode(end);
  format::publishRecord(end_, record, size);
}

// Without a writer.
void Process::unstage() const {
  if (!isStaged_ || event_rings::writerLives()) return;
  char name[256];
  definitionsName(name);
  bool isTold;
  const int error = definitions_stage::copyWhole(*definitions_stage::directory(), name, *directory_, readTicks(), &isTold);
  if (error != 0) log("cannot copy the definitions into the trace: error", -error);
}

void Process::endFailed() {
  if (state() != State::kRecording || !isOurs()) return;
  live::goOn();
  BlockBuffer::goOn();
  if (end_ != nullptr && endWritten_.load(std::memory_order_acquire)) {
    __atomic_store_n(&end_->type, static_cast<uint16_t>(format::Record::kReserved),
                     __ATOMIC_RELEASE);
    endWritten_.store(false, std::memory_order_release);
  }
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
