#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "format/writer.h"
#include "tools/record.h"

namespace parallax::record {

std::string quotedForShell(const std::vector<std::string>& command) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:=,@%^";
  std::string result;
  for (const std::string& word : command) {
    if (!result.empty()) result += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      result += word;
      continue;
    }
    result += '\'';
    for (const char c : word) {
      if (c == '\'') {
        result += "'\\''";
      } else {
        result += c;
      }
    }
    result += '\'';
  }
  return result;
}

std::string isoTime() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts;
  gmtime_r(&now.tv_sec, &parts);
  char day[32], text[48];
  strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
  snprintf(text, sizeof text, "%s.%03ldZ", day, now.tv_nsec / 1000000);
  return text;
}

int replaceManifest(const std::string& traceDirectory, const Manifest& manifest) {
  format::Manifest entries = {{"run", manifest.run},
                              {"created", manifest.created},
                              {"host", manifest.host},
                              {"directory", manifest.directory},
                              {"command", manifest.command},
                              {"agent", PARALLAX_VERSION},
                              {"sample-hz", std::to_string(manifest.sampleHz)},
                              {"tick-hz", std::to_string(manifest.tickHz)},
                              {"transport", manifest.transport}};
  if (!manifest.control.empty()) entries.emplace_back("control", manifest.control);
  if (!manifest.whenFull.empty()) entries.emplace_back("when-full", manifest.whenFull);
  entries.insert(entries.end(), manifest.limits.begin(), manifest.limits.end());
  for (const Cost& cost : manifest.costs) {
    char ns[32];
    snprintf(ns, sizeof ns, "%.1f", cost.ns);
    entries.emplace_back("cost-" + cost.name + "-ns", ns);
  }
  if (!manifest.ended.empty()) {
    entries.emplace_back("ended", manifest.ended);
    entries.emplace_back("elapsed-ns", std::to_string(manifest.elapsedNs));
    entries.emplace_back("exit-status", std::to_string(manifest.exitStatus));
    entries.emplace_back("processes", std::to_string(manifest.processes));
    entries.emplace_back("event-files", std::to_string(manifest.eventFiles));
  }
  const std::string problem = format::writeManifest(traceDirectory, entries);
  return problem.empty() ? 0 : errno;
}

}  // namespace parallax::record
