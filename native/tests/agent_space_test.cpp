// Traces for which there is not enough space: the program ends as it does alone, and the trace tells
// what is missing.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <filesystem>

#include "tests/agent_writers.h"
#include "tests/guest_runner.h"
#include "tests/guest_trace.h"

namespace parallax::tests {
namespace {

using format::LossCause;

const Words kManyEvents{guest("space"), "events", "4", "200000"};  // 12.8 MB of them
constexpr uint64_t kAllEvents = 4 * 200000 * 2;

class AgentSpace : public testing::Test {
 protected:
  void record(const Words& options, const Words& command,
              const std::function<void()>& inChild = {}) {
    directory_ = (place_.empty() ? scratch_.path() : place_) + "/trace";
    const Outcome plain = run(command);
    outcome_ = run(recorded(directory_, command, options), inChild);
    EXPECT_EQ(7, plain.status);
    EXPECT_EQ(7, outcome_.status) << outcome_.errors;
    EXPECT_EQ(plain.output, outcome_.output);
    trace_ = loadTrace(directory_);
    ASSERT_EQ(1u, trace_.processes.size());
  }
  // Most of the events of kManyEvents are missing, and are counted, for this reason; the process
  // has its end.
  void expectMissing(LossCause cause, const std::string& text) {
    ASSERT_EQ(1u, trace_.processes.size());
    const TracedProcess& process = trace_.processes[0];
    EXPECT_EQ(cause, process.losses.cause);
    EXPECT_LE(process.losses.firstTicks, process.losses.lastTicks);
    size_t kept = 0;
    for (const auto& [number, thread] : process.threads) {
      kept += thread.count(format::Kind::kAcquire) + thread.count(format::Kind::kRelease);
    }
    EXPECT_LT(kept, kAllEvents);
    EXPECT_GE(kept + process.losses.events, kAllEvents);
    EXPECT_LT(kept + process.losses.events, kAllEvents + 1000);
    EXPECT_EQ(1u, process.ends.size());
    EXPECT_NE(std::string::npos, outcome_.errors.find(text)) << outcome_.errors;
  }
  uint64_t traceBytes() const { return bytesOnDisk(directory_); }
  // A file system of its own, of this size; false where that is not allowed.
  bool mountSmall(const char* size) {
    place_ = scratch_ / "small";
    mkdir(place_.c_str(), 0700);
    mounted_ = mount("none", place_.c_str(), "tmpfs", 0, (std::string("size=") + size).c_str()) == 0;
    return mounted_;
  }
  uint64_t freeBytes() const {
    struct statfs system;
    return statfs(place_.c_str(), &system) == 0
               ? system.f_bavail * static_cast<uint64_t>(system.f_bsize) : 0;
  }
  void TearDown() override {
    if (mounted_) umount2(place_.c_str(), MNT_DETACH);
  }

