#include "tools/perf/data_reader.h"

#include <algorithm>

#include "tools/perf/sample_fields.h"

namespace parallax::perf {

namespace {

constexpr size_t kMostWaiting = 4'000'000;  // records that wait for those of other processors
constexpr uint64_t kRecordsBetweenProgress = 1 << 16;

// Raw data of sched_switch and the wakeups, whose layout has not changed since Linux 2.6.
constexpr size_t kPrevState = 32, kNextName = 40, kNextPid = 56, kWokenPid = 24, kNameBytes = 16;

const char* const kTypeNames[] = {nullptr, "MMAP", "LOST", "COMM", "EXIT", "THROTTLE", "UNTHROTTLE", "FORK", "READ", "SAMPLE", "MMAP2", "AUX",
                                  "ITRACE_START", "LOST_SAMPLES", "SWITCH", "SWITCH_CPU_WIDE", "NAMESPACES", "KSYMBOL", "BPF_EVENT", "CGROUP",
                                  "TEXT_POKE", "AUX_OUTPUT_HW_ID"};
constexpr uint32_t kKernelTypes = std::size(kTypeNames);

std::string nameOfType(uint32_t type) {
  if (type > 0 && type < kKernelTypes) return std::string("PERF_RECORD_") + kTypeNames[type];
  if (type == kRecordCompressed || type == kRecordCompressed2) return "PERF_RECORD_COMPRESSED";
  return "PERF_RECORD " + std::to_string(type);
}

class DataReader {
 public:
  DataReader(std::string_view file, const std::string& path, Recording* recording)
      : file_(file), path_(path), recording_(*recording), spaces_(recording), head_(file, recording, &spaces_) {
    recording->hasTimes = false;
  }

  std::string read(const std::function<void(uint64_t done)>& progress) {
    const std::string error = head_.read();
    if (!error.empty()) return path_ + " is no file of perf: " + error;
    uint64_t at = head_.dataOffset();
    const uint64_t end = head_.dataEnd();
    for (uint64_t count = 0; at < end; count++) {
      if (count % kRecordsBetweenProgress == 0) progress(at);
      const uint64_t size = record(at, end);
      if (size == 0) break;
      at += size;
    }
    flush(UINT64_MAX);
    if (compressed_ > 0) recording_.fault(Fault::kCompressed, compressed_);
    if (!hasSamples_) {
      return path_ + " has no samples" + (compressed_ > 0 ? " that can be read: its records are compressed; run `perf script -F +pid,+period` and open its output" : "");
    }
    return "";
  }

 private:
  struct Waiting {
    uint64_t time, offset;
    uint32_t size;
  };

  void damaged(uint64_t at, const char* why) {
    recording_.warn(path_ + ", at byte " + std::to_string(at) + ": " + why + "; the rest is left out");
  }

  // Returns its bytes, 0 where nothing can be read any more.
  uint64_t record(uint64_t at, uint64_t end) {
    if (end - at < 8) {
      damaged(at, "the file ends in a record");
      return 0;
    }
    Fields fields(file_.substr(at, 8), head_.isSwapped());
    const uint32_t type = fields.u32();
    const uint16_t misc = fields.u16(), size = fields.u16();
    if (size < 8) {
      damaged(at, "a record has no size");
      return 0;
    }
    if (size > end - at) {
      damaged(at, "the file ends in a record");
      return 0;
    }
    const std::string_view body = file_.substr(at + 8, size - 8u);
    if (type < 64) {
      const uint64_t time = timeOf(type, body);
      if (time == 0) {
        take(type, misc, body);
      } else {
        latest_ = std::max(latest_, time);
        waiting_.push_back({time, at, size});
        if (waiting_.size() >= kMostWaiting) flushHalf();
      }
      return size;
    }
    Fields inside(body, head_.isSwapped());
    switch (type) {
      case kRecordHeaderAttr: head_.addAttr(body); break;
      case kRecordEventUpdate: head_.addUpdate(body); break;
      case kRecordBuildId: head_.addBuildId(body, misc); break;
      case kRecordFeature: {
        const uint64_t feature = inside.u64();
        if (feature < 256) head_.addFeature(static_cast<uint32_t>(feature), body.substr(std::min<size_t>(8, body.size())));
        break;
      }
      case kRecordFinishedRound:
        // All that comes later is later than what came before the round before.
        flush(roundEnd_);
        roundEnd_ = latest_;
        break;
      case kRecordTracingData: return size + ((uint64_t{inside.u32()} + 7) & ~uint64_t{7});
      case kRecordAuxTrace: {
        count(type, true);
        const uint64_t more = inside.u64();
        return more > end - at - size ? end - at : size + more;
      }
      case kRecordCompressed:
      case kRecordCompressed2:
        compressed_++;
        count(type, true);
        break;
      default: break;  // for perf itself
    }
    return size;
  }

