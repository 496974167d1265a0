// Resolves addresses of sample programs, and compares with binutils' addr2line.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/temporary_directory.h"
#include "tools/symbols_files.h"
#include "tools/symbols_names.h"
#include "tools/symbols_samples/samples.h"
#include "tools/symbols_table.h"

namespace parallax::symbols {
namespace {

using format::SymbolAddress;
using format::SymbolFrame;
using format::SymbolModule;

// The frames that addr2line gives for each address.
std::map<uint64_t, std::vector<SymbolFrame>> addr2line(const std::string& path,
                                                       const std::set<uint64_t>& addresses) {
  TemporaryDirectory directory;
  {
    std::ofstream file(directory / "addresses");
    for (const uint64_t address : addresses) file << std::hex << address << "\n";
  }
  std::istringstream lines(output("addr2line -a -f -i -e " + shellWord(path) + " < " +
                                  shellWord(directory / "addresses")));
  std::map<uint64_t, std::vector<SymbolFrame>> result;
  std::vector<SymbolFrame>* frames = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 2, "0x") == 0) {
      frames = &result[std::stoull(line, nullptr, 16)];
      continue;
    }
    std::string place;
    std::getline(lines, place);
    place = place.substr(0, place.find(" ("));  // a discriminator
    const size_t colon = place.rfind(':');
    SymbolFrame frame;
    frame.function = line;
    frame.file = std::filesystem::path(place.substr(0, colon)).lexically_normal().string();
    frame.line = static_cast<uint32_t>(atoi(place.c_str() + colon + 1));
    frames->push_back(frame);
  }
  return result;
}

// "f" of "a<b::c>::f<d>".
std::string lastPart(const std::string& name) {
  if (name.find("operator") != std::string::npos) return "operator";
  size_t start = 0, end = name.size();
  int depth = 0;
  for (size_t i = 0; i < name.size(); i++) {
    if (name[i] == '<' && depth++ == 0) end = i;
    if (name[i] == '>') depth--;
    if (depth == 0 && name.compare(i, 2, "::") == 0) start = i + 2, end = name.size();
  }
  return name.substr(start, end - start);
}

// Whether a name of ours is what addr2line calls `theirs`: a linkage name, or the last part of
// the name in the source. Without a linkage name in the debug information ours has no
// parameters, and template arguments as the compiler writes them.
bool isSameFunction(const std::string& ours, std::string theirs) {
  if (theirs == "??") return true;  // as for some functions from link-time optimization
  if (theirs.find(ours) != std::string::npos) return !ours.empty();  // __GI_write is write
  theirs = theirs.substr(0, theirs.find('.'));  // .cold, .part.0, ...
  const std::string readable = demangled(theirs.c_str());
  if (readable.empty()) {
    const std::string end = "::" + theirs;
    return ours == theirs || (ours.size() > end.size() &&
                              ours.compare(ours.size() - end.size(), end.size(), end) == 0);
  }
  return ours == readable || readable.find(lastPart(ours)) != std::string::npos;
}

bool isSameFile(const SymbolFrame& ours, const SymbolFrame& theirs) {
  // What link-time optimization made of several files has none for addr2line, and of some lines
  // of headers it says that they are in the source file, which is much shorter.
  if (theirs.file.find("<artificial>") != std::string::npos) return true;
  constexpr uint32_t kSampleLines = 100;
  const std::string end = "inlining.cpp";
  if (theirs.line > kSampleLines && theirs.file.size() > end.size() &&
      theirs.file.compare(theirs.file.size() - end.size(), end.size(), end) == 0) {
    return true;
  }
  // Of relative paths it repeats the last folder.
  if (!ours.file.empty() && ours.file[0] != '/') return !theirs.file.empty();
  return ours.file == (theirs.file == "??" ? "" : theirs.file);
}

