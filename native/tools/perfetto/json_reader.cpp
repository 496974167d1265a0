#include "tools/perfetto/json_reader.h"

#include <cstdlib>
#include <cstring>

#include "tools/perfetto/json_scanner.h"

namespace parallax::perfetto {
namespace {

constexpr uint64_t kEventsBetweenProgress = 4096;
constexpr size_t kMostPhase = 24;  // letters of a phase that are shown

const char* phaseName(char phase) {
  switch (phase) {
    case 'B': return "B (begin)";
    case 'E': return "E (end)";
    case 'X': return "X (complete)";
    case 'i': case 'I': case 'R': return "i (instant)";
    case 'C': return "C (counter)";
    case 'b': case 'S': return "b (asynchronous begin)";
    case 'n': case 'T': case 'p': return "n (asynchronous instant)";
    case 'e': case 'F': return "e (asynchronous end)";
    case 's': return "s (flow begin)";
    case 't': return "t (flow step)";
    case 'f': return "f (flow end)";
    case 'M': return "M (metadata)";
    case 'P': return "P (sample)";
    case 'N': return "N (object created)";
    case 'O': return "O (object snapshot)";
    case 'D': return "D (object deleted)";
    case 'v': case 'V': return "v (memory dump)";
    case 'c': return "c (clock synchronization)";
    case '(': case ')': return "( (context)";
    case '=': return "= (linked id)";
    default: return nullptr;
  }
}

class JsonReader {
 public:
  JsonReader(ByteSource* source, const std::string& path, Timeline* timeline, const std::function<void()>& progress)
      : scan_(source), path_(path), out_(*timeline), progress_(progress) {}

  bool read() {
    // A mark of UTF-8 before the text.
    if (scan_.next() == 0xEF) {
      for (int i = 0; i < 3; i++) scan_.source().get();
    }
    const int first = scan_.next();
    if (first == '[') {
      array(true);
      return true;
    }
    return first == '{' && object();
  }

 private:
  struct Event {
    Scalar name, category, phase, time, duration, pid, tid, id, scope, bind;
    Scalar argumentName;  // "name" of the arguments
    bool hasLocalId = false;
  };
  struct Argument {
    std::string key;
    double number;
  };

  std::string at() {
    return path_ + ", at byte " + std::to_string(scan_.source().offset()) +
           (scan_.source().isCompressed() ? " of the uncompressed text" : "");
  }

  // The object form. Its array can be anywhere in it.
  bool object() {
    scan_.take('{');
    if (scan_.take('}')) return false;
    do {
      if (!scan_.string(&key_) || (!scan_.take(':') && !scan_.fail("a colon is expected"))) return cut();
      if (key_ == "traceEvents" && scan_.next() == '[') {
        hasEvents_ = true;
        if (!array(false)) return true;
        continue;
      }
      const bool isTold = key_ == "displayTimeUnit";  // it only says how times are shown
      if (!isTold) out_.definition(key_);
      if (!scan_.skip()) return cut();
    } while (scan_.take(','));
    if (!scan_.take('}')) {
      scan_.fail("a comma or the end of the object is expected");
      return cut();
    }
    return hasEvents_;
  }

  bool cut() {
    if (hasEvents_) out_.warn(at() + ": " + scan_.what() + "; what is before was read");
    return hasEvents_;
  }

  // Returns whether the rest of the file can be read. Chrome does not end the array if it is the whole file.
  bool array(bool mayLackEnd) {
    scan_.take('[');
    for (;;) {
      const int c = scan_.next();
      if (c == ']') {
        scan_.take(']');
        return true;
      }
      if (c < 0) {
        if (!mayLackEnd) out_.warn(at() + ": the file ends before its events; those before were read");
        return false;
      }
      const uint64_t begin = scan_.source().offset();
      if (c == '{' ? event() : scan_.fail("an event is expected")) {
        if (scan_.take(',') || scan_.next() == ']' || scan_.next() < 0) continue;
        scan_.fail("a comma or the end of the array is expected");
      }
      const std::string where = at();
      const std::string what = scan_.what();
      const bool goesOn = scan_.recover();
      out_.warn(where + ": " + what + "; " + std::to_string(scan_.source().offset() - begin) + " bytes were left out");
      if (!goesOn) return false;
    }
  }

