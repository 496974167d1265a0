#include "perturb/plan.h"

#include <sys/stat.h>

#include <cstring>

#include "base/sys.h"
#include "base/text.h"
#include "core/agent.h"

namespace parallax::perturb {
namespace {

constexpr uint32_t kMostIds = 1 << 20;
constexpr uint32_t kMostFactors = 1 << 12;
constexpr uint32_t kMostModules = 1 << 12;
constexpr size_t kMostCodeBytes = 4096;
constexpr size_t kMostBytes = size_t{1} << 30;

// ------------------------------------------------------------------- fields

// The fields of one line, which end with a NUL each once they are taken.
class Fields {
 public:
  explicit Fields(char* line) : at_(line) {}

  bool atEnd() const { return at_ == nullptr; }
  // Empty where there is none.
  char* next() {
    if (at_ == nullptr) {
      missing_ = true;
      return empty_;
    }
    char* field = at_;
    at_ = strchr(field, '\t');
    if (at_ != nullptr) *at_++ = '\0';
    return field;
  }
  uint64_t decimal(uint64_t most) { return number(next(), 10, most); }
  uint64_t hex() { return number(next(), 16, ~uint64_t{0}); }
  // Decoded in its place: half of its length.
  Bytes bytes() {
    char* field = next();
    const size_t digits = strlen(field);
    auto* decoded = reinterpret_cast<uint8_t*>(field);
    if (digits == 0 || digits % 2 != 0 || digits / 2 > kMostCodeBytes) wrong_ = true;
    for (size_t i = 0; i + 1 < digits && !wrong_; i += 2) {
      const unsigned high = digitOf(field[i]), low = digitOf(field[i + 1]);
      if (high > 15 || low > 15) wrong_ = true;
      decoded[i / 2] = static_cast<uint8_t>(high << 4 | low);
    }
    return {decoded, static_cast<uint32_t>(digits / 2)};
  }
  // Of several words the number of the one that stands there.
  template <size_t N>
  size_t word(const char* const (&words)[N]) {
    const char* field = next();
    for (size_t i = 0; i < N; i++) {
      if (strcmp(field, words[i]) == 0) return i;
    }
    wrong_ = true;
    return 0;
  }
  uint64_t number(const char* text, unsigned base, uint64_t most) {
    uint64_t value = 0;
    if (!parseNumber(text, base, most, &value)) wrong_ = true;
    return value;
  }

  void refuse() { wrong_ = true; }
  // Whether all that was taken was there and right, and nothing is left.
  bool good() const { return !wrong_ && !missing_ && at_ == nullptr; }

 private:
  char* at_;
  bool missing_ = false, wrong_ = false;
  char empty_[1] = {};
};

// ------------------------------------------------------------------ records

// How much of everything there is at most, so that memory is asked for once.
struct Extent {
  uint32_t modules = 0, points = 0, macros = 0, ranges = 0, factors = 0, fixes = 0;
};

bool startsWith(const char* line, const char* word) {
  return strncmp(line, word, strlen(word)) == 0;
}

template <class T>
bool reserve(List<T>* list, uint32_t count) {
  if (count == 0) return true;
  list->items = static_cast<T*>(allocate(count * sizeof(T)));
  return list->items != nullptr;
}

class Parser {
 public:
  explicit Parser(Plan* plan) : plan_(*plan) {}

  PlanProblem parse(char* text, size_t sizeBytes) {
    if (memchr(text, '\0', sizeBytes) != nullptr) return {"has a NUL character", 0};
    if (!reserveAll(text)) return {"is too large for the memory", 0};
    uint32_t number = 0;
    for (char* line = text; line != nullptr && *line != '\0';) {
      char* end = strchr(line, '\n');
      if (end != nullptr) *end++ = '\0';
      const char* wrong = parseLine(line, ++number);
      if (wrong != nullptr) return {wrong, number};
      line = end;
    }
    if (number == 0) return {"is empty", 0};
    return check();
  }

