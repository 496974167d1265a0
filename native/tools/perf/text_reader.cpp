#include "tools/perf/text_reader.h"

#include <string.h>

#include "tools/perf/text_line.h"

namespace parallax::perf {

namespace {

constexpr size_t kMostLine = 1 << 20;
constexpr uint64_t kLinesBetweenProgress = 1 << 14;
constexpr char kUnknown[] = "[unknown]";

bool startsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

class TextReader {
 public:
  TextReader(conversion::ByteSource* source, const std::string& path, Recording* recording)
      : source_(*source), path_(path), recording_(*recording) {
    recording->hasTimes = recording->hasPids = false;
  }

  bool read(const std::function<void()>& progress) {
    std::string line;
    for (uint64_t lines = 0; readLine(&line); lines++) {
      if (lines % kLinesBetweenProgress == 0) progress();
      take(line);
    }
    endSample();
    if (!hasSamples_) return false;
    if (badLines_ > 0) recording_.fault(Fault::kLine, badLines_);
    // Where no line tells a process or a time, none is known.
    return true;
  }

 private:
  bool readLine(std::string* line) {
    line->clear();
    if (source_.peek() < 0) return false;
    number_++;
    for (;;) {
      if (source_.peek() < 0) break;
      const char* end = static_cast<const char*>(memchr(source_.data(), '\n', source_.available()));
      const size_t bytes = end == nullptr ? source_.available() : static_cast<size_t>(end - source_.data());
      if (line->size() + bytes <= kMostLine) line->append(source_.data(), bytes);
      source_.skip(bytes + (end == nullptr ? 0 : 1));
      if (end != nullptr) break;
    }
    if (!line->empty() && line->back() == '\r') line->pop_back();
    return true;
  }

  void take(const std::string& line) {
    if (line.empty()) {
      endSample();
      return;
    }
    if (line[0] == '#') {
      comment(line);
      return;
    }
    FrameLine frame;
    if (line[0] == '\t' && inSample_ && parseFrame(line, &frame)) {
      addFrame(frame);
      return;
    }
    HeadLine head;
    if (parseHead(line, &head)) {
      endSample();
      begin(head);
    } else if (inSample_ && (line[0] == ' ' || line[0] == '\t')) {
      // A frame, or what further fields print below it, such as the line of the source.
      if (parseFrame(line, &frame)) {
        addFrame(frame);
      } else {
        skipped("lines of further fields");
      }
    } else {
      endSample();
      bad();
    }
  }

  void bad() {
    if (badLines_++ == 0) recording_.warn(path_ + ", line " + std::to_string(number_) + ": the line cannot be understood");
  }

  void skipped(const char* what) {
    Counts& attribute = recording_.attributes[what];
    attribute.read++;
    attribute.left++;
  }

  void comment(const std::string& line) {
    constexpr std::string_view kHost = "# hostname : ";
    if (startsWith(line, kHost)) recording_.host = line.substr(kHost.size());
  }

  void begin(const HeadLine& head) {
    if (startsWith(head.event, "PERF_RECORD_")) {
      record(head);
      return;
    }
    inSample_ = true;
    frames_.clear();
    inlined_.clear();
    sample_ = head;
    event_ = head.event.empty() ? "samples" : std::string(head.event);
    name_ = head.name;
    rest_ = head.rest;
    sample_.name = name_;
    sample_.event = event_;
    sample_.rest = rest_;
  }

  void addFrame(const FrameLine& frame) {
    if (frames_.size() >= kMostFrames) return;
    inlined_.append(frame.function.empty() ? std::string_view(kUnknown) : frame.function);
    if (frame.isInlined) {
      inlined_ += '\n';
      return;
    }
    const uint32_t module = recording_.module(frame.file.empty() ? std::string_view(kUnknown) : frame.file, {}, true);
    if (module == kNone) {
      recording_.fault(Fault::kManyModules);
    } else {
      frames_.push_back(recording_.frame(module, inlined_));
    }
    inlined_.clear();
  }

  uint32_t thread(const HeadLine& head) {
    if (head.pid >= 0) recording_.hasPids = true;
    const uint32_t number = recording_.thread(head.pid, head.tid, head.cpu, head.name);
    if (number == kNone) recording_.fault(Fault::kManyThreads);
    return number;
  }

