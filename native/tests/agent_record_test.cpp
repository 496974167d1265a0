// What parallax-record answers to a person.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <tuple>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

class AgentRecord : public testing::Test {
 protected:
  // Expects one message, the status, and no trace.
  void expectRefused(const Words& command, int status, const std::string& part) {
    const std::string directory = scratch_ / "refused";
    const Outcome outcome = run(recorded(directory, command));
    EXPECT_EQ(status, outcome.status) << outcome.errors;
    EXPECT_EQ("", outcome.output);
    EXPECT_EQ(0u, outcome.errors.find("parallax: ")) << outcome.errors;
    EXPECT_NE(std::string::npos, outcome.errors.find(part)) << outcome.errors;
    EXPECT_EQ(outcome.errors.size() - 1, outcome.errors.find('\n')) << "one line";
    EXPECT_NE(0, access(directory.c_str(), F_OK));
  }
  std::string makeFile(const std::string& name, mode_t mode, const std::string& text = "") {
    const std::string path = scratch_ / name;
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }
  std::string copyOfGuest(const std::string& name, mode_t mode) {
    const std::string path = scratch_ / name;
    const std::ifstream original(guest("locks"), std::ios::binary);
    std::ofstream(path, std::ios::binary) << original.rdbuf();
    chmod(path.c_str(), mode);
    return path;
  }

  TemporaryDirectory scratch_;
};

TEST_F(AgentRecord, ProgramsThatDoNotExist) {
  copyOfGuest("solver", 0755);
  expectRefused({scratch_ / "solvr"}, 127, "did you mean " + (scratch_ / "solver") + "?");
  expectRefused({"no-such-program-anywhere"}, 127, "cannot find the program");
  expectRefused({scratch_ / "missing/program"}, 127, "cannot find the program");
}

TEST_F(AgentRecord, FilesThatAreNoPrograms) {
  expectRefused({makeFile("data", 0644)}, 126, "is not executable");
  expectRefused({scratch_.path()}, 126, "is a directory");
}

TEST_F(AgentRecord, ProgramsThatTheAgentCannotEnter) {
  expectRefused({guest("static")}, 1, "is statically linked");
  expectRefused({"env", "A=b", "nice", "-n", "1", guest("static")}, 1, "is statically linked");

  const std::string foreign = copyOfGuest("foreign", 0755);
  const int fd = open(foreign.c_str(), O_WRONLY);
  const uint16_t aarch64 = 183;
  ASSERT_EQ(2, pwrite(fd, &aarch64, 2, 18));
  close(fd);
  expectRefused({foreign}, 1, "is not an x86_64 program");

  if (geteuid() == 0) {
    const std::string setuid = copyOfGuest("setuid", 0755);
    ASSERT_EQ(0, chown(setuid.c_str(), 65534, 65534));
    ASSERT_EQ(0, chmod(setuid.c_str(), 04755));
    expectRefused({setuid}, 1, "is setuid");
    ASSERT_EQ(0, chmod(setuid.c_str(), 02755));
    expectRefused({setuid}, 1, "setgid");
  }
}

TEST_F(AgentRecord, AMissingMpirunNamesThePackages) {
  const Outcome outcome = run({"env", "PATH=/nonexistent", recorder(), "-o", scratch_ / "t",
                               "mpirun", "-n", "4", guest("locks")},
                              [] { setenv("PATH", "/usr/bin:/bin", 1); });
  EXPECT_EQ(127, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("openmpi-bin")) << outcome.errors;
  EXPECT_NE(std::string::npos, outcome.errors.find("mpich")) << outcome.errors;
}

