#include "tools/golden.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "format/dump.h"
#include "format/reader.h"
#include "tests/temporary_directory.h"

namespace parallax::golden {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Content by path below `root`, of what lies in the folders of golden traces.
std::map<std::string, std::string> filesBelow(const fs::path& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path name = fs::relative(entry.path(), root);
    if (entry.is_regular_file() && name.has_parent_path()) {
      files[name.string()] = contentOf(entry.path());
    }
  }
  return files;
}

TEST(GoldenTraces, WriterWritesTheCommittedBytes) {
  TemporaryDirectory directory;
  ASSERT_EQ(writeGoldenTraces(directory.path()), "");
  const auto written = filesBelow(directory.path());
  const auto committed = filesBelow(PARALLAX_GOLDEN_DIRECTORY);
  std::set<std::string> names;
  for (const auto& [name, content] : written) names.insert(name);
  for (const auto& [name, content] : committed) names.insert(name);
  for (const std::string& name : names) {
    ASSERT_TRUE(written.count(name)) << name << " is committed but not written";
    ASSERT_TRUE(committed.count(name)) << name << " is written but not committed";
    EXPECT_TRUE(written.at(name) == committed.at(name)) << name << " differs";
  }
}

TEST(GoldenTraces, ReaderPrintsTheExpectedText) {
  for (const GoldenTrace& trace : kGoldenTraces) {
    const std::string path = std::string(PARALLAX_GOLDEN_DIRECTORY "/") + trace.name;
    std::string text;
    ASSERT_EQ(format::dumpTrace(path,
                                [&text](std::string_view piece) {
                                  text += piece;
                                  return true;
                                }),
              "");
    EXPECT_EQ(text, contentOf(path + "/expected.txt")) << trace.name;
  }
}

TEST(GoldenTraces, HoldEveryKindOfEventAndEveryTypeOfRecord) {
  std::set<uint32_t> kinds;
  std::set<uint16_t> types;
  const auto typeVisitor = [&types](const auto& record) {
    types.insert(static_cast<uint16_t>(std::decay_t<decltype(record)>::kType));
  };
  for (const GoldenTrace& trace : kGoldenTraces) {
    format::TraceFiles files;
    ASSERT_EQ(findTraceFiles(std::string(PARALLAX_GOLDEN_DIRECTORY "/") + trace.name, &files), "");
    for (const auto& process : files.processes) {
      format::DefinitionsFile definitions;
      if (!process.definitions.empty()) {
        ASSERT_EQ(definitions.open(process.definitions), "");
        definitions.forEach(typeVisitor);
      }
      for (const auto& thread : process.threads) {
        format::EventFile file;
        ASSERT_EQ(file.open(thread), "");
        format::Event event;
        for (format::EventReader reader(file); reader.next(&event);) {
          kinds.insert(static_cast<uint32_t>(event.kind));
        }
      }
    }
  }
  // The last of each; a new one must come into a golden trace as well.
  for (uint32_t kind = 1; kind <= static_cast<uint32_t>(format::Kind::kWindow); kind++) {
    EXPECT_TRUE(kinds.count(kind)) << "event kind " << kind;
  }
  EXPECT_TRUE(kinds.count(static_cast<uint32_t>(format::Kind::kPoll)));
  for (uint16_t type = 1; type <= static_cast<uint16_t>(format::Record::kLosses); type++) {
    EXPECT_TRUE(types.count(type)) << "record type " << type;
  }
}

}  // namespace
}  // namespace parallax::golden
