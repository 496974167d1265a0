// From a trace to its symbols file; damaged input of all kinds.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "format/reader.h"
#include "tests/temporary_directory.h"
#include "format/writer.h"
#include "tools/symbols_collect.h"
#include "tools/symbols_samples/samples.h"

namespace parallax::symbols {
namespace {

namespace fs = std::filesystem;
using format::DefinitionsWriter;
using format::SymbolAddress;
using format::SymbolModule;

// Writes a process with what is added to `definitions`.
struct TraceProcess {
  explicit TraceProcess(const std::string& directory, uint32_t pid = 1)
      : definitions(directory + "/" + format::processFileName("host", pid, 0) + ".def") {
    format::writeManifest(directory, {});
    definitions.add(format::ProcessRecord{});
  }

  void module(uint32_t number, const std::string& path, const std::string& buildId, uint64_t bias,
              uint64_t size) {
    format::ModuleRecord record;
    record.module = number;
    record.loadBias = record.firstAddress = bias;
    record.endAddress = bias + size;
    record.buildId = buildId;
    record.path = path;
    definitions.add(record);
  }
  void unload(uint32_t number) {
    format::ModuleUnloadRecord record;
    record.module = number;
    definitions.add(record);
  }
  void address(uint64_t value, format::PathKind kind = format::PathKind::kAddress) {
    format::CallPathRecord record;
    record.path = ++paths;
    record.kind = kind;
    record.value = value;
    definitions.add(record);
  }

