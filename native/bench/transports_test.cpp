// The parts of `parallax study intrusion` and `parallax bench transports`: settings, results that are resumed, tables,
// the chart, and the contended store.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "bench/peers_run.h"
#include "bench/transports_decisions.h"
#include "bench/transports_paper.h"
#include "bench/transports_results.h"
#include "bench/transports_runs.h"
#include "bench/transports_settings.h"
#include "bench/transports_store.h"
#include "bench/transports_tables.h"
#include "tests/temporary_directory.h"

namespace parallax::bench {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string inOneSpace(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' || result.empty() || result.back() != ' ') result += c;
  }
  return result;
}

Record measured(const Cell& cell, int round, double wallNs, const std::string& outcome = Record::kDone) {
  Record record{cell.keys(), round, outcome, {}};
  if (outcome == Record::kDone) record.figures = {wallNs, 2e9, 3e9, 70000, 13000, 14000, 1700, 1, 11, 80000, 31e6, 0.5, 4e9};
  return record;
}

const Cell kPlain = untraced({"A", 32, "", ""});
const Cell kUnbuffered = {"A", 32, Store::kContended, "unbuffered"};

TEST(Transports, EveryModeOfTheHelpIsMeasured) {
  const std::vector<std::string> modes = transportModes(false), few = transportModes(true);
  for (const char* mode : {"mapped", "unbuffered", "buffered:64K", "buffered:128K", "buffered:320K", "buffered:576K"}) {
    EXPECT_EQ(1, std::count(modes.begin(), modes.end(), mode)) << mode;
  }
  for (const std::string& mode : modes) EXPECT_TRUE(isTransportMode(mode)) << mode;
  EXPECT_EQ(1, std::count(few.begin(), few.end(), "buffered:64K"));
  EXPECT_EQ(0, std::count(few.begin(), few.end(), "buffered:128K"));
  EXPECT_FALSE(isTransportMode("buffered"));
}

TEST(Transports, ResultsAreKept) {
  const TemporaryDirectory scratch;
  std::string message;
  {
    Results results(scratch.path(), "seed 1\n", &message);
    EXPECT_EQ("", message);
    EXPECT_TRUE(results.add(measured(kPlain, 0, 1.5e9)));
    EXPECT_TRUE(results.add(measured(kUnbuffered, 0, 0, Record::kTooLong)));
    EXPECT_TRUE(results.add(measured(kUnbuffered, 1, 0, "it said \"no\",\nand more")));
    ASSERT_EQ(1u, results.failures().size());
  }
  EXPECT_NE(std::string::npos, contents(scratch / "measurements.csv").find(",1,it said  no   and more,,,"));
  const Results results(scratch.path(), "seed 1\n", &message);
  EXPECT_EQ("2 measurements are there already; they are kept", message);
  ASSERT_NE(nullptr, results.find(kPlain.keys(), 0));
  EXPECT_EQ(1.5e9, results.valueOf(*results.find(kPlain.keys(), 0), "wall_ns"));
  EXPECT_EQ(0.5, results.valueOf(*results.find(kPlain.keys(), 0), "load"));
  EXPECT_EQ(nullptr, results.find(kPlain.keys(), 1));
  EXPECT_TRUE(results.isGivenUp(kUnbuffered.keys()));
  EXPECT_FALSE(results.isGivenUp(kPlain.keys()));
  EXPECT_TRUE(results.failures().empty());
}

// A run is compared with the one without tracing of its class and process count: they follow each other.
TEST(Transports, BlocksHaveWhatIsCompared) {
  TransportSettings settings;
  settings.processes = {2, 4};
  settings.modes = {"mapped", kDiscarded};
  const RoundsPlan plan = planOf(settings, true);
  ASSERT_EQ(2u, plan.blocks.size());
  const std::vector<Keys> wanted = {{"A", "4", Store::kPlain, kUntraced}, {"A", "4", Store::kPlain, "mapped"},
                                    {"A", "4", Store::kPlain, kDiscarded}, {"A", "4", Store::kContended, "mapped"}};
  EXPECT_EQ(wanted, plan.blocks[1]);
  EXPECT_EQ(3u, planOf(settings, false).blocks[1].size());
}

