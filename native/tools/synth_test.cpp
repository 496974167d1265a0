// Reads synthetic traces back and derives the planted truth again from the events alone.

#include "tools/synth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include "format/reader.h"
#include "format/symbols_file.h"
#include "tests/temporary_directory.h"

namespace parallax::synth {
namespace {

using namespace format;

struct Message {
  uint64_t timeNs, bytes;
};

// What a process defines, with procedure names resolved through the symbols file.
struct Definitions {
  ProcessRecord process;
  MpiRecord mpi;
  std::map<uint32_t, std::string> regions;
  std::map<uint32_t, CallPathRecord> paths;
  std::vector<ModuleRecord> modules;

  void operator()(const ProcessRecord& r) { process = r; }
  void operator()(const MpiRecord& r) { mpi = r; }
  void operator()(const RegionRecord& r) { regions[r.region] = r.name; }
  void operator()(const CallPathRecord& r) { paths[r.path] = r; }
  void operator()(const ModuleRecord& r) { modules.push_back(r); }
  template <class R>
  void operator()(const R&) {}

  uint64_t timeNs(uint64_t ticks) const {
    return process.realtimeNs + (ticks - process.startTicks) * 1'000'000'000 / process.tickHz;
  }

  std::string procedure(uint32_t path, const std::vector<SymbolModule>& symbols) const {
    const CallPathRecord& p = paths.at(path);
    if (p.kind == PathKind::kRegion) return regions.at(static_cast<uint32_t>(p.value));
    const uint64_t address = p.value - (p.kind == PathKind::kReturnAddress ? 1 : 0);
    for (const ModuleRecord& module : modules) {
      if (address < module.firstAddress || address >= module.endAddress) continue;
      for (const SymbolModule& candidate : symbols) {
        if (candidate.path != module.path || candidate.buildId != module.buildId) continue;
        for (const SymbolAddress& a : candidate.addresses) {
          if (a.offset == address - module.loadBias) return a.frames.at(0).function;
        }
      }
    }
    return "unresolved";
  }
};

// The events of a whole trace, checked on the way.
class Replay {
 public:
  explicit Replay(const std::string& directory) {
    TraceFiles files;
    EXPECT_EQ(findTraceFiles(directory, &files), "");
    MappedFile symbolsText;
    EXPECT_EQ(symbolsText.open(directory + "/symbols"), "");
    EXPECT_EQ(parseSymbols({symbolsText.data(), symbolsText.size()}, &symbols_), "");
    for (const ProcessFiles& process : files.processes) {
      DefinitionsFile file;
      EXPECT_EQ(file.open(process.definitions), "");
      Definitions definitions;
      EXPECT_EQ(file.forEach(definitions), DefinitionsEnd::kInOrder);
      locks_.clear();
      for (const ThreadFile& thread : process.threads) readThread(definitions, thread.path);
      checkLocks();
    }
  }

  Truth truth;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<Message>> sends, receives;
  // By sequence: when each participant entered and completed.
  std::map<uint64_t, std::vector<std::pair<uint64_t, uint64_t>>> collectives;

 private:
  struct Open {
    uint32_t path;
    uint64_t sinceNs, insideNs;
  };

  void readThread(const Definitions& definitions, const std::string& path) {
    EventFile file;
    ASSERT_EQ(file.open(path), "");
    const uint32_t rank = definitions.mpi.worldRank;
    std::vector<Open> open;
    uint64_t lastNs = 0, outsideNs = 0, firstNs = 0;
    Event e;
    for (EventReader reader(file); reader.next(&e);) {
      const uint64_t nowNs = definitions.timeNs(e.ticks);
      if (truth.events++, lastNs == 0) lastNs = firstNs = nowNs;
      ASSERT_GE(nowNs, lastNs);
      if (open.empty()) outsideNs += nowNs - lastNs;
      lastNs = nowNs;
      const auto path32 = static_cast<uint32_t>(e.operand);
      switch (e.kind) {
        case Kind::kEnter:
          open.push_back({path32, nowNs, 0});
          break;
        case Kind::kLeave: {
          ASSERT_FALSE(open.empty());
          ASSERT_EQ(open.back().path, path32);
          const uint64_t wholeNs = nowNs - open.back().sinceNs;
          addTime(definitions, rank, path32, wholeNs - open.back().insideNs);
          open.pop_back();
          if (!open.empty()) open.back().insideNs += wholeNs;
          break;
        }
        case Kind::kSample:
          ASSERT_TRUE(open.empty());
          truth.samples++;
          addTime(definitions, rank, path32, outsideNs);
          outsideNs = 0;
          break;
        case Kind::kSend:
          sends[{rank, peerOf(e.payload(0)), tagOf(e.payload(0))}].push_back({nowNs, e.payload(1)});
          break;
        case Kind::kReceive:
          receives[{peerOf(e.payload(0)), rank, tagOf(e.payload(0))}].push_back(
              {nowNs, e.payload(1)});
          break;
        case Kind::kCollective:
          collectives[e.payload(3)].emplace_back(open.back().sinceNs, nowNs);
          break;
        case Kind::kAcquire:
          locks_.emplace_back(e.payload(0) >> 1, 1, nowNs);
          break;
        case Kind::kRelease:
          locks_.emplace_back(e.payload(0), 2, nowNs);
          break;
        default:
          break;
      }
    }
    ASSERT_TRUE(open.empty());
    if (rank == 0) {
      truth.unsampledNs += outsideNs;
      truth.threadNs += lastNs - firstNs;
    }
  }