  bool event() {
    for (Scalar* each : {&event_.name, &event_.category, &event_.phase, &event_.time, &event_.duration, &event_.pid,
                         &event_.tid, &event_.id, &event_.scope, &event_.bind, &event_.argumentName}) {
      each->kind = Scalar::Kind::kNone;
      each->text.clear();
    }
    event_.hasLocalId = false;
    argumentCount_ = 0;
    argumentTexts_ = 0;
    scan_.take('{');
    if (!scan_.take('}')) {
      do {
        if (!scan_.string(&key_) || (!scan_.take(':') && !scan_.fail("a colon is expected"))) return false;
        if (!field()) return false;
      } while (scan_.take(','));
      if (!scan_.take('}')) return scan_.fail("a comma or the end of the event is expected");
    }
    convert();
    if (++events_ % kEventsBetweenProgress == 0 && progress_) progress_();
    return true;
  }

  bool field() {
    Scalar* to = key_ == "name"   ? &event_.name
                 : key_ == "cat"  ? &event_.category
                 : key_ == "ph"   ? &event_.phase
                 : key_ == "ts"   ? &event_.time
                 : key_ == "dur"  ? &event_.duration
                 : key_ == "pid"  ? &event_.pid
                 : key_ == "tid"  ? &event_.tid
                 : key_ == "id"   ? &event_.id
                 : key_ == "scope" ? &event_.scope
                 : key_ == "bind_id" ? &event_.bind
                                     : nullptr;
    if (to != nullptr) return scan_.value(to);
    if (key_ == "args" && scan_.next() == '{') return arguments();
    if (key_ == "id2" && scan_.next() == '{') return secondId();
    // Thread time is not that of the clock; the others say how an event is drawn.
    if (key_ != "bp" && key_ != "s" && key_ != "cname" && key_ != "flow_in" && key_ != "flow_out") out_.attribute(key_).read++, out_.attribute(key_).left++;
    return scan_.skip();
  }

  bool secondId() {
    scan_.take('{');
    if (scan_.take('}')) return true;
    do {
      if (!scan_.string(&key_) || (!scan_.take(':') && !scan_.fail("a colon is expected"))) return false;
      event_.hasLocalId = key_ == "local";
      if (!scan_.value(&event_.id)) return false;
    } while (scan_.take(','));
    return scan_.take('}') || scan_.fail("the end of an id is expected");
  }

  bool arguments() {
    scan_.take('{');
    if (scan_.take('}')) return true;
    do {
      if (!scan_.string(&key_) || (!scan_.take(':') && !scan_.fail("a colon is expected")) || !scan_.value(&value_)) {
        return false;
      }
      if (key_ == "name") event_.argumentName = value_;
      if (argumentCount_ == arguments_.size()) arguments_.emplace_back();
      Argument& argument = arguments_[argumentCount_++];
      argument.key = key_;
      char* end = nullptr;
      argument.number = value_.kind == Scalar::Kind::kNone || value_.text.empty() ? 0
                                                                                  : std::strtod(value_.text.c_str(), &end);
      const bool isNumber = end != nullptr && *end == '\0' && argument.number == argument.number;
      if (!isNumber) {
        argument.key.insert(0, 1, '\0');  // no value of a counter
        argumentTexts_++;
      }
    } while (scan_.take(','));
    return scan_.take('}') || scan_.fail("a comma or the end of the arguments is expected");
  }

  // Names are numbers mostly; some tools write texts.
  int64_t number(const Scalar& scalar, bool* isText) {
    *isText = false;
    char* end = nullptr;
    if (scalar.kind == Scalar::Kind::kNone || scalar.text.empty()) return 0;
    const long long number = std::strtoll(scalar.text.c_str(), &end, 10);
    if (*end == '\0' || scalar.kind == Scalar::Kind::kWord) return number;
    *isText = true;
    return static_cast<int64_t>(hashOf(scalar.text) | uint64_t{1} << 63);
  }

