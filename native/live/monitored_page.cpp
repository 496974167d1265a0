#include "live/monitored_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

namespace parallax::live {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

ActionState stateOf(const Action& action) { return actionState(action.place.load(std::memory_order_acquire)); }

std::string textOf(const char* text, size_t capacity) { return std::string(text, strnlen(text, capacity)); }

bool put(const std::string& text, char* place, size_t capacity) {
  if (text.size() >= capacity) return false;
  memset(place, 0, capacity);
  memcpy(place, text.data(), text.size());
  return true;
}

std::string routinesOf(const AskedPoint& point) {
  std::string text;
  for (const std::string& routine : point.routines) text += (text.empty() ? "" : ",") + routine;
  return text;
}

struct CellValues {
  uint32_t epoch, key;
  uint64_t count, bytes;
  double squares;
  uint64_t ticks, least, most;
};

// As the process had it at one moment. A thread that has lost the processor, was killed, or was left by longjmp while it wrote leaves
// one message of which a part is counted.
CellValues read(const Cell& cell, std::map<const Cell*, uint32_t>* left) {
  constexpr int kTries = 1000, kPauses = 20;
  CellValues values;
  for (int i = 0;; i++) {
    const uint32_t before = cell.sequence.load(std::memory_order_acquire);
    values = {cell.epoch.load(kRelaxed), cell.key.load(kRelaxed),   cell.count.load(kRelaxed),      cell.bytes.load(kRelaxed),
              cell.squares.load(kRelaxed), cell.ticks.load(kRelaxed), cell.leastTicks.load(kRelaxed), cell.mostTicks.load(kRelaxed)};
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool isSame = cell.sequence.load(kRelaxed) == before;
    if ((before & 1) == 0 && isSame) return values;
    if (i == 0 && isSame && !left->empty()) {
      const auto found = left->find(&cell);
      if (found != left->end() && found->second == before) return values;
    }
    if (i == kTries + kPauses) {
      if ((before & 1) != 0) (*left)[&cell] = before;
      return values;
    }
    if (i >= kTries) usleep(50);
  }
}

}  // namespace

std::string MonitoredPage::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return std::string("cannot be opened: ") + strerror(errno);
  struct stat status;
  void* at = MAP_FAILED;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && static_cast<uint64_t>(status.st_size) == kPageBytes) {
    at = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  ::close(fd);
  if (at == MAP_FAILED) return "is no live page, or cannot be mapped";
  const Page page(at);
  if (memcmp(page.header().magic, kMagic, sizeof kMagic) != 0 || page.header().version != kVersion ||
      page.header().ticksPerSecond == 0) {
    munmap(at, kPageBytes);
    return "is no live page of this version";
  }
  *this = MonitoredPage();
  page_ = page;
  return "";
}

MonitoredPage& MonitoredPage::operator=(MonitoredPage&& other) noexcept {
  std::swap(page_, other.page_);
  std::swap(places_, other.places_);
  std::swap(order_, other.order_);
  std::swap(left_, other.left_);
  return *this;
}

MonitoredPage::~MonitoredPage() {
  if (page_) munmap(page_.address(), kPageBytes);
}

std::string MonitoredPage::program() const { return textOf(header().program, sizeof header().program); }
std::string MonitoredPage::library() const { return textOf(header().library, sizeof header().library); }

// ------------------------------------------------------------------ points

std::string MonitoredPage::problemOf(const AskedPoint& point) {
  const std::string text = routinesOf(point);
  if (text.empty()) return "a point names no routine";
  return text.size() < sizeof(Point::routines) ? "" : "the names of the routines of a point are too long: " + text;
}

