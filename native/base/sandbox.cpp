// Compiled for general registers only, as delay points come here (perturb/delay.cpp).
#include "base/sandbox.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "base/memory.h"
#include "base/scratch.h"
#include "base/seccomp_filter.h"
#include "base/sys.h"
#include "base/text.h"

namespace parallax::sandbox {

__thread const Rules* own __attribute__((tls_model("initial-exec"))) = nullptr;
std::atomic<const Rules*> common{nullptr};

namespace {

std::atomic<const Rules*> latest{nullptr};
int outside = -1;  // filters that held before the recording; -1: not known

uint32_t depthOf(const Rules* rules) { return rules != nullptr ? rules->depth : 0; }

Rules* extend(Rules::Kind kind) {
  auto* fresh = static_cast<Rules*>(allocate(sizeof(Rules)));
  if (fresh == nullptr) return nullptr;
  const Rules* outer = rules();
  return new (fresh) Rules{kind, nullptr, 0, outer, depthOf(outer) + 1};
}

// Where there is no memory to keep it.
const Rules unknownRules{Rules::Kind::kUnknown, nullptr, 0, nullptr, ~0u};

// From memory of the program that may not be there.
bool copy(void* to, const void* from, size_t bytes) {
  iovec target{to, bytes};
  iovec source{const_cast<void*>(from), bytes};
  const long copied = sys::call(SYS_process_vm_readv, sys::getpid(), sys::word(&target), 1,
                                sys::word(&source), 1, 0);
  if (copied == static_cast<long>(bytes)) return true;
  if (copied >= 0 || copied == -EFAULT || from == nullptr) return false;
  memcpy(to, from, bytes);  // a kernel, or a sandbox, without that call
  return true;
}

}  // namespace

const Rules* rules() {
  const Rules* all = common.load(std::memory_order_acquire);
  return depthOf(all) > depthOf(own) ? all : own;
}

long verdict(const Rules* rules, long number, long a, long b, long c, long d, long e, long f) {
  const long arguments[] = {a, b, c, d, e, f};
  const auto here = reinterpret_cast<uint64_t>(&verdict);
  const seccomp_data data = seccompDataOf(number, arguments, here);
  uint32_t value = SECCOMP_RET_ALLOW;
  for (; rules != nullptr; rules = rules->outer) {
    if (rules->kind != Rules::Kind::kFilter) return -ENOSYS;
    value = strongerSeccompValue(value, runSeccompFilter(rules->program, rules->length, data));
  }
  switch (value & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
    case SECCOMP_RET_LOG:
      return 0;
    case SECCOMP_RET_ERRNO: {
      constexpr uint32_t kLargestError = 4095;
      const uint32_t error = value & SECCOMP_RET_DATA;
      // 0 is a call that seems to have been made.
      return error == 0 ? -ENOSYS : -static_cast<long>(error < kLargestError ? error : kLargestError);
    }
    default:
      return -ENOSYS;
  }
}

// -------------------------------------------------------------------- changes

Held held() {
  return {own, common.load(std::memory_order_relaxed), latest.load(std::memory_order_relaxed)};
}

void restore(const Held& former) {
  own = former.own;
  common.store(former.common, std::memory_order_release);
  latest.store(former.latest, std::memory_order_release);
}

const Rules* rulesWith(const sock_fprog* program) {
  sock_fprog filter;
  if (!copy(&filter, program, sizeof filter)) return nullptr;
  if (filter.len == 0 || filter.len > BPF_MAXINSNS) return nullptr;
  const size_t bytes = filter.len * sizeof(sock_filter);
  auto* steps = static_cast<sock_filter*>(allocate(bytes));
  Rules* fresh = extend(Rules::Kind::kFilter);
  if (steps == nullptr || fresh == nullptr) return &unknownRules;
  if (!copy(steps, filter.filter, bytes)) return nullptr;
  fresh->program = steps;
  fresh->length = filter.len;
  return fresh;
}

void hold(const Rules* rules, bool allThreads) {
  own = rules;
  latest.store(rules, std::memory_order_release);
  if (allThreads) common.store(rules, std::memory_order_release);
}

void forbidAll() {
  const Rules* fresh = extend(Rules::Kind::kNothing);
  own = fresh != nullptr ? fresh : &unknownRules;  // of this thread alone: not `latest`
}

// ---------------------------------------------------------------------- memory

namespace {

constexpr size_t kProvidedBytes = 16 << 20;  // only what is used becomes memory
std::atomic<char*> provided{nullptr};
std::atomic<size_t> used{0};

}  // namespace

void provideMemory() {
  if (provided.load(std::memory_order_acquire) != nullptr) return;
  char* none = nullptr;
  auto* fresh = static_cast<char*>(sys::pages(kProvidedBytes));
  if (!provided.compare_exchange_strong(none, fresh, std::memory_order_acq_rel)) {
    sys::munmap(fresh, kProvidedBytes);
  }
}

void* providedPages(size_t sizeBytes) {
  char* all = provided.load(std::memory_order_acquire);
  const size_t size = (sizeBytes + 4095) & ~size_t{4095};
  if (all == nullptr || size > kProvidedBytes) return nullptr;
  size_t at = used.load(std::memory_order_relaxed);
  do {
    if (at + size > kProvidedBytes) return nullptr;
  } while (!used.compare_exchange_weak(at, at + size, std::memory_order_relaxed));
  return all + at;
}

void inheritLatest() {
  if (own == nullptr) own = latest.load(std::memory_order_acquire);
}

bool isUnknown() {
  const Rules* held = rules();
  return held != nullptr && held->kind == Rules::Kind::kUnknown;
}

// ----------------------------------------------------------------- executions

namespace {

constexpr size_t kNameBytes = sizeof "PARALLAX_SECCOMP" - 1;
constexpr size_t kStepDigits = 2 * sizeof(sock_filter);
constexpr char kDigits[] = "0123456789abcdef";
constexpr size_t kMostTextBytes = 100000;  // the kernel takes strings up to 128 KiB

const char* valueIn(char* const* environment, const char* name, size_t length) {
  for (; environment != nullptr && *environment != nullptr; environment++) {
    if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') {
      return *environment + length + 1;
    }
  }
  return nullptr;
}

// One filter in hex; where it ends, or null.
const char* readFilter(const char* text) {
  size_t digits = 0;
  while (digitOf(text[digits]) < 16) digits++;
  if (digits == 0 || digits % kStepDigits != 0) return nullptr;
  auto* bytes = static_cast<unsigned char*>(allocate(digits / 2));
  Rules* fresh = extend(Rules::Kind::kFilter);
  if (bytes == nullptr || fresh == nullptr) return nullptr;
  for (size_t i = 0; i < digits; i += 2) {
    bytes[i / 2] = static_cast<unsigned char>(digitOf(text[i]) << 4 | digitOf(text[i + 1]));
  }
  fresh->program = reinterpret_cast<const sock_filter*>(bytes);
  fresh->length = digits / kStepDigits;
  hold(fresh, false);
  return text + digits;
}

// False: it is not of this form.
bool readVariable(const char* text) {
  if (*text == '?') {
    text++;
  } else {
    constexpr uint64_t kMostFilters = 1 << 20;
    uint64_t filters;
    std::string_view rest = text;
    if (!readNumber(&rest, 10, &filters) || filters > kMostFilters) return false;
    outside = static_cast<int>(filters);
    text = rest.data();
  }
  while (*text == ':') {
    text = readFilter(text + 1);
    if (text == nullptr) return false;
  }
  return *text == '\0';
}

size_t writeFilter(char* text, size_t at, const Rules* held) {
  text[at++] = ':';
  const auto* bytes = reinterpret_cast<const unsigned char*>(held->program);
  for (size_t i = 0; i < held->length * sizeof(sock_filter); i++) {
    text[at++] = kDigits[bytes[i] >> 4];
    text[at++] = kDigits[bytes[i] & 15];
  }
  return at;
}

size_t textBytes(const Rules* held) {
  size_t bytes = kNameBytes + 16;
  for (; held != nullptr; held = held->outer) {
    if (held->kind != Rules::Kind::kFilter) return kMostTextBytes + 1;
    bytes += 1 + held->length * kStepDigits;
  }
  return bytes;
}

void writeText(char* text, const Rules* held) {
  size_t at = appendText(text, 0, kNameBytes + 1, "PARALLAX_SECCOMP=");
  if (outside < 0) {
    text[at++] = '?';
  } else {
    at = appendNumber(text, at, kNameBytes + 16, outside);
  }
  for (uint32_t depth = 1; depth <= held->depth; depth++) {  // from the outermost inwards
    const Rules* next = held;
    while (next->depth != depth) next = next->outer;
    at = writeFilter(text, at, next);
  }
  text[at] = '\0';
}

}  // namespace