TEST(Transports, IncreasesAreThoseOfTheSameRound) {
  Results results;
  for (int round = 0; round < 7; round++) {
    // The machine is slower in each round, and tracing always takes half as long again.
    results.add(measured(kPlain, round, 1e9 * (round + 1)));
    results.add(measured(kUnbuffered, round, 1.5e9 * (round + 1)));
  }
  const Estimate increase = results.increaseOf(kUnbuffered, "wall_ns");
  EXPECT_EQ(7u, increase.count);
  EXPECT_EQ("50.0 [50.0, 50.0]", increaseText(increase));
  EXPECT_EQ(4e9, results.estimateOf(kPlain.keys(), "wall_ns").median);
}

// One run that took too long on a busy machine is the longest of all; most of them end the measuring.
TEST(Transports, RunsThatTakeTooLongAreLongerThanAll) {
  Results results;
  for (int round = 0; round < 3; round++) {
    results.add(measured(kPlain, round, 1e9));
    results.add(measured(kUnbuffered, round, round * 1e9, round == 1 ? Record::kTooLong : Record::kDone));
  }
  EXPECT_FALSE(results.isGivenUp(kUnbuffered.keys()));
  EXPECT_EQ(2e9, results.estimateOf(kUnbuffered.keys(), "wall_ns").median);
  EXPECT_EQ("100", increaseText(results.increaseOf(kUnbuffered, "wall_ns")));
  for (int round = 3; round < 5; round++) {
    results.add(measured(kPlain, round, 1e9));
    results.add(measured(kUnbuffered, round, 0, Record::kTooLong));
  }
  EXPECT_TRUE(results.isGivenUp(kUnbuffered.keys()));
  EXPECT_EQ("", increaseText(results.increaseOf(kUnbuffered, "wall_ns")));
}

// Both relative to the same run of their round.
TEST(Transports, WhatIsAboveTheEventsIsADifferenceOfEachRound) {
  Results results;
  const Cell mode = {"A", 2, Store::kPlain, "mapped"}, discarded = {"A", 2, Store::kPlain, kDiscarded};
  for (int round = 0; round < 7; round++) {
    const double plain = 1e9 * (round + 1);
    results.add(measured(untraced(mode), round, plain));
    results.add(measured(mode, round, plain * 1.25));
    if (round < 6) results.add(measured(discarded, round, plain * 1.20));
  }
  const Estimate above = results.increaseAbove(mode, discarded, "wall_ns");
  EXPECT_EQ(6, above.count);
  EXPECT_NEAR(0.05, above.median, 1e-9);
}

// The CPU time of the sort without tracing is 2 s in `measured`.
TEST(Transports, CpuTimeOfAllIsRelativeToThatOfTheSort) {
  Results results;
  const Cell mode = {"A", 2, Store::kPlain, "mapped"}, discarded = {"A", 2, Store::kPlain, kDiscarded};
  for (int round = 0; round < 7; round++) {
    results.add(measured(untraced(mode), round, 1e9));
    for (const Cell& cell : {mode, discarded}) {
      Record record = measured(cell, round, 1e9);
      results.set(&record, "all_cpu_ns", cell.mode == kDiscarded ? 4.2e9 : 4.21e9);
      results.add(record);
    }
  }
  EXPECT_NEAR(0.1, results.cpuAbove(discarded, untraced(mode)).median, 1e-9);
  const Estimate above = results.cpuAbove(mode, discarded);
  EXPECT_NEAR(0.005, above.median, 1e-9);
  EXPECT_EQ(Verdict::kReached, below(above, 0.01));
}

