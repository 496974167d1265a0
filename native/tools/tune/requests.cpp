#include "tools/tune/requests.h"

#include <errno.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>

#include <nlohmann/json.hpp>

#include "tools/tune/code_changes.h"

namespace parallax::tuning {
namespace {

using Json = nlohmann::json;
using live::ActionKind;
using live::ValueType;

constexpr uint64_t kLeastIntervalNs = 1000000, kMostIntervalNs = 3600000000000;
constexpr size_t kMostRoutines = 64;
constexpr size_t kMostName = sizeof(live::Action::name) - 1, kMostText = sizeof(live::Action::text) - 1;
constexpr uint64_t kMostBytes = INT64_MAX;
constexpr uint32_t kMostId = std::numeric_limits<uint32_t>::max();

constexpr const char* kKeys[] = {"none", "peer", "size"};                        // in the order of live::Key
constexpr const char* kTypes[] = {"i32", "u32", "i64", "u64", "f32", "f64"};     // of live::ValueType
constexpr const char* kKinds[] = {"call",     "set_variable", "mpi_variable", "tunable",
                                  "argument", "insert_call",  "replace",      "undo", "collective"};  // of live::ActionKind, which begins with 1

template <size_t count>
int indexOf(const char* const (&names)[count], const std::string& name) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? -1 : static_cast<int>(found - std::begin(names));
}

// Reads the members of an object. The first that is missing or wrong is the one that is told.
class Members {
 public:
  Members(const Json& object, std::string* problem) : object_(object), problem_(problem) {}

  bool has(const char* name) const { return object_.contains(name) && !object_[name].is_null(); }

