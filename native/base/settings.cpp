#include "agent/settings.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "agent/adapters.h"
#include "agent/functions.h"
#include "agent/text.h"
#include "agent/throttle.h"

namespace parallax {

namespace {

constexpr size_t kSettings = static_cast<size_t>(Setting::kEnd);
constexpr const char* kVariables[] = {
    "PARALLAX_TRACE", "PARALLAX_ADAPTERS", "PARALLAX_COUNT", "PARALLAX_FLAT", "PARALLAX_FULL",
    "PARALLAX_FILTER", "PARALLAX_THROTTLE", "PARALLAX_TICK_HZ", "PARALLAX_SAMPLE_HZ",
    "PARALLAX_SAMPLE_CLOCK", "PARALLAX_CPU_CLOCK", "PARALLAX_MACHINE", "PARALLAX_MARKERS", "PARALLAX_VISITS",
    "PARALLAX_PERTURB", "PARALLAX_KEEP_FREE", "PARALLAX_MAX_SIZE", "PARALLAX_LOG",
};
static_assert(sizeof kVariables / sizeof kVariables[0] == kSettings);

struct Settings {
  std::string_view values[kSettings];
};
std::atomic<const Settings*> settings{nullptr};

// Null before libc has begun, and without memory.
const Settings* copyOfEnvironment() {
  if (environ == nullptr) return nullptr;
  const char* values[kSettings];
  size_t bytes = sizeof(Settings);
  for (size_t i = 0; i < kSettings; i++) {
    values[i] = getenv(kVariables[i]);
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

void copySettings() { settings.store(copyOfEnvironment(), std::memory_order_release); }

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
  const char* text = setting(which).data();
  if (*text == '\0') return otherwise;
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; text++) {
    value = value * 10 + static_cast<uint64_t>(*text - '0');
  }
  return *text == '\0' ? value : otherwise;
}

std::atomic<uint32_t> enabledAdapters{0};

// Whoever comes first reads it, before any constructor if need be. All read the same.
uint32_t readAdapters() {
  if (environ == nullptr) return kAdaptersRead;  // libc has not begun yet: none, until it has
  uint32_t adapters;
  parseAdapters(setting(Setting::kAdapters), &adapters);
  adapters |= kAdaptersRead;
  enabledAdapters.store(adapters, std::memory_order_relaxed);
  return adapters;
}

namespace {

void defineAdapters() {
  char text[128];
  size_t length = 0;
  for (size_t i = 0; i < kAdapters; i++) {
    if (!adapterEnabled(static_cast<Adapter>(i))) continue;
    if (length > 0) length = appendText(text, length, sizeof text, ",");
    length = appendText(text, length, sizeof text, kAdapterNames[i].data());
  }
  define(format::SettingRecord{"adapters", std::string_view(text, length)});
  uint32_t adapters;
  const std::string_view wrong = parseAdapters(setting(Setting::kAdapters), &adapters);
  if (wrong.empty()) return;
  char problem[256];
  length = appendText(problem, 0, sizeof problem, "PARALLAX_ADAPTERS names no adapter by \"");
  for (const char c : wrong.substr(0, 64)) problem[length++] = c;
  length = appendText(problem, length, sizeof problem, "\"; it was ignored.");
  define(format::NoteRecord{std::string_view(problem, length)});
}

}  // namespace

void defineSettings() {
  defineAdapters();
  defineRelevance();
  if (isInstrumented()) defineInstrumented();
}

void defineInstrumented() {
  define(format::SettingRecord{"instrument", "yes"});
  const std::string_view throttle = setting(Setting::kThrottle);
  char usual[48];
  size_t length = appendNumber(usual, 0, sizeof usual, kThrottleCalls);
  length = appendText(usual, length, sizeof usual, ":");
  length = appendNumber(usual, length, sizeof usual, kThrottleNs);
  define(format::SettingRecord{"throttle",
                               throttle.empty() ? std::string_view(usual, length) : throttle});
  const std::string_view filter = setting(Setting::kFilter);
  if (!filter.empty()) define(format::SettingRecord{"filter", filter});
}

}  // namespace parallax