std::string MonitoredPage::setPoints(const std::vector<AskedPoint>& points) {
  if (points.size() > kPoints) return "there are more than " + std::to_string(kPoints) + " points";
  for (const AskedPoint& point : points) {
    if (std::string problem = problemOf(point); !problem.empty()) return problem;
  }
  // Those that stay keep their places. Each asked point has a place of its own, also of two that are the same.
  std::vector<bool> stays(kPoints);
  std::vector<uint32_t> order(points.size(), kPoints);
  for (size_t i = 0; i < points.size(); i++) {
    for (uint32_t place = 0; place < kPoints; place++) {
      if (stays[place] || !places_[place].isUsed || !(places_[place].point == points[i])) continue;
      stays[place] = true;
      order[i] = place;
      break;
    }
  }
  Header& header = page_.header();
  bool changed = false;
  for (uint32_t place = 0; place < kPoints; place++) {
    if (stays[place] || !places_[place].isUsed) continue;
    places_[place].isUsed = false;
    page_.point(place).on.store(0, std::memory_order_release);
    changed = true;
  }
  for (size_t i = 0; i < points.size(); i++) {
    if (order[i] != kPoints) continue;
    uint32_t place = 0;
    while (places_[place].isUsed) place++;
    places_[place] = {points[i], true};
    order[i] = place;
    Point& point = page_.point(place);
    point.epoch.fetch_add(1, kRelaxed);
    point.since.store(header.pointsGeneration.load(kRelaxed) + 1, kRelaxed);
    put(routinesOf(points[i]), point.routines, sizeof point.routines);
    point.key = static_cast<uint32_t>(points[i].key);
    point.on.store(1, std::memory_order_release);
    changed = true;
  }
  order_ = order;
  if (!changed) return "";
  header.pointsGeneration.fetch_add(1, std::memory_order_acq_rel);
  const uint64_t on = points.size();
  uint64_t asked = header.asked.load(kRelaxed);
  while (!header.asked.compare_exchange_weak(asked, (asked >> 32 << 32) | on, std::memory_order_acq_rel)) {
  }
  return "";
}

std::vector<Count> MonitoredPage::counts() const {
  std::vector<Count> all;
  for (uint32_t i = 0; i < order_.size(); i++) {
    const uint32_t place = order_[i];
    const Key key = places_[place].point.key;
    const uint32_t epoch = page_.point(place).epoch.load(kRelaxed);
    std::map<uint64_t, Count> byKey;
    for (uint32_t shard = 0; shard < kShards; shard++) {
      if ((page_.header().usedRows[shard].load(std::memory_order_acquire) >> place & 1) == 0) continue;
      for (uint32_t k = 0; k < kCells; k++) {
        const CellValues cell = read(page_.row(shard, place)[k], &left_);
        if (cell.epoch != epoch || cell.count == 0) continue;
        const uint64_t keyValue = key == Key::kSize ? leastBytes(cell.key) : cell.key;
        Count& sum = byKey.try_emplace(keyValue, Count{i, keyValue}).first->second;
        sum.count += cell.count;
        sum.bytes += cell.bytes;
        sum.squares += cell.squares;
        sum.ns += static_cast<uint64_t>(nsOf(cell.ticks));
        if (cell.least == 0) continue;
        const auto least = static_cast<uint64_t>(nsOf(cell.least)), most = static_cast<uint64_t>(nsOf(cell.most));
        sum.leastNs = sum.leastNs == 0 ? least : std::min(sum.leastNs, least);
        sum.mostNs = std::max(sum.mostNs, most);
      }
    }
    for (const auto& [value, count] : byKey) all.push_back(count);
  }
  return all;
}

// ----------------------------------------------------------------- actions

std::string MonitoredPage::ask(const AskedAction& asked) {
  uint32_t free = kActions;
  for (uint32_t i = kActions; i-- > 0;) {
    if (stateOf(page_.action(i)) == ActionState::kFree) free = i;
  }
  if (free == kActions) return "the process has not answered " + std::to_string(kActions) + " other actions yet";
  Action& action = page_.action(free);
  if (asked.arguments.size() > kMostArguments) return "an action has at most " + std::to_string(kMostArguments) + " arguments";
  std::string text = asked.text;
  const bool isCall = asked.kind == ActionKind::kCall;
  uint64_t words[kMostArguments] = {};
  for (size_t i = 0; i < asked.arguments.size(); i++) {
    const Argument& argument = asked.arguments[i];
    action.argumentTypes[i] = static_cast<uint8_t>(argument.type);
    switch (argument.type) {
      case ArgumentType::kInteger:
        words[i] = static_cast<uint64_t>(argument.integer);
        break;
      case ArgumentType::kDouble:
        memcpy(&words[i], &argument.number, sizeof words[i]);
        break;
      case ArgumentType::kString:
        if (!isCall) return "only a call has texts as arguments";
        words[i] = text.size();
        text += argument.text + '\0';
        break;
    }
  }
  if (text.size() >= sizeof action.text) return "the texts of the action are too long";
  if (!put(asked.at, action.at, sizeof action.at) || !put(asked.name, action.name, sizeof action.name) ||
      !put(asked.module, action.module, sizeof action.module) || !put(text, action.text, sizeof action.text)) {
    return "a name of the action is too long";
  }
  action.kind = static_cast<uint32_t>(asked.kind);
  action.undoes = asked.undoes;
  action.argumentCount = static_cast<uint32_t>(asked.arguments.size());
  action.valueType = static_cast<uint32_t>(asked.valueType);
  action.returns = static_cast<uint8_t>(asked.returns);
  action.address = asked.address;
  memcpy(action.arguments, words, sizeof words);
  action.result = action.old = action.answeredNs = 0;
  memset(action.answer, 0, sizeof action.answer);
  page_.header().asked.fetch_add(oneActionAsked, std::memory_order_acq_rel);
  action.place.store(actionWord(ActionState::kAsked, asked.id), std::memory_order_release);
  return "";
}