  uint64_t timeOf(uint32_t type, std::string_view body) const {
    if (head_.attrs().empty()) return 0;
    const Attr& any = head_.attrs()[0];
    if (type != kRecordSample) return trailerOf(body, head_.isSwapped(), any).time;
    const Attr* attr = eventOf(body);
    if (attr == nullptr || (attr->sampleType & kSampleTime) == 0) return 0;
    Fields fields(body, head_.isSwapped());
    for (const uint64_t bit : {kSampleIdentifier, kSampleIp, kSampleTid}) {
      if ((attr->sampleType & bit) != 0) fields.skip(8);
    }
    return fields.u64();
  }

  const Attr* eventOf(std::string_view body) const {
    if (head_.attrs().size() == 1) return &head_.attrs()[0];
    return head_.find(idOf(body, head_.isSwapped(), head_.attrs()[0]));
  }

  void flushHalf() {
    std::vector<uint64_t> times;
    for (const Waiting& each : waiting_) times.push_back(each.time);
    const auto middle = times.begin() + static_cast<ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    flush(*middle);
  }

  // Takes what is not later.
  void flush(uint64_t time) {
    std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
      return a.time != b.time ? a.time < b.time : a.offset < b.offset;
    });
    size_t done = 0;
    for (; done < waiting_.size() && waiting_[done].time <= time; done++) {
      const Waiting& each = waiting_[done];
      Fields fields(file_.substr(each.offset, 8), head_.isSwapped());
      const uint32_t type = fields.u32();
      take(type, fields.u16(), file_.substr(each.offset + 8, each.size - 8));
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(done));
  }

  void count(uint32_t type, bool isLeft) {
    Counts*& counts = counts_[type];
    if (counts == nullptr) counts = recording_.kind(nameOfType(type));
    counts->read++;
    if (isLeft) counts->left++;
  }

  int64_t checkedTime(const SampleFields& fields) {
    if (!fields.hasTime) return kNoTime;
    if (fields.time > static_cast<uint64_t>(kMostNs)) {
      recording_.fault(Fault::kBadTime);
      return kNoTime;
    }
    recording_.hasTimes = true;
    return static_cast<int64_t>(fields.time);
  }

