// The names of the adapters, as --adapters and PARALLAX_ADAPTERS have them; for the agent and for
// parallax-record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/agent.h"

namespace parallax {

inline constexpr std::string_view kAdapterNames[] = {
    "mpi", "pthread", "process", "stream", "file", "openmp", "pvm", "user",
};
inline constexpr size_t kAdapters = sizeof kAdapterNames / sizeof kAdapterNames[0];
static_assert(kAdapters == static_cast<size_t>(Adapter::kUser) + 1);
inline constexpr uint32_t kAllAdapters = (1u << kAdapters) - 1;

// The next of the words that commas separate, without spaces around it; false after the last.
inline bool nextWord(std::string_view& list, std::string_view* word) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    *word = list.substr(0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    while (!word->empty() && word->front() == ' ') word->remove_prefix(1);
    while (!word->empty() && word->back() == ' ') word->remove_suffix(1);
    if (!word->empty()) return true;
  }
  return false;
}

// The adapters of a list: names add, names after a `-` remove; a list that begins by removing
// begins with all. Returns the first word that is no adapter, or an empty one.
inline std::string_view parseAdapters(std::string_view list, uint32_t* adapters) {
  std::string_view word, wrong;
  uint32_t found = 0;
  bool first = true;
  while (nextWord(list, &word)) {
    const bool removes = word.front() == '-';
    const std::string_view name = removes ? word.substr(1) : word;
    if (first && removes) found = kAllAdapters;
    first = false;
    uint32_t named = name == "all" ? kAllAdapters : 0;
    for (size_t i = 0; i < kAdapters; i++) {
      if (name == kAdapterNames[i]) named = 1u << i;
    }
    if (named == 0 && name != "none" && wrong.empty()) wrong = word;
    found = removes ? found & ~named : found | named;
  }
  *adapters = first ? kAllAdapters : found;
  return wrong;
}

}  // namespace parallax