// Open MPI passes only what it is told to other hosts. Version 5 has a program mpirun of its own, which
// executes the prterun beside it.
TEST_F(AgentRecord, OpenMpi5IsToldWhatToPassOn) {
  const std::string mpirun = makeFile("mpirun", 0755, "#!/bin/sh\nprintf '%s\\n' \"$*\"\n");
  const std::string own = makeFile("mpirun.openmpi", 0755, "#!/bin/sh\nprintf '%s\\n' \"$*\"\n");
  const std::string told = "-x LD_PRELOAD -x ";
  EXPECT_EQ("-n 2 true\n", run(recorded(scratch_ / "a", {mpirun, "-n", "2", "true"})).output);
  EXPECT_EQ(0u, run(recorded(scratch_ / "b", {own, "-n", "2", "true"})).output.find(told));
  makeFile("prterun", 0755);
  EXPECT_EQ(0u, run(recorded(scratch_ / "c", {mpirun, "-n", "2", "true"})).output.find(told));
}

TEST_F(AgentRecord, DirectoriesThatCannotBeUsed) {
  mkdir((scratch_ / "full").c_str(), 0777);
  makeFile("full/precious", 0644, "data");
  Outcome outcome = run(recorded(scratch_ / "full", {guest("locks"), "waiting"}));
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("is not empty")) << outcome.errors;
  outcome = run(recorded(makeFile("file", 0644), {guest("locks"), "waiting"}));
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("is not a directory")) << outcome.errors;
  outcome = run(recorded("/proc/trace", {guest("locks"), "waiting"}));
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("choose a directory")) << outcome.errors;
  // An empty one is used.
  mkdir((scratch_ / "empty").c_str(), 0777);
  EXPECT_EQ(0, run(recorded(scratch_ / "empty", {guest("locks"), "waiting"})).status);
}

TEST_F(AgentRecord, ATraceIsForItsUserAlone) {
  const std::string directory = scratch_ / "trace";
  const Outcome outcome =
      run(recorded(directory, {"sh", "-c", guest("endings") + " kill; " + guest("locks") + " counting 3 2000"},
                   {"--quiet", "--monitor"}), [] { umask(0); });
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  struct stat status;
  ASSERT_EQ(0, stat(directory.c_str(), &status));
  EXPECT_EQ(0700u, status.st_mode & 07777);
  std::set<std::string> endings;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    ASSERT_EQ(0, lstat(entry.path().c_str(), &status));
    EXPECT_EQ(0600u, status.st_mode & 07777) << entry.path();
    endings.insert(entry.path().extension());
  }
  EXPECT_EQ((std::set<std::string>{"", ".def", ".evt", ".outcomes", ".series", ".shared"}), endings);
}

TEST_F(AgentRecord, NoTraceIsWrittenForSomebodyElse) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a directory of another user";
  const std::string directory = scratch_ / "other";
  mkdir(directory.c_str(), 0777);
  ASSERT_EQ(0, chown(directory.c_str(), 65534, 65534));
  const Outcome outcome = run(recorded(directory, {guest("locks"), "waiting"}));
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("belongs to another user")) << outcome.errors;
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