  void take(uint32_t type, uint16_t misc, std::string_view body) {
    if (head_.attrs().empty()) {
      recording_.fault(Fault::kRecord);
      return;
    }
    if (type == kRecordSample) {
      sample(misc, body);
      return;
    }
    const SampleFields trailer = trailerOf(body, head_.isSwapped(), head_.attrs()[0]);
    Fields fields(body, head_.isSwapped());
    bool isLeft = false;
    switch (type) {
      case kRecordMmap:
      case kRecordMmap2: map(type, misc, &fields); break;
      case kRecordComm: {
        const int64_t pid = fields.i32(), tid = fields.i32();
        if ((misc & kMiscExec) != 0) spaces_.exec(pid);
        recording_.thread(pid, tid, -1, fields.text());
        break;
      }
      case kRecordFork: fork(&fields, checkedTime(trailer)); break;
      case kRecordExit: {
        fields.i32(), fields.i32();
        const uint32_t thread = recording_.find(fields.i32(), -1);
        const int64_t ns = checkedTime(trailer);
        if (thread != kNone && ns != kNoTime && !recording_.threads[thread].records.empty()) {
          recording_.threads[thread].add({ns, 0, 0, 0, Type::kEnd});
        }
        break;
      }
      case kRecordLost:
        fields.u64();
        recording_.fault(Fault::kLost, fields.u64());
        break;
      case kRecordLostSamples: recording_.fault(Fault::kLost, fields.u64()); break;
      case kRecordThrottle: recording_.fault(Fault::kThrottled); break;
      case kRecordUnthrottle: break;
      case kRecordSwitch:
      case kRecordSwitchCpuWide: {
        const int64_t ns = checkedTime(trailer);
        const uint32_t thread = trailer.tid < 0 || ns == kNoTime ? kNone : recording_.thread(trailer.pid, trailer.tid, trailer.cpu, {});
        isLeft = thread == kNone;
        if (isLeft) break;
        hasSamples_ = recording_.hasSwitchRecords = true;
        if ((misc & kMiscOut) != 0) {
          recording_.threads[thread].add({ns, (misc & kMiscPreempt) != 0 ? kPreempted : kBlocked, 0, 0, Type::kOut});
        } else {
          recording_.threads[thread].add({ns, 0, 0, 0, Type::kIn});
        }
        break;
      }
      default: isLeft = true;
    }
    count(type, isLeft);
  }

  void map(uint32_t type, uint16_t misc, Fields* fields) {
    const int64_t pid = fields->i32();
    fields->i32();
    const uint64_t start = fields->u64(), bytes = fields->u64(), offset = fields->u64();
    std::string buildId;
    if (type == kRecordMmap2) {
      if ((misc & kMiscBuildId) != 0) {
        const std::string_view size = fields->bytes(1);
        fields->skip(3);
        buildId = hex(fields->bytes(20).substr(0, size.empty() ? 0 : static_cast<unsigned char>(size[0])));
      } else {
        fields->skip(24);
      }
      fields->skip(8);  // protection and flags
    }
    if (fields->isCut()) {
      recording_.fault(Fault::kRecord);
      return;
    }
    spaces_.map(pid, (misc & kModeMask) == kModeKernel, start, bytes, offset, fields->text(), buildId);
  }

  void fork(Fields* fields, int64_t ns) {
    const int64_t pid = fields->i32(), parent = fields->i32(), tid = fields->i32(), creator = fields->i32();
    if (fields->isCut()) return;
    const uint32_t from = recording_.find(creator, -1);
    recording_.forget(tid);
    const uint32_t number = recording_.thread(pid, tid, -1, {});
    if (number == kNone) return;
    Thread& thread = recording_.threads[number];
    thread.beginNs = ns;
    spaces_.fork(pid, parent);
    if (pid != parent) thread.parentPid = parent;
    if (from == kNone) return;
    if (thread.name.empty()) thread.name = recording_.threads[from].name;
    if (pid != parent) return;
    thread.creator = from;
    if (ns != kNoTime) recording_.threads[from].add({ns, number, 0, 0, Type::kCreate});
  }

