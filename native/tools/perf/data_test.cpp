// perf.data, with planted answers.
#include <link.h>

#include "tools/perf/data_test_writer.h"
#include "tools/perf/perf_look_test.h"

// A function whose name and place are known.
extern "C" __attribute__((noinline)) int parallaxPlantedFunction(int x) {
  __asm__ volatile("");
  return x + 1;
}

namespace parallax::perf {
namespace {

constexpr uint64_t kUser = static_cast<uint64_t>(-512), kKernel = static_cast<uint64_t>(-128);
constexpr uint64_t kSecond = 1'000'000'000;

TestData twoThreads(bool isBig, bool isPipe) {
  TestData data(isBig, isPipe);
  const uint32_t clock = data.event(1, 0, 501, "cpu-clock:ppp"), faults = data.event(1, 2, 502, "page-faults:u");
  data.map(-1, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text", 0, true);
  data.comm(100, 100, "app", kSecond, true).map(100, 0x400000, 0x1000, 0x1000, "/no/such/app", kSecond);
  data.map(100, 0x7f0000000000, 0x10000, 0, "/no/such/lib.so", kSecond).fork(100, 100, 101, 100, kSecond + 10);
  data.comm(100, 101, "worker", kSecond + 20);
  data.sample(clock, 100, 100, kSecond + 1'000'000, 1'000'000, {kUser, 0x400123, 0x7f0000000201});
  data.sample(clock, 100, 100, kSecond + 9'000'000, 2'000'000, {kKernel, 0xffffffff81000040, kUser, 0x400123, 0x7f0000000201}, true);
  data.sample(clock, 100, 101, kSecond + 3'000'000, 500'000, {kUser, 0x7f0000000abc});
  data.sample(faults, 100, 101, kSecond + 3'100'000, 32, {kUser, 0x7f0000000abc});
  data.lost(5, kSecond + 9'000'000);
  return data;
}

TEST_F(Perf, DataHasTheSamplesOfAnyMachineFromFilesAndPipes) {
  const std::map<std::string, uint64_t> expected = {
      {"app/app 100: [/no/such/lib.so+200];[/no/such/app+1123]", 1'000'000},
      {"app/app 100: [/no/such/lib.so+200];[/no/such/app+1122];[[kernel.kallsyms]+40]", 2'000'000},
      {"app/worker 101: [/no/such/lib.so+abc]", 500'000}};
  for (const bool isBig : {false, true}) {
    for (const bool isPipe : {false, true}) {
      const Imported trace = imported(twoThreads(isBig, isPipe).bytes(), "perf.data");
      EXPECT_EQ(expected, trace.cpuNs) << isBig << isPipe << trace.report;
      EXPECT_EQ(32u, trace.totals.at("app/worker 101: page-faults:u"));
      EXPECT_EQ(6'000'000u, trace.lostNs.at("app/app 100"));
      EXPECT_TRUE(trace.reports("record\tcpu-clock:ppp\t3\t0")) << trace.report;
      EXPECT_TRUE(trace.warns("5 records were lost")) << trace.report;
      EXPECT_NE(std::string::npos, trace.dump.find("node7"));
      EXPECT_NE(std::string::npos, trace.dump.find("ThreadCreate"));
    }
  }
}

// Processors write one after the other what happened at the same time: a sample belongs to the file that was mapped then.
TEST_F(Perf, RecordsOfProcessorsAreTakenInTheOrderOfTime) {
  TestData data;
  const uint32_t clock = data.event(1, 0, 7, "cpu-clock");
  data.comm(1, 1, "a", 10).round();
  data.sample(clock, 1, 1, 4000, 1000, {kUser, 0x5010}).sample(clock, 1, 1, 6000, 1000, {kUser, 0x5010}).round();
  data.map(1, 0x5000, 0x1000, 0, "/no/first", 1000).map(1, 0x5000, 0x1000, 0, "/no/second", 5000);
  data.sample(clock, 1, 1, 8000, 1000, {kUser, 0x5010}).round().round().round();
  const Imported trace = imported(data.bytes(), "perf.data");
  EXPECT_EQ(1000u, trace.cpuNs.at("a/a 1: [/no/first+10]")) << trace.dump;
  EXPECT_EQ(2000u, trace.cpuNs.at("a/a 1: [/no/second+10]"));
}

TEST_F(Perf, SwitchRecordsTellStates) {
  TestData data;
  const uint32_t clock = data.event(1, 0, 7, "cpu-clock");
  data.comm(1, 1, "a", 10).change(1, 1, false, false, 1'000'000).sample(clock, 1, 1, 2'000'000, 1'000'000, {kUser, 0x5010});
  data.change(1, 1, true, true, 3'000'000).change(1, 1, false, false, 5'000'000).change(1, 1, true, false, 6'000'000);
  data.change(1, 1, false, false, 9'000'000).sample(clock, 1, 1, 9'500'000, 1'000'000, {kUser, 0x5010});
  const Imported trace = imported(data.bytes(), "perf.data");
  EXPECT_EQ(5'000'000u, trace.lostNs.at("a/a 1"));
  EXPECT_EQ(2'000'000u, trace.runnableNs.at("a/a 1"));
  EXPECT_EQ(3'500'000u, trace.cpuNs.at("a/a 1: [[unknown]+5010]"));
}

// The names of functions come from the files that were mapped.
TEST_F(Perf, FilesThatAreThereGiveNames) {
  struct Place {
    uint64_t start = 0, bytes = 0, offset = 0;
  } place;
  const auto wanted = reinterpret_cast<uint64_t>(&parallaxPlantedFunction);
  EXPECT_EQ(3, parallaxPlantedFunction(2));
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long start, end, offset;
    if (sscanf(line.c_str(), "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && wanted >= start && wanted < end) {
      place = {start, end - start, offset};
    }
  }
  TestData data;
  const uint32_t clock = data.event(1, 0, 7, "cpu-clock");
  data.comm(1, 1, "a", 10).map(1, place.start, place.bytes, place.offset, std::filesystem::read_symlink("/proc/self/exe"), 20);
  data.sample(clock, 1, 1, 4000, 1000, {kUser, wanted + 1});
  const Imported trace = imported(data.bytes(), "perf.data");
  EXPECT_EQ(1000u, trace.cpuNs.at("a/a 1: parallaxPlantedFunction")) << trace.dump;
}

TEST_F(Perf, CutDataOpensUpToItsEnd) {
  const std::string whole = twoThreads(false, true).bytes();
  const size_t cut = whole.size() - 140;  // in the last sample of the clock
  const Imported trace = imported(whole.substr(0, cut), "perf.data");
  EXPECT_TRUE(trace.warns(file_ + ", at byte ")) << trace.report;
  EXPECT_TRUE(trace.warns("the file ends in a record; the rest is left out")) << trace.report;
  EXPECT_EQ(2u, trace.cpuNs.size()) << trace.report;
  const std::string file = twoThreads(false, false).bytes();
  EXPECT_EQ(3u, imported(file.substr(0, file.size() - 300), "perf.data").cpuNs.size());
}

TEST_F(Perf, DataWithoutSamplesIsRefused) {
  EXPECT_NE(std::string::npos, import("PERFILE2", "perf.data").find("perf.data is no file of perf: the header is damaged"));
  TestData data;
  data.event(1, 0, 7, "cpu-clock");
  data.comm(1, 1, "a", 10);
  EXPECT_NE(std::string::npos, import(data.bytes(), "perf.data").find("perf.data has no samples"));
  data.record(81, 0, "compressed");
  EXPECT_NE(std::string::npos, import(data.bytes(), "perf.data").find("run `perf script"));
}

}  // namespace
}  // namespace parallax::perf