  uint64_t integer(const char* name, uint64_t least, uint64_t most) {
    const Json* member = required(name, "a whole number");
    if (member == nullptr) return least;
    if (member->is_number_unsigned()) {
      const auto value = member->get<uint64_t>();
      if (value >= least && value <= most) return value;
    }
    expect(name, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return least;
  }

  int64_t number(const char* name) {
    const Json* member = required(name, "a whole number");
    const bool isRight = member != nullptr && member->is_number_integer() &&
                         (!member->is_number_unsigned() || member->get<uint64_t>() <= INT64_MAX);
    if (isRight) return member->get<int64_t>();
    expect(name, "a whole number of 64 bits");
    return 0;
  }

  std::string text(const char* name, size_t most = kMostName) {
    const Json* member = required(name, "a text");
    if (member == nullptr) return "";
    if (isText(*member, most)) return member->get<std::string>();
    expect(name, "a text of 1 to " + std::to_string(most) + " bytes");
    return "";
  }

  // One of the names; 0 if it is none.
  template <size_t count>
  int choice(const char* name, const char* const (&names)[count]) {
    const std::string chosen = text(name);
    const int index = indexOf(names, chosen);
    if (index >= 0) return index;
    std::string all;
    for (const char* each : names) all += (all.empty() ? "" : ", ") + std::string(each);
    expect(name, "one of " + all);
    return 0;
  }

  // A number becomes the text that stands in the line.
  std::string textOrNumber(const char* name) {
    const Json* member = required(name, "a text or a number");
    if (member == nullptr) return "";
    return member->is_number() ? member->dump() : text(name, kMostText);
  }

  const Json* list(const char* name, size_t most) {
    const Json* member = required(name, "a list");
    if (member == nullptr) return nullptr;
    if (member->is_array() && member->size() <= most) return member;
    expect(name, "a list of at most " + std::to_string(most));
    return nullptr;
  }

  void expect(const std::string& name, const std::string& what) {
    if (problem_->empty()) *problem_ = "\"" + name + "\" must be " + what;
  }

  // As it can stand in a live page.
  static bool isText(const Json& value, size_t most) {
    if (!value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    return !text.empty() && text.size() <= most && text.find('\0') == std::string::npos;
  }

 private:
  const Json* required(const char* name, const char* what) {
    if (has(name)) return &object_[name];
    expect(name, std::string(what) + ", and is missing");
    return nullptr;
  }

  const Json& object_;
  std::string* const problem_;
};

void readRoutines(const Json& list, Members* members, std::vector<std::string>* routines) {
  for (const Json& routine : list) {
    if (!Members::isText(routine, kMostName) || routine.get_ref<const std::string&>().find(',') != std::string::npos) {
      return members->expect("routines", "a list of names of routines");
    }
    routines->push_back(routine.get<std::string>());
  }
  if (routines->empty()) members->expect("routines", "a list of at least one routine");
}

// A process id, or {"host":"h","pid":1}.
bool readProcess(const Json& value, ProcessName* process) {
  if (value.is_object()) {
    std::string problem;
    Members members(value, &problem);
    process->host = members.text("host");
    process->pid = static_cast<int>(members.integer("pid", 1, INT32_MAX));
    return problem.empty();
  }
  const bool isRight = value.is_number_unsigned() && value.get<uint64_t>() <= static_cast<uint64_t>(INT32_MAX);
  if (isRight) process->pid = value.get<int>();
  return isRight;
}

void readPoint(const Json& object, Point* point, std::string* problem) {
  Members members(object, problem);
  if (!object.is_object()) return members.expect("points", "a list of objects");
  point->name = members.text("name");
  if (const Json* routines = members.list("routines", kMostRoutines)) readRoutines(*routines, &members, &point->measured.routines);
  if (members.has("key")) point->measured.key = static_cast<live::Key>(members.choice("key", kKeys));
  if (!members.has("processes") || object["processes"] == "all") return;
  point->everywhere = false;
  const Json& processes = object["processes"];
  bool isRight = processes.is_array();
  for (size_t i = 0; isRight && i < processes.size(); i++) {
    ProcessName process;
    isRight = readProcess(processes[i], &process);
    if (isRight) point->processes.push_back(std::move(process));
  }
  if (!isRight) members.expect("processes", "\"all\" or a list of process ids, each of them also as {\"host\":..., \"pid\":...}");
}

void readPoints(const Json& object, Members* members, std::string* problem, Points* points) {
  const Json* list = members->list("points", live::kPoints);
  if (list == nullptr) return;
  for (const Json& each : *list) {
    Point point;
    readPoint(each, &point, problem);
    const bool isTwice = std::any_of(points->points.begin(), points->points.end(),
                                     [&](const Point& other) { return other.name == point.name; });
    if (isTwice && problem->empty()) *problem = "two points have the name \"" + point.name + "\"";
    points->points.push_back(std::move(point));
  }
}

void readArguments(const Json& list, Members* members, std::vector<live::Argument>* arguments) {
  for (const Json& each : list) {
    live::Argument argument;
    if (each.is_number_integer()) {
      argument.integer = each.get<int64_t>();
    } else if (each.is_number()) {
      argument.type = live::ArgumentType::kDouble;
      argument.number = each.get<double>();
    } else if (Members::isText(each, kMostText)) {
      argument.type = live::ArgumentType::kString;
      argument.text = each.get<std::string>();
    } else {
      return members->expect("arguments", "a list of numbers and texts");
    }
    arguments->push_back(std::move(argument));
  }
}

// A name, or an address such as "0x1234" of the module that is named as well.
void readPlace(Members* members, live::AskedAction* asked) {
  const std::string name = members->text("name");
  if (members->has("module")) asked->module = members->text("module", sizeof(live::Action::module) - 1);
  if (name.compare(0, 2, "0x") != 0) {
    asked->name = name;
    return;
  }
  char* end = nullptr;
  asked->address = strtoull(name.c_str(), &end, 16);
  if (*end != '\0' || asked->address == 0) members->expect("name", "a name or an address");
}

// {"index":N, "value"|"least"|"most":NUMBER, "value_type":TYPE, "only":{"index":N, "equals":NUMBER}}
void readArgumentChange(const Json& object, Members* members, std::string* problem, points::ActionRequest* change) {
  constexpr const char* kIntegers[] = {"i32", "u32", "i64", "u64"};
  constexpr uint64_t kLastArgument = 5;
  change->kind = "argument";
  change->argument = static_cast<uint32_t>(members->integer("index", 0, kLastArgument));
  change->type = members->has("value_type") ? kIntegers[members->choice("value_type", kIntegers)] : "i32";
  const char* which = members->has("least") ? "least" : members->has("most") ? "most" : "value";
  change->change = which[0] == 'l' ? "at_least" : which[0] == 'm' ? "at_most" : "set";
  change->value = members->number(which);
  if (!members->has("only")) return;
  if (!object["only"].is_object()) return members->expect("only", "an object");
  Members only(object["only"], problem);
  change->conditionArgument = static_cast<uint32_t>(only.integer("index", 0, kLastArgument));
  change->conditionType = only.has("value_type") ? kIntegers[only.choice("value_type", kIntegers)] : "i32";
  change->comparison = "==";
  change->conditionValue = only.number("equals");
}

// {"before"|"after":FUNCTION, "arguments":[NUMBER, ...]}
void readInsertedCall(Members* members, const std::string& name, points::ActionRequest* change) {
  const char* where = members->has("after") ? "after" : "before";
  change->kind = std::string("insert_") + where;
  change->function = members->text(where);
  change->otherFunction = name;
  std::vector<live::Argument> arguments;
  if (members->has("arguments")) {
    if (const Json* list = members->list("arguments", std::size(change->words))) readArguments(*list, members, &arguments);
  }
  for (size_t i = 0; i < arguments.size(); i++) {
    if (arguments[i].type != live::ArgumentType::kInteger) members->expect("arguments", "a list of whole numbers");
    change->words[i] = arguments[i].integer;
  }
}

void readChange(const Json& object, Members* members, std::string* problem, Action* action) {
  points::ActionRequest& change = action->change;
  const std::string name = members->text("name");
  if (members->has("module")) change.module = members->text("module", sizeof(live::Action::module) - 1);
  change.function = name;
  action->asked.name = name;
  if (action->asked.kind == ActionKind::kArgument) {
    readArgumentChange(object, members, problem, &change);
  } else if (action->asked.kind == ActionKind::kInsertCall) {
    readInsertedCall(members, name, &change);
  } else {
    change.kind = "replace";
    change.otherFunction = members->text("with");
  }
}

// {"method":NAME, "from":BYTES, "to":BYTES}
void readMethod(Members* members, live::AskedAction* asked) {
  asked->name = members->text("name");
  asked->text = members->text("method");
  const uint64_t from = members->has("from") ? members->integer("from", 0, kMostBytes) : 0;
  const uint64_t to = members->has("to") ? members->integer("to", 0, kMostBytes) : kMostBytes;
  asked->arguments = {live::Argument::of(static_cast<int64_t>(from)), live::Argument::of(static_cast<int64_t>(to))};
}

void readAction(const Json& object, Members* members, std::string* problem, Action* action);

// {"returns":TYPE, "arguments":[...], "undoes":ID, "undo":{a call that undoes it}}
void readCall(const Json& object, Members* members, std::string* problem, Action* action) {
  live::AskedAction& asked = action->asked;
  if (members->has("returns")) {
    constexpr const char* kReturns[] = {"int", "long", "double"};  // in the order of live::ReturnType
    asked.returns = static_cast<live::ReturnType>(members->choice("returns", kReturns));
  }
  if (members->has("arguments")) {
    if (const Json* list = members->list("arguments", live::kMostArguments)) readArguments(*list, members, &asked.arguments);
  }
  if (members->has("undoes")) action->undoes = static_cast<uint32_t>(members->integer("undoes", 1, kMostId));
  if (!members->has("undo")) return;
  if (!object["undo"].is_object()) return members->expect("undo", "an object");
  Json call = object["undo"];
  call.erase("undo");
  call["id"] = asked.id;
  call["pid"] = static_cast<uint32_t>(action->pid);
  call["kind"] = "call";
  if (!call.contains("at")) call["at"] = asked.at;
  auto undo = std::make_shared<Action>();
  Members of(call, problem);
  readAction(call, &of, problem, undo.get());
  action->undo = std::move(undo);
}

void readAction(const Json& object, Members* members, std::string* problem, Action* action) {
  live::AskedAction& asked = action->asked;
  asked.id = static_cast<uint32_t>(members->integer("id", 1, kMostId));
  action->pid = static_cast<int>(members->integer("pid", 1, INT32_MAX));
  if (members->has("host")) action->host = members->text("host");
  asked.kind = static_cast<ActionKind>(members->choice("kind", kKinds) + 1);
  if (members->has("at")) asked.at = members->text("at");
  if (asked.kind == ActionKind::kUndo) {
    asked.undoes = static_cast<uint32_t>(members->integer("undoes", 1, kMostId));
    return;
  }
  if (isChangeOfCode(asked.kind)) return readChange(object, members, problem, action);
  if (asked.kind == ActionKind::kCollective) return readMethod(members, &asked);
  readPlace(members, &asked);
  const bool hasValue = asked.kind == ActionKind::kSetVariable || asked.kind == ActionKind::kMpiVariable ||
                        asked.kind == ActionKind::kTunable;
  if (hasValue) action->value = members->textOrNumber("value");
  if (asked.kind == ActionKind::kMpiVariable) asked.text = action->value;
  if (asked.kind == ActionKind::kSetVariable) {
    asked.valueType = static_cast<ValueType>(members->choice("value_type", kTypes));
    if (const std::string wrong = setValue(action->value, &asked); !wrong.empty()) members->expect("value", wrong);
  }
  if (asked.kind == ActionKind::kCall) readCall(object, members, problem, action);
}

template <class Value>
bool fits(int64_t value) {
  return value >= static_cast<int64_t>(std::numeric_limits<Value>::min()) && value <= static_cast<int64_t>(std::numeric_limits<Value>::max());
}

}  // namespace

void Point::keepThoseOf(const std::string& host) {
  const auto isOther = [&](const ProcessName& process) { return !process.host.empty() && process.host != host; };
  processes.erase(std::remove_if(processes.begin(), processes.end(), isOther), processes.end());
}

bool Point::holdsFor(int pid) const {
  return everywhere || std::any_of(processes.begin(), processes.end(), [&](const ProcessName& process) { return process.pid == pid; });
}

std::string setValue(const std::string& text, live::AskedAction* asked) {
  const ValueType type = asked->valueType;
  live::Argument argument;
  char* end = nullptr;
  errno = 0;
  bool isRight;
  if (type == ValueType::kF32 || type == ValueType::kF64) {
    argument.type = live::ArgumentType::kDouble;
    argument.number = strtod(text.c_str(), &end);
    isRight = true;
  } else if (type == ValueType::kU64) {
    argument.integer = static_cast<int64_t>(strtoull(text.c_str(), &end, 10));
    isRight = text.find('-') == std::string::npos && errno == 0;
  } else {
    argument.integer = strtoll(text.c_str(), &end, 10);
    isRight = errno == 0 && (type == ValueType::kI64 || (type == ValueType::kI32 ? fits<int32_t>(argument.integer) : fits<uint32_t>(argument.integer)));
  }
  if (!isRight || end == text.c_str() || *end != '\0') return "a value of the type " + std::string(kTypes[static_cast<size_t>(type)]);
  asked->arguments = {argument};
  return "";
}

std::string parseRequest(const std::string& line, Request* request) {
  const Json object = Json::parse(line, nullptr, false);
  if (object.is_discarded()) return "this is no JSON";
  if (!object.is_object()) return "a request must be an object";
  std::string problem;
  Members members(object, &problem);
  const std::string type = members.text("type");
  Request read;
  if (type == "points") {
    readPoints(object, &members, &problem, &read.emplace<Points>());
  } else if (type == "act") {
    readAction(object, &members, &problem, &read.emplace<Action>());
  } else if (type == "take_back") {
    TakeBack& back = read.emplace<TakeBack>();
    back.id = static_cast<uint32_t>(members.integer("id", 1, kMostId));
    back.pid = static_cast<int>(members.integer("pid", 1, INT32_MAX));
    if (members.has("host")) back.host = members.text("host");
  } else if (type == "keep") {
    Keep& keep = read.emplace<Keep>();
    keep.id = static_cast<uint32_t>(members.integer("id", 1, kMostId));
    if (members.has("host")) keep.host = members.text("host");
  } else if (type == "lost") {
    read = Lost{};
  } else if (type == "interval") {
    read = Interval{members.integer("ns", kLeastIntervalNs, kMostIntervalNs)};
  } else if (type == "kill") {
    read = Kill{static_cast<int>(members.integer("signal", 1, static_cast<uint64_t>(SIGRTMAX)))};
  } else if (type == "status") {
    read = Status{static_cast<int>(members.integer("pid", 1, INT32_MAX)), static_cast<int>(members.integer("status", 0, 255))};
  } else if (type == "ready") {
    read = Ready{};
  } else if (type == "stop") {
    read = Stop{};
  } else if (problem.empty()) {
    problem = "unknown \"type\": " + type;
  }
  if (problem.empty()) *request = std::move(read);
  return problem;
}

}  // namespace parallax::tuning
