// Programs that a recorded program, or a shell under the recorder, executes.
#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

constexpr size_t kWays = 16;  // of guests/executes.cpp

class AgentExecute : public testing::Test {
 protected:
  Outcome record(const Words& command) {
    return run(recorded(trace_, command, {"--quiet"}));
  }
  size_t recordedRuns(const std::string& executable) {
    const Trace trace = loadTrace(trace_);
    return static_cast<size_t>(std::count_if(
        trace.processes.begin(), trace.processes.end(), [&](const TracedProcess& process) {
          return process.executable == executable && process.count(format::Kind::kAcquire) > 0;
        }));
  }
  // A copy of a guest that another dynamic linker would have to start.
  std::string withLinker(const std::string& linker) {
    const std::string path = scratch_ / "foreign";
    std::filesystem::copy_file(guest("locks"), path,
                               std::filesystem::copy_options::overwrite_existing);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    Elf64_Ehdr header;
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    for (int i = 0; i < header.e_phnum; i++) {
      Elf64_Phdr segment;
      file.seekg(static_cast<long>(header.e_phoff) + i * static_cast<long>(sizeof segment));
      file.read(reinterpret_cast<char*>(&segment), sizeof segment);
      if (segment.p_type != PT_INTERP) continue;
      EXPECT_LE(linker.size(), segment.p_filesz);
      file.seekp(static_cast<long>(segment.p_offset));
      file.write((linker + std::string(segment.p_filesz, '\0')).data(),
                 static_cast<long>(segment.p_filesz));
    }
    return path;
  }
  std::string script(const std::string& text) {
    const std::string path = scratch_ / "script";
    std::ofstream(path) << text;
    chmod(path.c_str(), 0755);
    return path;
  }

  TemporaryDirectory scratch_;
  const std::string trace_ = scratch_ / "trace";
};

TEST_F(AgentExecute, KeepsTheAgentWhenTheEnvironmentIsNew) {
  const Words command{guest("executes"), "agent", guest("locks"), "waiting"};
  const Outcome plain = run(command);
  const Outcome outcome = record(command);
  EXPECT_EQ(plain.output, outcome.output);
  EXPECT_EQ(plain.errors, outcome.errors);
  EXPECT_EQ(kWays, recordedRuns(guest("locks")));
}

TEST_F(AgentExecute, AnEmptyTraceIsTheProgramsWish) {
  const Words command{guest("executes"), "none", guest("locks"), "waiting"};
  const Outcome outcome = record(command);
  EXPECT_EQ(run(command).output, outcome.output);
  EXPECT_EQ(0u, recordedRuns(guest("locks")));
}

TEST_F(AgentExecute, EnvDoesNotLoseTheAgent) {
  EXPECT_EQ(0, record({"env", "-i", guest("locks"), "waiting"}).status);
  EXPECT_EQ(1u, recordedRuns(guest("locks")));
  std::filesystem::remove_all(trace_);
  EXPECT_EQ(0, record({"env", "LD_PRELOAD=libm.so.6", guest("locks"), "waiting"}).status);
  EXPECT_EQ(1u, recordedRuns(guest("locks")));
}

// The program sees of the agent LD_PRELOAD and its own variables, and nothing else that is not its.
TEST_F(AgentExecute, NothingElseIsInTheEnvironment) {
  if (!hasFirstBlocks()) GTEST_SKIP() << "the variable of the transport is in it";
  const Outcome outcome = run(recorded(trace_, {"env", "-i", "A=b", "env"}, {"--quiet"}));
  std::istringstream lines(outcome.output);
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) names.insert(line.substr(0, line.find('=')));
  EXPECT_EQ((std::set<std::string>{"A", "LD_PRELOAD", "PARALLAX_TRACE", "PARALLAX_MACHINE",
                                   "PARALLAX_SAMPLE_HZ", "PARALLAX_SECCOMP", "PARALLAX_TICK_HZ"}),
            names);
}

