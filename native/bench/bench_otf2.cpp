// How fast an archive is imported, beside the library's own reader, which counts the records and does nothing else, and
// otf2-print, which prints a smaller archive. They take turns. Their files are in DIR/bench-otf2 meanwhile.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tools/otf2/archive_writer.h"

namespace {

using Clock = std::chrono::steady_clock;

uint64_t counted;

#define COMMON OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void*, OTF2_AttributeList*
OTF2_CallbackCode region(COMMON, OTF2_RegionRef) {
  counted++;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode message(COMMON, uint32_t, OTF2_CommRef, uint32_t, uint64_t) {
  counted++;
  return OTF2_CALLBACK_SUCCESS;
}

// One location after the other, as the fastest use of the library.
void readPlainly(const std::string& anchor) {
  counted = 0;
  OTF2_Reader* reader = OTF2_Reader_Open(anchor.c_str());
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  uint64_t locations = 0;
  OTF2_Reader_GetNumberOfLocations(reader, &locations);
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  uint64_t read = 0;
  OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
  OTF2_Reader_CloseGlobalDefReader(reader, definitions);
  for (uint64_t i = 0; i < locations; i++) OTF2_Reader_SelectLocation(reader, i);
  OTF2_Reader_OpenDefFiles(reader);
  OTF2_Reader_OpenEvtFiles(reader);
  OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, region);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, region);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, message);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, message);
  for (uint64_t i = 0; i < locations; i++) {
    OTF2_DefReader* local = OTF2_Reader_GetDefReader(reader, i);
    if (local != nullptr) {
      OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read);
      OTF2_Reader_CloseDefReader(reader, local);
    }
    OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, i);
    OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, nullptr);
    OTF2_Reader_ReadAllLocalEvents(reader, events, &read);
    OTF2_Reader_CloseEvtReader(reader, events);
  }
  OTF2_EvtReaderCallbacks_Delete(callbacks);
  OTF2_Reader_Close(reader);
}

// What a process took that did some work once.
struct Taken {
  double seconds = 0, cpuSeconds = 0;
  long memoryKiB = 0;  // of it or, if that is more, of one that it started
  bool isDone = false;
};

// Runs the work in a process of its own, so that memory and CPU time are only those of the work.
Taken measure(const std::function<int()>& work) {
  Taken taken;
  const auto begin = Clock::now();
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return taken;
  taken.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
    taken.cpuSeconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  }
  taken.memoryKiB = usage.ru_maxrss;
  taken.isDone = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return taken;
}

// Replaces this process by a program that prints nothing.
int execute(const std::vector<std::string>& command) {
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return 127;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Point {
  const char* name;
  uint64_t records;
  std::vector<Taken> rounds;
};

void print(const Point& point) {
  std::vector<double> wall, cpu;
  long memory = 0;
  for (const Taken& each : point.rounds) {
    wall.push_back(static_cast<double>(point.records) / each.seconds / 1e6);
    cpu.push_back(static_cast<double>(point.records) / each.cpuSeconds / 1e6);
    memory = std::max(memory, each.memoryKiB);
  }
  const auto [least, most] = std::minmax_element(wall.begin(), wall.end());
  printf("%-24s %8.2f (%.2f to %.2f) %12.2f %10.1f\n", point.name, median(wall), *least, *most, median(cpu),
         static_cast<double>(memory) / 1024);
}

// How many times as fast the import is, in the same round.
void printRatio(const char* name, const Point& import, const Point& peer) {
  std::vector<double> wall, cpu;
  for (size_t i = 0; i < import.rounds.size(); i++) {
    const double size = static_cast<double>(import.records) / static_cast<double>(peer.records);
    wall.push_back(size * peer.rounds[i].seconds / import.rounds[i].seconds);
    cpu.push_back(size * peer.rounds[i].cpuSeconds / import.rounds[i].cpuSeconds);
  }
  const auto [least, most] = std::minmax_element(wall.begin(), wall.end());
  printf("%-44s %6.2f (%.2f to %.2f), by CPU time %.2f\n", name, median(wall), *least, *most, median(cpu));
}

int usage() {
  fputs("usage: parallax-bench-otf2-import [--short] [--rounds N] [--records N] DIR\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t records = 20'000'000, printed = 500'000;
  int rounds = 5;
  std::string directory;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--short") == 0) {
      records = 200'000, printed = 20'000, rounds = 1;
    } else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
      rounds = atoi(argv[++i]);
    } else if (strcmp(argv[i], "--records") == 0 && i + 1 < argc) {
      records = strtoull(argv[++i], nullptr, 10);
    } else if (argv[i][0] == '-' || !directory.empty()) {
      return usage();
    } else {
      directory = argv[i];
    }
  }
  if (directory.empty() || rounds < 1 || records == 0) return usage();
  directory += "/bench-otf2";
  std::filesystem::remove_all(directory);  // of a run that was killed
  std::filesystem::create_directories(directory);
  const std::string large = parallax::otf2::writeMany(directory + "/large", records);
  const std::string small = parallax::otf2::writeMany(directory + "/small", std::min(printed, records));
  readPlainly(small);
  const uint64_t countedSmall = counted;
  readPlainly(large);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").parent_path().string() + "/parallax-otf2";
  const std::string trace = directory + "/trace";
  Point reader{"library's own reader", counted, {}}, one{"import, one process", counted, {}},
      all{"import", counted, {}}, text{"otf2-print", countedSmall, {}};
  bool hasPrint = true;
  for (int round = 0; round < rounds; round++) {
    reader.rounds.push_back(measure([&] { return readPlainly(large), 0; }));
    for (Point* point : {&one, &all}) {
      std::filesystem::remove_all(trace);
      std::vector<std::string> command{program, large, trace};
      if (point == &one) command.insert(command.begin() + 1, {"--workers", "1"});
      point->rounds.push_back(measure([&] { return execute(command); }));
      if (!point->rounds.back().isDone) {
        fprintf(stderr, "parallax-bench-otf2-import: %s failed\n", program.c_str());
        return 1;
      }
    }
    text.rounds.push_back(measure([&] { return execute({"otf2-print", small}); }));
    hasPrint = hasPrint && text.rounds.back().isDone;
  }
  std::filesystem::remove_all(directory);
  printf("%llu records of OTF2 in 2 locations, %d rounds in turns\n", static_cast<unsigned long long>(counted), rounds);
  printf("%-24s %27s %12s %10s\n", "", "million records/s (range)", "by CPU time", "MiB");
  for (const Point* point : {&reader, &one, &all}) print(*point);
  if (hasPrint) print(text);
  puts("\nimport, as a multiple of a peer in the same round");
  printRatio("library's own reader (goal: 1)", all, reader);
  printRatio("library's own reader, import by one process", one, reader);
  if (hasPrint) {
    printRatio("otf2-print", all, text);
  } else {
    puts("otf2-print is not installed (Debian: otf2-tools)");
  }
  return 0;
}
