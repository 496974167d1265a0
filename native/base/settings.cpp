#include "base/settings.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/memory.h"
#include "base/text.h"

namespace parallax {

namespace {

constexpr size_t kSettings = static_cast<size_t>(Setting::kEnd);
constexpr const char* kVariables[] = {
    "PARALLAX_TRACE", "PARALLAX_ADAPTERS", "PARALLAX_COUNT", "PARALLAX_FLAT", "PARALLAX_FULL",
    "PARALLAX_FILTER", "PARALLAX_THROTTLE", "PARALLAX_TICK_HZ", "PARALLAX_SAMPLE_HZ",
    "PARALLAX_SAMPLE_CLOCK", "PARALLAX_CPU_CLOCK", "PARALLAX_MACHINE", "PARALLAX_MARKERS", "PARALLAX_VISITS",
    "PARALLAX_PERTURB", "PARALLAX_TUNE", "PARALLAX_KEEP_FREE", "PARALLAX_MAX_SIZE", "PARALLAX_TRANSPORT",
    "PARALLAX_RINGS", "PARALLAX_CONTROL", "PARALLAX_MAX_PROCESS_SIZE",
    "PARALLAX_MAX_RATE", "PARALLAX_KEEP_LAST", "PARALLAX_CLOCK_OFFSETS",
    "PARALLAX_LOG", "PARALLAX_DISTRUST",
};
static_assert(sizeof kVariables / sizeof kVariables[0] == kSettings);

struct Settings {
  std::string_view values[kSettings];
};
std::atomic<const Settings*> settings{nullptr};

// Instead of the environment.
std::atomic<const char*> given{nullptr};
std::atomic<bool> areGiven{false};

const char* valueOf(const char* name) {
  const char* at = given.load(std::memory_order_acquire);
  if (at == nullptr) return getenv(name);
  const size_t length = strlen(name);
  for (; *at != '\0'; at += strlen(at) + 1) {
    if (strncmp(at, name, length) == 0 && at[length] == '=') return at + length + 1;
  }
  return nullptr;
}

// Null before libc has begun, and without memory.
const Settings* copyOfEnvironment() {
  if (environ == nullptr) return nullptr;
  const char* values[kSettings];
  size_t bytes = sizeof(Settings);
  for (size_t i = 0; i < kSettings; i++) {
    values[i] = valueOf(kVariables[i]);
    if (values[i] == nullptr) values[i] = "";
    bytes += strlen(values[i]) + 1;
  }
  auto* memory = static_cast<char*>(allocate(bytes));
  if (memory == nullptr) return nullptr;
  auto* copy = new (memory) Settings;
  memory += sizeof(Settings);
  for (size_t i = 0; i < kSettings; i++) {
    const size_t length = strlen(values[i]);
    memcpy(memory, values[i], length);  // zeroed: it ends with a NUL
    copy->values[i] = std::string_view(memory, length);
    memory += length + 1;
  }
  return copy;
}

}  // namespace

void copySettings() {
  if (areGiven.load(std::memory_order_acquire)) return;
  settings.store(copyOfEnvironment(), std::memory_order_release);
}

void giveSettings(const char* variables) {
  given.store(variables, std::memory_order_release);
  settings.store(copyOfEnvironment(), std::memory_order_release);
  given.store(nullptr, std::memory_order_release);
  areGiven.store(true, std::memory_order_release);
}

std::string_view setting(Setting which) {
  const Settings* known = settings.load(std::memory_order_acquire);
  if (known == nullptr) {
    const Settings* copy = copyOfEnvironment();
    if (copy == nullptr) return "";
    // All use the copy of whoever came first.
    known = settings.compare_exchange_strong(known, copy, std::memory_order_acq_rel) ? copy : known;
  }
  return known->values[static_cast<size_t>(which)];
}

uint64_t settingNumber(Setting which, uint64_t otherwise) {
  uint64_t value;
  return parseNumber(setting(which), 10, ~uint64_t{0}, &value) ? value : otherwise;
}

}  // namespace parallax