TEST_F(AgentExecute, WhatCannotHaveTheAgentStartsWithoutAndIsNamed) {
  // With the agent, the message of the dynamic linker would not be that it is missing.
  const std::string foreign = withLinker("/lib/ld-none-x86_64.so.1");
  const Outcome outcome = record({"sh", "-c", foreign + "; " + guest("static") + "; " +
                                              foreign + "; " + guest("locks") + " waiting"});
  EXPECT_EQ(1u, recordedRuns(guest("locks")));
  EXPECT_EQ((std::vector<Words>{{"unrecorded", "libc", foreign},
                                {"unrecorded", "static", guest("static")}}),
            outcomes(trace_, "unrecorded"));
}

TEST_F(AgentExecute, WhereTheAgentIsNotItIsNotNamed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const std::string hidden = scratch_ / "hidden";
  mkdir(hidden.c_str(), 0700);
  std::filesystem::copy_file(agent(), hidden + "/libparallax-agent.so");
  std::filesystem::copy_file(recorder(), hidden + "/parallax-record");
  const Words command{"perl", "-MPOSIX", "-e",
                      "setuid(65534); exec 'sh', '-c', 'id -u; echo ${LD_PRELOAD-none}'"};
  Words whole{hidden + "/parallax-record", "--quiet", "-o", trace_, "--"};
  whole.insert(whole.end(), command.begin(), command.end());
  const Outcome outcome = run(whole);
  EXPECT_EQ("65534\nnone\n", outcome.output);
  EXPECT_EQ("", outcome.errors);
}

TEST_F(AgentExecute, TheInterpreterOfAScriptCounts) {
  const std::string foreign = withLinker("/lib/ld-none-x86_64.so.1");
  record({"sh", "-c", script("#!" + foreign + " -x\n") + "; true"});
  EXPECT_EQ((std::vector<Words>{{"unrecorded", "libc", scratch_ / "script"}}),
            outcomes(trace_, "unrecorded"));
}

TEST_F(AgentExecute, TheRecorderRefusesAnotherLibc) {
  const Outcome outcome = run(recorded(trace_, {withLinker("/lib/ld-musl-x86_64.so.1")}));
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("a C library other than glibc")) << outcome.errors;
  EXPECT_NE(0, access(trace_.c_str(), F_OK));
}

TEST_F(AgentExecute, AnEmptyTraceNamesWhatCouldNotBeRecorded) {
  const Outcome outcome = run(recorded(trace_, {"sh", "-c", guest("static") + "; true"}));
  EXPECT_EQ(0, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find(guest("static") + " is statically linked"))
      << outcome.errors;
  // The directory can be used again, and what was told of that run is gone.
  EXPECT_EQ(0, record({guest("locks"), "waiting"}).status);
  EXPECT_EQ(0u, outcomes(trace_, "unrecorded").size());
}

// A shell is not recorded, and yet tells what became of its children.
TEST_F(AgentExecute, AShellTellsWhatKilledItsChild) {
  record({"sh", "-c", guest("endings") + " kill; " + guest("endings") + " segv; " +
                      guest("endings") + " _exit; true"});
  const Trace trace = loadTrace(trace_);
  ASSERT_EQ(3u, trace.processes.size());
  std::map<std::string, int> signals;
  for (const Words& end : outcomes(trace_, "end")) signals[end.at(1)] = std::stoi(end.at(2)) & 0x7f;
  for (const TracedProcess& process : trace.processes) {
    const std::string pid = std::to_string(process.process.pid);
    if (process.command.find("kill") != std::string::npos) {
      EXPECT_EQ(9, signals.at(pid));
    } else if (process.command.find("segv") != std::string::npos) {
      EXPECT_EQ(11, signals.at(pid));
    } else {
      EXPECT_EQ(0u, signals.count(pid));
    }
  }
}

}  // namespace
}  // namespace parallax::tests
