// What can be known of stripped, moved, changed and missing files.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/temporary_directory.h"
#include "tools/symbols_names.h"
#include "tools/symbols_samples/samples.h"

namespace parallax::symbols {
namespace {

namespace fs = std::filesystem;
using format::SymbolAddress;
using format::SymbolModule;

// Whether the module has the frames that the sample itself gives.
bool hasFramesOf(const std::string& sample, const SymbolModule& module,
                 const std::set<uint64_t>& offsets) {
  const SymbolModule expected = resolve(kSamples + "/" + sample, offsets);
  if (module.addresses.size() != expected.addresses.size()) return false;
  for (size_t i = 0; i < module.addresses.size(); i++) {
    const auto& found = module.addresses[i].frames;
    const auto& wanted = expected.addresses[i].frames;
    if (found.size() != wanted.size()) return false;
    for (size_t f = 0; f < found.size(); f++) {
      if (found[f].function != wanted[f].function || found[f].line != wanted[f].line) return false;
    }
  }
  return true;
}

size_t resolvedCount(const SymbolModule& module) {
  size_t count = 0;
  for (const SymbolAddress& address : module.addresses) count += !address.frames.empty();
  return count;
}

class SymbolsFiles : public testing::Test {
 protected:
  // A copy of a sample, its debug information split off into `debug`.
  void split(const std::string& sample, const std::string& stripOption = "--strip-debug") {
    program = directory / "program";
    debug = directory / "program.debug";
    fs::copy_file(kSamples + "/" + sample, program);
    offsets = codeAddresses(program, 11);
    ASSERT_TRUE(run("objcopy --only-keep-debug " + shellWord(program) + " " + shellWord(debug)));
    ASSERT_TRUE(run("cd " + shellWord(directory.path()) + " && objcopy " + stripOption +
                    " --add-gnu-debuglink=program.debug program"));
    buildId = buildIdOf(program);
    ASSERT_EQ(buildId.size(), 40u);
  }

  std::string debugDirectoryWithFile() {
    const std::string folder = directory / "debug/.build-id/" + buildId.substr(0, 2);
    fs::create_directories(folder);
    fs::rename(debug, folder + "/" + buildId.substr(2) + ".debug");
    return directory / "debug";
  }