bool MonitoredPage::takeBack(uint32_t id) {
  for (uint32_t i = 0; i < kActions; i++) {
    uint64_t asked = actionWord(ActionState::kAsked, id);
    if (!page_.action(i).place.compare_exchange_strong(asked, actionWord(ActionState::kFree, 0))) continue;
    page_.header().asked.fetch_sub(oneActionAsked, std::memory_order_acq_rel);
    return true;
  }
  return false;
}

std::vector<Answer> MonitoredPage::takeAnswers() {
  std::vector<Answer> answers;
  for (uint32_t i = 0; i < kActions; i++) {
    Action& action = page_.action(i);
    const uint64_t word = action.place.load(std::memory_order_acquire);
    const ActionState state = actionState(word);
    if (state != ActionState::kDone && state != ActionState::kRefused) continue;
    answers.push_back({actionId(word), static_cast<ActionKind>(action.kind), state == ActionState::kDone, action.result, action.old,
                       action.answeredNs, textOf(action.answer, sizeof action.answer)});
    action.place.store(actionWord(ActionState::kFree, 0), std::memory_order_release);
  }
  std::sort(answers.begin(), answers.end(), [](const Answer& a, const Answer& b) { return a.ns < b.ns; });
  return answers;
}

std::vector<uint32_t> MonitoredPage::unanswered() const {
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < kActions; i++) {
    const uint64_t word = page_.action(i).place.load(std::memory_order_acquire);
    const ActionState state = actionState(word);
    if (state == ActionState::kAsked || state == ActionState::kTaken) ids.push_back(actionId(word));
  }
  return ids;
}

void MonitoredPage::clear() {
  constexpr int kTries = 100;
  constexpr uint64_t kPointsMask = oneActionAsked - 1;
  Header& header = page_.header();
  for (uint32_t place = 0; place < kPoints; place++) page_.point(place).on.store(0, std::memory_order_release);
  header.pointsGeneration.fetch_add(1, std::memory_order_acq_rel);
  header.asked.fetch_and(~kPointsMask, std::memory_order_acq_rel);
  for (uint32_t i = 0; i < kActions; i++) {
    const uint64_t word = page_.action(i).place.load(std::memory_order_acquire);
    if (actionState(word) == ActionState::kAsked) takeBack(actionId(word));
  }
  // What is left was raised for an action that was never set, or is about to be lowered by a thread that has just taken one.
  for (int i = 0; header.asked.load(std::memory_order_acquire) != 0; i++) {
    if (i == kTries) {
      header.asked.fetch_sub(header.asked.load(std::memory_order_acquire), std::memory_order_acq_rel);
      return;
    }
    usleep(1000);
  }
}

// --------------------------------------------------------------- tunables

std::vector<DeclaredVariable> MonitoredPage::tunables() const {
  std::vector<DeclaredVariable> variables;
  for (uint32_t i = 0; i < kTunables; i++) {
    const Tunable& variable = page_.tunable(i);
    if (variable.state.load(std::memory_order_acquire) != 1) continue;
    variables.push_back({textOf(variable.name, sizeof variable.name), static_cast<ValueType>(variable.type),
                         variable.value.load(kRelaxed), variable.least, variable.most});
  }
  return variables;
}

}  // namespace parallax::live