void inheritFromEnvironment(int filters) {
  const char* text = valueIn(environ, kVariable, kNameBytes);
  if (text == nullptr) return;
  const bool known = readVariable(text);
  const int expected = outside + static_cast<int>(depthOf(own));
  if (!known || (outside >= 0 && filters >= 0 && filters != expected)) hold(&unknownRules, true);
}

char* const* environmentFor(char* const* environment) {
  constexpr char kTrace[] = "PARALLAX_TRACE";
  const Rules* held = rules();
  // An execution ends the dispatch of system calls, and strict mode allows none.
  while (held != nullptr && held->kind == Rules::Kind::kNothing) held = held->outer;
  if (held == nullptr || environment == nullptr ||
      valueIn(environment, kTrace, sizeof kTrace - 1) == nullptr) {
    return environment;
  }
  const size_t bytes = textBytes(held);
  size_t count = 0;
  while (environment[count] != nullptr) count++;
  const size_t listBytes = (count + 3) * sizeof(char*);
  const bool fits = bytes <= kMostTextBytes;
  const size_t allBytes = listBytes + (fits ? bytes : kNameBytes + 16);
  auto* pages = static_cast<char**>(sys::pages(allBytes));
  if (pages == nullptr) return environment;
  pages[0] = reinterpret_cast<char*>(allBytes);
  char* text = reinterpret_cast<char*>(pages) + listBytes;
  if (fits) {
    writeText(text, held);
  } else {
    text[appendText(text, 0, kNameBytes + 15, "PARALLAX_SECCOMP=unknown")] = '\0';
  }
  char** list = pages + 1;
  size_t at = 0;
  for (; *environment != nullptr; environment++) {
    if (strncmp(*environment, text, kNameBytes + 1) != 0) list[at++] = *environment;
  }
  list[at++] = text;
  list[at] = nullptr;
  return list;
}

void freeEnvironment(char* const* environment, char* const* made) {
  if (made == environment) return;
  auto* pages = const_cast<char**>(made) - 1;
  sys::munmap(pages, reinterpret_cast<size_t>(pages[0]));
}

}  // namespace parallax::sandbox
