#include "tools/paraver/reader.h"

#include <string.h>
#include <strings.h>

#include <algorithm>
#include <string_view>

namespace parallax::paraver {
namespace {

using conversion::ByteSource;

constexpr uint64_t kLinesPerProgress = 1 << 16;
constexpr char kMagic[] = "#Paraver";
constexpr size_t kMostTold = 60;  // letters of a line that is no header

// The lines of a file, without their ends.
class Lines {
 public:
  explicit Lines(ByteSource* source) : in_(*source) {}

  // False at the end. The text is valid until the next call.
  bool next(std::string_view* line) {
    carry_.clear();
    isCut_ = false;
    for (;;) {
      if (in_.peek() < 0) {
        if (carry_.empty()) return false;
        isCut_ = true;
        *line = carry_;
        break;
      }
      const char* data = in_.data();
      const size_t bytes = in_.available();
      const auto* end = static_cast<const char*>(memchr(data, '\n', bytes));
      if (end == nullptr) {
        carry_.append(data, bytes);
        in_.skip(bytes);
        continue;
      }
      const auto length = static_cast<size_t>(end - data);
      in_.skip(length + 1);
      if (carry_.empty()) {
        *line = {data, length};
      } else {
        carry_.append(data, length);
        *line = carry_;
      }
      break;
    }
    number_++;
    if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
    return true;
  }
  uint64_t number() const { return number_; }
  bool isCut() const { return isCut_; }  // the last line has no end

 private:
  ByteSource& in_;
  std::string carry_;
  uint64_t number_ = 0;
  bool isCut_ = false;
};

// Numbers with colons between them.
class Fields {
 public:
  explicit Fields(std::string_view line) : at_(line.data()), end_(at_ + line.size()) {}

  // Takes the next number. False if there is none, or it is too large.
  bool next(uint64_t* value) {
    while (at_ != end_ && *at_ == ' ') at_++;
    isNegative_ = at_ != end_ && *at_ == '-';
    if (isNegative_) at_++;
    uint64_t number = 0;
    const char* from = at_;
    while (at_ != end_ && static_cast<unsigned char>(*at_ - '0') < 10) {
      const auto digit = static_cast<uint64_t>(*at_ - '0');
      if (number >= UINT64_MAX / 10 && (number > UINT64_MAX / 10 || digit > UINT64_MAX % 10)) return false;
      number = number * 10 + digit;
      at_++;
    }
    if (at_ == from) return false;
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) at_++;
    if (at_ != end_) {
      if (*at_ != ':') return false;
      at_++;
    }
    *value = isNegative_ ? 0 - number : number;
    return true;
  }
  bool isNegative() const { return isNegative_; }  // the last number
  bool isAtEnd() const { return at_ == end_; }

 private:
  const char* at_;
  const char* end_;
  bool isNegative_ = false;
};

class Reader {
 public:
  Reader(ByteSource* source, const std::string& path, Trace* trace, const std::function<void()>& progress)
      : lines_(source), path_(path), trace_(*trace), progress_(progress) {}

  std::string read() {
    std::string_view line;
    do {
      if (!lines_.next(&line)) return "is no trace of Paraver: it is empty";
    } while (line.empty());
    if (strncasecmp(line.data(), kMagic, std::min(line.size(), sizeof kMagic - 1)) == 0 && line.size() >= sizeof kMagic - 1) {
      header(line.substr(sizeof kMagic - 1));
    } else if (!isRecord(line)) {
      return "is no trace of Paraver: line " + std::to_string(lines_.number()) + " does not begin with #Paraver: " +
             shown(line);
    } else {
      warn("the header is missing: times are taken as microseconds");
      record(line);
    }
    while (lines_.next(&line)) {
      record(line);
      if (lines_.number() % kLinesPerProgress == 0 && progress_) progress_();
    }
    if (progress_) progress_();
    return "";
  }

 private:
  static bool isRecord(std::string_view line) { return line.size() > 2 && line[0] >= '1' && line[0] <= '4' && line[1] == ':'; }

  static std::string shown(std::string_view line) {
    std::string text;
    for (const char c : line.substr(0, kMostTold)) text += c < ' ' || c > '~' ? '?' : c;
    return text.size() < kMostTold ? text : text + "...";
  }

  void warn(const std::string& what) {
    trace_.warn(path_ + ", line " + std::to_string(lines_.number()) + ": " + (lines_.isCut() ? "the file ends in the line; " : "") + what);
  }

