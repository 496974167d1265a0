// Traces that keep the last events of each thread.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "format/reader.h"
#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::Kind;

// Of one event file.
struct Kept {
  uint64_t from = 0, blocks = 0, sizeBytes = 0;
  uint64_t firstTicks = 0, lastTicks = 0;
  size_t events = 0;
  Kind last = Kind::kNone;
};

class AgentKeepLast : public testing::Test {
 protected:
  // All blocks from the first one that is kept on are sound, and begin with the state.
  static Kept read(const format::ThreadFile& thread, bool isKilled) {
    Kept kept;
    format::MappedFile raw;
    EXPECT_EQ("", raw.open(thread.path));
    if (raw.size() < sizeof(format::BlockHeader)) return kept;
    kept.from = reinterpret_cast<const format::BlockHeader*>(raw.data())->keptFrom;
    kept.sizeBytes = raw.size();
    format::EventFile events;
    EXPECT_EQ("", events.open(thread.path));
    if (kept.from > 0) {  // the first block, in the definitions, is not kept either
      format::EventFile whole;
      EXPECT_EQ("", whole.open(thread));
      EXPECT_EQ(events.blockCount(), whole.blockCount());
      EXPECT_EQ(events.block(0).header->number, whole.block(0).header->number);
    }
    for (size_t i = 0; i < events.blockCount(); i++) {
      const format::BlockView block = events.block(i);
      if (block.state == format::BlockState::kEmpty && i > 0) break;
      EXPECT_TRUE(block.state == format::BlockState::kClosed ||
                  (block.state == format::BlockState::kOpen && isKilled))
          << thread.path << " block " << i << " from " << kept.from;
      kept.blocks++;
      format::Event event;
      for (format::BlockReader reader(block); reader.next(&event); kept.events++) {
        if (kept.events == 0) kept.firstTicks = event.ticks;
        if (kept.from > 0 && (kept.events == 0 || (kept.events == 1 && kept.last == Kind::kCpu))) {
          EXPECT_TRUE(event.kind == Kind::kKeptState || (event.kind == Kind::kCpu && kept.events == 0));
        }
        // The time of which it tells a loss would be none.
        EXPECT_FALSE(event.kind == Kind::kCpu && (kept.last == Kind::kKeptState || kept.last == Kind::kKept));
        EXPECT_GE(event.ticks, kept.lastTicks);
        kept.lastTicks = event.ticks;
        kept.last = event.kind;
      }
    }
    return kept;
  }
  std::vector<Kept> readAll(bool isKilled = false) {
    std::vector<Kept> all;
    format::TraceFiles files;
    EXPECT_EQ("", format::findTraceFiles(directory_, &files));
    for (const format::ProcessFiles& process : files.processes) {
      for (const format::ThreadFile& thread : process.threads) {
        if (!thread.path.empty()) all.push_back(read(thread, isKilled));
      }
    }
    return all;
  }
  uint64_t traceBytes() const { return bytesOnDisk(directory_); }

  std::string loadManifest(const std::string& key) const {
    format::TraceFiles files;
    EXPECT_EQ("", format::findTraceFiles(directory_, &files));
    return std::string(files.property(key));
  }

  TemporaryDirectory scratch_;
  const std::string directory_ = scratch_ / "trace";
};

TEST_F(AgentKeepLast, TheSpaceOfOlderEventsIsGivenBack) {
  const Outcome outcome = run(recorded(directory_, {guest("space"), "rounds", "2", "1200"},
                                       {"--keep-last", "0.2s", "--sample-hz", "0", "--no-calibration"}));
  EXPECT_EQ(7, outcome.status) << outcome.errors;
  EXPECT_EQ(std::string::npos, outcome.errors.find("missing")) << outcome.errors;
  const double tickHz = std::stod(loadManifest("tick-hz"));
  const std::vector<Kept> all = readAll();
  ASSERT_EQ(2u, all.size());
  uint64_t sizeBytes = 0;
  for (const Kept& kept : all) {
    EXPECT_GT(kept.from, 0u);
    EXPECT_EQ(Kind::kThreadEnd, kept.last);
    const double seconds = static_cast<double>(kept.lastTicks - kept.firstTicks) / tickHz;
    EXPECT_GE(seconds, 0.19);
    EXPECT_LT(seconds, 0.8);
    sizeBytes += kept.sizeBytes;
  }
  EXPECT_LT(traceBytes(), sizeBytes * 2 / 3);
  EXPECT_EQ("0.2s", loadManifest("keep-last"));
}

