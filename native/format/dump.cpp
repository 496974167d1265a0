#include "format/dump.h"

#include <charconv>
#include <cinttypes>

#include "format/reader.h"
#include "format/symbols_file.h"

namespace parallax::format {
namespace {

constexpr const char* kCollectiveNames[] = {
    "", "Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather",
    "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Reduce", "Allreduce", "ReduceScatter",
    "ReduceScatterBlock", "Scan", "Exscan", "NeighborAllgather", "NeighborAllgatherv",
    "NeighborAlltoall", "NeighborAlltoallv", "NeighborAlltoallw", "CommCreate", "Init",
    "Finalize", "WinCreate", "WinFree", "WinFence", "WinFenceOpen", "CommSpawn", "CommConnect",
    "CommDisconnect", "FileOpen", "FileClose", "FileSetSize", "FileSetView", "FileSync", "FileSeek",
    "FileRead", "FileWrite", "SessionInit", "SessionFinalize"};
constexpr const char* kPartitionOpNames[] = {"", "start", "partitions", "done"};
constexpr const char* kWindowOpNames[] = {
    "", "put", "get", "accumulate", "getAccumulate", "fetchAndOp", "compareAndSwap", "done", "post",
    "start", "complete", "wait", "lockShared", "lockExclusive", "unlock", "flush", "flushLocal"};
constexpr const char* kKindNames[] = {
    "", "Enter", "Leave", "Sample", "Cpu", "Send", "ReceivePost", "Receive", "RequestDone",
    "RequestCancel", "CollectivePost", "Collective", "Acquire", "Release", "Signal", "Wake",
    "Barrier", "ThreadBegin", "ThreadEnd", "ThreadCreate", "ThreadJoin", "Probe", "Visits",
    "Throttled", "PhaseBegin", "PhaseEnd", "Mark", "Value", "ThreadCounters", "ProcessCreate",
    "ProcessWait", "StreamSend", "StreamReceive", "File", "Window", "KeptState", "Kept", "Poll",
    "PartitionedSend", "PartitionedReceive"};
constexpr const char* kClockNames[] = {"monotonic", "tsc"};
constexpr const char* kCpuClockNames[] = {"none", "threadClock", "perfPage", "switchMark", "samples"};
constexpr const char* kReasonNames[] = {"exit", "exec", "sandbox"};
constexpr const char* kGroupNames[] = {"user", "mpi", "pthread", "agent", "openmp", "process",
                                         "stream", "file", "pvm", "phase"};
constexpr const char* kPathKindNames[] = {"region", "returnAddress", "address", "function"};
constexpr const char* kSyncKindNames[] = {"", "mutex", "condition", "barrier", "readWriteLock",
                                            "spinLock", "semaphore", "openmpLock", "openmpTasks", "signal",
                                            "futex", "", "", "", "", "", "eventfd", "timer", "systemVSemaphore",
                                            "messageQueue", "queueRoom", "fileLock", "eventSource"};
constexpr const char* kMetricKindNames[] = {"gauge", "counter"};
constexpr const char* kMetricTypeNames[] = {"unsigned", "double"};
constexpr const char* kStreamKindNames[] = {"", "pipe", "unixStream", "tcp", "unixPacket", "udp"};
constexpr const char* kCreationNames[] = {"fork", "vfork", "spawn", "pvmSpawn", "mpiSpawn"};
constexpr const char* kLossCauseNames[] = {"none", "diskFull", "diskReserved", "traceTooLarge",
                                           "fileTooLarge", "memory", "descriptors", "other",
                                           "forbidden", "behind"};
constexpr const char* kFileOpNames[] = {"", "open", "close", "read", "write", "sync", "seek",
                                        "other"};

// Appends the lines of a trace to a text that is handed on in large pieces.
class Dump {
 public:
  explicit Dump(const std::function<bool(std::string_view)>& print) : print_(print) {}
  ~Dump() { flush(); }

  bool stopped() const { return stopped_; }