  // (DATE at TIME):DURATION[_UNIT]:NODES[(CPUS,...)]:APPLICATIONS:TASKS(THREADS:NODE,...)[,COMMUNICATORS]:...
  void header(std::string_view text) {
    const size_t date = text.find("):");
    size_t at = date == std::string_view::npos ? 0 : date + 2;
    const size_t duration = std::min(text.find(':', at), text.size());
    const std::string_view time = text.substr(at, duration - at);
    const size_t unit = time.find('_');
    if (unit != std::string_view::npos) {
      const std::string_view name = time.substr(unit + 1);
      nsPerTick_ = name == "ns" ? 1 : name == "ms" ? 1'000'000 : name == "s" ? 1'000'000'000 : 1000;
      if (name != "ns" && name != "us" && name != "ms" && name != "s") {
        warn("the unit of times is not known, and is taken as microseconds");
      }
    }
    at = duration;
    // Nodes and their processors, until a colon outside of brackets; then the number of applications.
    for (int colons = 0; at < text.size() && colons < 3; at++) {
      if (text[at] == '(') at = std::min(text.find(')', at), text.size() - 1);
      if (text[at] == ':') colons++;
    }
    uint64_t application = 1;
    bool hasTasks = false;
    for (; at < text.size(); application++) {
      const size_t open = text.find('(', at);
      if (open == std::string_view::npos) break;
      const size_t close = std::min(text.find(')', open), text.size());
      hasTasks = tasks(application, text.substr(at, open - at), text.substr(open + 1, close - open - 1)) || hasTasks;
      at = std::min(text.find(':', close), text.size() - 1) + 1;
    }
    if (date == std::string_view::npos || !hasTasks) warn("the header is damaged: tasks are those of the records");
  }

  // Of an application: THREADS:NODE of each task.
  bool tasks(uint64_t application, std::string_view count, std::string_view list) {
    uint64_t number = 0, threads = 0, node = 0;
    while (!list.empty()) {
      const size_t comma = std::min(list.find(','), list.size());
      Fields fields(list.substr(0, comma));
      list.remove_prefix(std::min(comma + 1, list.size()));
      const uint32_t task = trace_.task(application, ++number);
      if (task == kNone) break;
      if (!fields.next(&threads) || !fields.next(&node) || fields.isNegative()) continue;
      trace_.tasks[task].declared = static_cast<uint32_t>(threads);
      trace_.tasks[task].node = static_cast<uint32_t>(node);
    }
    uint64_t told = 0;
    if (Fields(count).next(&told) && told != number && number > 0) {
      warn("the header tells " + std::to_string(told) + " tasks of application " + std::to_string(application) + ", and lists " + std::to_string(number));
    }
    return number > 0;
  }

  void record(std::string_view line) {
    if (line.empty()) return;
    if (line.size() > 1 && line[1] == ':') {
      switch (line[0]) {
        case '1': state(line.substr(2)); return;
        case '2': event(line.substr(2)); return;
        case '3': message(line.substr(2)); return;
        case '4': collective(line.substr(2)); return;
        case 'c': communicator(line.substr(2)); return;
        case 'i':
        case 'I': trace_.definition("intercommunicators"); return;
        default: break;
      }
    }
    if (line[0] == '#') {
      trace_.comments++;
    } else {
      warn("the line is no record: " + shown(line));
    }
  }

  // CPU:APPLICATION:TASK:THREAD. False if they are damaged; `thread` is kNone if it cannot be shown.
  bool object(Fields* fields, uint32_t* thread) {
    uint64_t cpu, application, task, number;
    if (!fields->next(&cpu) || !fields->next(&application) || !fields->next(&task) || !fields->next(&number)) return false;
    *thread = trace_.thread(application, task, number);
    return true;
  }

  bool time(Fields* fields, int64_t* ns) {
    uint64_t ticks;
    if (!fields->next(&ticks)) return false;
    const bool isBad = fields->isNegative() || ticks > static_cast<uint64_t>(kMostNs) / nsPerTick_;
    *ns = isBad ? -1 : static_cast<int64_t>(ticks * nsPerTick_);
    return true;
  }

  void add(uint32_t index, const Record& record) {
    Thread& thread = trace_.threads[index];
    if (!thread.records.empty() && record.ns < thread.records.back().ns) {
      thread.isSorted = false;
      trace_.fault(Fault::kUnsorted);
    }
    thread.records.push_back(record);
  }

  void state(std::string_view line) {
    Fields fields(line);
    uint32_t thread;
    int64_t begin, end;
    uint64_t number;
    if (!object(&fields, &thread) || !time(&fields, &begin) || !time(&fields, &end) || !fields.next(&number)) {
      warn("a state has eight numbers; it was left out");
      return;
    }
    const uint32_t state = trace_.state(number);
    if (state == kNone) return;
    trace_.states[state].read++;
    if (thread != kNone && begin >= 0 && end >= begin) {
      add(thread, {begin, static_cast<uint64_t>(end), kStateBit | state});
      return;
    }
    trace_.states[state].left++;
    if (thread == kNone) return;
    trace_.fault(begin < 0 || end < 0 ? Fault::kBadTime : Fault::kEndBeforeBegin);
  }