// Of 2 processes with 5 ms of the store each, on 2 processors, in a sort of 1 s.
TEST(Transports, TheStoreTakesTimeOfTheProcessors) {
  Results results;
  const Cell cell = {"A", 2, Store::kContended, "shared"};
  for (int round = 0; round < 7; round++) {
    results.add(measured(untraced(cell), round, 1e9));
    Record record = measured(cell, round, 1.1e9);
    results.set(&record, "store_cpu_ns", 5e6);
    results.add(record);
  }
  EXPECT_NEAR(0.005, results.elapsedByStore(cell, 2).median, 1e-9);
}

TEST(Transports, DecisionsNameTheProcessCounts) {
  CpuDecisions decisions;
  EXPECT_EQ("", decisions.text());
  decisions.add(2, "plain", Verdict::kReached);
  decisions.add(8, "plain", Verdict::kReached);
  decisions.add(32, "plain", Verdict::kNotDecided);
  EXPECT_EQ("plain store, by CPU time of all processes and the writer: reached with 2, 8; not decided with 32\n", decisions.text());
}

// A recorder does not wait for its writer, whose parent then is this process.
TEST(Transports, CpuTimeOfTheWriterCounts) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const TemporaryDirectory scratch;
  const std::string loop = "touch begun; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; times";
  const auto run = runCommand("cp /bin/sh parallax-writer && (./parallax-writer -c '" + loop +
                              "' > writer &); until [ -e begun ]; do sleep 0.01; done",
                              scratch.path(), 60);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  EXPECT_EQ("", run.failure);
  double minutes = 0, seconds = 0;
  ASSERT_EQ(2, sscanf(contents(scratch / "writer").c_str(), "%lfm%lfs", &minutes, &seconds));
  EXPECT_GT(seconds, 0.01);
  EXPECT_GE(run.cpuNs, 1e9 * (60 * minutes + seconds) - 1e7);
}

TEST(Transports, ProcessCountsAreNumbers) {
  std::vector<int> counts;
  EXPECT_TRUE(parseCounts("2,17,,64", &counts));
  EXPECT_EQ((std::vector<int>{2, 17, 64}), counts);
  for (const char* wrong : {"", "0", "2,x", "4k", "1025", "-1"}) EXPECT_FALSE(parseCounts(wrong, &counts)) << wrong;
}

TEST(Transports, TablesStandBesideThePapers) {
  TransportSettings settings;
  settings.processes = {2, 32};
  settings.modes = {"mapped", "unbuffered", "buffered:64K"};
  Results results;
  results.add(measured(kPlain, 0, 1e9));
  results.add(measured({"A", 32, Store::kPlain, "unbuffered"}, 0, 1.25e9));
  results.add(measured(kUnbuffered, 0, 0, Record::kTooLong));
  results.add(measured({"A", 32, Store::kPlain, "mapped"}, 0, 1.01e9));
  results.add(measured({"A", 32, Store::kContended, "buffered:64K"}, 0, 1.01e9));
  const std::string text = inOneSpace(transportTables(settings, results, 4));
  for (const char* line : {"\n 32* none IS 8.17 1.0000 1.0000\n", "\n 32* unbuffered NOPT 12.04 47.4 1.2500 25.0 ended after 20 s\n",
                           "\n 32* buffered:64K BF 69k 9.15 12.0 1.0100 1.00\n", "\n 128 HN 110.57 3739\n", "\n 32 MP/MP 9.19 12.5\n",
                           "\n 32* mapped 1.0100 1.00\n", "\npaper, BF 609k 183168 25536 771040 979744\n",
                           "\n 32* none 13000 1700 1\n", "\n 32* mapped 13000 0 1700 1 70000 137428\n",
                           "\n 32* buffered:64K 11.0 80000 0.99\n"}) {
    EXPECT_NE(std::string::npos, text.find(line)) << line << "\nin\n" << text;
  }
}

