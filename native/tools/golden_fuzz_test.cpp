// Golden traces damaged at random: the reader may say so, but must not stumble.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "format/dump.h"
#include "tests/temporary_directory.h"
#include "tools/golden.h"

namespace parallax::golden {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(GoldenFuzz, DamagedTracesDoNoHarm) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  TemporaryDirectory directory;
  ASSERT_EQ(writeGoldenTraces(directory.path()), "");
  size_t readable = 0, damagedBlocks = 0, cases = 0;
  for (const char* trace : {"messages", "threads", "exec", "corners"}) {
    const std::string folder = directory / trace;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    for (int i = 0; i < 150; i++, cases++) {
      const fs::path& victim = files[random() % files.size()];
      const std::string sound = contentOf(victim);
      if (sound.empty()) continue;
      std::string content = sound;
      // Most of the first kilobyte has a meaning; much of the rest may be unused.
      const size_t range = std::min<size_t>(content.size(), random() % 2 ? 1024 : content.size());
      for (size_t flips = 1 + random() % 8; flips > 0; flips--) {
        content[random() % range] = static_cast<char>(random());
      }
      if (random() % 4 == 0) content.resize(random() % content.size());
      std::ofstream(victim, std::ios::binary) << content;
      const std::string error = format::dumpTrace(folder, [&damagedBlocks](std::string_view text) {
        damagedBlocks += text.find("damaged") != std::string_view::npos;
        return true;
      });
      readable += error.empty();
      std::ofstream(victim, std::ios::binary) << sound;
    }
    // All is as before.
    EXPECT_EQ(format::dumpTrace(folder, [](std::string_view) { return true; }), "");
  }
  // Damage of one file leaves most traces readable, and most damage is seen.
  EXPECT_GT(readable, cases / 2);
  EXPECT_GT(damagedBlocks, cases / 10);
}

}  // namespace
}  // namespace parallax::golden