  DefinitionsWriter definitions;
  uint32_t paths = 0;
};

TEST(SymbolsCollect, AddressesGoToTheModuleThatWasThere) {
  TemporaryDirectory directory;
  {
    TraceProcess process(directory.path());
    process.module(0, "/a", "aa", 0x1000, 0x1000);
    process.address(0x1100);
    process.address(0x1100, format::PathKind::kReturnAddress);
    process.address(0x7, format::PathKind::kRegion);
    process.address(0x9000);  // nowhere
    process.address(0x5010);  // of a module that is found later
    process.unload(0);
    process.module(1, "/b", "", 0x1000, 0x800);
    process.address(0x1200);
    process.address(0x1900);  // of the first one, though unloaded
    process.module(2, "/c", "", 0x5000, 0x100);
    process.definitions.close();
    // The same file built anew is another module.
    TraceProcess second(directory.path(), 2);
    second.module(0, "/a", "bb", 0x3000, 0x1000);
    second.address(0x3001);
    second.module(1, "/c", "", 0x8000, 0x100);
    second.address(0x8020);
    second.definitions.close();
  }
  Collected collected;
  ASSERT_EQ(collect(directory.path(), &collected), "");
  ASSERT_EQ(collected.modules.size(), 4u);
  const auto offsets = [&collected](const std::string& path, const std::string& buildId) {
    for (const ModuleAddresses& module : collected.modules) {
      if (module.path == path && module.buildId == buildId) return module.offsets;
    }
    return std::set<uint64_t>();
  };
  EXPECT_EQ(offsets("/a", "aa"), (std::set<uint64_t>{0xff, 0x100, 0x900}));
  EXPECT_EQ(offsets("/a", "bb"), (std::set<uint64_t>{0x1}));
  EXPECT_EQ(offsets("/b", ""), (std::set<uint64_t>{0x200}));
  EXPECT_EQ(offsets("/c", ""), (std::set<uint64_t>{0x10, 0x20}));
  EXPECT_EQ(collected.outsideModules, 1u);
}

std::vector<SymbolModule> readSymbols(const std::string& directory) {
  format::MappedFile file;
  EXPECT_EQ(file.open(directory + "/symbols"), "");
  std::vector<SymbolModule> modules;
  EXPECT_EQ(format::parseSymbols({file.data(), file.size()}, &modules), "");
  return modules;
}

int exitStatus(const std::string& command) {
  const int status = system((command + " > /dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(SymbolsProgram, WritesTheSymbolsOfATrace) {
  TemporaryDirectory directory;
  const std::string program = kSamples + "/inlining-dwarf5";
  const std::string library = kSamples + "/inlining.so";
  constexpr uint64_t kProgramBias = 0x555500000000, kLibraryBias = 0x7f1200000000;
  const uint64_t mainOffset = addressOf(program, "main");
  {
    TraceProcess process(directory.path());
    process.module(0, program, buildIdOf(program), kProgramBias, 1 << 20);
    process.module(1, library, buildIdOf(library), kLibraryBias, 1 << 20);
    process.module(2, "/no/such/library.so", "", 0x10000, 0x1000);
    process.address(kProgramBias + mainOffset);
    // A return address right behind a function belongs to the function before it.
    process.address(kProgramBias + mainOffset + 1, format::PathKind::kReturnAddress);
    for (const uint64_t offset : codeAddresses(library, 1)) process.address(kLibraryBias + offset);
    process.address(0x10010);
    process.definitions.close();
  }
  for (int i = 0; i < 2; i++) {  // it can be run again
    const std::string said =
        output(std::string(PARALLAX_SYMBOLS) + " --verbose " + shellWord(directory.path()));
    EXPECT_NE(said.find("addresses/s"), std::string::npos) << said;
    printf("%s", said.c_str());
    const std::vector<SymbolModule> modules = readSymbols(directory.path());
    ASSERT_EQ(modules.size(), 3u);
    EXPECT_EQ(modules[0].path, program);
    EXPECT_EQ(modules[0].buildId, buildIdOf(program));
    ASSERT_EQ(modules[0].addresses.size(), 1u);
    EXPECT_EQ(modules[0].addresses[0].offset, mainOffset);
    ASSERT_FALSE(modules[0].addresses[0].frames.empty());
    EXPECT_EQ(modules[0].addresses[0].frames.back().function, "main");
    EXPECT_EQ(modules[0].addresses[0].frames.back().line, 62u);
    EXPECT_EQ(modules[0].reason, "");
    EXPECT_GT(modules[1].addresses.size(), 5000u);
    EXPECT_EQ(modules[2].reason, "the file does not exist");
    ASSERT_EQ(modules[2].addresses.size(), 1u);
    EXPECT_EQ(modules[2].addresses[0].frames.size(), 0u);
  }
  EXPECT_FALSE(fs::exists(directory / "symbols.partial"));
}

// While another one finds names for the trace: it would read less, and could write later.
TEST(SymbolsProgram, WaitsForAnotherThatIsAtWork) {
  TemporaryDirectory directory;
  TraceProcess(directory.path()).definitions.close();
  const int held = open(directory.path().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(0, flock(held, LOCK_EX));
  const std::string command = std::string(PARALLAX_SYMBOLS) + " --quiet " + shellWord(directory.path());
  std::thread second([&] { EXPECT_EQ(exitStatus(command), 0); });
  usleep(200000);
  EXPECT_FALSE(fs::exists(directory / "symbols"));
  flock(held, LOCK_UN);
  second.join();
  EXPECT_TRUE(fs::exists(directory / "symbols"));
  close(held);
}

// Where the libraries die the tool goes on: with symbol tables alone, or without the module.
TEST(SymbolsProgram, OutlivesItsLibraries) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer must be preloaded first";
#endif
  TemporaryDirectory directory;
  const std::string program = kSamples + "/inlining-dwarf5";
  {
    TraceProcess process(directory.path());
    process.module(0, program, "", 0x10000000, 1 << 20);
    process.address(0x10000000 + addressOf(program, "main"));
    process.definitions.close();
  }
  const std::string command = std::string("LD_PRELOAD=" PARALLAX_FAILING_LIBDW " ") +
                              PARALLAX_SYMBOLS " " + shellWord(directory.path());
  EXPECT_EQ(exitStatus(command), 0);
  std::vector<SymbolModule> modules = readSymbols(directory.path());
  ASSERT_EQ(modules.size(), 1u);
  ASSERT_EQ(modules[0].addresses.size(), 1u);
  ASSERT_EQ(modules[0].addresses[0].frames.size(), 1u);
  EXPECT_EQ(modules[0].addresses[0].frames[0].function, "main");
  EXPECT_EQ(modules[0].addresses[0].frames[0].file, "");

  EXPECT_EQ(exitStatus("PARALLAX_TEST_FAIL_ELF=1 " + command), 0);
  modules = readSymbols(directory.path());
  ASSERT_EQ(modules.size(), 1u);
  ASSERT_EQ(modules[0].addresses.size(), 1u);
  EXPECT_TRUE(modules[0].addresses[0].frames.empty());
  EXPECT_NE(modules[0].reason.find("damaged"), std::string::npos) << modules[0].reason;
}

TEST(SymbolsProgram, WrongUseAndBadTracesEndWithAMessage) {
  TemporaryDirectory directory;
  const std::string tool = PARALLAX_SYMBOLS;
  EXPECT_EQ(exitStatus(tool), 2);
  EXPECT_EQ(exitStatus(tool + " --nonsense x"), 2);
  EXPECT_EQ(exitStatus(tool + " --help"), 0);
  EXPECT_EQ(exitStatus(tool + " " + shellWord(directory.path())), 1);
  EXPECT_EQ(exitStatus(tool + " " + shellWord(directory / "gone")), 1);
  format::writeManifest(directory.path(), {});
  std::ofstream(directory / "h.1.0.def") << "damaged";
  EXPECT_EQ(exitStatus(tool + " " + shellWord(directory.path())), 0);
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Flips bytes of `content`, some of them where ELF keeps its tables, and cuts it off at times.
std::string damaged(std::string content, std::mt19937_64* random) {
  const size_t flips = 1 + (*random)() % 64;
  for (size_t i = 0; i < flips; i++) {
    size_t at = (*random)() % content.size();
    const auto where = (*random)() % 8;
    if (where == 0) at %= 64;
    if (where == 1) at = content.size() - 1 - at % std::min<size_t>(content.size(), 4096);
    content[at] = static_cast<char>((*random)());
  }
  if ((*random)() % 4 == 0) content.resize(1 + (*random)() % content.size());
  return content;
}

TEST(SymbolsFuzz, DamagedProgramsDoNoHarm) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  TemporaryDirectory directory;
  std::vector<ModuleAddresses> modules;
  for (const char* sample :
       {"inlining-dwarf4", "inlining-dwarf5", "inlining-compressed", "inlining-plain"}) {
    const std::string path = kSamples + "/" + sample;
    const std::string content = contentOf(path);
    std::set<uint64_t> offsets = codeAddresses(path, 97);
    offsets.insert({0, 1, UINT64_MAX, uint64_t{1} << 63});
    for (int i = 0; i < 15; i++) {
      const std::string name = directory / std::string(sample) + "-" + std::to_string(i);
      std::ofstream(name, std::ios::binary) << damaged(content, &random);
      modules.push_back({"", name, offsets});
    }
  }
  std::vector<ModuleStatistics> statistics;
  const std::vector<SymbolModule> results = resolveModules(modules, {}, &statistics);
  ASSERT_EQ(results.size(), modules.size());
  for (size_t i = 0; i < results.size(); i++) {
    ASSERT_EQ(results[i].addresses.size(), modules[i].offsets.size());
    EXPECT_EQ(results[i].path, modules[i].path);
    // The addresses beyond all code can never be resolved, and there is always a reason.
    EXPECT_NE(results[i].reason, "");
  }
}

TEST(SymbolsFuzz, DamagedDefinitionsDoNoHarm) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  TemporaryDirectory directory;
  {
    TraceProcess process(directory.path());
    for (uint32_t i = 0; i < 20; i++) {
      process.module(i, "/lib/" + std::to_string(i), "abcdef", 0x1000 * (i + 1), 0x1000);
      process.address(0x1000 * (i + 1) + i);
      if (i % 3 == 0) process.unload(i);
    }
    process.definitions.close();
  }
  const std::string path = directory / "host.1.0.def";
  const std::string content = contentOf(path);
  for (int i = 0; i < 300; i++) {
    std::ofstream(path, std::ios::binary) << damaged(content, &random);
    Collected collected;
    EXPECT_EQ(collect(directory.path(), &collected), "");
    EXPECT_LE(collected.modules.size(), 20u);
  }
}

}  // namespace
}  // namespace parallax::symbols