TEST_F(AgentRecord, WrongUse) {
  for (const Words& arguments :
       {Words{}, Words{"--"}, Words{"-o"}, Words{"-o", ""}, Words{"--sample-hz", "x", "true"},
        Words{"--sample-hz=10001", "true"}, Words{"--sample-clock", "user", "true"},
        Words{"--colour", "true"},
        Words{"--quiet=yes", "true"}, Words{"--adapters", "mpi,pthreads", "true"},
        Words{"--adapters"}}) {
    Words command{recorder()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(command);
    EXPECT_EQ(2, outcome.status);
    EXPECT_NE(std::string::npos, outcome.errors.find("--help")) << outcome.errors;
  }
  const Outcome help = run({recorder(), "--help"});
  EXPECT_EQ(0, help.status);
  EXPECT_TRUE(std::regex_search(help.output, std::regex("examples:(\n  parallax record .*)+\n$")))
      << help.output;
  EXPECT_TRUE(std::regex_match(run({recorder(), "--version"}).output,
                               std::regex("parallax record [0-9.]+\n")));
}

TEST_F(AgentRecord, TheManifestDescribesTheRun) {
  const Words command{guest("locks"), "counting", "2", "10", "it's"};
  const Outcome outcome = run(recorded(scratch_ / "trace", command, {"--sample-hz", "250"}));
  EXPECT_EQ("20\n", outcome.output);
  EXPECT_TRUE(std::regex_match(
      outcome.errors, std::regex("parallax: trace of 1 process in .*trace; next: .*trace\n")))
      << outcome.errors;
  const Trace trace = loadTrace(scratch_ / "trace");
  const auto& manifest = trace.manifest;
  EXPECT_EQ("1", manifest.at("parallax-trace"));
  EXPECT_EQ("250", manifest.at("sample-hz"));
  EXPECT_EQ("0", manifest.at("exit-status"));
  EXPECT_EQ(guest("locks") + " counting 2 10 'it'\\''s'", manifest.at("command"));
  EXPECT_TRUE(std::regex_match(manifest.at("run"), std::regex("[0-9a-f]{32}")));
  const std::regex iso("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z");
  EXPECT_TRUE(std::regex_match(manifest.at("created"), iso)) << manifest.at("created");
  EXPECT_TRUE(std::regex_match(manifest.at("ended"), iso)) << manifest.at("ended");
  EXPECT_GT(std::stoull(manifest.at("elapsed-ns")), 0u);
  ASSERT_EQ(1u, trace.processes.size());
  EXPECT_EQ(250u, trace.processes[0].process.sampleHz);
  EXPECT_EQ(std::stoull(manifest.at("tick-hz")), trace.processes[0].process.tickHz);
}

TEST_F(AgentRecord, TimesOfTheCommandAndOfWhatItWaitedFor) {
  const std::string file = scratch_ / "times";
  // A child that computes, 0.1 s of which nobody does anything.
  const Words command{"sh", "-c", "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; "
                      "sleep 0.1; exit 3"};
  const Outcome outcome = run(recorded(scratch_ / "trace", command, {"--times", file}));
  EXPECT_EQ(3, outcome.status);
  uint64_t elapsedNs = 0, cpuNs = 0;
  std::ifstream(file) >> elapsedNs >> cpuNs;
  EXPECT_GT(cpuNs, 10000000u);
  EXPECT_GT(elapsedNs, cpuNs + 80000000);
}

TEST_F(AgentRecord, TheTraceSaysWhatIsIntercepted) {
  for (const auto& [list, adapters] : std::map<std::string, std::string>{
           {"", "mpi,pthread,process,stream,file,openmp,pvm,user"},
           {"-file, -stream", "mpi,pthread,process,openmp,pvm,user"},
           {"pthread,user", "pthread,user"},
           {"all,-mpi,-pvm", "pthread,process,stream,file,openmp,user"},
           {"none", ""}}) {
    const Outcome outcome =
        run(recorded(scratch_ / ("trace " + list), {guest("locks"), "waiting"}, {"--adapters", list}));
    EXPECT_EQ(0, outcome.status) << outcome.errors;
    const Trace trace = loadTrace(scratch_ / ("trace " + list));
    ASSERT_EQ(1u, trace.processes.size());
    EXPECT_EQ(adapters, trace.processes[0].settings.at("adapters")) << list;
  }
}

TEST_F(AgentRecord, TheManifestHasTheCostsOfMeasuring) {
  const std::string directory = scratch_ / "trace";
  ASSERT_EQ(0, run({recorder(), "--quiet", "-o", directory, "--", guest("locks"), "waiting"}).status);
  auto manifest = loadTrace(directory).manifest;
  // What these can take on any machine.
  const std::tuple<const char*, double, double> costs[] = {
      {"process", 1e4, 1e9}, {"thread", 100, 1e8}, {"sample", 100, 1e7}, {"pair", 2, 1e4},
      {"path", 0, 1e4},      {"frame", 0, 1e4},    {"payload", 0, 1e4},  {"instant", 0, 1e4},
      {"counted", 0, 1e4},   {"cpu", 50, 1e6},     {"block", 0, 1e7},
      {"refill", 0, 1e7},    {"module", 1e3, 1e8},
  };
  for (const auto& [name, least, most] : costs) {
    const std::string key = std::string("cost-") + name + "-ns";
    ASSERT_EQ(1u, manifest.count(key)) << key;
    EXPECT_GE(std::stod(manifest[key]), least) << key;
    EXPECT_LE(std::stod(manifest[key]), most) << key;
  }
  EXPECT_FALSE(std::filesystem::exists(directory + "/calibration"));
  const std::string without = scratch_ / "without";
  ASSERT_EQ(0, run(recorded(without, {guest("locks"), "waiting"}, {"--no-calibration"})).status);
  EXPECT_EQ(0u, loadTrace(without).manifest.count("cost-pair-ns"));
}

TEST_F(AgentRecord, WithoutTheAgentOnlyTimesAreMeasured) {
  const std::string times = scratch_ / "times";
  const Outcome outcome = run({recorder(), "--no-agent", "--times", times, "--", "sh", "-c",
                               "echo ${LD_PRELOAD:-none} ${PARALLAX_TRACE:-none}"});
  EXPECT_EQ("none none\n", outcome.output);
  uint64_t elapsedNs = 0, cpuNs = 0;
  std::ifstream(times) >> elapsedNs >> cpuNs;
  EXPECT_GT(elapsedNs, 0u);
  EXPECT_GT(cpuNs, 0u);
  EXPECT_EQ(2, run({recorder(), "--no-agent", "--", "true"}).status);
  EXPECT_EQ(2, run({recorder(), "--no-agent", "--times", times, "-o", scratch_ / "t", "--", "true"}).status);
  EXPECT_EQ(2, run({recorder(), "--dilation", "3", "--", "true"}).status);
}

TEST_F(AgentRecord, TooFewOpenFilesAreToldBeforeTheProgram) {
  const Outcome outcome = run(recorded(scratch_ / "trace", {"echo", "runs"}), [] {
    const rlimit few{15, 15};
    setrlimit(RLIMIT_NOFILE, &few);
  });
  EXPECT_EQ(1, outcome.status);
  EXPECT_EQ("", outcome.output);
  EXPECT_EQ("parallax: the limit of open files (ulimit -n) is 15, and recording needs 16; raise it\n", outcome.errors);
}

TEST_F(AgentRecord, NothingRecordedIsExplained) {
  const Outcome outcome = run(recorded(scratch_ / "trace", {"sh", "-c", "exit 3"}));
  EXPECT_EQ(3, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("no process was recorded")) << outcome.errors;
  const Outcome again = run(recorded(scratch_ / "trace", {guest("locks"), "waiting"}));
  EXPECT_EQ(0, again.status) << again.errors;  // the same command again, corrected
}

TEST_F(AgentRecord, TheDefaultDirectoryHasTheNameOfTheProgram) {
  const std::string here = scratch_.path();
  const Outcome outcome = run({recorder(), guest("locks"), "waiting"},
                              [&] { if (chdir(here.c_str()) != 0) _exit(99); });
  EXPECT_EQ(0, outcome.status);
  EXPECT_TRUE(std::regex_search(
      outcome.errors,
      std::regex("in parallax-guest-locks-[0-9]{8}-[0-9]{6}; next:")))
      << outcome.errors;
}

TEST_F(AgentRecord, AScriptWithAnUnknownInterpreter) {
  const std::string script = makeFile("script", 0755, "#!/nonexistent/interpreter\n");
  const Outcome outcome = run(recorded(scratch_ / "trace", {script}, {"--quiet"}));
  EXPECT_EQ(127, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("interpreter")) << outcome.errors;
}

}  // namespace
}  // namespace parallax::tests