  uint32_t processOf() {
    bool isText;
    const int64_t pid = number(event_.pid, &isText);
    const uint32_t process = out_.process(pid);
    if (isText && process != Timeline::kNone && out_.processes[process].name.empty()) {
      out_.processes[process].name = event_.pid.text;
    }
    return process;
  }

  // kNone if there are too many.
  uint32_t trackOf() {
    // Events of one thread mostly follow one another.
    if (lastTrack_ != Timeline::kNone && event_.pid.text == lastPid_ && event_.tid.text == lastTid_) return lastTrack_;
    const uint32_t process = processOf();
    if (process == Timeline::kNone) return Timeline::kNone;
    bool isText;
    const int64_t tid = number(event_.tid, &isText);
    const uint32_t track = out_.thread(process, tid);
    if (isText && track != Timeline::kNone && out_.tracks[track].name.empty()) out_.tracks[track].name = event_.tid.text;
    lastTrack_ = track;
    lastPid_ = event_.pid.text;
    lastTid_ = event_.tid.text;
    return track;
  }

  void leave(Count* kind, Fault fault) {
    kind->left++;
    out_.fault(fault);
  }

  uint32_t nameOf() {
    if (!event_.name.text.empty()) return out_.name(event_.name.text);
    out_.fault(Fault::kNoName);
    return out_.name("[no name]");
  }

  void convert() {
    const char phase = event_.phase.text.size() == 1 ? event_.phase.text[0] : '\0';
    const char* known = phaseName(phase);
    Count& kind = *kindOf(phase, known);
    kind.read++;
    const bool keepsArguments = phase == 'C' || phase == 'M';
    for (size_t i = 0; i < argumentCount_ && !keepsArguments; i++) {
      const std::string& key = arguments_[i].key;
      Count& attribute = out_.attribute(!key.empty() && key[0] == '\0' ? std::string_view(key).substr(1) : key);
      attribute.read++, attribute.left++;
    }
    if (known == nullptr) {
      if (event_.phase.text.empty()) out_.fault(Fault::kNoPhase);
      kind.left++;
      return;
    }
    if (phase == 'M') {
      metadata(&kind);
      return;
    }
    if (strchr("PNODvVc()=", phase) != nullptr) {
      kind.left++;
      return;
    }
    int64_t ns = 0;
    if (event_.time.text.empty()) return leave(&kind, Fault::kNoTime);
    if (!parseMicroseconds(event_.time.text, &ns)) return leave(&kind, Fault::kBadTime);
    timed(phase, ns, &kind);
  }

  Count* kindOf(char phase, const char* known) {
    Count*& kind = kinds_[static_cast<unsigned char>(known == nullptr ? '\0' : phase)];
    if (known == nullptr) {
      std::string name = "[no phase]";
      if (!event_.phase.text.empty()) name = event_.phase.text.substr(0, kMostPhase) + " (unknown)";
      return &out_.kind(name);
    }
    if (kind == nullptr) kind = &out_.kind(known);
    return kind;
  }

  void timed(char phase, int64_t ns, Count* kind) {
    if (phase == 'C') return counter(ns, kind);
    const bool isAsync = strchr("bneSTpF", phase) != nullptr;
    const uint32_t place = isAsync ? processOf() : trackOf();
    if (place == Timeline::kNone) return leave(kind, Fault::kManyTracks);
    switch (phase) {
      case 'B':
        out_.tracks[place].add({ns, 0, nameOf(), Type::kBegin});
        break;
      case 'E':
        out_.tracks[place].add({ns, 0, event_.name.text.empty() ? kNoName : out_.name(event_.name.text), Type::kEnd});
        break;
      case 'X': {
        int64_t duration = 0;
        if (event_.duration.text.empty()) {
          out_.fault(Fault::kNoDuration);
        } else if (!parseMicroseconds(event_.duration.text, &duration) || duration < 0) {
          return leave(kind, Fault::kBadTime);
        }
        out_.tracks[place].add({ns, static_cast<uint64_t>(duration), nameOf(), Type::kSlice});
        break;
      }
      case 'i': case 'I': case 'R':
        out_.tracks[place].add({ns, 0, nameOf(), Type::kMark});
        break;
      case 's': case 't': case 'f':
        if (event_.id.text.empty()) return leave(kind, Fault::kNoId);
        // A local id is one of its process.
        out_.flow(keyOf(event_.hasLocalId ? event_.name.text + "\t" + event_.pid.text : event_.name.text), place, ns,
                  phase == 's' ? Timeline::FlowStep::kBegin
                  : phase == 't' ? Timeline::FlowStep::kStep : Timeline::FlowStep::kEnd);
        return;
      default:
        asynchronous(phase, place, ns, kind);
        return;
    }
    // A slice can be the begin of a flow by itself.
    if (!event_.bind.text.empty()) out_.flow(hashOf(event_.bind.text, 1), place, ns, Timeline::FlowStep::kStep);
  }