  Dump& raw(std::string_view text) {
    text_ += text;
    return *this;
  }
  Dump& number(uint64_t value, int base = 10) {
    char digits[20];
    const auto result = std::to_chars(digits, digits + sizeof digits, value, base);
    text_.append(digits, result.ptr);
    return *this;
  }
  Dump& field(std::string_view name, uint64_t value) { return raw(name).number(value); }
  Dump& hex(std::string_view name, uint64_t value) { return raw(name).raw("0x").number(value, 16); }
  template <size_t N, class E>
  Dump& named(std::string_view name, const char* const (&names)[N], E value) {
    raw(name);
    const auto index = static_cast<uint64_t>(value);
    return index < N && names[index][0] != 0 ? raw(names[index]) : number(index);
  }
  Dump& string(std::string_view name, std::string_view value) {
    static constexpr char kDigits[] = "0123456789abcdef";
    raw(name).raw("\"");
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\') {
        const char escaped[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
        text_.append(escaped, sizeof escaped);
      } else {
        text_ += c;
      }
    }
    return raw("\"");
  }
  void endLine() {
    text_ += '\n';
    if (text_.size() >= 1 << 20) flush();
  }

  // The visitor of definitions.
  void operator()(const ProcessRecord& r);
  void operator()(const ProcessEndRecord& r);
  void operator()(const ClockSyncRecord& r);
  void operator()(const ThreadRecord& r);
  void operator()(const ModuleRecord& r);
  void operator()(const ModuleUnloadRecord& r);
  void operator()(const RegionRecord& r);
  void operator()(const CallPathRecord& r);
  void operator()(const MpiRecord& r);
  void operator()(const CommunicatorRecord& r);
  void operator()(const SyncObjectRecord& r);
  void operator()(const NoteRecord& r);
  void operator()(const SettingRecord& r);
  void operator()(const ThreadNameRecord& r);
  void operator()(const MetricRecord& r);
  void operator()(const StreamRecord& r);
  void operator()(const FileRecord& r);
  void operator()(const PvmRecord& r);
  void operator()(const ClockOffsetRecord& r);
  void operator()(const LossesRecord& r);

  void event(const Event& e);
  void block(const BlockView& view);
  void symbols(const std::vector<SymbolModule>& modules);

 private:
  void flush() {
    if (!stopped_ && !text_.empty()) stopped_ = !print_(text_);
    text_.clear();
  }
  void runs(std::string_view name, const RankRun* run, uint32_t count);
  void message(const Event& e, bool pattern);
  void collective(const Event& e);
  void window(const Event& e);