// Of an inlined function without a linkage name addr2line shows the symbol around it instead,
// so the innermost name counts only where nothing is inlined.
bool areSame(const std::vector<SymbolFrame>& ours, const std::vector<SymbolFrame>& theirs) {
  if (ours.size() != theirs.size()) return false;
  for (size_t i = 0; i < ours.size(); i++) {
    if (ours[i].line != theirs[i].line) return false;
    if (!isSameFile(ours[i], theirs[i])) return false;
    const bool counts = i > 0 || ours.size() == 1;
    if (counts && !isSameFunction(ours[i].function, theirs[i].function)) return false;
  }
  return true;
}

void print(const char* title, const std::vector<SymbolFrame>& frames) {
  printf("  %s", title);
  for (const SymbolFrame& f : frames) {
    printf(" | %s %s:%u", f.function.c_str(), f.file.c_str(), f.line);
  }
  printf("\n");
}

struct Agreement {
  size_t compared = 0, inlined = 0, different = 0;
};

// Compares the frames of all addresses for which addr2line knows a line; prints the first
// differences.
Agreement compare(const std::string& path, const std::set<uint64_t>& addresses) {
  const ModuleFiles files =
      findModuleFiles(path, buildIdOf(path), ResolveOptions{}.debugDirectories);
  SymbolTable names;  // addr2line takes any of those that a function has
  for (const ElfFile* file : {files.debug.get(), files.program.get()}) {
    if (file != nullptr) names.add(*file, false);
  }
  names.finish();
  const auto expected = addr2line(path, addresses);
  const SymbolModule module = resolve(path, addresses);
  Agreement result;
  for (const SymbolAddress& address : module.addresses) {
    std::vector<SymbolFrame> theirs = expected.at(address.offset);
    theirs.back().function = names.bestOf(address.offset, theirs.back().function);
    if (theirs.size() == 1 && theirs[0].line == 0) continue;
    result.compared++;
    if (theirs.size() > 1) result.inlined++;
    if (!areSame(address.frames, theirs) && ++result.different <= 5) {
      printf("0x%lx\n", static_cast<unsigned long>(address.offset));
      print("ours  ", address.frames);
      print("oracle", theirs);
    }
  }
  printf("%s: %zu addresses, %zu with inlined frames, %zu differ\n", path.c_str(), result.compared,
         result.inlined, result.different);
  return result;
}

TEST(SymbolsOracle, FramesAreThoseOfAddr2line) {
  for (const char* name : {"inlining-dwarf4", "inlining-dwarf5", "inlining-O0", "inlining-static",
                           "inlining-compressed", "inlining-lto", "inlining.so"}) {
    const std::string path = kSamples + "/" + name;
    const Agreement result = compare(path, codeAddresses(path, 3));
    EXPECT_GT(result.compared, 2000u) << name;
    EXPECT_LE(result.different, result.compared / 200) << name;
    const bool isOptimized = std::string(name) != "inlining-O0";
    EXPECT_GE(result.inlined, isOptimized ? 1500u : 0u) << name;
  }
}

TEST(SymbolsOracle, LibraryWithSeparateDebugFileAgreesToo) {
  const std::string libc = "/lib/x86_64-linux-gnu/libc.so.6";
  const std::string buildId = buildIdOf(libc);
  if (buildId.empty()) GTEST_SKIP() << "no " << libc;
  const std::string debug = "/usr/lib/debug/.build-id/" + buildId.substr(0, 2) + "/" +
                            buildId.substr(2) + ".debug";
  if (!std::filesystem::exists(debug)) GTEST_SKIP() << "libc6-dbg is not installed";
  // From the functions that it exports, some of each.
  std::set<uint64_t> addresses;
  std::set<uint64_t> all = codeAddresses(libc, 16, "-D");
  size_t i = 0;
  for (const uint64_t address : all) {
    if (i++ % 5 == 0) addresses.insert(address);
  }
  const Agreement result = compare(libc, addresses);
  EXPECT_GT(result.compared, 3000u);
  EXPECT_GT(result.inlined, 300u);
  EXPECT_LE(result.different, result.compared / 50);
}