// Also of a thread that fills a block of events in a tenth of a second.
TEST_F(AgentKeepLast, AThreadWithFewEventsKeepsLittleMore) {
  const Outcome outcome = run(recorded(directory_, {guest("space"), "rounds", "1", "1300", "10"},
                                       {"--keep-last", "0.2s", "--sample-hz", "0", "--no-calibration"}));
  EXPECT_EQ(7, outcome.status) << outcome.errors;
  const std::vector<Kept> all = readAll();
  ASSERT_EQ(1u, all.size());
  const double seconds = static_cast<double>(all[0].lastTicks - all[0].firstTicks) / std::stod(loadManifest("tick-hz"));
  EXPECT_GE(seconds, 0.19);
  EXPECT_LT(seconds, 0.7);
}

// Where the space ends first, less than that time is kept, and nothing is lost.
TEST_F(AgentKeepLast, ALimitOfSpaceIsKept) {
  const Outcome outcome = run(recorded(directory_, {guest("space"), "events", "4", "400000"},
                                       {"--keep-last", "1h", "--max-size", "24M", "--no-calibration"}));
  EXPECT_EQ(7, outcome.status) << outcome.errors;
  EXPECT_EQ(std::string::npos, outcome.errors.find("missing")) << outcome.errors;
  for (const Kept& kept : readAll()) EXPECT_EQ(Kind::kThreadEnd, kept.last);
  EXPECT_LE(traceBytes(), (24u << 20) + (64u << 10));
}

// Older events make room for the next block, and not for the usual window of sixteen.
TEST_F(AgentKeepLast, LittleIsGivenBackForLackOfSpace) {
  const Outcome outcome = run(recorded(directory_, {guest("space"), "events", "1", "200000"},
                                       {"--keep-last", "1h", "--max-size", "3M", "--sample-hz", "0", "--no-calibration"}));
  EXPECT_EQ(7, outcome.status) << outcome.errors;
  EXPECT_EQ(std::string::npos, outcome.errors.find("missing")) << outcome.errors;
  const std::vector<Kept> all = readAll();
  ASSERT_EQ(1u, all.size());
  EXPECT_EQ(Kind::kThreadEnd, all[0].last);
  EXPECT_GT(all[0].from, 0u);
  EXPECT_GE(all[0].blocks * format::kBlockBytes, (2u << 20) + (1u << 19));
}

TEST_F(AgentKeepLast, PausesAreTold) {
  for (const bool isPaused : {false, true}) {
    std::filesystem::remove_all(directory_);
    const Outcome outcome =
        run(recorded(directory_, isPaused ? Words{guest("pauses"), "own"} : Words{guest("space"), "rounds", "1", "10"},
                     {"--keep-last", "30s", "--no-calibration"}));
    const Trace trace = loadTrace(directory_);
    ASSERT_EQ(1u, trace.processes.size()) << outcome.errors;
    EXPECT_EQ(isPaused ? 1u : 0u, trace.processes[0].settings.count("paused"));
  }
}

TEST_F(AgentKeepLast, AKillAtAnyMomentLeavesWhatIsKept) {
  std::mt19937 random(17);
  for (int i = 0; i < 4; i++) {
    std::filesystem::remove_all(directory_);
    const long ms = 150 + static_cast<long>(random() % 200);
    char delay[32];
    snprintf(delay, sizeof delay, "0.%03ld", ms);
    run(recorded(directory_, {"timeout", "-s", "KILL", delay, guest("space"), "rounds", "2", "5000"},
                 {"--keep-last", "0.1s", "--sample-hz", "0", "--no-calibration"}));
    const std::vector<Kept> all = readAll(true);
    EXPECT_EQ(2u, all.size());
    for (const Kept& kept : all) EXPECT_GT(kept.events, 1000u);
  }
}

TEST_F(AgentKeepLast, WhatDoesNotGoTogetherIsRefused) {
  for (const Words& options : {Words{"--keep-last", "10x"}, Words{"--keep-last", "0"}, Words{"--keep-last", "-1s"},
                               Words{"--keep-last", "1s", "--transport", "buffered:64K"}}) {
    const Outcome outcome = run({recorder(), options[0], options[1], options.size() > 2 ? options[2] : "--quiet",
                                 options.size() > 3 ? options[3] : "--quiet", "--", "true"});
    EXPECT_EQ(2, outcome.status) << options[1];
    EXPECT_NE(std::string::npos, outcome.errors.find("--keep-last")) << outcome.errors;
  }
}

}  // namespace
}  // namespace parallax::tests
