#include "agent/settings.h"

#include <unistd.h>

#include <cstdlib>

#include "agent/adapters.h"
#include "agent/functions.h"
#include "agent/text.h"
#include "agent/throttle.h"

namespace parallax {

std::atomic<uint32_t> enabledAdapters{0};

// Whoever comes first reads it, before any constructor if need be. All read the same.
uint32_t readAdapters() {
  if (environ == nullptr) return kAdaptersRead;  // libc has not begun yet: none, until it has
  const char* list = getenv("PARALLAX_ADAPTERS");
  uint32_t adapters = kAllAdapters;
  if (list != nullptr) parseAdapters(list, &adapters);
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
  const char* list = getenv("PARALLAX_ADAPTERS");
  if (list == nullptr) return;
  uint32_t adapters;
  const std::string_view wrong = parseAdapters(list, &adapters);
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
  const char* throttle = getenv("PARALLAX_THROTTLE");
  char usual[48];
  size_t length = appendNumber(usual, 0, sizeof usual, kThrottleCalls);
  length = appendText(usual, length, sizeof usual, ":");
  length = appendNumber(usual, length, sizeof usual, kThrottleNs);
  const bool given = throttle != nullptr && throttle[0] != '\0';
  define(format::SettingRecord{"throttle",
                               given ? std::string_view(throttle) : std::string_view(usual, length)});
  const char* filter = getenv("PARALLAX_FILTER");
  if (filter != nullptr && filter[0] != '\0') define(format::SettingRecord{"filter", filter});
}

}  // namespace parallax