  TemporaryDirectory directory;
  std::string program, debug, buildId;
  std::set<uint64_t> offsets;
};

TEST_F(SymbolsFiles, DebugLinkBesideTheProgram) {
  split("inlining-dwarf5");
  EXPECT_TRUE(hasFramesOf("inlining-dwarf5", resolve(program, offsets, buildId), offsets));
  fs::create_directory(directory / ".debug");
  fs::rename(debug, directory / ".debug/program.debug");
  EXPECT_TRUE(hasFramesOf("inlining-dwarf5", resolve(program, offsets, buildId), offsets));
  // A file of this name that belongs to another program is not taken.
  fs::remove(directory / ".debug/program.debug");
  fs::copy_file(kSamples + "/inlining-O0", directory / ".debug/program.debug");
  const SymbolModule module = resolve(program, offsets, buildId);
  ASSERT_EQ(resolvedCount(module), offsets.size());
  EXPECT_EQ(module.addresses[0].frames[0].file, "");
}

TEST_F(SymbolsFiles, DebugLinkWithoutBuildIdsIsCheckedByItsSum) {
  program = directory / "program";
  fs::copy_file(kSamples + "/inlining-dwarf5", program);
  offsets = codeAddresses(program, 11);
  ASSERT_TRUE(run("cd " + shellWord(directory.path()) +
                  " && objcopy -R .note.gnu.build-id program"
                  " && objcopy --only-keep-debug program program.debug"
                  " && objcopy --strip-debug --add-gnu-debuglink=program.debug program"));
  EXPECT_TRUE(hasFramesOf("inlining-dwarf5", resolve(program, offsets), offsets));
  std::ofstream(directory / "program.debug", std::ios::app) << "x";
  const SymbolModule module = resolve(program, offsets);
  ASSERT_EQ(resolvedCount(module), offsets.size());
  EXPECT_EQ(module.addresses[0].frames[0].file, "");
}

TEST_F(SymbolsFiles, DebugDirectoryByBuildId) {
  split("inlining-dwarf5", "--strip-all");
  ResolveOptions options;
  options.debugDirectories = {directory / "nothing", debugDirectoryWithFile()};
  EXPECT_TRUE(hasFramesOf("inlining-dwarf5", resolve(program, offsets, buildId, options), offsets));
  // Even when the program itself has been rebuilt, or is gone.
  fs::remove(program);
  fs::copy_file(kSamples + "/inlining-O0", program);
  EXPECT_TRUE(hasFramesOf("inlining-dwarf5", resolve(program, offsets, buildId, options), offsets));
  fs::remove(program);
  EXPECT_TRUE(hasFramesOf("inlining-dwarf5", resolve(program, offsets, buildId, options), offsets));
}

TEST_F(SymbolsFiles, ChangedFileIsNotTaken) {
  const std::string recorded(40, 'a');
  const SymbolModule module = resolve(kSamples + "/inlining-O0", {0x3000}, recorded);
  EXPECT_EQ(resolvedCount(module), 0u);
  EXPECT_NE(module.reason.find("changed since the run"), std::string::npos) << module.reason;
  EXPECT_NE(module.reason.find(recorded), std::string::npos) << module.reason;
}

TEST_F(SymbolsFiles, MissingAndForeignFilesHaveReasons) {
  EXPECT_EQ(resolve(directory / "gone", {1}).reason, "the file does not exist");
  EXPECT_EQ(resolve(directory.path(), {1}).reason, "not a regular file");
  std::ofstream(directory / "text") << "no program";
  EXPECT_EQ(resolve(directory / "text", {1}).reason, "the file is not an ELF file");
  EXPECT_EQ(resolve(kSamples + "/inlining-O0", {0xfffffff}).reason,
            "no function contains the address");
}

TEST_F(SymbolsFiles, WithoutDebugInformationTheSymbolTableNames) {
  const std::string path = kSamples + "/inlining-plain";
  const SymbolModule module = resolve(path, {addressOf(path, "main") + 20});
  ASSERT_EQ(module.addresses[0].frames.size(), 1u);
  EXPECT_EQ(module.addresses[0].frames[0].function, "main");
  EXPECT_EQ(module.addresses[0].frames[0].file, "");
  EXPECT_EQ(module.addresses[0].frames[0].line, 0u);
  EXPECT_EQ(functionAt(path, "_Z4failPKc"), "fail(char const*)");
}

TEST_F(SymbolsFiles, StrippedLibraryKeepsItsExports) {
  const std::string library = directory / "library.so";
  fs::copy_file(kSamples + "/inlining.so", library);
  const uint64_t exported = addressOf(library, "_Z4failPKc");
  const uint64_t internal = addressOf(library, "_init");
  ASSERT_NE(exported, 0u);
  ASSERT_NE(internal, 0u);
  ASSERT_TRUE(run("strip --strip-all " + shellWord(library)));
  const SymbolModule module = resolve(library, {internal, exported + 4});
  EXPECT_TRUE(module.addresses[0].frames.empty());
  ASSERT_EQ(module.addresses[1].frames.size(), 1u);
  EXPECT_EQ(module.addresses[1].frames[0].function, "fail(char const*)");
  EXPECT_NE(module.reason.find("stripped"), std::string::npos) << module.reason;
}

// The oracle is the table of symbols that was there before.
TEST_F(SymbolsFiles, FunctionsOfAStrippedProgramAreToldApart) {
  program = directory / "program";
  fs::copy_file(kSamples + "/inlining-plain", program);
  const std::set<uint64_t> addresses = codeAddresses(program, 5);
  std::vector<std::pair<uint64_t, uint64_t>> functions;
  std::istringstream lines(output("nm -S --defined-only " + shellWord(program)));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    uint64_t start = 0, size = 0;
    std::string type;
    if (fields >> std::hex >> start >> size >> type && (type == "t" || type == "T")) {
      functions.emplace_back(start, start + size);
    }
  }
  ASSERT_GT(functions.size(), 10u);
  ASSERT_TRUE(run("strip --strip-all " + shellWord(program)));
  const SymbolModule module = resolve(program, addresses);
  size_t compared = 0;
  for (const SymbolAddress& address : module.addresses) {
    if (!address.frames.empty()) continue;  // exported
    for (const auto& [start, end] : functions) {
      if (address.offset < start || address.offset >= end || address.functionStart == 0) continue;
      EXPECT_EQ(address.functionStart, start) << std::hex << address.offset;
      compared++;
    }
  }
  EXPECT_GT(compared, addresses.size() / 2);
  EXPECT_FALSE(module.reason.empty());
  // What was read is written.
  std::vector<SymbolModule> again;
  ASSERT_EQ(format::parseSymbols(format::formatSymbols({module}), &again), "");
  ASSERT_EQ(again[0].addresses.size(), module.addresses.size());
  for (size_t i = 0; i < module.addresses.size(); i++) {
    EXPECT_EQ(again[0].addresses[i].functionStart, module.addresses[i].functionStart);
  }
}

TEST_F(SymbolsFiles, StubsAreNamedAfterTheirFunctions) {
  const std::string path = kSamples + "/inlining-plain";
  std::string reason;
  GElf_Shdr header;
  const auto file = ElfFile::open(path, &reason);
  ASSERT_NE(file, nullptr);
  const bool hasSecond = file->section(".plt.sec", &header) != nullptr;
  ASSERT_TRUE(hasSecond || file->section(".plt", &header) != nullptr);
  std::set<uint64_t> stubs;
  for (uint64_t at = hasSecond ? 0 : 16; at < header.sh_size; at += 16) {
    stubs.insert(header.sh_addr + at + 6);
  }
  const SymbolModule module = resolve(path, stubs);
  const std::string disassembled = output("objdump -d -j .plt -j .plt.sec " + shellWord(path));
  ASSERT_GT(module.addresses.size(), 3u);
  for (const SymbolAddress& address : module.addresses) {
    ASSERT_EQ(address.frames.size(), 1u);
    // objdump writes "ADDRESS <MANGLED@plt>:".
    char line[32];
    snprintf(line, sizeof line, "%016lx <", static_cast<unsigned long>(address.offset - 6));
    const size_t at = disassembled.find(line);
    ASSERT_NE(at, std::string::npos) << line;
    const size_t start = at + 18;
    const std::string name = disassembled.substr(start, disassembled.find("@", start) - start);
    const std::string readable = demangled(name.c_str());
    EXPECT_EQ(address.frames[0].function, (readable.empty() ? name : readable) + "@plt");
  }
}

TEST_F(SymbolsFiles, VdsoOfThisKernelIsKnown) {
  const auto vdso = ElfFile::openVdso();
  if (vdso == nullptr) GTEST_SKIP() << "the kernel provides no vdso";
  std::set<uint64_t> all;
  for (uint64_t offset = 0; offset < 8192; offset += 8) all.insert(offset);
  size_t clock = 0;
  for (const SymbolAddress& a : resolve("linux-vdso.so.1", all, vdso->buildId()).addresses) {
    clock += !a.frames.empty() && a.frames[0].function.find("clock_gettime") != std::string::npos;
  }
  EXPECT_GT(clock, 0u);
  const SymbolModule other = resolve("[vdso]", {0x800}, std::string(40, '1'));
  EXPECT_EQ(resolvedCount(other), 0u);
  EXPECT_NE(other.reason.find("another kernel"), std::string::npos) << other.reason;
}

TEST(SymbolsNames, AreThoseOfTheSource) {
  EXPECT_EQ(demangled("_ZN3foo3barEi"), "foo::bar(int)");
  EXPECT_EQ(demangled("_ZN3foo3barEi.constprop.0"), "foo::bar(int) [clone .constprop.0]");
  EXPECT_EQ(demangled("__physics_MOD_advance"), "physics::advance");
  EXPECT_EQ(demangled("main"), "");
  EXPECT_EQ(demangled("outside_"), "");
  EXPECT_EQ(demangled("_Z"), "");
  EXPECT_EQ(demangled("__MOD_"), "");
}

}  // namespace
}  // namespace parallax::symbols
