// Libraries that use OpenMP, or hold a runtime of their own, and are loaded while a program runs.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "tests/openmp_fixture.h"

namespace parallax::tests {
namespace {

using format::SyncKind;

// By a path, and by a name that is looked for where the caller's module says.
TEST_P(OpenMp, LibraryThatIsLoaded) {
  const std::string function = GetParam() == std::string("llvm") ? "sumOfLlvm" : "sumOfGnu";
  for (const std::string& library : {program("plugin.so"), baseName(program("plugin.so"))}) {
    SCOPED_TRACE(library);
    const Words command{"timeout", "60", PARALLAX_PROGRAMS_DIR "/openmp_loader", library, function};
    const std::string directory = scratch_ / ("trace" + std::to_string(++traces_));
    const Outcome traced = run(recorded(directory, command, {"--quiet"}));
    EXPECT_EQ(0, traced.status) << traced.errors;
    EXPECT_EQ("sum 4950\nsum 4950\n", traced.output);
    const Trace trace = loadTrace(directory);
    const TracedProcess* process = trace.ofExecutable("openmp_loader");
    ASSERT_NE(nullptr, process);
    expectTeamsConsistent(*process);
    EXPECT_EQ(2u, process->threads.size());
    size_t acquired = 0;
    for (const auto& [number, thread] : process->threads) {
      for (const TracedEvent& event : thread.events) acquired += acquiresOmp(*process, event);
    }
    EXPECT_EQ(200u, acquired);
  }
}

// While a constructor runs its thread has the dynamic linker's lock.
TEST_P(OpenMp, RegionInAConstructorWhileALibraryIsLoaded) {
  const Words command{"timeout", "10", PARALLAX_PROGRAMS_DIR "/openmp_loader",
                      program("constructor.so"), "sumOfConstructor"};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("sum 4950\nsum 4950\n", traced.output);
}

// GNU's stays, as its threads do; LLVM's ends them.
TEST_P(OpenMp, RuntimeThatIsUnloaded) {
  setenv("OMP_WAIT_POLICY", "active", 1);  // they execute its code all the time
  const std::string function = GetParam() == std::string("llvm") ? "sumOfLlvm" : "sumOfGnu";
  const std::string library = "-" + program("plugin.so");
  const Words command{"timeout", "60", PARALLAX_PROGRAMS_DIR "/openmp_loader",
                      library, function, library, function};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("sum 4950\nsum 4950\nsum 4950\nsum 4950\n", traced.output);
}

// Libraries that define routines of OpenMP come and go as they do without the agent. What dlerror()
// has to say is left to the program.
TEST_P(OpenMp, LibrariesThatAreUnloaded) {
  const std::string stub = PARALLAX_PROGRAMS_DIR "/openmp_stub1.so";
  if (access(stub.c_str(), R_OK) != 0) GTEST_SKIP() << "gcc is not installed";
  expectTeamsConsistent(traceOf("reload", {stub, "/no/such.so", stub}));
}

TEST(OpenMpRuntimes, TwoInOneProcess) {
  const Words command{"timeout", "60", PARALLAX_PROGRAMS_DIR "/openmp_loader",
                      PARALLAX_PROGRAMS_DIR "/openmp_plugin.so.gnu", "sumOfGnu",
                      PARALLAX_PROGRAMS_DIR "/openmp_plugin.so.llvm", "sumOfLlvm"};
  if (access(command[3].c_str(), R_OK) != 0 || access(command[5].c_str(), R_OK) != 0) {
    GTEST_SKIP() << "gcc, or clang and its OpenMP, is not installed";
  }
  TemporaryDirectory scratch;
  const Outcome traced = run(recorded(scratch / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  EXPECT_EQ("sum 4950\nsum 4950\nsum 4950\nsum 4950\n", traced.output);
  const Trace trace = loadTrace(scratch / "trace");
  const TracedProcess* process = trace.ofExecutable("openmp_loader");
  ASSERT_NE(nullptr, process);
  expectTeamsConsistent(*process);
  EXPECT_EQ(3u, process->threads.size());
  EXPECT_EQ(4u, process->calls(process->threads.at(0), "omp parallel").size());
  EXPECT_EQ(2u, process->objectsOf(SyncKind::kOpenMpLock));
}

// Calls of libraries that hold a runtime, or one that has another name, beside another runtime or
// alone: each reaches its own.
class OpenMpHiddenRuntime : public testing::Test {
 protected:
  static std::string library(const std::string& name) {
    return PARALLAX_PROGRAMS_DIR "/openmp_" + name;
  }
  // Loads the libraries and calls the function of each twice; how many critical sections were seen.
  size_t acquisitionsOf(const Words& librariesAndFunctions) {
    Words command{"timeout", "60", library("loader")};
    std::string expected;
    for (size_t i = 0; i < librariesAndFunctions.size(); i += 2) {
      const std::string& name = librariesAndFunctions[i];
      const bool forAll = name[0] == '+';  // as the loader takes it
      command.push_back(forAll ? "+" + library(name.substr(1)) : library(name));
      command.push_back(librariesAndFunctions[i + 1]);
      expected += "sum 4950\nsum 4950\n";
    }
    const std::string directory = scratch_ / ("trace" + std::to_string(++traces_));
    const Outcome traced = run(recorded(directory, command, {"--quiet"}));
    EXPECT_EQ(0, traced.status) << traced.errors;
    EXPECT_EQ(expected, traced.output);
    const Trace trace = loadTrace(directory);
    const TracedProcess* process = trace.ofExecutable("openmp_loader");
    if (process == nullptr) return 0;
    size_t acquired = 0;
    for (const auto& [number, thread] : process->threads) {
      for (const TracedEvent& event : thread.events) acquired += acquiresOmp(*process, event);
    }
    return acquired;
  }

  TemporaryDirectory scratch_;
  int traces_ = 0;
};

TEST_F(OpenMpHiddenRuntime, PartOfALibrary) {
  if (access(library("plugin.so.gnu").c_str(), R_OK) != 0) GTEST_SKIP() << "gcc is not installed";
  for (const std::string own : {"own_runtime.so.gnu", "own_runtime.so.sysv"}) {  // kinds of tables
    SCOPED_TRACE(own);
    EXPECT_EQ(40000u, acquisitionsOf({own, "sumOfOwn"}));
    EXPECT_EQ(40200u, acquisitionsOf({"plugin.so.gnu", "sumOfGnu", own, "sumOfOwn"}));
    EXPECT_EQ(40200u, acquisitionsOf({own, "sumOfOwn", "plugin.so.gnu", "sumOfGnu"}));
  }
}

TEST_F(OpenMpHiddenRuntime, OfAnotherName) {
  if (access(library("plugin.so.renamed").c_str(), R_OK) != 0 ||
      access(library("plugin.so.gnu").c_str(), R_OK) != 0) {
    GTEST_SKIP() << "gcc, or clang and its OpenMP, is not installed";
  }
  EXPECT_EQ(200u, acquisitionsOf({"plugin.so.renamed", "sumOfLlvm"}));
  EXPECT_EQ(400u, acquisitionsOf({"plugin.so.gnu", "sumOfGnu", "plugin.so.renamed", "sumOfLlvm"}));
  EXPECT_EQ(400u, acquisitionsOf({"plugin.so.renamed", "sumOfLlvm", "plugin.so.gnu", "sumOfGnu"}));
  // The second library uses the runtime of the first one, too, though it has brought its own.
  EXPECT_EQ(400u, acquisitionsOf({"+plugin.so.renamed", "sumOfLlvm", "plugin.so.gnu", "sumOfGnu"}));
}

// Each calls its own routine, not the one that was at its place before.
TEST_F(OpenMpHiddenRuntime, OneAfterTheOther) {
  const std::string one = library("stub1.so"), two = library("stub2.so");
  if (access(one.c_str(), R_OK) != 0) GTEST_SKIP() << "gcc is not installed";
  const Words command{"timeout", "60", library("reload"), one, two, two, one};
  const Outcome traced = run(recorded(scratch_ / "trace", command, {"--quiet"}));
  EXPECT_EQ(0, traced.status) << traced.errors;
  const std::string ofOne = "11\nunloaded\nclosed\n", ofTwo = "12\nunloaded\nclosed\n";
  EXPECT_EQ(ofOne + ofTwo + ofTwo + ofOne, traced.output);
}

}  // namespace
}  // namespace parallax::tests