  const std::function<bool(std::string_view)>& print_;
  std::string text_;
  bool stopped_ = false;
};

void Dump::operator()(const ProcessRecord& r) {
  field("Process startTicks=", r.startTicks).field(" monotonicNs=", r.monotonicNs);
  field(" realtimeNs=", r.realtimeNs).field(" tickHz=", r.tickHz).field(" pid=", r.pid);
  field(" parentPid=", r.parentPid).named(" clock=", kClockNames, r.clock);
  named(" cpuClock=", kCpuClockNames, r.cpuClock).field(" sampleHz=", r.sampleHz);
  string(" host=", r.host).string(" executable=", r.executable);
  string(" command=", r.command).string(" directory=", r.directory).endLine();
}

void Dump::operator()(const ProcessEndRecord& r) {
  field("ProcessEnd ticks=", r.ticks).field(" monotonicNs=", r.monotonicNs);
  field(" cpuNs=", r.cpuNs).named(" reason=", kReasonNames, r.reason);
  raw(" status=").raw(std::to_string(r.status)).endLine();
}

void Dump::operator()(const ClockSyncRecord& r) {
  field("ClockSync ticks=", r.ticks).field(" monotonicNs=", r.monotonicNs);
  field(" realtimeNs=", r.realtimeNs).endLine();
}

void Dump::operator()(const ThreadRecord& r) {
  field("Thread thread=", r.thread).field(" kernelTid=", r.kernelTid);
  field(" creatorPlusOne=", r.creatorPlusOne).field(" flags=", r.flags);
  field(" ticks=", r.ticks).string(" name=", r.name).endLine();
}

void Dump::operator()(const ModuleRecord& r) {
  field("Module module=", r.module).field(" ticks=", r.ticks).hex(" loadBias=", r.loadBias);
  hex(" firstAddress=", r.firstAddress).hex(" endAddress=", r.endAddress);
  string(" buildId=", r.buildId).string(" path=", r.path).endLine();
}

void Dump::operator()(const ModuleUnloadRecord& r) {
  field("ModuleUnload module=", r.module).field(" ticks=", r.ticks).endLine();
}

void Dump::operator()(const RegionRecord& r) {
  field("Region region=", r.region).named(" group=", kGroupNames, r.group);
  string(" name=", r.name).endLine();
}

void Dump::operator()(const CallPathRecord& r) {
  field("CallPath path=", r.path).field(" parent=", r.parent);
  named(" kind=", kPathKindNames, r.kind);
  if (r.kind == PathKind::kRegion) {
    field(" value=", r.value);
  } else {
    hex(" value=", r.value);
  }
  endLine();
}

void Dump::operator()(const MpiRecord& r) {
  hex("Mpi job=", r.job).field(" worldRank=", r.worldRank).field(" worldSize=", r.worldSize);
  field(" threadLevel=", r.threadLevel).string(" library=", r.library).endLine();
}

void Dump::runs(std::string_view name, const RankRun* run, uint32_t count) {
  raw(name);
  for (uint32_t i = 0; i < count; i++) {
    field(i == 0 ? "" : ",", run[i].first).raw(":").raw(std::to_string(run[i].stride));
    field(":", run[i].count);
  }
}

void Dump::operator()(const CommunicatorRecord& r) {
  field("Communicator communicator=", r.communicator).field(" size=", r.size);
  hex(" globalId=", r.globalId).field(" ownRank=", r.ownRank).field(" flags=", r.flags);
  runs(" own=", r.runs.data, r.runs.ownCount);
  runs(" remote=", r.runs.data + r.runs.ownCount, r.runs.remoteCount);
  string(" name=", r.name).endLine();
}

void Dump::operator()(const SyncObjectRecord& r) {
  field("SyncObject object=", r.object).named(" kind=", kSyncKindNames, r.kind);
  hex(" address=", r.address).hex(" key=", r.key).endLine();
}

void Dump::operator()(const NoteRecord& r) { string("Note text=", r.text).endLine(); }

void Dump::operator()(const SettingRecord& r) {
  string("Setting key=", r.key).string(" value=", r.value).endLine();
}

void Dump::operator()(const ThreadNameRecord& r) {
  field("ThreadName thread=", r.thread).string(" name=", r.name).endLine();
}

void Dump::operator()(const MetricRecord& r) {
  field("Metric metric=", r.metric).named(" kind=", kMetricKindNames, r.kind);
  named(" type=", kMetricTypeNames, r.type).string(" name=", r.name).string(" unit=", r.unit);
  endLine();
}

void Dump::operator()(const StreamRecord& r) {
  field("Stream stream=", r.stream).named(" kind=", kStreamKindNames, r.kind);
  hex(" keyHigh=", r.keyHigh).hex(" keyLow=", r.keyLow).string(" name=", r.name);
  if (r.flags != 0) field(" flags=", r.flags);
  endLine();
}

void Dump::operator()(const FileRecord& r) {
  field("File file=", r.file).string(" path=", r.path).endLine();
}

void Dump::operator()(const PvmRecord& r) {
  hex("Pvm machine=", r.machine).field(" task=", r.task).field(" parentTask=", r.parentTask);
  endLine();
}

void Dump::operator()(const ClockOffsetRecord& r) {
  field("ClockOffset monotonicNs=", r.monotonicNs).field(" otherMonotonicNs=", r.otherMonotonicNs);
  field(" errorNs=", r.errorNs).string(" otherHost=", r.otherHost).endLine();
}

void Dump::operator()(const LossesRecord& r) {
  field("Losses firstTicks=", r.firstTicks).field(" lastTicks=", r.lastTicks);
  field(" events=", r.events).field(" definitions=", r.definitions);
  field(" callPaths=", r.callPaths);
  named(" cause=", kLossCauseNames, static_cast<uint64_t>(r.cause));
  field(" error=", r.error).endLine();
}

void Dump::message(const Event& e, bool pattern) {
  field(" comm=", e.operand);
  const uint32_t peer = peerOf(e.payload(0));
  const uint32_t tag = tagOf(e.payload(0));
  raw(" peer=");
  pattern && peer == kAnySource ? raw("any") : number(peer);
  raw(" tag=");
  pattern && tag == kAnyTag ? raw("any") : number(tag);
}

void Dump::collective(const Event& e) {
  field(" comm=", e.operand).named(" op=", kCollectiveNames, e.payload(0) >> 31);
  raw(" root=");
  const uint32_t root = rootOf(e.payload(0));
  root == kNoRoot ? raw("none") : number(root);
  field(" sent=", e.payload(1)).field(" received=", e.payload(2));
  field(" sequence=", e.payload(3));
}

void Dump::window(const Event& e) {
  field(" window=", e.operand).named(" op=", kWindowOpNames, e.payload(0) >> 31);
  raw(" rank=");
  const uint32_t rank = rootOf(e.payload(0));
  rank == kNoRoot ? raw("all") : number(rank);
  if (e.payloadCount > 2) field(" sent=", e.payload(1)).field(" received=", e.payload(2));
  if (e.payloadCount > 3) field(" request=", e.payload(3));
}

void Dump::event(const Event& e) {
  number(e.ticks).raw(" ");
  const auto kind = static_cast<uint64_t>(e.kind);
  if (kind == 0 || kind >= std::size(kKindNames) || kKindNames[kind] == nullptr) {
    field("Kind", kind).field(" operand=", e.operand).raw(" payload=");
    for (uint32_t i = 0; i < e.payloadCount; i++) field(i == 0 ? "" : ",", e.payload(i));
    endLine();
    return;
  }
  raw(kKindNames[kind]);
  switch (e.kind) {
    case Kind::kEnter:
    case Kind::kLeave:
    case Kind::kSample:
    case Kind::kKeptState:
      field(" path=", e.operand);
      break;
    case Kind::kCpu:
      field(" cpuNs=", e.payload(0)).field(" lostNs=", e.payload(1));
      if (e.payloadCount > 2) field(" runnableNs=", e.payload(2));
      break;
    case Kind::kSend:
    case Kind::kReceive:
      message(e, false);
      field(" bytes=", e.payload(1));
      if (e.payloadCount > 2) field(" request=", e.payload(2));
      break;
    case Kind::kReceivePost:
      message(e, true);
      field(" request=", e.payload(1));
      break;
    case Kind::kPartitionedSend:
    case Kind::kPartitionedReceive:
      message(e, false);
      field(" ordinal=", e.payload(1) >> 32).field(" start=", e.payload(1) & UINT32_MAX);
      named(" op=", kPartitionOpNames, e.payload(2) >> 32).field(" partitions=", e.payload(2) & UINT32_MAX);
      field(" first=", e.payload(3) >> 32).field(" count=", e.payload(3) & UINT32_MAX);
      field(" bytes=", e.payload(4));
      break;
    case Kind::kProbe:
      message(e, false);
      field(" bytes=", e.payload(1));
      break;
    case Kind::kRequestDone:
    case Kind::kRequestCancel:
      field(" request=", e.payload(0));
      break;
    case Kind::kCollectivePost:
    case Kind::kCollective:
      collective(e);
      break;
    case Kind::kAcquire:
      field(" object=", e.operand).field(" sequence=", e.payload(0) >> 1);
      field(" waited=", e.payload(0) & 1);
      if (e.payloadCount > 1) field(" shared=", e.payload(1));
      break;
    case Kind::kRelease:
    case Kind::kSignal:
    case Kind::kWake:
      field(" object=", e.operand).field(" sequence=", e.payload(0));
      break;
    case Kind::kBarrier:
      field(" object=", e.operand).field(" generation=", e.payload(0));
      field(" participants=", e.payload(1));
      break;
    case Kind::kThreadBegin:
      field(" creatorPlusOne=", e.payload(0));
      break;
    case Kind::kThreadCreate:
    case Kind::kThreadJoin:
      field(" thread=", e.payload(0));
      break;
    case Kind::kVisits:
      field(" path=", e.operand).field(" visits=", e.payload(0));
      break;
    case Kind::kThrottled:
      field(" path=", e.operand).field(" calls=", e.payload(0));
      break;
    case Kind::kPhaseBegin:
    case Kind::kPhaseEnd:
    case Kind::kMark:
      field(" region=", e.operand);
      break;
    case Kind::kValue:
      field(" metric=", e.operand).hex(" value=", valueOf(e.payload(0), e.payload(1)));
      break;
    case Kind::kThreadCounters:
      field(" voluntary=", e.payload(0)).field(" involuntary=", e.payload(1));
      field(" minorFaults=", e.payload(2)).field(" majorFaults=", e.payload(3));
      break;
    case Kind::kProcessCreate:
      field(" id=", e.payload(0)).named(" how=", kCreationNames, e.payload(1));
      break;
    case Kind::kProcessWait:
      field(" id=", e.payload(0)).named(" how=", kCreationNames, e.payload(1));
      field(" status=", e.payload(2));
      break;
    case Kind::kStreamSend:
    case Kind::kStreamReceive:
      field(" stream=", e.operand).field(" offset=", e.payload(0)).field(" bytes=", e.payload(1));
      break;
    case Kind::kFile:
      field(" file=", e.operand).named(" op=", kFileOpNames, e.payload(0));
      field(" bytes=", e.payload(1));
      break;
    case Kind::kWindow:
      window(e);
      break;
    case Kind::kPoll:
      field(" success=", e.operand).field(" attempts=", e.payload(0)).field(" workNs=", e.payload(1));
      break;
    case Kind::kKept:
      field(" operand=", e.operand).raw(" payload=");
      for (uint32_t i = 0; i < e.payloadCount; i++) field(i == 0 ? "" : ",", e.payload(i));
      break;
    case Kind::kThreadEnd:
    case Kind::kNone:
      break;
  }
  endLine();
}

void Dump::block(const BlockView& view) {
  const BlockHeader& h = *view.header;
  field("block ", h.number).field(" baseTicks=", h.baseTicks);
  field(" monotonicNs=", h.monotonicNs).field(" cpuNs=", h.cpuNs).field(" lost=", h.lost);
  field(" openPath=", h.openPath).raw(" state=");
  raw(view.state == BlockState::kClosed ? "closed"
      : view.state == BlockState::kOpen ? "open"
      : view.state == BlockState::kTorn ? "torn"
                                        : "damaged");
  endLine();
  BlockReader reader(view);
  for (Event e; !stopped_ && reader.next(&e);) event(e);
}

void Dump::symbols(const std::vector<SymbolModule>& modules) {
  for (const SymbolModule& module : modules) {
    field("module ", module.number).string(" buildId=", module.buildId);
    string(" path=", module.path).string(" reason=", module.reason).endLine();
    for (const SymbolAddress& address : module.addresses) {
      hex("address ", address.offset);
      if (address.functionStart != 0) hex(" function=", address.functionStart);
      endLine();
      for (const SymbolFrame& f : address.frames) {
        string("frame function=", f.function).string(" file=", f.file).field(" line=", f.line);
        field(" declared=", f.declaredLine).field(" inlined=", f.inlined ? 1 : 0).endLine();
      }
    }
  }
}

std::string dumpProcess(const ProcessFiles& process, Dump* dump) {
  dump->raw("process ").raw(process.name).endLine();
  if (process.definitions.empty()) {
    dump->raw("definitions missing").endLine();
  } else {
    DefinitionsFile definitions;
    const std::string error = definitions.open(process.definitions);
    if (!error.empty()) return error;
    const DefinitionsEnd end = definitions.forEach(*dump);
    if (end == DefinitionsEnd::kTruncated) dump->raw("definitions truncated").endLine();
    if (end == DefinitionsEnd::kDamaged) dump->raw("definitions damaged").endLine();
  }
  for (const ThreadFile& thread : process.threads) {
    dump->field("thread ", thread.thread).endLine();
    EventFile events;
    const std::string error = events.open(thread);
    if (!error.empty()) return error;
    for (size_t i = 0; i < events.blockCount() && !dump->stopped(); i++) {
      const BlockView view = events.block(i);
      if (view.state == BlockState::kForeign || view.state == BlockState::kUnfinished) break;
      if (view.header != nullptr) dump->block(view);
    }
  }
  return {};
}

}  // namespace

std::string dumpTrace(const std::string& directory,
                      const std::function<bool(std::string_view)>& print) {
  TraceFiles files;
  std::string error = findTraceFiles(directory, &files);
  if (!error.empty()) return error;
  Dump dump(print);
  for (const auto& [key, value] : files.manifest) {
    dump.raw("manifest ").raw(key).raw(" = ").raw(value).endLine();
  }
  for (const ProcessFiles& process : files.processes) {
    error = dumpProcess(process, &dump);
    if (!error.empty() || dump.stopped()) return error;
  }
  if (files.hasSymbols) {
    MappedFile text;
    std::vector<SymbolModule> modules;
    error = text.open(directory + "/symbols");
    if (error.empty()) error = parseSymbols({text.data(), text.size()}, &modules);
    if (!error.empty()) return directory + "/symbols: " + error;
    dump.raw("symbols").endLine();
    dump.symbols(modules);
  }
  return {};
}

}  // namespace parallax::format