  TemporaryDirectory scratch_;
  std::string place_, directory_;
  bool mounted_ = false;
  Outcome outcome_;
  Trace trace_;
};

void limitFiles(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(AgentSpace, ALimitOnTheSizeOfFilesRaisesNoSignal) {
  record({}, kManyEvents, [] { limitFiles(11 << 18); });  // enough for the least number of rings
  expectMissing(LossCause::kFileTooLarge, "limit on the size of files");
}

// A limit below the first block: the recorder refuses; a program that sets it for itself is not recorded.
TEST_F(AgentSpace, ALimitBelowABlockIsToldBeforeTheProgramRuns) {
  const Outcome refused = run(recorded(scratch_ / "none", kManyEvents), [] { limitFiles(4096); });
  EXPECT_EQ(1, refused.status);
  EXPECT_EQ("", refused.output);
  EXPECT_NE(std::string::npos, refused.errors.find("ulimit -f")) << refused.errors;

  const std::string script = "ulimit -f 4; exec " + guest("space") + " events 4 1000";
  const Outcome outcome = run(recorded(scratch_ / "empty", {"sh", "-c", script}));
  EXPECT_EQ(7, outcome.status) << outcome.errors;
  EXPECT_EQ("4000\n", outcome.output);
  EXPECT_NE(std::string::npos, outcome.errors.find("were not recorded at all")) << outcome.errors;
}

// No write of the agent's ends a program that may write no file at all, nor one that waits for such a program.
TEST_F(AgentSpace, ALimitOfNothingEndsNoProgram) {
  const std::string script = "ulimit -f 0; exec perl -e 'system \"true\"; system \"/bin/does-not-exist\"; exit 7'";
  const Outcome outcome = run(recorded(scratch_ / "nothing", {"sh", "-c", script}, {"--max-size", "100M"}));
  EXPECT_EQ(7, outcome.status) << outcome.errors;
  const std::string late = "open F, '>', '" + (scratch_ / "lock") + "'; flock F, 2; if (fork) { wait; exit $? >> 8 } "
      "exec 'sh', '-c', \"ulimit -f 0; exec perl -e 'exit 8'\"";
  const Outcome other = run(recorded(scratch_ / "late", {"perl", "-e", late}, {"--max-size", "100M"}));
  EXPECT_EQ(8, other.status) << other.errors;
}

TEST_F(AgentSpace, ATraceKeepsToItsMaximumSize) {
  record({"--max-size", "3M"}, kManyEvents);
  expectMissing(LossCause::kTraceTooLarge, "--max-size");
  EXPECT_LE(traceBytes(), (3u << 20) + (64u << 10));
}

TEST_F(AgentSpace, ProcessesKeepToTheMaximumSizeTogether) {
  const std::string one = guest("space") + " events 1 200000";
  directory_ = scratch_ / "trace";
  outcome_ = run(recorded(directory_, {"sh", "-c", one + " & " + one + " & " + one + "; wait; exit 7"},
                          {"--max-size=2M"}));
  EXPECT_EQ(7, outcome_.status) << outcome_.errors;
  EXPECT_LE(traceBytes(), (2u << 20) + (128u << 10));
  trace_ = loadTrace(directory_, true);
  // One that begins last can find no space at all, and is told.
  EXPECT_EQ(3u, trace_.processes.size() + trace_.unrecorded);
  if (trace_.unrecorded > 0) {
    EXPECT_NE(std::string::npos, outcome_.errors.find("were not recorded at all")) << outcome_.errors;
  }
}

// Of three, none can take the space of another one. Where one process writes for all, the option is refused.
TEST_F(AgentSpace, EachProcessKeepsToItsMaximumSize) {
  if (hasWriter()) {
    const Outcome refused = run(recorded(scratch_ / "none", kManyEvents, {"--max-process-size", "2M"}));
    EXPECT_EQ(2, refused.status);
    EXPECT_EQ("", refused.output);
    EXPECT_NE(std::string::npos, refused.errors.find("--max-process-size does not go with --transport")) << refused.errors;
    return;
  }
  record({"--max-process-size", "2M", "--max-size", "100M"}, kManyEvents);
  expectMissing(LossCause::kProcessTooLarge, "--max-process-size");
  EXPECT_LE(traceBytes(), (2u << 20) + (64u << 10));
  EXPECT_EQ("2M", trace_.manifest.at("max-process-size"));
  EXPECT_EQ("100M", trace_.manifest.at("max-size"));
  const std::string one = guest("space") + " events 1 100000";
  directory_ = scratch_ / "three";
  outcome_ = run(recorded(directory_, {"sh", "-c", one + " & " + one + " & " + one + "; wait; exit 7"},
                          {"--max-process-size=2M"}));
  trace_ = loadTrace(directory_);
  ASSERT_EQ(3u, trace_.processes.size());
  for (const TracedProcess& process : trace_.processes) {
    EXPECT_EQ(LossCause::kProcessTooLarge, process.losses.cause);
    EXPECT_GT(process.count(format::Kind::kAcquire), 100000u / 3);
  }
}

// What is too much of a second is a pause: nothing is lost that would have to be told, and all that is kept is whole.
TEST_F(AgentSpace, AProcessThatWritesTooMuchPausesForTheRestOfTheSecond) {
  directory_ = scratch_ / "trace";
  outcome_ = run(recorded(directory_, kManyEvents, {"--max-rate", "2M", "--no-calibration"}));
  EXPECT_EQ(7, outcome_.status) << outcome_.errors;
  trace_ = loadTrace(directory_);
  const TracedProcess& process = trace_.processes.at(0);
  EXPECT_EQ(LossCause::kNone, process.losses.cause);
  EXPECT_EQ("2M", trace_.manifest.at("max-rate"));
  ASSERT_EQ(1u, process.notes.size());
  EXPECT_NE(std::string::npos, process.notes[0].find("--max-rate"));
  const auto ticks = process.ends.at(0).ticks - process.process.startTicks;
  const uint64_t seconds = ticks / process.process.tickHz + 1;
  // Beside that, each thread fills the block that it has begun.
  EXPECT_LE(traceBytes(), seconds * (2u << 20) + 8 * (64u << 10) + (64u << 10));
  size_t pauses = 0;
  for (const auto& [number, thread] : process.threads) pauses += process.calls(thread, "[not recorded]").size();
  EXPECT_GE(pauses, 2u);
}

TEST_F(AgentSpace, TheLastSpaceOfADiskIsLeftToTheProgram) {
  if (!mountSmall("12m")) GTEST_SKIP() << "may not mount a file system";
  record({"--keep-free", "5M"}, kManyEvents);
  expectMissing(LossCause::kDiskReserved, "--keep-free");
  constexpr uint64_t kOfRecorder = 64 << 10;  // what it writes at the end
  EXPECT_GE(freeBytes() + kOfRecorder, 5u << 20);
}

TEST_F(AgentSpace, AFullDiskIsTold) {
  if (!mountSmall("6m")) GTEST_SKIP() << "may not mount a file system";
  record({"--keep-free", "0"}, kManyEvents);
  expectMissing(LossCause::kDiskFull, "the disk was full");
}

TEST_F(AgentSpace, ADiskWithoutSpaceIsToldBeforeTheProgramRuns) {
  if (!mountSmall("2m")) GTEST_SKIP() << "may not mount a file system";
  const Outcome refused = run(recorded(place_ + "/t", kManyEvents, {"--keep-free=90%"}));
  EXPECT_EQ(1, refused.status);
  EXPECT_EQ("", refused.output);
  EXPECT_NE(std::string::npos, refused.errors.find("--keep-free 0")) << refused.errors;
}

// Definitions, of which each is needed, beyond what one segment of the file holds.
TEST_F(AgentSpace, LostDefinitionsAreCounted) {
  record({"--max-size", "2M"}, {guest("space"), "definitions", "40000"});
  ASSERT_EQ(1u, trace_.processes.size());
  EXPECT_EQ(LossCause::kTraceTooLarge, trace_.processes[0].losses.cause);
  EXPECT_GT(trace_.processes[0].losses.definitions, 1000u);
  EXPECT_NE(std::string::npos, outcome_.errors.find("definitions")) << outcome_.errors;
}

// They are copied from memory into the trace.
TEST_F(AgentSpace, DefinitionsInMemoryLeaveTheLastSpaceOfADiskToTheProgram) {
  if (!mountSmall("12m")) GTEST_SKIP() << "may not mount a file system";
  record({"--transport", "shared", "--keep-free", "9M"}, {guest("space"), "definitions", "40000"});
  ASSERT_EQ(1u, trace_.processes.size());
  EXPECT_EQ(LossCause::kDiskReserved, trace_.processes[0].losses.cause);
  EXPECT_GT(trace_.processes[0].losses.definitions, 1000u);
  EXPECT_NE(std::string::npos, outcome_.errors.find("--keep-free")) << outcome_.errors;
  EXPECT_EQ(std::string::npos, outcome_.errors.find("by the writer")) << outcome_.errors;  // the trace tells it
  constexpr uint64_t kOfRecorder = 64 << 10;  // what it writes at the end
  EXPECT_GE(freeBytes() + kOfRecorder, 9u << 20);
}

// They do not keep the writer from its end.
TEST_F(AgentSpace, DefinitionsOfManyProcessesThatCannotBeCopiedAreTold) {
  if (!mountSmall("12m")) GTEST_SKIP() << "may not mount a file system";
  const std::string program = "echo $PPID; head -c 3M /dev/zero > " + place_ + "/full; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do " +
      guest("space") + " events 1 10; done; sleep 1.1";  // more than the writer moves at once
  outcome_ = run(recorded(place_ + "/trace", {"sh", "-c", program},
                          {"--transport", "shared", "--keep-free", "9M", "--sample-hz", "0"}));
  EXPECT_EQ(0, outcome_.status) << outcome_.errors;
  EXPECT_NE(std::string::npos, outcome_.errors.find("were not recorded at all")) << outcome_.errors;
  // Not twice. A process can have had an event, which then is told besides.
  EXPECT_EQ(std::string::npos, outcome_.errors.find("the definitions of")) << outcome_.errors;
  const auto recorder = static_cast<pid_t>(std::stol(outcome_.output));
  for (int i = 0; i < 3000 && filesOf(recorder) > 0; i++) usleep(1000);
  EXPECT_EQ(0u, filesOf(recorder));
}

// A later run writes what is left, with the reserve of the first run, not with its own.
TEST_F(AgentSpace, DefinitionsOfARunThatWasKilledHaveItsReserve) {
  if (!mountSmall("30m")) GTEST_SKIP() << "may not mount a file system";
  const Words shared{"--transport", "shared", "--quiet"};
  const std::string trace = place_ + "/trace";
  Words options = shared;
  options.insert(options.end(), {"--keep-free", "0"});
  const pid_t recorder = start(recorded(trace, {guest("space"), "events", "1", "10000000", "1000"}, options));
  const pid_t writer = awaitWriter(recorder);
  format::TraceFiles files;
  while (format::findTraceFiles(trace, &files) != "" || files.processes.empty()) usleep(1000);
  const std::string full = place_ + "/full", rest = place_ + "/rest";
  run({"sh", "-c", "head -c 300K /dev/zero > " + rest + "; cat /dev/zero > " + full});
  for (const pid_t pid : {recorder, writer, static_cast<pid_t>(files.processes[0].pid)}) kill(pid, SIGKILL);
  endOf(recorder);
  for (const pid_t pid : {writer, static_cast<pid_t>(files.processes[0].pid)}) awaitEnd(pid);
  std::filesystem::remove(rest);
  EXPECT_EQ(0, run(recorded(scratch_ / "next", {"true"}, shared)).status);
  EXPECT_EQ(0u, filesOf(recorder));
  EXPECT_EQ(1u, loadTrace(trace).processes.size());
}

// A small limit of address space leaves room for all: no part of a file is mapped that is not written.
TEST_F(AgentSpace, ALimitOfAddressSpaceTakesNoDefinitions) {
  record({}, {guest("space"), "definitions", "60000"}, [] {
    const rlimit limit{100 << 20, 100 << 20};
    setrlimit(RLIMIT_AS, &limit);
  });
  ASSERT_EQ(1u, trace_.processes.size());
  EXPECT_EQ(LossCause::kNone, trace_.processes[0].losses.cause);
  EXPECT_GE(trace_.processes[0].streams.size(), 2u * 60000);
  // Each of the two directions of a pair is defined once, though both ends are described; few twice.
  EXPECT_LE(trace_.processes[0].streams.size(), 2u * 61000);
}

// A process that is killed while it makes its first file leaves an empty one: that is no lack of space.
TEST_F(AgentSpace, AnEmptyFileOfAKilledProcessIsNoLackOfSpace) {
  const std::string trace = scratch_ / "killed";
  const Outcome outcome = run(recorded(trace, {"perl", "-e",
      "sub files { map { glob \"$_/*.$pid.*.def\" } $ARGV[0], \"$ENV{PARALLAX_RINGS}.definitions\" } "
      "$pid = fork; if (!$pid) { exec 'sleep', '60' } select undef, undef, undef, .01 while !files(); "
      "kill 9, $pid; waitpid $pid, 0; truncate((files())[0], 0); unlink glob \"$ARGV[0]/*.$pid.*.evt\"", trace}));
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ(std::string::npos, outcome.errors.find("were not recorded at all")) << outcome.errors;
}

TEST_F(AgentSpace, SizesThatAreNoneAreRefused) {
  for (const char* option : {"--max-size=10X", "--max-size=1", "--max-size=-1", "--max-rate=5", "--max-process-size=", "--keep-free=101%",
                             "--keep-free=", "--keep-free=1GB"}) {
    const Outcome outcome = run(recorded(scratch_ / "t", kManyEvents, {option}));
    EXPECT_EQ(2, outcome.status) << option;
    EXPECT_NE(std::string::npos, outcome.errors.find("takes ")) << outcome.errors;
  }
}

}  // namespace
}  // namespace parallax::tests