// Debug information knows them as __printf and fmaxf32x.
TEST(SymbolsOracle, FunctionsHaveTheNameThatPeopleKnow) {
  const std::string folder = "/lib/x86_64-linux-gnu/";
  for (const auto& [library, name] : {std::pair("libc.so.6", "printf"), {"libc.so.6", "qsort"},
                                      {"libc.so.6", "write"}, {"libm.so.6", "fmax"}}) {
    EXPECT_EQ(functionAt(folder + library, name), name);
  }
}

// Split debug information lies in a file beside the source's object, which addr2line does not
// read: the oracle is the same code without splitting.
TEST(SymbolsDwarf, SplitDebugInformationSaysTheSame) {
  const std::string whole = kSamples + "/inlining-dwarf5";
  const std::string split = kSamples + "/inlining-split";
  const std::set<uint64_t> addresses = codeAddresses(whole, 7);
  ASSERT_EQ(codeAddresses(split, 7), addresses);
  const SymbolModule expected = resolve(whole, addresses);
  const SymbolModule found = resolve(split, addresses);
  size_t same = 0;
  for (size_t i = 0; i < found.addresses.size(); i++) {
    same += areSame(found.addresses[i].frames, expected.addresses[i].frames) ? 1 : 0;
  }
  EXPECT_GE(same, found.addresses.size() - 5);
}

TEST(SymbolsDwarf, FramesOfAnInlinedCall) {
  const std::string path = kSamples + "/inlining-dwarf5";
  bool found = false;
  const std::set<uint64_t> addresses = codeAddresses(path, 1);
  for (const SymbolAddress& address : resolve(path, addresses).addresses) {
    const auto& frames = address.frames;
    if (frames.size() < 2 || frames[0].function != "shapes::(anonymous namespace)::twice") continue;
    found = true;
    // twice() stands in line 29 and is called by Circle::area() in line 33.
    EXPECT_EQ(frames[0].line, 29u);
    EXPECT_EQ(frames[0].declaredLine, 29u);
    EXPECT_TRUE(frames[0].inlined);
    EXPECT_EQ(frames[1].function, "shapes::(anonymous namespace)::Circle::area");
    EXPECT_EQ(frames[1].line, 33u);
    EXPECT_EQ(frames[1].declaredLine, 33u);
    EXPECT_EQ(frames[1].file, frames[0].file);
    EXPECT_EQ(std::filesystem::path(frames[0].file).filename(), "inlining.cpp");
    EXPECT_EQ(frames.back().inlined, false);
  }
  EXPECT_TRUE(found);
}

TEST(SymbolsDwarf, LambdasAreKnownByFunctionAndLine) {
  const std::string path = kSamples + "/inlining-O0";
  std::set<std::string> lambdas;
  for (const SymbolAddress& address : resolve(path, codeAddresses(path, 3)).addresses) {
    for (const SymbolFrame& frame : address.frames) {
      // Of the standard library of GCC 14, a template has a lambda for an argument.
      if (frame.function.find("std::") != std::string::npos) continue;
      if (frame.function.find("{lambda") != std::string::npos) lambdas.insert(frame.function);
    }
  }
  EXPECT_EQ(lambdas, (std::set<std::string>{"main::{lambda line 65}::operator()",
                                            "main::{lambda line 76}::operator()",
                                            "sumOfSquares::{lambda line 48}::operator()"}));
}

TEST(SymbolsDwarf, FortranNamesAreThoseOfTheSource) {
  const std::string path = kSamples + "/procedures";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "gfortran is not installed";
  EXPECT_EQ(functionAt(path, "__physics_MOD_advance"), "physics::advance");
  EXPECT_EQ(functionAt(path, "outside_"), "outside");
  EXPECT_EQ(functionAt(path, "MAIN__"), "ring");
}

}  // namespace
}  // namespace parallax::symbols
