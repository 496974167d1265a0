#include "bench/transports_settings.h"

#include <cctype>
#include <cstdlib>

#include "bench/study_text.h"
#include "transport/transport_mode.h"

namespace parallax::bench {
namespace {

constexpr char kSize[] = ":SIZE";

// The paper has buffers of 1,024 to 8,960 records of 68 bytes, and pairs of buffers of 960 and 1,920.
std::vector<std::string> sizesOf(const std::string& name, bool few) {
  if (few) return {"64K"};
  if (name == "buffered") return {"64K", "128K", "320K", "576K"};
  return {"64K", "128K"};
}

}  // namespace

bool isTransportMode(const std::string& text) {
  TransportMode mode;
  return parseTransport(text, &mode);
}

std::vector<std::string> transportModes(bool few) {
  // The words of the help text that are modes, so that a new mode is among them.
  std::vector<std::string> modes;
  std::string word;
  for (const char c : std::string(kTransports) + " ") {
    if (isalpha(static_cast<unsigned char>(c)) || c == ':' || c == '-') {
      word += c;
      continue;
    }
    const size_t size = word.find(kSize);
    if (size == std::string::npos) {
      if (isTransportMode(word)) modes.push_back(word);
    } else if (const std::string name = word.substr(0, size); isTransportMode(name + ":64K")) {
      for (const std::string& bytes : sizesOf(name, few)) modes.push_back(name + ":" + bytes);
    }
    word.clear();
  }
  return modes;
}

bool parseCounts(const std::string& list, std::vector<int>* counts) {
  constexpr long kMost = 1024;
  counts->clear();
  for (const std::string& word : split(list)) {
    char* end;
    const long count = strtol(word.c_str(), &end, 10);
    if (*end != '\0' || count < 1 || count > kMost) return false;
    counts->push_back(static_cast<int>(count));
  }
  return !counts->empty();
}

std::string TransportSettings::comparable() const {
  return "seed " + std::to_string(seed) + "\nmost-seconds " + std::to_string(mostSeconds) + "\nlatency-us " +
      std::to_string(latencyUs) + "\nbytes-per-second " + std::to_string(bytesPerSecond) + "\n";
}

}  // namespace parallax::bench