 private:
  bool reserveAll(const char* text) {
    Extent extent;
    for (const char* line = text; line != nullptr && *line != '\0';) {
      const char* end = strchr(line, '\n');
      if (startsWith(line, "module")) extent.modules++;
      if (startsWith(line, "macro")) extent.macros++;
      if (startsWith(line, "range")) extent.ranges++;
      if (startsWith(line, "point")) {
        extent.points++;
        extent.fixes++;
        for (const char* c = line; *c != '\0' && c != end; c++) extent.fixes += *c == ',';
      }
      line = end != nullptr ? end + 1 : nullptr;
    }
    if (extent.modules > kMostModules) return false;
    return reserve(&plan_.modules, extent.modules) && reserve(&plan_.points, extent.points) &&
           reserve(&plan_.macros, extent.macros) && reserve(&plan_.ranges, extent.ranges) &&
           reserve(&plan_.factors, kMostFactors) && reserve(&fixes_, extent.fixes);
  }

  // Returns what is wrong, or null.
  const char* parseLine(char* line, uint32_t number) {
    Fields fields(line);
    const char* kind = fields.next();
    if (number == 1) {
      if (strcmp(kind, "parallax-perturb") != 0) return "is not a plan of perturbations";
      return strcmp(fields.next(), "1") == 0 && fields.good() ? nullptr
                                                              : "has an unknown version";
    }
    if (*kind == '\0') return nullptr;
    if (strcmp(kind, "result") == 0) {
      plan_.result = fields.next();
    } else if (strcmp(kind, "host") == 0) {
      plan_.host = fields.next();
    } else if (strcmp(kind, "module") == 0) {
      module(&fields);
    } else if (strcmp(kind, "point") == 0) {
      point(&fields);
    } else if (strcmp(kind, "macro") == 0) {
      PlanMacro& macro = plan_.macros[plan_.macros.count++];
      macro.id = id(&fields);
      macro.factor = factor(&fields);
      macro.name = fields.next();
    } else if (strcmp(kind, "range") == 0) {
      PlanRange& range = plan_.ranges[plan_.ranges.count++];
      range.factor = factor(&fields);
      range.module = static_cast<uint32_t>(fields.decimal(kMostModules));
      range.begin = fields.hex();
      range.end = fields.hex();
      if (range.begin >= range.end) fields.refuse();
    } else if (strcmp(kind, "factor") == 0) {
      level(&fields);
    } else {
      return "has a record of an unknown kind";
    }
    return fields.good() ? nullptr : "has a record with a wrong, missing or superfluous field";
  }

  uint32_t id(Fields* fields) {
    const auto id = static_cast<uint32_t>(fields->decimal(kMostIds - 1));
    if (id >= plan_.ids) plan_.ids = id + 1;
    return id;
  }

  uint32_t factor(Fields* fields) {
    const auto factor = static_cast<uint32_t>(fields->decimal(kMostFactors - 1));
    // The memory is zeroed: what has no line of its own does nothing.
    if (factor >= plan_.factors.count) plan_.factors.count = factor + 1;
    return factor;
  }

  void module(Fields* fields) {
    if (fields->decimal(kMostModules) != plan_.modules.count) fields->refuse();
    PlanModule& module = plan_.modules[plan_.modules.count++];
    module.buildId = fields->next();
    if (strcmp(module.buildId, "-") == 0) module.buildId = "";
    module.path = fields->next();
  }

  void point(Fields* fields) {
    PlanPoint& point = plan_.points[plan_.points.count++];
    point.id = id(fields);
    point.factor = factor(fields);
    point.module = static_cast<uint32_t>(fields->decimal(kMostModules));
    point.offset = fields->hex();
    static constexpr const char* kMethods[] = {"jump", "short", "trap"};
    point.method = static_cast<Method>(fields->word(kMethods));
    point.pad = fields->hex();
    point.original = fields->bytes();
    point.code = fields->bytes();
    static constexpr uint32_t kLeastBytes[] = {5, 2, 1};
    const uint32_t least = kLeastBytes[static_cast<size_t>(point.method)];
    if (point.original.size < least || point.original.size > kMostOriginalBytes) fields->refuse();
    if (point.method == Method::kShort) {
      const auto distance = static_cast<int64_t>(point.pad - (point.offset + 2));
      if (distance < -128 || distance > 127) fields->refuse();
    }
    point.fixes = fixes_.items + fixes_.count;
    const char* list = fields->next();
    if (strcmp(list, "-") == 0) return;
    while (*list != '\0') list = fix(list, &point, fields);
    if (point.fixCount == 0) fields->refuse();
  }