  void sample(uint16_t misc, std::string_view body) {
    const Attr* attr = eventOf(body);
    if (attr == nullptr || attr->event == kNone) {
      recording_.fault(attr == nullptr ? Fault::kRecord : Fault::kManyEvents);
      return;
    }
    const SampleFields fields = sampleOf(body, head_.isSwapped(), *attr, head_.arch() == "x86_64");
    Counts*& counts = sampleCounts_[attr->event];
    if (counts == nullptr) counts = recording_.kind(attr->name);
    counts->read++;
    int64_t ns = checkedTime(fields);
    if (fields.isCut || (fields.hasTime && ns == kNoTime)) {
      if (fields.isCut) recording_.fault(Fault::kRecord);
      counts->left++;
      return;
    }
    const uint32_t number = recording_.thread(fields.pid, fields.tid, fields.cpu, {});
    if (number == kNone) {
      recording_.fault(Fault::kManyThreads);
      counts->left++;
      return;
    }
    hasSamples_ = true;
    if (!fields.hasTime) {
      const Thread& thread = recording_.threads[number];
      ns = (thread.records.empty() ? 0 : thread.records.back().ns) +
           static_cast<int64_t>(std::clamp<uint64_t>(fields.period, 1, 1'000'000'000));
    }
    const uint32_t stack = stackOf(misc, fields);
    Event& event = recording_.events[attr->event];
    if (attr->type == 2 && fields.raw.size() >= kWokenPid + 4) {
      if (event.name == "sched:sched_switch" && fields.raw.size() >= kNextPid + 4) {
        switched(ns, number, stack, fields, static_cast<uint16_t>(attr->event));
        return;
      }
      if (event.name.compare(0, 15, "sched:sched_wak") == 0) {
        Fields raw(fields.raw.substr(kWokenPid), head_.isSwapped());
        const int64_t tid = raw.i32();
        const uint32_t woken = tid > 0 ? recording_.find(tid, -1) : kNone;
        if (woken != kNone) recording_.threads[woken].add({ns, 0, 0, 0, Type::kWoken});
      }
    }
    event.samples++;
    event.periods += fields.period;
    event.hasPeriod = (attr->sampleType & kSamplePeriod) != 0 || !attr->isFrequency();
    recording_.threads[number].add({ns, fields.period, stack, static_cast<uint16_t>(attr->event), Type::kSample});
  }

  void switched(int64_t ns, uint32_t number, uint32_t stack, const SampleFields& fields, uint16_t event) {
    recording_.hasSwitchRecords = true;
    Fields state(fields.raw.substr(kPrevState), head_.isSwapped());
    constexpr uint64_t kSleeps = 0xFF;  // other bits tell that it was preempted
    recording_.threads[number].add({ns, (state.u64() & kSleeps) == 0 ? kPreempted : kBlocked, stack, event, Type::kOut});
    std::string_view name = fields.raw.substr(kNextName, kNameBytes);
    name = name.substr(0, std::min(name.find('\0'), name.size()));
    Fields next(fields.raw.substr(kNextPid), head_.isSwapped());
    const uint32_t other = recording_.thread(-1, next.i32(), fields.cpu, name);
    if (other != kNone) recording_.threads[other].add({ns, 0, 0, event, Type::kIn});
  }

  uint32_t stackOf(uint16_t misc, const SampleFields& fields) {
    frames_.clear();
    bool isKernel = (misc & kModeMask) == kModeKernel, hasUser = false;
    const auto add = [&](uint64_t address) {
      // The calls of functions are before the addresses to which they return.
      const uint32_t frame = spaces_.frame(fields.pid, isKernel, address - (frames_.empty() ? 0 : 1));
      if (frame != kNone) frames_.push_back(frame);
      hasUser = hasUser || !isKernel;
    };
    Fields chain(fields.chain, head_.isSwapped());
    while (chain.left() >= 8) {
      const uint64_t address = chain.u64();
      if (address >= kContextFirst) {
        if (address == kContextKernel) isKernel = true;
        if (address == kContextUser) isKernel = false;
      } else if (address != 0) {
        add(address);
      }
    }
    if (frames_.empty() && fields.ip != 0) add(fields.ip);
    if (fields.hasUserStack) {
      recording_.fault(Fault::kUserStack);
      if (!hasUser && fields.userIp != 0) {
        isKernel = false;
        add(fields.userIp);
      }
    }
    if (frames_.empty()) recording_.fault(Fault::kNoStack);
    return recording_.stack(frames_);
  }

  std::string_view file_;
  const std::string& path_;
  Recording& recording_;
  AddressSpaces spaces_;
  DataHead head_;
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> frames_;
  uint64_t latest_ = 0, roundEnd_ = 0, compressed_ = 0;
  bool hasSamples_ = false;
  std::unordered_map<uint32_t, Counts*> counts_, sampleCounts_;
};

}  // namespace

std::string readData(std::string_view file, const std::string& path, Recording* recording,
                     const std::function<void(uint64_t done)>& progress) {
  return DataReader(file, path, recording).read(progress);
}

}  // namespace parallax::perf