// Of each time, the plain one is known; and the sums of Table 2 are those that the paper prints.
TEST(Transports, TheFiguresOfThePaperAreComplete) {
  for (const PaperTime& time : paperTimes()) {
    EXPECT_TRUE(std::any_of(paperTimes().begin(), paperTimes().end(), [&](const PaperTime& other) {
      return other.table == time.table && other.size == time.size && other.processes == time.processes &&
          other.column == std::string(kPaperPlain);
    })) << time.table << time.size << time.processes;
  }
  const long totals[] = {359712, 370112, 440096, 509728, 718624, 979744, 378752};
  for (size_t i = 0; i < std::size(totals); i++) {
    EXPECT_EQ(totals[i], kPaperLoads[i].text + kPaperLoads[i].data + kPaperLoads[i].bss) << kPaperLoads[i].column;
  }
}

TEST(Transports, TheChartHasEachModeAndThePaper) {
  TransportSettings settings;
  settings.modes = {"mapped", "unbuffered"};
  Results results;
  for (const int processes : {2, 64}) {
    results.add(measured(untraced({"A", processes, "", ""}), 0, 1e9));
    results.add(measured({"A", processes, Store::kPlain, "unbuffered"}, 0, 3e9));
    results.add(measured({"A", processes, Store::kContended, "mapped"}, 0, 0, Record::kTooLong));
  }
  const std::string svg = transportChart(settings, results);
  for (const char* part : {">mapped<", ">unbuffered<", ">NOPT<", ">MP/MP<", "Here, contended store, class A",
                           "mapped: ended after 20 s", "</svg>"}) {
    EXPECT_NE(std::string::npos, svg.find(part)) << part;
  }
  EXPECT_EQ(std::string::npos, svg.find("nan"));
  EXPECT_EQ(std::string::npos, svg.find("inf"));
}

TEST(Transports, SizesOfTheLoadedImage) {
  const LoadSize own = loadSize("/proc/self/exe");
  EXPECT_GT(own.text, 100000);
  EXPECT_GT(own.data, 1000);
  EXPECT_EQ(0, loadSize("/etc/passwd").text);
}

class ContendedStoreTest : public testing::Test {
 protected:
  static constexpr int kLatencyUs = 5000, kBytesPerSecond = 1000000;
  static constexpr double kLatency = kLatencyUs / 1e6;

  void SetUp() override {
    if (!store_.missing().empty()) GTEST_SKIP() << "no contended store: " << store_.missing();
  }

