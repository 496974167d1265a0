#include "core/setting_records.h"

#include <unistd.h>

#include "base/settings.h"
#include "base/text.h"
#include "core/adapters.h"
#include "core/functions.h"
#include "core/glibc.h"
#include "core/throttle.h"
#include "transport/transport_mode.h"

namespace parallax {

std::atomic<uint32_t> enabledAdapters{0};

// Whoever comes first reads it, before any constructor if need be. All read the same.
uint32_t readAdapters() {
  if (environ == nullptr) return kAdaptersRead;  // libc has not begun yet: none, until it has
  uint32_t adapters;
  parseAdapters(setting(Setting::kAdapters), &adapters);
  // Only these are measured without a trace; pthread is on while a point or an action asks for it.
  constexpr uint32_t kTuned = 1u << static_cast<uint32_t>(Adapter::kMpi) | 1u << static_cast<uint32_t>(Adapter::kPvm);
  if (setting(Setting::kTrace).empty() && !setting(Setting::kTune).empty()) adapters &= kTuned;
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
  length = appendText(problem, 0, sizeof problem, "PARALLAX_ADAPTERS has an unknown adapter \"");
  for (const char c : wrong.substr(0, 64)) problem[length++] = c;
  length = appendText(problem, length, sizeof problem, "\"; it was ignored.");
  define(format::NoteRecord{std::string_view(problem, length)});
}

}  // namespace

namespace {

void defineTransport() {
  const std::string_view transport = setting(Setting::kTransport);
  TransportMode mode;
  if (transport.empty()) {
    define(format::SettingRecord{"transport", transportMode.isShared() ? "shared" : "mapped"});
  } else if (parseTransport(transport, &mode)) {
    define(format::SettingRecord{"transport", transport});
  } else {
    define(format::NoteRecord{"PARALLAX_TRANSPORT is not known; the trace was written as mapped."});
  }
}

}  // namespace

void defineSettings() {
  defineAdapters();
  defineTransport();
  if (!setting(Setting::kControl).empty()) {
    define(format::SettingRecord{"control", setting(Setting::kControl)});
  }
  defineRelevance();
  if (isInstrumented()) defineInstrumented();
  glibc::tell();
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