  void event(std::string_view line) {
    Fields fields(line);
    uint32_t thread;
    int64_t ns;
    if (!object(&fields, &thread) || !time(&fields, &ns) || fields.isAtEnd()) {
      warn("an event has six numbers, a time, and types with values; it was left out");
      return;
    }
    if (ns < 0) trace_.fault(Fault::kBadTime);
    do {
      uint64_t number, value;
      if (!fields.next(&number) || fields.isNegative() || !fields.next(&value)) {
        warn("a type and a value of an event are damaged; they were left out, and those after them");
        return;
      }
      const uint32_t index = trace_.type(number);
      if (index == kNone) continue;
      EventType& type = trace_.types[index];
      type.read++;
      type.hasZero = type.hasZero || value == 0;
      type.hasNegative = type.hasNegative || fields.isNegative();
      if (thread == kNone || ns < 0) {
        type.left++;
      } else {
        add(thread, {ns, value, index});
      }
    } while (!fields.isAtEnd());
  }

  void message(std::string_view line) {
    Fields fields(line);
    Message message{};
    int64_t physicalSend;
    uint64_t tag;
    if (!object(&fields, &message.from) || !time(&fields, &message.sendNs) || !time(&fields, &physicalSend) ||
        !object(&fields, &message.to) || !time(&fields, &message.postNs) || !time(&fields, &message.receiveNs) ||
        !fields.next(&message.bytes) || !fields.next(&tag)) {
      warn("a communication has fifteen numbers; it was left out");
      return;
    }
    trace_.messagesRead++;
    message.tag = static_cast<uint32_t>(tag);
    const bool isKnown = message.from != kNone && message.to != kNone;
    if (isKnown && message.sendNs >= 0 && message.postNs >= 0 && message.receiveNs >= 0) {
      trace_.messages.push_back(message);
      return;
    }
    trace_.messagesLeft++;
    if (isKnown) trace_.fault(Fault::kBadTime);
  }

  // Of old traces: TIME:COMMUNICATOR:SENT:RECEIVED:OPERATION:ROOT. New ones have events for these.
  void collective(std::string_view line) {
    Fields fields(line);
    uint32_t thread;
    int64_t ns;
    uint64_t communicator, sent, received, operation, root;
    if (!object(&fields, &thread) || !time(&fields, &ns) || !fields.next(&communicator) || !fields.next(&sent) ||
        !fields.next(&received) || !fields.next(&operation)) {
      warn("a collective has nine numbers; it was left out");
      return;
    }
    if (!fields.next(&root)) root = 0;
    trace_.collectivesRead++;
    if (thread == kNone) return;
    if (ns < 0) {
      trace_.fault(Fault::kBadTime);
      return;
    }
    add(thread, {ns, communicator, Trace::kCommunicator});
    add(thread, {ns, sent, Trace::kSendSize});
    add(thread, {ns, received, Trace::kReceiveSize});
    if (root != 0) add(thread, {ns, root, Trace::kRoot});
  }

  // APPLICATION:ID:TASKS:TASK:...
  void communicator(std::string_view line) {
    Fields fields(line);
    uint64_t application, size, task;
    Communicator communicator{};
    if (!fields.next(&application) || !fields.next(&communicator.id) || !fields.next(&size) || application == 0 || application >= UINT32_MAX) {
      warn("a communicator has an application, a number and its tasks; it was left out");
      return;
    }
    communicator.application = static_cast<uint32_t>(application);
    while (!fields.isAtEnd() && fields.next(&task) && !fields.isNegative() && task > 0 && task <= UINT32_MAX) {
      communicator.tasks.push_back(static_cast<uint32_t>(task));
    }
    if (communicator.tasks.size() != size || !fields.isAtEnd() || size == 0) {
      trace_.definition("communicators");
      warn("communicator " + std::to_string(communicator.id) + " lists other tasks than it tells; it was left out");
      return;
    }
    trace_.communicators.push_back(std::move(communicator));
  }

  Lines lines_;
  const std::string& path_;
  Trace& trace_;
  const std::function<void()>& progress_;
  uint64_t nsPerTick_ = 1000;
};

}  // namespace

std::string readRecords(ByteSource* source, const std::string& path, Trace* trace, const std::function<void()>& progress) {
  return Reader(source, path, trace, progress).read();
}

}  // namespace parallax::paraver