  // AT:KIND:TARGET; returns what follows it.
  const char* fix(const char* text, PlanPoint* point, Fields* fields) {
    char field[3][24] = {};
    for (int i = 0; i < 3; i++) {
      const size_t length = strcspn(text, i < 2 ? ":" : ",");
      if (length >= sizeof field[i] || (i < 2 && text[length] == '\0')) {
        fields->refuse();
        return "";
      }
      memcpy(field[i], text, length);
      text += length;
      if (*text != '\0') text++;
    }
    Fix& fix = fixes_[fixes_.count++];
    point->fixCount++;
    fix.at = static_cast<uint32_t>(fields->number(field[0], 10, kMostCodeBytes));
    Fields kind(field[1]);
    static constexpr const char* kKinds[] = {"rel32", "lo32", "hi32"};
    fix.kind = static_cast<FixKind>(kind.word(kKinds));
    fix.target = fields->number(field[2], 16, ~uint64_t{0});
    if (!kind.good() || fix.at + 4 > point->code.size) fields->refuse();
    return text;
  }

  void level(Fields* fields) {
    Treatment& level = plan_.factors[factor(fields)];
    if (level.action != Action::kNone) fields->refuse();  // has one already
    static constexpr const char* kActions[] = {"none",    "delay",  "lock",
                                               "message", "buffer", "speedup"};
    level.action = static_cast<Action>(fields->word(kActions));
    constexpr uint64_t kMostNs = 3600'000'000'000, kMostPermille = 1000;
    switch (level.action) {
      case Action::kNone:
        break;
      case Action::kDelay: {
        static constexpr const char* kKinds[] = {"time", "work", "sleep", "auto"};
        const size_t kind = fields->word(kKinds);
        level.amount = fields->decimal(kMostNs);
        constexpr uint64_t kLeastSleepNs = 1000000;  // a shorter one would be far too long
        const bool sleeps = level.amount >= kLeastSleepNs;
        level.delay = kind < 3 ? static_cast<DelayKind>(kind)
                      : sleeps ? DelayKind::kSleep : DelayKind::kTime;
        break;
      }
      case Action::kLock:
        level.module = static_cast<uint32_t>(fields->decimal(kMostModules));
        level.amount = fields->hex();
        break;
      case Action::kMessage:
      case Action::kBuffer:
        level.amount = fields->decimal(kMostBytes);
        break;
      case Action::kSpeedup:
        static constexpr const char* kExtents[] = {"inclusive", "exclusive"};
        level.exclusive = fields->word(kExtents) == 1;
        level.amount = fields->decimal(kMostPermille);
        break;
    }
  }

  // What only the whole plan tells.
  PlanProblem check() const {
    if (plan_.result[0] == '\0') return {"does not name the file for the result", 0};
    for (const PlanPoint& point : plan_.points) {
      if (point.module >= plan_.modules.count) return {"has a point in a module that it does not "
          "define", 0};
    }
    for (const PlanRange& range : plan_.ranges) {
      if (range.module >= plan_.modules.count) return {"has a range in a module that it does not "
          "define", 0};
    }
    for (const Treatment& level : plan_.factors) {
      if (level.action == Action::kLock && level.module >= plan_.modules.count) {
        return {"has a lock in a module that it does not define", 0};
      }
    }
    return {};
  }

  Plan& plan_;
  List<Fix> fixes_;
};

}  // namespace

PlanProblem parsePlan(char* text, size_t sizeBytes, Plan* plan) {
  *plan = {};
  return Parser(plan).parse(text, sizeBytes);
}

PlanProblem readPlan(const char* path, Plan* plan) {
  const int fd = sys::openat(AT_FDCWD, path, O_RDONLY);
  if (fd < 0) return {fd == -2 ? "does not exist" : "cannot be opened", 0};
  struct stat status;
  char* text = nullptr;
  size_t size = 0;
  if (sys::call(SYS_fstat, fd, sys::word(&status)) == 0 && S_ISREG(status.st_mode) &&
      static_cast<size_t>(status.st_size) < kMostBytes) {
    const auto expected = static_cast<size_t>(status.st_size);
    text = static_cast<char*>(allocatePages(expected + 1));
    for (long part = 1; text != nullptr && part > 0 && size < expected; size += part) {
      part = sys::read(fd, text + size, expected - size);
      if (part < 0) text = nullptr;
    }
  }
  sys::close(fd);
  if (text == nullptr) return {"cannot be read", 0};
  return parsePlan(text, size, plan);
}

}  // namespace parallax::perturb
