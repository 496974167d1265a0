#include "tools/otf2/export_main.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/conversion/command_line.h"
#include "tools/otf2/export.h"

namespace parallax::otf2 {
namespace {

constexpr char kUsage[] =
    "usage: parallax-otf2 export [OPTIONS] TRACE DIR\n"
    "\n"
    "Writes a trace of Parallax as an archive of OTF2, with the anchor file DIR/traces.otf2. The command\n"
    "parallax export otf2 does this with the clocks that the reports use. Prints what became of the events.\n"
    "\n"
    "  --name NAME        of the anchor file, without .otf2 (traces)\n"
    "  --epoch NS         CLOCK_REALTIME at time 0\n"
    "  --corrections FILE of times, as the file clocks of a trace has them\n"
    "  --clock REFERENCE:MULTIPLIER:SHIFT:OFFSET:HOST\n"
    "                     how the ticks of a host become nanoseconds\n"
    "  --progress         print lines \"BLOCKS ALL\" with the blocks written up to now\n"
    "  --help             print this text\n"
    "\n"
    "example:\n"
    "  parallax-otf2 export run1 run1-otf2\n";

bool parseClock(const char* text, HostClock* clock) {
  int end = 0;
  unsigned long long reference = 0;
  long long multiplier = 0, offset = 0;
  if (sscanf(text, "%llu:%lld:%d:%lld:%n", &reference, &multiplier, &clock->shift, &offset, &end) != 4 || end == 0 ||
      clock->shift < 0 || clock->shift > 62) {
    return false;
  }
  clock->referenceTicks = reference;
  clock->multiplier = multiplier;
  clock->offsetNs = offset;
  clock->host = text + end;
  return true;
}

int wrong(const std::string& message) { return conversion::wrongUse("parallax-otf2", message, "parallax-otf2 export"); }

void printCounts(const ExportCounts& counts) {
  for (size_t kind = 0; kind < ExportCounts::kKinds; kind++) {
    if (counts.read[kind] == 0) continue;
    printf("event\t%zu\t%llu\t%llu\n", kind, static_cast<unsigned long long>(counts.read[kind]),
           static_cast<unsigned long long>(counts.left[kind]));
  }
  if (counts.damagedBlocks > 0) {
    printf("note\t%llu damaged blocks of events were left out\n",
           static_cast<unsigned long long>(counts.damagedBlocks));
  }
  for (const std::string& note : counts.notes) printf("note\t%s\n", note.c_str());
}

}  // namespace

int exportMain(int count, char** arguments) {
  ExportOptions options;
  std::string names[2];
  int named = 0;
  for (int i = 0; i < count; i++) {
    const std::string word = arguments[i];
    const char* value = i + 1 < count ? arguments[i + 1] : nullptr;
    if (word == "--help" || word == "-h") {
      fputs(kUsage, stdout);
      return 0;
    }
    if (word == "--progress") {
      options.progress = conversion::printProgress;
    } else if (word == "--corrections" && value != nullptr) {
      options.corrections = arguments[++i];
    } else if (word == "--name" && value != nullptr) {
      options.name = arguments[++i];
    } else if (word == "--epoch" && value != nullptr) {
      options.epochNs = strtoull(arguments[++i], nullptr, 10);
    } else if (word == "--clock" && value != nullptr) {
      HostClock clock;
      if (!parseClock(arguments[++i], &clock)) return wrong(std::string("--clock cannot be ") + value);
      options.clocks.push_back(clock);
    } else if (word[0] == '-' || named == 2) {
      return wrong("unexpected " + word);
    } else {
      names[named++] = word;
    }
  }
  if (named != 2) return wrong("name a trace and a directory");
  options.trace = names[0];
  options.directory = names[1];
  signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is told like a full disk
  ExportCounts counts;
  const std::string error = exportTrace(options, &counts);
  if (!error.empty()) return conversion::fail("parallax-otf2", error);
  printCounts(counts);
  return 0;
}

}  // namespace parallax::otf2