  // Without times, samples follow each other by their periods.
  int64_t timeOf(const HeadLine& head, uint32_t thread) {
    if (head.ns != kNoTime) {
      recording_.hasTimes = true;
      return head.ns;
    }
    const Thread& of = recording_.threads[thread];
    const int64_t last = of.records.empty() ? 0 : of.records.back().ns;
    return last + static_cast<int64_t>(head.hasPeriod && head.period < 1'000'000'000 ? std::max<uint64_t>(head.period, 1) : 1'000'000);
  }

  void endSample() {
    if (!inSample_) return;
    inSample_ = false;
    Counts& kind = *recording_.kind(event_);
    kind.read++;
    if (!inlined_.empty()) {  // the function around it is missing
      const uint32_t module = recording_.module(kUnknown, {}, true);
      if (inlined_.back() == '\n') inlined_.pop_back();
      if (module != kNone) frames_.push_back(recording_.frame(module, inlined_));
      inlined_.clear();
    }
    FrameLine frame;
    // Without call paths, the function is in the same line. What tracepoints tell there does not end with a file.
    if (frames_.empty() && parseFrame(rest_, &frame) && !frame.function.empty() && !frame.file.empty()) {
      addFrame(frame);
    }
    const uint32_t event = recording_.event(event_);
    const uint32_t number = thread(sample_);
    if (event == kNone) recording_.fault(Fault::kManyEvents);
    if (event == kNone || number == kNone) {
      kind.left++;
      return;
    }
    if (sample_.ns != kNoTime && (sample_.ns < 0 || sample_.ns > kMostNs)) {
      recording_.fault(Fault::kBadTime);
      kind.left++;
      return;
    }
    hasSamples_ = true;
    if (frames_.empty()) recording_.fault(Fault::kNoStack);
    const uint32_t stack = recording_.stack(frames_);
    const int64_t ns = timeOf(sample_, number);
    if (event_ == "sched:sched_switch" && hasSwitch(ns, number, stack)) return;
    if (startsWith(event_, "sched:sched_wak")) wake(ns);
    Event& of = recording_.events[event];
    of.samples++;
    of.hasPeriod = of.hasPeriod || sample_.hasPeriod;
    const uint64_t period = sample_.hasPeriod ? sample_.period : 1;
    of.periods += period;
    recording_.threads[number].add({ns, period, stack, static_cast<uint16_t>(event), Type::kSample});
  }

  // "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120", or "a:1 [120] S ==> b:2 [120]".
  bool hasSwitch(int64_t ns, uint32_t number, uint32_t stack) {
    const size_t arrow = rest_.find(" ==> ");
    if (arrow == std::string::npos) return false;
    const std::string_view before = std::string_view(rest_).substr(0, arrow), after = std::string_view(rest_).substr(arrow + 5);
    std::string_view state = valueOf(before, "prev_state=");
    int64_t next = -1;
    std::string nextName;
    if (!state.empty()) {
      if (!parseNumber(valueOf(after, "next_pid="), &next)) return false;
      const size_t name = after.find("next_comm="), end = after.find(" next_pid=");
      if (name != std::string_view::npos && end != std::string_view::npos && end > name) {
        nextName = after.substr(name + 10, end - name - 10);
      }
    } else {
      state = before.substr(before.rfind(' ') + 1);
      const size_t bracket = after.rfind(" [");
      const std::string_view who = after.substr(0, bracket);
      const size_t colon = who.rfind(':');
      if (colon == std::string_view::npos || !parseNumber(who.substr(colon + 1), &next)) return false;
      nextName = who.substr(0, colon);
    }
    recording_.hasSwitchRecords = true;
    const auto event = static_cast<uint16_t>(recording_.event(event_));
    recording_.threads[number].add({ns, startsWith(state, "R") ? kPreempted : kBlocked, stack, event, Type::kOut});
    const uint32_t other = recording_.thread(-1, next, sample_.cpu, nextName);
    if (other == kNone) {
      recording_.fault(Fault::kManyThreads);
    } else {
      recording_.threads[other].add({ns, 0, 0, event, Type::kIn});
    }
    return true;
  }

  // "comm=a pid=1 prio=120 ...", or "a:1 [120] ...".
  void wake(int64_t ns) {
    int64_t tid = -1;
    if (!parseNumber(valueOf(rest_, "pid="), &tid)) {
      const std::string_view who = std::string_view(rest_).substr(0, rest_.find(" ["));
      const size_t colon = who.rfind(':');
      if (colon == std::string_view::npos || !parseNumber(who.substr(colon + 1), &tid)) return;
    }
    if (tid <= 0) return;
    const uint32_t woken = recording_.find(tid, -1);
    if (woken != kNone) recording_.threads[woken].add({ns, 0, 0, 0, Type::kWoken});
  }

  // "(1204:1205)": the numbers of a process and a thread.
  static bool pairAt(std::string_view text, size_t at, int64_t* pid, int64_t* tid) {
    const size_t open = text.find('(', at), colon = text.find(':', open), close = text.find(')', colon);
    return open != std::string_view::npos && colon != std::string_view::npos && close != std::string_view::npos &&
           parseNumber(text.substr(open + 1, colon - open - 1), pid) && parseNumber(text.substr(colon + 1, close - colon - 1), tid);
  }

  void record(const HeadLine& head) {
    endSample();
    Counts& kind = *recording_.kind(std::string(head.event));
    kind.read++;
    const std::string_view text = head.rest;
    int64_t pid = -1, tid = -1;
    if (head.event == "PERF_RECORD_COMM") {
      const size_t slash = text.rfind('/'), colon = text.rfind(':'), name = text.find(": ");
      if (slash != std::string_view::npos && colon != std::string_view::npos && colon < slash && name + 2 <= colon &&
          parseNumber(text.substr(colon + 1, slash - colon - 1), &pid) && parseNumber(text.substr(slash + 1), &tid)) {
        recording_.hasPids = true;
        recording_.thread(pid, tid, head.cpu, text.substr(name + 2, colon - name - 2));
        return;
      }
    } else if (head.event == "PERF_RECORD_FORK" || head.event == "PERF_RECORD_EXIT") {
      int64_t parent = -1, creator = -1;
      if (pairAt(text, 0, &pid, &tid) && pairAt(text, text.find(')'), &parent, &creator)) {
        recording_.hasPids = true;
        const bool isFork = head.event == "PERF_RECORD_FORK";
        const uint32_t from = isFork ? recording_.find(creator, -1) : kNone;
        if (isFork) recording_.forget(tid);
        const uint32_t number = recording_.thread(pid, tid, -1, {});
        if (number == kNone) return;
        Thread& thread = recording_.threads[number];
        if (!isFork) {
          if (head.ns != kNoTime && !thread.records.empty()) thread.add({head.ns, 0, 0, 0, Type::kEnd});
          return;
        }
        thread.beginNs = head.ns;
        if (pid != parent) thread.parentPid = parent;
        if (from != kNone) {
          if (thread.name.empty()) thread.name = recording_.threads[from].name;
          if (pid == parent) {
            thread.creator = from;
            if (head.ns != kNoTime) recording_.threads[from].add({head.ns, number, 0, 0, Type::kCreate});
          }
        }
        return;
      }
    } else if (head.event == "PERF_RECORD_SWITCH" || head.event == "PERF_RECORD_SWITCH_CPU_WIDE") {
      const uint32_t number = thread(head);
      if (number == kNone || head.ns == kNoTime) return;
      recording_.hasSwitchRecords = hasSamples_ = true;
      const bool isOut = text.find("OUT") != std::string_view::npos;
      const uint64_t state = text.find("preempt") != std::string_view::npos ? kPreempted : kBlocked;
      recording_.threads[number].add({head.ns, isOut ? state : 0, 0, 0, isOut ? Type::kOut : Type::kIn});
      return;
    } else if (startsWith(head.event, "PERF_RECORD_LOST")) {
      const size_t at = text.rfind("lost");
      const size_t digit = at == std::string_view::npos ? at : text.find_first_of("0123456789", at);
      int64_t lost = 0;
      std::string_view rest = digit == std::string_view::npos ? std::string_view() : text.substr(digit);
      if (parseNumber(nextWord(&rest), &lost) && lost > 0) {
        recording_.fault(Fault::kLost, static_cast<uint64_t>(lost));
        return;
      }
    } else if (startsWith(head.event, "PERF_RECORD_THROTTLE")) {
      recording_.fault(Fault::kThrottled);
      return;
    } else if (startsWith(head.event, "PERF_RECORD_MMAP")) {
      std::string_view rest = text;
      const std::string_view ids = nextWord(&rest);
      const size_t slash = ids.find('/');
      if (slash != std::string_view::npos && parseNumber(ids.substr(0, slash), &pid) &&
          parseNumber(ids.substr(slash + 1, ids.find(':') - slash - 1), &tid) && pid > 0) {
        recording_.hasPids = true;
        recording_.thread(pid, tid, -1, {});
      }
      kind.left++;  // frames have the names of their files
      return;
    }
    kind.left++;
  }

  static constexpr size_t kMostFrames = 1 << 16;

  conversion::ByteSource& source_;
  const std::string& path_;
  Recording& recording_;
  uint64_t number_ = 0;  // of the line, from 1
  uint64_t badLines_ = 0;
  bool inSample_ = false, hasSamples_ = false;
  HeadLine sample_;
  std::string event_, name_, rest_, inlined_;
  std::vector<uint32_t> frames_;
};

}  // namespace

bool readText(conversion::ByteSource* source, const std::string& path, Recording* recording,
              const std::function<void()>& progress) {
  return TextReader(source, path, recording).read(progress);
}

}  // namespace parallax::perf
