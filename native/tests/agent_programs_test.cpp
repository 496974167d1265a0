// What is looked at before a program is executed, and the environment that it gets.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "base/own_environment.h"
#include "base/program_file.h"
#include "base/sys.h"
#include "tests/temporary_directory.h"
#include "transport/trace_directory.h"

namespace parallax {
namespace {

using Texts = std::vector<std::string>;

Texts fitted(const Texts& given, const ProgramFile& program, const Texts& variables = {}) {
  const auto pointers = [](const Texts& texts) {
    std::vector<char*> result;
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
  };
  const std::vector<char*> environment = pointers(given), own = pointers(variables);
  const OwnEnvironment agent{"/a/agent.so", own.data()};
  const FittedEnvironment result(agent, environment.data(), program);
  if (result.isGiven()) return given;
  constexpr char kGuard = 0x5A;
  std::vector<char> memory(result.bytes() + 64, kGuard);
  Texts texts;
  for (char** at = result.write(memory.data()); *at != nullptr; at++) texts.emplace_back(*at);
  for (size_t i = result.bytes(); i < memory.size(); i++) EXPECT_EQ(kGuard, memory[i]) << "overrun";
  return texts;
}

ProgramFile of(ProgramFit fit) {
  ProgramFile program;
  program.fit = fit;
  return program;
}

const ProgramFile kFitting;

TEST(FittedEnvironment, AddsWhatIsMissing) {
  EXPECT_EQ((Texts{"A=b", "P=1", "LD_PRELOAD=/a/agent.so"}), fitted({"A=b"}, kFitting, {"P=1"}));
  EXPECT_EQ((Texts{"P=2", "LD_PRELOAD=x.so:/y.so:/a/agent.so"}),
            fitted({"LD_PRELOAD=x.so /y.so", "P=2"}, kFitting, {"P=1"}));
  EXPECT_EQ((Texts{"LD_PRELOAD=/a/agent.so"}), fitted({}, kFitting));
  const Texts whole{"LD_PRELOAD=x.so:/a/agent.so", "P=2"};
  EXPECT_EQ(whole, fitted(whole, kFitting, {"P=1"}));
}

TEST(FittedEnvironment, AnEmptyTraceMeansNoRecord) {
  const Texts given{"PARALLAX_TRACE=", "A=b"};
  EXPECT_EQ(given, fitted(given, kFitting, {"PARALLAX_TRACE=/t"}));
  // But a plan of delays may be carried out without a trace.
  EXPECT_EQ((Texts{"PARALLAX_TRACE=", "PARALLAX_PERTURB=/p", "LD_PRELOAD=/a/agent.so"}),
            fitted({"PARALLAX_TRACE=", "PARALLAX_PERTURB=/p"}, kFitting));
}

TEST(FittedEnvironment, TakesTheAgentFromWhatCannotHaveIt) {
  for (const ProgramFit fit : {ProgramFit::kOtherLibc, ProgramFit::kOtherMachine}) {
    EXPECT_EQ((Texts{"A=b"}), fitted({"LD_PRELOAD=/a/agent.so", "A=b"}, of(fit), {"P=1"}));
    EXPECT_EQ((Texts{"LD_PRELOAD=x.so:y.so"}),
              fitted({"LD_PRELOAD=x.so:/a/agent.so:y.so"}, of(fit)));
    EXPECT_EQ((Texts{"A=b"}), fitted({"A=b"}, of(fit), {"P=1"}));
  }
  // What they execute can have it.
  for (const ProgramFit fit : {ProgramFit::kStatic, ProgramFit::kGainsRights}) {
    EXPECT_EQ((Texts{"LD_PRELOAD=/a/agent.so"}), fitted({}, of(fit)));
  }
}

TEST(FittedEnvironment, ChangesOptionsOfOthersOnlyWhereNeeded) {
  ProgramFile sanitized, pvm;
  sanitized.needsSanitizer = pvm.needsPvm = true;
  const std::string agent = "LD_PRELOAD=/a/agent.so";
  EXPECT_EQ((Texts{agent, "ASAN_OPTIONS=x=1:verify_asan_link_order=0"}),
            fitted({agent, "ASAN_OPTIONS=x=1"}, sanitized));
  const Texts has{agent, "ASAN_OPTIONS=verify_asan_link_order=0:x=1"};
  EXPECT_EQ(has, fitted(has, sanitized));
  EXPECT_EQ((Texts{agent, "PARALLAX_A=1", "PARALLAX_B=2",
                   "PVM_EXPORT=PVM_EXPORT:LD_PRELOAD:PARALLAX_A:PARALLAX_B"}),
            fitted({agent, "PARALLAX_A=1"}, pvm, {"PARALLAX_B=2"}));
  EXPECT_EQ((Texts{agent, "PVM_EXPORT=DISPLAY:PVM_EXPORT:LD_PRELOAD"}),
            fitted({agent, "PVM_EXPORT=DISPLAY"}, pvm));
  const Texts plain{agent, "PVM_EXPORT=DISPLAY", "ASAN_OPTIONS=x=1"};
  EXPECT_EQ(plain, fitted(plain, kFitting));
}

TEST(ProgramFile, KnowsWhatTheAgentFits) {
  const auto fitOf = [](const std::string& path) {
    return examineProgram(AT_FDCWD, path.c_str()).fit;
  };
  EXPECT_EQ(ProgramFit::kFits, fitOf("/proc/self/exe"));
  EXPECT_EQ(ProgramFit::kFits, fitOf("/lib64/ld-linux-x86-64.so.2"));
  EXPECT_EQ(ProgramFit::kFits, fitOf("/nonexistent"));
  EXPECT_EQ(ProgramFit::kFits, fitOf("/"));
  TemporaryDirectory scratch;
  const auto make = [&](const std::string& name, const std::string& text) {
    std::ofstream(scratch / name) << text;
    return scratch / name;
  };
  EXPECT_EQ(ProgramFit::kFits, fitOf(make("empty", "")));
  EXPECT_EQ(ProgramFit::kFits, fitOf(make("short", "\x7f" "ELF")));
  EXPECT_EQ(ProgramFit::kFits, fitOf(make("self", "#! " + (scratch / "self") + "\n")));
  const std::string inner = make("inner", "#!/bin/sh\n");
  const ProgramFile outer = examineProgram(AT_FDCWD, make("outer", "#!" + inner + " -x\n").c_str());
  EXPECT_EQ(ProgramFit::kFits, outer.fit);
  EXPECT_TRUE(outer.isScript);
  // Of 32 bits: the class of the ELF header alone.
  std::string header("\x7f" "ELF\x01\x01\x01", 7);
  header.resize(128);
  header[18] = 3;  // EM_386
  const ProgramFile small = examineProgram(AT_FDCWD, make("small", header).c_str());
  EXPECT_EQ(ProgramFit::kOtherMachine, small.fit);
  EXPECT_EQ(32, small.wordBits);
}

TEST(ProgramFile, IsFoundAsExecvpFindsIt) {
  TemporaryDirectory scratch;
  mkdir((scratch / "one").c_str(), 0777);
  mkdir((scratch / "two").c_str(), 0777);
  std::ofstream(scratch / "one/program") << "not executable";
  std::ofstream(scratch / "two/program") << "executable";
  chmod((scratch / "two/program").c_str(), 0755);
  char path[4096];
  const std::string search = (scratch / "one") + "::" + (scratch / "two");
  ASSERT_TRUE(findProgram("program", search.c_str(), path, sizeof path));
  EXPECT_EQ(scratch / "two/program", path);
  EXPECT_FALSE(findProgram("program", (scratch / "one").c_str(), path, sizeof path));
  EXPECT_FALSE(findProgram("", search.c_str(), path, sizeof path));
  ASSERT_TRUE(findProgram("./x", search.c_str(), path, sizeof path));
  EXPECT_STREQ("./x", path);
  char tiny[8];
  EXPECT_FALSE(findProgram("program", search.c_str(), tiny, sizeof tiny));
}

TEST(TraceDirectory, TrustsNoFileOfOthers) {
  TemporaryDirectory scratch;
  TraceDirectory directory;
  ASSERT_EQ(0, directory.open(scratch.path().c_str()));
  umask(0);
  const int made = directory.openShared("shared");
  ASSERT_GE(made, 0);
  struct stat status;
  fstat(made, &status);
  EXPECT_EQ(0600u, status.st_mode & 07777);
  close(made);
  const int again = directory.openShared("shared");
  EXPECT_GE(again, 0);
  close(again);
  ASSERT_EQ(0, symlink("elsewhere", (scratch / "link").c_str()));
  EXPECT_LT(directory.openShared("link"), 0);
  EXPECT_LT(directory.openFile("link", O_RDWR | O_CREAT), 0);
  EXPECT_NE(0, access((scratch / "elsewhere").c_str(), F_OK));
  if (geteuid() != 0) GTEST_SKIP() << "only root can make files of others";
  ASSERT_EQ(0, chown((scratch / "shared").c_str(), 65534, 65534));
  EXPECT_EQ(-EACCES, directory.openShared("shared"));
}

}  // namespace
}  // namespace parallax
