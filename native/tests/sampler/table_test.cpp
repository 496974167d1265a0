// How tables come from call frame information, and how they come and go.
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "sampler/cfi.h"
#include "sampler/markers.h"
#include "sampler/modules.h"
#include "sampler/unwind_table.h"

namespace parallax {
namespace {

// A module comes and goes, and the tables with it.
void loadAndUnload(int times) {
  for (int i = 0; i < times; ++i) {
    void* handle = dlopen(PARALLAX_SAMPLER_PLUGIN, RTLD_NOW);
    refreshModules();
    dlclose(handle);
    refreshModules();
  }
}

struct CollectedFdes final : FdeSink {
  std::vector<FdeRange> fdes;
  bool fde(const FdeRange& range) override {
    fdes.push_back(range);
    return true;
  }
};

struct CollectedRows final : RowSink {
  std::vector<std::pair<uint64_t, Rule>> rows;
  bool begin(const FdeRange&) override { return true; }
  bool row(uint64_t pc, const ExtendedRule& rule, bool signalFrame) override {
    rows.emplace_back(pc, compactRule(rule, signalFrame));
    return true;
  }
};

FrameScratch scratch;

template <class Visitor>
void forEachImage(Visitor&& visitor) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* opaque) {
        auto image = std::make_unique<ModuleImage>();
        if (readImage(*info, image.get())) {
          completeImage(*info, info->dlpi_name, info->dlpi_name[0] == 0, image.get());
          (*static_cast<Visitor*>(opaque))(*image);
        }
        return 0;
      },
      &visitor);
}

TEST(SamplerTable, SearchTableAndSectionNameTheSameCode) {
  int modules = 0;
  forEachImage([&](const ModuleImage& image) {
    SCOPED_TRACE(image.path);
    if (image.ehFrameHeader.begin == nullptr) return;
    CollectedFdes byHeader, bySection;
    ASSERT_TRUE(forEachFdeOfHeader(image.ehFrameHeader, image.ehFrameSegment, byHeader));
    forEachFde(image.ehFrame, bySection);
    std::sort(bySection.fdes.begin(), bySection.fdes.end(),
              [](const FdeRange& a, const FdeRange& b) { return a.start < b.start; });
    ASSERT_EQ(byHeader.fdes.size(), bySection.fdes.size());
    for (size_t i = 0; i < byHeader.fdes.size(); ++i) {
      ASSERT_EQ(byHeader.fdes[i].start, bySection.fdes[i].start);
      ASSERT_EQ(byHeader.fdes[i].end, bySection.fdes[i].end);
    }
    ++modules;
  });
  EXPECT_GE(modules, 5);
}

TEST(SamplerTable, NearlyAllCodeHasARule) {
  uint64_t known = 0, unknown = 0;
  forEachImage([&](const ModuleImage& image) {
    uint64_t moduleKnown = 0, moduleUnknown = 0;
    CollectedFdes entries;
    forEachFde(image.ehFrame, entries);
    for (const FdeRange& range : entries.fdes) {
      CollectedRows rows;
      EXPECT_TRUE(rowsOfFde(image.ehFrameSegment, range.fde, scratch, rows)) << image.path;
      for (size_t i = 0; i < rows.rows.size(); ++i) {
        const uint64_t end = i + 1 < rows.rows.size() ? rows.rows[i + 1].first : range.end;
        const bool none = rows.rows[i].second.kind == RuleKind::kNone;
        // The rule of the stubs is the unwinder's own.
        if (isMarker(rows.rows[i].first)) continue;
        (none ? moduleUnknown : moduleKnown) += end - rows.rows[i].first;
      }
    }
    printf("%-60s %9lu bytes of code, %5lu without a rule, build id %s\n", image.path,
           static_cast<unsigned long>(moduleKnown + moduleUnknown),
           static_cast<unsigned long>(moduleUnknown), image.buildId);
    known += moduleKnown;
    unknown += moduleUnknown;
  });
  EXPECT_GT(known, 1000000u);
  EXPECT_LT(unknown, known / 1000);
}

