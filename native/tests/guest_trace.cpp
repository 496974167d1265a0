#include "tests/guest_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/guest_runner.h"

namespace parallax::tests {

using format::Kind;

namespace {

struct Definitions {
  TracedProcess* target;

  void operator()(const format::ProcessRecord& r) {
    target->process = r;
    target->executable = r.executable;
    target->command = r.command;
    target->host = r.host;
  }
  void operator()(const format::ProcessEndRecord& r) { target->ends.push_back(r); }
  void operator()(const format::ThreadRecord& r) {
    target->threads[r.thread].definition = r;
    target->threads[r.thread].definition.name = {};
  }
  void operator()(const format::RegionRecord& r) { target->regions[r.region] = r.name; }
  void operator()(const format::CallPathRecord& r) {
    EXPECT_TRUE(r.parent == 0 || target->paths.count(r.parent)) << "parent of path " << r.path;
    target->paths[r.path] = r;
  }
  void operator()(const format::SyncObjectRecord& r) { target->objects[r.object] = r; }
  void operator()(const format::NoteRecord& r) { target->notes.emplace_back(r.text); }
  void operator()(const format::SettingRecord& r) {
    target->settings[std::string(r.key)] = r.value;
  }
  void operator()(const format::ThreadNameRecord& r) { target->threadNames[r.thread] = r.name; }
  void operator()(const format::FileRecord& r) { target->files[r.file] = r.path; }
  void operator()(const format::MetricRecord& r) {
    target->metricNames[r.metric] = r.name;
    target->metrics[r.metric] = r;
    target->metrics[r.metric].name = target->metrics[r.metric].unit = {};
  }
  void operator()(const format::StreamRecord& r) {
    target->streamNames[r.stream] = r.name;
    target->streams[r.stream] = r;
    target->streams[r.stream].name = {};
  }
  void operator()(const format::PvmRecord& r) { target->pvm.push_back(r); }
  void operator()(const format::LossesRecord& r) { target->losses = r; }
  void operator()(const format::CommunicatorRecord& r) {
    format::CommunicatorRecord& copy = target->communicators[r.communicator] = r;
    copy.runs = {};
    copy.name = {};
  }
  void operator()(const format::ModuleRecord&) { target->modules++; }
  template <class R>
  void operator()(const R&) {}
};

void loadEvents(const format::ThreadFile& from, TracedThread* thread) {
  format::EventFile file;
  ASSERT_EQ("", file.open(from));
  size_t end = 0;
  for (size_t i = 0; i < file.blockCount(); i++) {
    const format::BlockView block = file.block(i);
    if (block.state == format::BlockState::kEmpty) continue;
    if (block.state == format::BlockState::kUnfinished) break;
    ASSERT_TRUE(block.state == format::BlockState::kClosed ||
                block.state == format::BlockState::kOpen)
        << from.definitions << " thread " << from.thread << " block " << i;
    EXPECT_EQ(thread->definition.thread, block.header->thread);
    EXPECT_EQ(i, block.header->number);
    thread->missingBlocks += i - end;
    end = i + 1;
    thread->blocks++;
    thread->lost += block.header->lost;
    thread->lastBlockClosed = block.state == format::BlockState::kClosed;
    format::Event event;
    for (format::BlockReader reader(block); reader.next(&event);) {
      TracedEvent copy{event.kind, event.operand, event.ticks, event.payloadCount, {}, {}};
      for (uint32_t p = 0; p < event.payloadCount; p++) {
        if (p < copy.payload.size()) {
          copy.payload[p] = event.payload(p);
        } else {
          copy.morePayload.push_back(event.payload(p));
        }
      }
      thread->events.push_back(copy);
    }
  }
}

bool usesObject(Kind kind) {
  return kind == Kind::kAcquire || kind == Kind::kRelease || kind == Kind::kSignal ||
         kind == Kind::kWake || kind == Kind::kBarrier;
}

void expectOrderly(const TracedProcess& process, const TracedThread& thread) {
  const std::string name =
      process.executable + " thread " + std::to_string(thread.definition.thread);
  if (thread.events.empty()) {
    const auto setting = process.settings.find("transport");
    const bool isBuffered = setting != process.settings.end() && losesAtKill(setting->second);
    EXPECT_TRUE(!process.notes.empty() || process.losses.events > 0 || (isBuffered && process.ends.empty()))
        << name << " has no events, and neither a note nor the losses say why";
    return;
  }
  if (process.losses.events == 0) {
    EXPECT_EQ(0u, thread.missingBlocks) << name;
  }
  // Of a writer that is behind from the beginning, the first block is lost, too.
  if (process.losses.cause != format::LossCause::kBehind) {
    EXPECT_EQ(Kind::kThreadBegin, thread.events[0].kind) << name;
  }
  uint64_t last = process.process.startTicks;
  uint64_t lastCpuNs = 0;
  std::vector<uint64_t> open;
  for (size_t i = 0; i < thread.events.size(); i++) {
    const TracedEvent& event = thread.events[i];
    EXPECT_GE(event.ticks, last) << name << " event " << i << " of kind " << static_cast<int>(event.kind)
                                 << " after " << (i > 0 ? static_cast<int>(thread.events[i - 1].kind) : 0);
    last = event.ticks;
    switch (event.kind) {
      case Kind::kEnter:
        EXPECT_TRUE(process.paths.count(static_cast<uint32_t>(event.operand))) << name;
        EXPECT_NE("", process.leafOf(event.operand)) << name;
        open.push_back(event.operand);
        break;
      case Kind::kLeave:
        EXPECT_TRUE(!open.empty() || process.losses.events > 0) << name << " event " << i;
        if (process.losses.events > 0) {  // of which some may have ended in a gap
          while (!open.empty() && open.back() != event.operand) open.pop_back();
        }
        if (!open.empty()) {
          EXPECT_EQ(open.back(), event.operand) << name << " event " << i;
          open.pop_back();
        }
        break;
      case Kind::kSample:
        EXPECT_TRUE(open.empty() || process.losses.events > 0) << name << " event " << i;
        EXPECT_TRUE(event.operand == 0 || process.losses.definitions > 0 ||
                    process.paths.count(static_cast<uint32_t>(event.operand)))
            << name;
        break;
      case Kind::kCpu:
        EXPECT_GE(event.payload[0], lastCpuNs) << name << " event " << i;
        lastCpuNs = event.payload[0];
        break;
      case Kind::kThreadEnd:
        EXPECT_EQ(i + 1, thread.events.size()) << name;
        break;
      default:
        break;
    }
    if (usesObject(event.kind)) {
      EXPECT_TRUE(process.objects.count(static_cast<uint32_t>(event.operand))) << name;
    }
  }
}

}  // namespace

size_t TracedThread::count(Kind kind) const {
  return static_cast<size_t>(std::count_if(
      events.begin(), events.end(), [=](const TracedEvent& e) { return e.kind == kind; }));
}

const TracedEvent* TracedThread::first(Kind kind) const {
  for (const TracedEvent& event : events) {
    if (event.kind == kind) return &event;
  }
  return nullptr;
}

std::string TracedProcess::leafOf(uint64_t path) const {
  const auto found = paths.find(static_cast<uint32_t>(path));
  if (found == paths.end()) return "";
  if (found->second.kind == format::PathKind::kFunction) return "(function)";
  if (found->second.kind != format::PathKind::kRegion) return "";
  const auto region = regions.find(static_cast<uint32_t>(found->second.value));
  return region == regions.end() ? "" : region->second;
}

size_t TracedProcess::count(Kind kind) const {
  size_t sum = 0;
  for (const auto& [number, thread] : threads) sum += thread.count(kind);
  return sum;
}

std::vector<std::vector<TracedEvent>> TracedProcess::calls(const TracedThread& thread,
                                                           const std::string& routine) const {
  std::vector<std::vector<TracedEvent>> found;
  bool inside = false;
  for (const TracedEvent& event : thread.events) {
    if (event.kind == Kind::kEnter && leafOf(event.operand) == routine) {
      found.emplace_back();
      inside = true;
    }
    if (inside && event.kind != Kind::kCpu) found.back().push_back(event);
    if (event.kind == Kind::kLeave) inside = false;
  }
  return found;
}

size_t TracedProcess::objectsOf(format::SyncKind kind) const {
  size_t sum = 0;
  for (const auto& [number, object] : objects) sum += object.kind == kind ? 1 : 0;
  return sum;
}

const TracedProcess* Trace::ofExecutable(const std::string& baseName) const {
  for (const TracedProcess& process : processes) {
    if (process.executable.substr(process.executable.rfind('/') + 1) == baseName) return &process;
  }
  return nullptr;
}

Trace loadTrace(const std::string& directory, bool mayLackSpace) {
  Trace trace;
  format::TraceFiles files;
  EXPECT_EQ("", format::findTraceFiles(directory, &files));
  for (const auto& [key, value] : files.manifest) trace.manifest[key] = value;
  for (const format::ProcessFiles& processFiles : files.processes) {
    if (mayLackSpace && std::filesystem::is_empty(processFiles.definitions)) {
      trace.unrecorded++;
      continue;
    }
    trace.processes.emplace_back();
    TracedProcess& process = trace.processes.back();
    format::DefinitionsFile definitions;
    EXPECT_EQ("", definitions.open(processFiles.definitions));
    EXPECT_EQ(format::DefinitionsEnd::kInOrder, definitions.forEach(Definitions{&process}));
    EXPECT_EQ(processFiles.pid, process.process.pid);
    for (const format::ThreadFile& file : processFiles.threads) {
      EXPECT_TRUE(process.threads.count(file.thread)) << file.path;
      TracedThread& thread = process.threads[file.thread];
      thread.hasFile = true;
      loadEvents(file, &thread);
      expectOrderly(process, thread);
    }
  }
  return trace;
}

void expectLocksConsistent(const TracedProcess& process) { expectLocksConsistent({&process}); }

void expectLocksConsistent(const std::vector<const TracedProcess*>& processes) {
  struct Change {
    uint64_t ticks;
    uint64_t sequence;
    bool acquire;
  };
  // By process and object, or by the key that processes share.
  std::map<std::pair<const TracedProcess*, uint64_t>, std::vector<Change>> changes;
  for (const TracedProcess* process : processes) {
    for (const auto& [number, thread] : process->threads) {
      for (const TracedEvent& event : thread.events) {
        const bool acquire = event.kind == Kind::kAcquire;
        if (!acquire && event.kind != Kind::kRelease) continue;
        const auto& object = process->objects.at(static_cast<uint32_t>(event.operand));
        if (object.kind != format::SyncKind::kMutex && object.kind != format::SyncKind::kSpinLock) {
          continue;
        }
        const auto owner = object.key != 0 ? std::make_pair(nullptr, object.key)
                                           : std::make_pair(process, event.operand);
        changes[owner].push_back(
            {event.ticks, acquire ? event.payload[0] >> 1 : event.payload[0], acquire});
      }
    }
  }
  for (auto& [owner, list] : changes) {
    const uint64_t object = owner.second;
    std::stable_sort(list.begin(), list.end(), [](const Change& a, const Change& b) {
      return a.sequence != b.sequence ? a.sequence < b.sequence : a.acquire && !b.acquire;
    });
    uint64_t expected = 1;
    for (size_t i = 0; i < list.size(); i++) {
      EXPECT_EQ(expected, list[i].sequence) << "object " << object;
      EXPECT_EQ(i % 2 == 0, list[i].acquire) << "object " << object << " at " << expected;
      if (i > 0) {
        EXPECT_GE(list[i].ticks, list[i - 1].ticks)
            << "object " << object << " sequence " << list[i].sequence;
      }
      if (i % 2 == 1) expected++;
    }
  }
}

}  // namespace parallax::tests
