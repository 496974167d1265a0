#include "interpose/descriptors/event_counter.h"

#include "base/sys.h"
#include "base/text.h"
#include "interpose/ipc/kernel_object.h"

namespace parallax {
namespace {

constexpr int kWrites = 0;
constexpr int kTaken = 1;    // tokens; where a read takes all, the writes that the last read has seen
constexpr int kTraits = 2;   // 0: not known yet; of tokens, the upper bits have those that it began with
constexpr uint64_t kKnown = 1, kTokens = 2, kUneven = 4;  // uneven: not every write has added 1
constexpr uint64_t kLarge = 8;                            // a write has added so much that later ones may find no room
constexpr int kFirstShift = 4;
constexpr uint64_t kBias = uint64_t{1} << 50;  // of the tokens at first, for fewer than none

struct Facts {
  uint64_t id = 0, value = 0;
  bool tokens = false;
};

// The number behind a word of /proc/self/fdinfo; false where there is none.
bool numberBehind(const char* text, const char* word, unsigned base, uint64_t* number) {
  const char* at = __builtin_strstr(text, word);
  if (at == nullptr) return false;
  at += __builtin_strlen(word);
  while (*at == ' ' || *at == '\t') at++;
  *number = 0;
  for (;; at++) {
    const unsigned digit = *at >= '0' && *at <= '9' ? static_cast<unsigned>(*at - '0')
                           : *at >= 'a' && *at <= 'f' ? static_cast<unsigned>(*at - 'a') + 10 : 16;
    if (digit >= base) return true;
    *number = *number * base + digit;
  }
}

bool askFacts(int fd, Facts* facts) {
  char path[40];
  size_t at = appendText(path, 0, sizeof path, "/proc/self/fdinfo/");
  at = appendNumber(path, at, sizeof path - 1, fd);
  path[at] = '\0';
  const int info = sys::openat(AT_FDCWD, path, O_RDONLY);
  if (info < 0) return false;
  char text[256];
  const long length = sys::read(info, text, sizeof text - 1);
  sys::close(info);
  if (length <= 0) return false;
  text[length] = '\0';
  uint64_t tokens = 0;
  facts->tokens = numberBehind(text, "eventfd-semaphore:", 10, &tokens) && tokens != 0;  // since 6.5
  return numberBehind(text, "eventfd-id:", 10, &facts->id) && numberBehind(text, "eventfd-count:", 16, &facts->value);
}

KernelObject* objectOf(const Facts& facts) {
  return kernelObject(format::SyncKind::kEventfd, facts.id, facts.id);
}

void settle(KernelObject* object, uint64_t value, bool tokens) {
  const uint64_t writes = object->count(kWrites).load(std::memory_order_relaxed);
  if (!tokens) {
    object->count(kTaken).store(writes, std::memory_order_relaxed);
    object->count(kTraits).store(kKnown, std::memory_order_release);
    return;
  }
  object->count(kTaken).store(0, std::memory_order_relaxed);
  // The next write makes the token behind those that are there.
  object->count(kTraits).store((kBias + value - writes) << kFirstShift | kTokens | kKnown, std::memory_order_release);
}

}  // namespace

void beginEvents(int fd, unsigned value, bool tokens) {
  if (fd < 0 || !fdCallsWanted() || !adapterEnabled(Adapter::kStream) || !recording()) return;
  const Guard guard;
  Facts facts;
  if (!guard || !askFacts(fd, &facts)) return;
  if (KernelObject* object = objectOf(facts)) settle(object, value, tokens);
}

void describeEvents(int fd, Descriptor* result) {
  Facts facts;
  KernelObject* object = askFacts(fd, &facts) ? objectOf(facts) : nullptr;
  if (object == nullptr) return;  // only waits of it are recorded
  uint64_t traits = object->count(kTraits).load(std::memory_order_acquire);
  if (traits == 0) {
    // It was made past the agent.
    settle(object, facts.value, facts.tokens);
    traits = object->count(kTraits).load(std::memory_order_acquire);
  }
  result->kind = FdKind::kEvents;
  result->tokens = (traits & kTokens) != 0;
  result->send = result->receive = {object->number(), object->counters.load(std::memory_order_relaxed)};
}

uint64_t countEvents(const Descriptor& descriptor) {
  return descriptor.send.counters->value[kWrites].fetch_add(1, std::memory_order_acq_rel) + 1;
}

void noteUnevenEvents(const Descriptor& descriptor) {
  descriptor.send.counters->value[kTraits].fetch_or(kUneven, std::memory_order_relaxed);
}

bool canBeFull(const Descriptor& descriptor) {
  return (descriptor.send.counters->value[kTraits].load(std::memory_order_relaxed) & kLarge) != 0;
}

void noteLargeEvents(const Descriptor& descriptor) {
  descriptor.send.counters->value[kTraits].fetch_or(kLarge, std::memory_order_relaxed);
}

uint64_t takeEvents(const Descriptor& descriptor) {
  auto& counts = descriptor.receive.counters->value;
  if (!descriptor.tokens) {
    const uint64_t writes = counts[kWrites].load(std::memory_order_acquire);
    const uint64_t before = counts[kTaken].exchange(writes, std::memory_order_acq_rel);
    return before < writes ? before + 1 : 0;
  }
  const uint64_t taken = counts[kTaken].fetch_add(1, std::memory_order_acq_rel) + 1;
  const uint64_t traits = counts[kTraits].load(std::memory_order_relaxed);
  const uint64_t writes = counts[kWrites].load(std::memory_order_acquire);
  if ((traits & kUneven) != 0) return writes;
  const auto write = static_cast<int64_t>(taken + kBias - (traits >> kFirstShift));
  return write > 0 && static_cast<uint64_t>(write) <= writes ? static_cast<uint64_t>(write) : 0;
}

}  // namespace parallax
