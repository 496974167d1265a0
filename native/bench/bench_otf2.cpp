// parallax-bench-otf2-import [--rounds N] DIR RECORDS: how fast an archive is imported, beside the library's own reader, which
// counts the records and does nothing else. Both read the same archive in turns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "tools/otf2/archive_writer.h"
#include "tools/otf2/import.h"

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

double seconds(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// CPU time of this process and of its children that have ended.
double cpuSeconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      sum += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    }
  }
  return sum;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print(const char* what, uint64_t records, const std::vector<double>& times) {
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  printf("%-28s %8.2f million records/s (median; %.2f to %.2f)\n", what,
         static_cast<double>(records) / median(times) / 1e6, static_cast<double>(records) / *most / 1e6,
         static_cast<double>(records) / *least / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 5;
  if (argc == 5 && strcmp(argv[1], "--rounds") == 0) {
    rounds = atoi(argv[2]);
    argv += 2;
    argc -= 2;
  }
  if (argc != 3 || rounds < 1) {
    fputs("usage: parallax-bench-otf2-import [--rounds N] DIR RECORDS\n", stderr);
    return 2;
  }
  const std::string directory = argv[1];
  const std::string anchor = parallax::otf2::writeMany(directory + "/archive", strtoull(argv[2], nullptr, 10));
  std::vector<double> plain, one, all, ratio, ratioAll, plainCpu, oneCpu, ratioCpu;
  for (int round = 0; round <= rounds; round++) {  // the first one fills the file cache
    const double cpuBegin = cpuSeconds();
    const auto begin = Clock::now();
    readPlainly(anchor);
    const double plainly = seconds(begin);
    const double plainlyCpu = cpuSeconds() - cpuBegin;
    double taken[2], cpu[2];
    for (unsigned workers : {1u, 0u}) {
      parallax::otf2::ImportOptions options;
      options.archive = anchor;
      options.directory = directory + "/trace";
      options.workers = workers;
      std::filesystem::remove_all(options.directory);
      const double cpuStart = cpuSeconds();
      const auto start = Clock::now();
      const std::string error = parallax::otf2::importArchive(options);
      taken[workers == 1 ? 0 : 1] = seconds(start);
      cpu[workers == 1 ? 0 : 1] = cpuSeconds() - cpuStart;
      if (!error.empty()) {
        fprintf(stderr, "parallax-bench-otf2-import: %s\n", error.c_str());
        return 1;
      }
    }
    if (round == 0) continue;
    plain.push_back(plainly);
    plainCpu.push_back(plainlyCpu);
    oneCpu.push_back(cpu[0]);
    ratioCpu.push_back(plainlyCpu / cpu[0]);
    one.push_back(taken[0]);
    all.push_back(taken[1]);
    ratio.push_back(plainly / taken[0]);
    ratioAll.push_back(plainly / taken[1]);
  }
  printf("%llu records, %d rounds\n", static_cast<unsigned long long>(counted), rounds);
  print("the library's reader", counted, plain);
  print("import, one process", counted, one);
  print("import, all processors", counted, all);
  print("the reader, CPU time", counted, plainCpu);
  print("import, CPU time", counted, oneCpu);
  printf("import to reader, of a round: one process %.2f, all processors %.2f, CPU time %.2f (medians)\n",
         median(ratio), median(ratioAll), median(ratioCpu));
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  printf("resident memory of a worker: at most %ld KiB\n", usage.ru_maxrss);
  return 0;
}
