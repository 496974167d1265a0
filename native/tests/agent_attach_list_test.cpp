// Which processes can be attached to, and names of processes.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/guest_trace.h"
#include "tests/running_program.h"

namespace parallax::tests {
namespace {

// The line of a process in the list for programs, as fields.
Words listed(const std::string& list, const std::string& pid) {
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, pid.size() + 1, pid + "\t") != 0) continue;
    Words fields;
    for (size_t at = 0; at != std::string::npos;) {
      const size_t tab = line.find('\t', at);
      fields.push_back(line.substr(at, tab - at));
      at = tab == std::string::npos ? tab : tab + 1;
    }
    return fields;
  }
  return Words(9);
}

TEST(AttachList, TheListTellsWhatCanBeRecordedAndWhatNot) {
  TemporaryDirectory scratch;
  Running rank({"/usr/bin/env", "PMIX_RANK=3", guest("attached"), "7", "60000"});
  ASSERT_TRUE(rank.hasThreads(8));
  Running fixed({guest("static"), "wait"});
  Running recording({recorder(), "--attach", rank.name(), "-o", scratch / "trace", "--no-calibration", "--quiet"});
  std::string during;  // first it is traced for a moment
  for (int i = 0; i < 100 && during.find("is being recorded already") == std::string::npos; i++) {
    usleep(20000);
    during = listed(run({recorder(), "--list=tsv"}).output, rank.name())[7];
  }
  recording.askToEnd();
  EXPECT_EQ("", recording.end());
  const Outcome after = run({recorder(), "--list=tsv"});
  EXPECT_EQ(0, after.status);
  EXPECT_EQ(0u, after.output.find("pid\tparent\tuser\tthreads\tage-ms\tpart\tname\tproblem\tcommand\n"));
  const Words line = listed(after.output, rank.name());
  EXPECT_EQ(std::to_string(getpid()), line[1]);
  EXPECT_EQ("8", line[3]);
  EXPECT_LT(atoi(line[4].c_str()), 60000);
  EXPECT_EQ("rank 3", line[5]);
  EXPECT_EQ("", line[7]);
  EXPECT_NE(std::string::npos, line[8].find(guest("attached") + " 7 60000")) << line[8];
  EXPECT_NE(std::string::npos, during.find("is being recorded already")) << during;
  EXPECT_NE(std::string::npos, listed(after.output, fixed.name())[7].find("statically linked"));
  EXPECT_EQ(Words(9), listed(after.output, "2"));  // of the kernel
  const std::string table = run({recorder(), "--attach"}).output;
  EXPECT_NE(std::string::npos, table.find(rank.name() + "  ")) << table;
  EXPECT_EQ(std::string::npos, table.find("statically linked")) << table;
  rank.askToEnd();
  EXPECT_EQ(kRight, rank.end());
}

TEST(AttachList, ANameStandsForTheOneProcessThatHasIt) {
  TemporaryDirectory scratch;
  const std::string name = "plx" + std::to_string(getpid()), program = scratch / name;
  std::filesystem::copy_file(guest("attached"), program);
  const auto attach = [&](const std::string& trace) {
    return run({recorder(), "--attach", name, "--for", "0.2s", "-o", scratch / trace, "--no-calibration", "--quiet"});
  };
  EXPECT_NE(std::string::npos, attach("none").errors.find("no process is called " + name));
  Running first({program, "7", "60000"});
  ASSERT_TRUE(first.hasThreads(8));
  EXPECT_EQ("", attach("one").errors);
  EXPECT_EQ(1u, loadTrace(scratch / "one").processes.size());
  Running second({program, "7", "60000"});
  ASSERT_TRUE(second.hasThreads(8));
  const Outcome several = attach("several");
  EXPECT_EQ(1, several.status);
  EXPECT_NE(std::string::npos, several.errors.find("2 processes are called " + name)) << several.errors;
  EXPECT_NE(std::string::npos, several.errors.find("--attach " + std::to_string(std::min(first.pid(), second.pid())) + ","));
  EXPECT_FALSE(std::filesystem::exists(scratch / "several"));
}

}  // namespace
}  // namespace parallax::tests