  void addTime(const Definitions& definitions, uint32_t rank, uint32_t path, uint64_t ns) {
    if (rank == 0) truth.exclusiveNs[definitions.procedure(path, symbols_)] += ns;
  }

  // In the order of the sequence, acquire and release alternate and time goes on.
  void checkLocks() {
    std::sort(locks_.begin(), locks_.end());
    for (size_t i = 0; i < locks_.size(); i++) {
      ASSERT_EQ(std::get<0>(locks_[i]), 1 + i / 2);
      if (i == 0) continue;
      ASSERT_GE(std::get<2>(locks_[i]), std::get<2>(locks_[i - 1]));
    }
  }

  std::vector<SymbolModule> symbols_;
  std::vector<std::tuple<uint64_t, int, uint64_t>> locks_;
};

class SynthTrace : public testing::TestWithParam<std::tuple<Pattern, uint32_t, uint32_t>> {};

TEST_P(SynthTrace, HoldsThePlantedTruth) {
  TemporaryDirectory directory;
  Options options;
  options.directory = directory / "trace";
  options.pattern = std::get<0>(GetParam());
  options.processes = std::get<1>(GetParam());
  options.threads = std::get<2>(GetParam());
  options.events = 60'000;
  options.seed = 7;
  Truth truth;
  ASSERT_EQ(writeTrace(options, &truth), "");
  EXPECT_GE(truth.events, options.events);
  EXPECT_LT(truth.events, options.events + 200 * options.processes * options.threads);

  Replay replay(options.directory);
  EXPECT_EQ(replay.truth.events, truth.events);
  EXPECT_EQ(replay.truth.samples, truth.samples);
  EXPECT_GT(truth.samples, 10u);
  EXPECT_EQ(replay.truth.exclusiveNs, truth.exclusiveNs);
  EXPECT_EQ(replay.truth.unsampledNs, truth.unsampledNs);
  EXPECT_EQ(replay.truth.threadNs, truth.threadNs);
  uint64_t sumNs = truth.unsampledNs;
  for (const auto& [procedure, ns] : truth.exclusiveNs) sumNs += ns;
  EXPECT_EQ(sumNs, truth.threadNs);

  uint64_t messages = 0, bytes = 0;
  EXPECT_EQ(replay.sends.size(), replay.receives.size());
  for (const auto& [key, sent] : replay.sends) {
    const std::vector<Message>& received = replay.receives[key];
    ASSERT_EQ(sent.size(), received.size());
    for (size_t i = 0; i < sent.size(); i++) {
      EXPECT_LT(sent[i].timeNs, received[i].timeNs);
      EXPECT_EQ(sent[i].bytes, received[i].bytes);
      bytes += sent[i].bytes;
    }
    messages += sent.size();
  }
  EXPECT_EQ(messages, truth.messages);
  EXPECT_EQ(bytes, truth.bytes);
  EXPECT_EQ(messages > 0, options.processes > 1 && options.pattern != Pattern::kBarrier);

  EXPECT_EQ(replay.collectives.size(), truth.collectives);
  for (const auto& [sequence, times] : replay.collectives) {
    ASSERT_EQ(times.size(), options.processes);
    uint64_t lastEnter = 0;
    for (const auto& [enter, done] : times) lastEnter = std::max(lastEnter, enter);
    for (const auto& [enter, done] : times) EXPECT_GT(done, lastEnter);
  }
}

std::string nameOf(const testing::TestParamInfo<SynthTrace::ParamType>& test) {
  static constexpr const char* kNames[] = {"Ring", "Barrier", "Mixed"};
  const auto [pattern, processes, threads] = test.param;
  return kNames[static_cast<int>(pattern)] + std::to_string(processes) + "Processes" +
         std::to_string(threads) + "Threads";
}

INSTANTIATE_TEST_SUITE_P(
    Synth, SynthTrace,
    testing::Values(std::tuple{Pattern::kRing, 4u, 1u}, std::tuple{Pattern::kBarrier, 3u, 1u},
                    std::tuple{Pattern::kMixed, 8u, 1u}, std::tuple{Pattern::kMixed, 2u, 3u},
                    std::tuple{Pattern::kMixed, 1u, 1u}, std::tuple{Pattern::kRing, 1u, 2u}),
    nameOf);

std::map<std::string, std::string> contents(const std::string& directory) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    all[entry.path().filename().string()] = text.str();
  }
  return all;
}

TEST(SynthTraces, DependOnTheSeedAlone) {
  TemporaryDirectory directory;
  Options options;
  options.events = 5'000;
  options.threads = 2;
  std::vector<std::map<std::string, std::string>> traces;
  for (const uint64_t seed : {1, 1, 2}) {
    options.seed = seed;
    options.directory = directory / std::to_string(traces.size());
    Truth truth;
    ASSERT_EQ(writeTrace(options, &truth), "");
    traces.push_back(contents(options.directory));
  }
  EXPECT_TRUE(traces[0] == traces[1]);
  EXPECT_FALSE(traces[0] == traces[2]);
}

TEST(SynthTraces, DoNotOverwriteATrace) {
  TemporaryDirectory directory;
  Options options;
  options.directory = directory.path();
  options.events = 100;
  Truth truth;
  EXPECT_EQ(writeTrace(options, &truth), "");
  EXPECT_NE(writeTrace(options, &truth), "");
  options.directory = directory / "no/such/folder";
  EXPECT_NE(writeTrace(options, &truth), "");
}

}  // namespace
}  // namespace parallax::synth