  uint64_t keyOf(const std::string& name) const {
    return hashOf(event_.id.text, hashOf(event_.scope.text, hashOf(event_.category.text, hashOf(name))));
  }

  void asynchronous(char phase, uint32_t process, int64_t ns, Count* kind) {
    if (event_.id.text.empty()) return leave(kind, Fault::kNoId);
    const Type type = phase == 'b' || phase == 'S' ? Type::kBegin : phase == 'e' || phase == 'F' ? Type::kEnd : Type::kMark;
    const std::string& group = event_.category.text.empty() ? event_.name.text : event_.category.text;
    // Ends of a nested slice can have another name, and are matched by it, as those of threads are.
    const uint32_t name = type == Type::kEnd && event_.name.text.empty() ? kNoName : nameOf();
    out_.async(process, out_.name(group), keyOf(""), {ns, 0, name, type});
  }

  void counter(int64_t ns, Count* kind) {
    const uint32_t process = processOf();
    if (process == Timeline::kNone) return leave(kind, Fault::kManyTracks);
    std::string name = event_.name.text.empty() ? "[no name]" : event_.name.text;
    if (!event_.id.text.empty()) name += "[" + event_.id.text + "]";
    if (argumentTexts_ == argumentCount_) return leave(kind, Fault::kNoValue);
    out_.fault(Fault::kNoValue, argumentTexts_);
    for (size_t i = 0; i < argumentCount_; i++) {
      const Argument& argument = arguments_[i];
      if (!argument.key.empty() && argument.key[0] == '\0') continue;
      const uint32_t metric = out_.metric(argumentCount_ == 1 ? name : name + "." + argument.key);
      uint64_t bits;
      memcpy(&bits, &argument.number, sizeof bits);
      out_.processes[process].counters.push_back({ns, bits, metric, Type::kValue});
    }
  }

  void metadata(Count* kind) {
    const std::string& what = event_.name.text;
    const bool isProcess = what == "process_name";
    if (!isProcess && what != "thread_name") {  // labels, and the order in which threads are shown
      kind->left++;
      out_.definition(what.empty() ? "[metadata without a name]" : what);
      return;
    }
    if (isProcess) {
      const uint32_t process = processOf();
      if (process == Timeline::kNone) return leave(kind, Fault::kManyTracks);
      out_.processes[process].name = event_.argumentName.text;
      return;
    }
    const uint32_t track = trackOf();
    if (track == Timeline::kNone) return leave(kind, Fault::kManyTracks);
    out_.tracks[track].name = event_.argumentName.text;
  }

  JsonScanner scan_;
  const std::string& path_;
  Timeline& out_;
  const std::function<void()>& progress_;
  Event event_;
  std::string key_;
  Scalar value_;
  std::vector<Argument> arguments_;
  size_t argumentCount_ = 0, argumentTexts_ = 0;
  Count* kinds_[256] = {};
  std::string lastPid_, lastTid_;
  uint32_t lastTrack_ = Timeline::kNone;
  uint64_t events_ = 0;
  bool hasEvents_ = false;
};

}  // namespace

bool readJson(ByteSource* source, const std::string& path, Timeline* timeline, const std::function<void()>& progress) {
  return JsonReader(source, path, timeline, progress).read();
}

}  // namespace parallax::perfetto