// Readable memory right up to a page that is not.
class Fenced {
 public:
  explicit Fenced(size_t size) {
    bytes_ = (size + 4095) / 4096 * 4096;
    pages_ = static_cast<uint8_t*>(mmap(nullptr, bytes_ + 4096, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(pages_ + bytes_, 4096, PROT_NONE);
    begin_ = pages_ + bytes_ - size;
  }
  ~Fenced() { munmap(pages_, bytes_ + 4096); }
  uint8_t* begin() const { return begin_; }

 private:
  size_t bytes_;
  uint8_t* pages_;
  uint8_t* begin_;
};

TEST(SamplerTable, DamagedInformationIsSurvived) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  long rowsSeen = 0;
  forEachImage([&](const ModuleImage& image) {
    if (strstr(image.path, "libgcc_s") == nullptr && strstr(image.path, "vdso") == nullptr &&
        strstr(image.path, "ld-linux") == nullptr) {
      return;
    }
    const size_t size = image.ehFrameSegment.size();
    const auto offsetOf = [&](const uint8_t* p) {
      return static_cast<size_t>(p - image.ehFrameSegment.begin);
    };
    const Fenced copy(size);
    for (int round = 0; round < 60; ++round) {
      memcpy(copy.begin(), image.ehFrameSegment.begin, size);
      const size_t first = std::min(offsetOf(image.ehFrame.begin),
                                    offsetOf(image.ehFrameHeader.begin));
      for (int i = 0; i < 1 << (round % 12); ++i) {
        copy.begin()[first + random() % (size - first)] = static_cast<uint8_t>(random());
      }
      const ByteRange all{copy.begin(), copy.begin() + size};
      const ByteRange section{copy.begin() + offsetOf(image.ehFrame.begin), all.end};
      const uint8_t* header = copy.begin() + offsetOf(image.ehFrameHeader.begin);
      scratch.forget();
      CollectedFdes entries;
      forEachFde(section, entries);
      forEachFdeOfHeader({header, header + image.ehFrameHeader.size()}, all, entries);
      for (const FdeRange& range : entries.fdes) {
        CollectedRows rows;
        rowsOfFde(all, range.fde, scratch, rows);
        rowsSeen += static_cast<long>(rows.rows.size());
      }
    }
  });
  EXPECT_GT(rowsSeen, 10000);
}

Rule ruleAt(const void* code) {
  static TableReader reader;
  const UnwindTable* table = reader.begin();
  scratch.forget();
  const Rule rule = table->find(reinterpret_cast<uint64_t>(code), scratch);
  reader.end();
  return rule;
}

uint64_t generationNow() {
  static TableReader reader;
  const uint64_t generation = reader.begin()->generation();
  reader.end();
  return generation;
}

class SamplerModules : public testing::TestWithParam<const char*> {};

TEST_P(SamplerModules, AreKnownWhileTheyAreLoaded) {
  refreshModules();
  const uint64_t before = generationNow();
  refreshModules();
  EXPECT_EQ(before, generationNow());
  void* handle = dlopen(GetParam(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  const void* code = dlsym(handle, "pluginWork");
  refreshModules();
  EXPECT_GT(generationNow(), before);
  EXPECT_NE(ruleAt(code).kind, RuleKind::kNone);
  dlclose(handle);
  refreshModules();
  EXPECT_EQ(ruleAt(code).kind, RuleKind::kNone);
  EXPECT_EQ(ruleAt(nullptr).kind, RuleKind::kNone);
  EXPECT_EQ(ruleAt(reinterpret_cast<void*>(~uintptr_t{0})).kind, RuleKind::kNone);
}
INSTANTIATE_TEST_SUITE_P(SamplerModules, SamplerModules,
                         testing::Values(PARALLAX_SAMPLER_PLUGIN,
                                         PARALLAX_SAMPLER_PLUGIN_NO_HEADER));

// The rule of any instruction, looked up, is that of the last row before it; that of none is found
// beyond the code of an entry.
TEST(SamplerTable, LookedUpRulesAreThoseOfTheRows) {
  refreshModules();
  static TableReader reader;
  const UnwindTable* table = reader.begin();
  uint64_t seen = 0;
  scratch.forget();
  forEachImage([&](const ModuleImage& image) {
    SCOPED_TRACE(image.path);
    const ModuleFrames* module = table->moduleOf(image.start);
    ASSERT_NE(module, nullptr);
    CollectedFdes entries;
    forEachFde(image.ehFrame, entries);
    const size_t step = 1 + entries.fdes.size() / 500;
    for (size_t i = 0; i < entries.fdes.size(); i += step) {
      const FdeRange& range = entries.fdes[i];
      if (isMarker(range.start)) continue;
      CollectedRows rows;
      rowsOfFde(image.ehFrameSegment, range.fde, scratch, rows);
      for (size_t r = 0; r < rows.rows.size(); ++r) {
        const uint64_t end = r + 1 < rows.rows.size() ? rows.rows[r + 1].first : range.end;
        if (end == rows.rows[r].first) continue;
        for (const uint64_t pc : {rows.rows[r].first, end - 1}) {
          ASSERT_EQ(table->find(pc, scratch), rows.rows[r].second) << std::hex << pc;
          ++seen;
        }
      }
    }
    EXPECT_EQ(table->find(image.start, scratch).kind, RuleKind::kNone);  // headers, no code
  });
  reader.end();
  EXPECT_GT(seen, 3000u);
}

// Stale words of a stack may lead to the tables of a module after it was unmapped and before anybody
// has noticed.
TEST(SamplerTable, ModulesThatAreGoneAreNotRead) {
  void* handle = dlopen(PARALLAX_SAMPLER_PLUGIN, RTLD_NOW);
  ASSERT_NE(handle, nullptr);
  const void* code = dlsym(handle, "pluginWork");
  refreshModules();
  EXPECT_NE(ruleAt(code).kind, RuleKind::kNone);
  dlclose(handle);
  EXPECT_EQ(ruleAt(code).kind, RuleKind::kNone);
  refreshModules();
}

TEST(SamplerTable, ReadersNeverSeeATableThatIsGone) {
  refreshModules();
  std::atomic<bool> stop{false};
  std::atomic<long> reads{0};
  static TableReader readers[3];
  std::vector<std::thread> threads;
  for (TableReader& reader : readers) {
    registerReader(&reader);
    threads.emplace_back([&] {
      std::mt19937_64 random(1);
      const auto own = std::make_unique<FrameScratch>();  // zeroed
      const auto base = reinterpret_cast<uint64_t>(&refreshModules);
      while (!stop) {
        const UnwindTable* table = reader.begin();
        own->forget();
        for (int i = 0; i < 50; ++i) {
          if (table->find(base + random() % 100000, *own).kind == RuleKind::kNone) continue;
          ++reads;
        }
        EXPECT_GT(table->functionCount(), 1000u);
        reader.end();
      }
    });
  }
  loadAndUnload(150);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(reads, 1000);
}

// The first event of a child is one thread's, while another one of it may unload modules.
TEST(SamplerTable, DefinitionsAgainNeverSeeAModuleThatIsGone) {
  refreshModules();
  std::atomic<bool> stop{false};
  std::atomic<long> rounds{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (; !stop; ++rounds) redefineModules();
    });
  }
  while (rounds == 0) std::this_thread::yield();
  loadAndUnload(600);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(rounds, 600);
}

}  // namespace
}  // namespace parallax