  static double secondsOf(const std::function<void()>& action) {
    const auto begin = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  int make(const std::string& name) {
    return open((store_.mount() + "/" + name).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  }

  TemporaryDirectory scratch_;
  ContendedStore store_{buildDirectory() + "/../parallax-contended-store", scratch_.path(), kLatencyUs, kBytesPerSecond};
};

TEST_F(ContendedStoreTest, TakesLatencyAndBandwidth) {
  const std::string block(20000, 'x');
  const double seconds = secondsOf([&] {
    const int fd = make("file");
    ASSERT_GE(fd, 0);
    for (int i = 0; i < 3; i++) EXPECT_EQ(20000, pwrite(fd, block.data(), block.size(), i * 20000));
    close(fd);
  });
  EXPECT_GE(seconds, 4 * kLatency + 60000.0 / kBytesPerSecond);
  const ContendedStore::Served served = store_.served();
  EXPECT_GE(served.requests, 4);  // the kernel divides some
  EXPECT_LE(served.requests, 10);
  EXPECT_EQ(60000, served.bytes);
  EXPECT_GT(served.cpuNs, 0);
  EXPECT_LT(served.cpuNs, served.busyNs);
  EXPECT_DOUBLE_EQ(served.requests * kLatency * 1e9 + 60000e9 / kBytesPerSecond, served.busyNs);
  EXPECT_EQ(block + block + block, contents(store_.files() + "/file"));
  EXPECT_EQ(block + block + block, contents(store_.mount() + "/file"));
}

// Which also has no files without names, as most of FUSE and NFS.
TEST_F(ContendedStoreTest, KeepsNoLastEventsWithoutHoles) {
  TemporaryDirectory other;
  const ContendedStore store(buildDirectory() + "/../parallax-contended-store", other.path(), 0, 1 << 30, false);
  ASSERT_EQ("", store.missing());
  for (const std::string& folder : {store.mount(), store_.mount()}) {
    const std::string command = buildDirectory() + "/../parallax-record --quiet --no-calibration --keep-last 1h -o " + folder +
                                "/trace -- true 2>&1";
    FILE* output = popen(command.c_str(), "r");
    std::string text;
    for (int c; (c = fgetc(output)) != EOF;) text += static_cast<char>(c);
    const int status = pclose(output);
    EXPECT_EQ(folder == store_.mount(), status == 0) << text;
    EXPECT_EQ(folder == store.mount(), text.find("cannot give back space within a file") != std::string::npos) << text;
  }
}

// Each page of a mapped file would wait for the server.
TEST_F(ContendedStoreTest, HasAProcessThatWritesAsDefault) {
  for (const std::string& folder : {store_.mount(), scratch_.path()}) {
    const std::string trace = folder + "/trace";
    const std::string command =
        buildDirectory() + "/../parallax-record --quiet --no-calibration -o " + trace + " -- " + buildDirectory() + "/../parallax-dump 2>&1";
    FILE* output = popen(command.c_str(), "r");
    while (fgetc(output) != EOF) {
    }
    pclose(output);
    const std::string wanted = folder == store_.mount() ? "transport = shared\n" : "transport = mapped\n";
    EXPECT_NE(std::string::npos, contents(trace + "/manifest").find(wanted)) << contents(trace + "/manifest");
  }
}

// The many-to-one effect: requests of four at once take as long as one after the other.
TEST_F(ContendedStoreTest, ServesOneRequestAtATime) {
  int files[4];
  for (int i = 0; i < 4; i++) ASSERT_GE(files[i] = make("file" + std::to_string(i)), 0);
  constexpr int kWrites = 5;
  const double seconds = secondsOf([&] {
    std::vector<std::thread> writers;
    for (const int fd : files) {
      writers.emplace_back([fd] {
        for (int i = 0; i < kWrites; i++) EXPECT_EQ(1, pwrite(fd, "x", 1, i));
      });
    }
    for (std::thread& writer : writers) writer.join();
  });
  EXPECT_GE(seconds, 4 * kWrites * kLatency - kLatency / 2);
  for (const int fd : files) close(fd);
}

// What a trace needs: reserved space, shared mappings, cut files, removed ones.
TEST_F(ContendedStoreTest, HoldsMappedFiles) {
  const int fd = make("file");
  ASSERT_GE(fd, 0);
  ASSERT_EQ(0, fallocate(fd, 0, 0, 65536));
  void* at = mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(MAP_FAILED, at);
  memcpy(static_cast<char*>(at) + 4096, "event", 5);
  EXPECT_EQ(0, munmap(at, 65536));
  EXPECT_EQ(0, ftruncate(fd, 5000));
  close(fd);
  const std::string text = contents(store_.files() + "/file");
  ASSERT_EQ(5000u, text.size());
  EXPECT_EQ("event", text.substr(4096, 5));
  EXPECT_EQ(0, mkdir((store_.mount() + "/folder").c_str(), 0755));
  EXPECT_EQ(0, rename((store_.mount() + "/file").c_str(), (store_.mount() + "/folder/other").c_str()));
  EXPECT_EQ(5000u, sizeOfTree(store_.mount()));
  EXPECT_EQ(0, unlink((store_.mount() + "/folder/other").c_str()));
  EXPECT_EQ(0, rmdir((store_.mount() + "/folder").c_str()));
  EXPECT_EQ(0u, sizeOfTree(store_.files()));
}

}  // namespace
}  // namespace parallax::bench
