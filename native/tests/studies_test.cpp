// The programs of the studies (tests/studies): each gives its planted answer, with the agent as
// without, however many workers it has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/open_mpi.h"

namespace parallax::tests {
namespace {

using format::Kind;

std::string program(const std::string& name) {
  return std::string(PARALLAX_BUILD_DIRECTORY "/programs/") + name;
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(StudyOfClock, TheJoinIsRight) {
  TemporaryDirectory scratch;
  for (const Words& arguments : {Words{"1", "2", "3000"}, Words{"3", "6000", "1"},
                                 Words{"4", "2000", "3"}, Words{"--threads", "4", "3000", "2"}}) {
    for (const char* name : {"shm_join", "shm_join.inst"}) {
      const Words command = joined({program(name)}, arguments);
      const std::string expected = "joined=6000 answer=right\n";
      EXPECT_EQ(expected, run(command).output);
      EXPECT_EQ(expected, run(recorded(scratch / "trace", command)).output);
      run({"rm", "-r", scratch / "trace"});
    }
  }
}

// Each procedure that the paper names has its calls: of the blocks that are read and written, the
// number is known.
TEST(StudyOfClock, ProceduresAreRecordedExactly) {
  TemporaryDirectory scratch;
  const Words command = {program("shm_join.inst"), "2", "3000", "1"};
  ASSERT_EQ(0, run(recorded(scratch / "trace", command, {"--throttle", "off"})).status);
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(3u, trace.processes.size());
  size_t leaves = 0, barriers = 0;
  std::set<uint64_t> generations;
  for (const TracedProcess& process : trace.processes) {
    for (const auto& [number, thread] : process.threads) {
      leaves += thread.count(Kind::kLeave);
      for (const TracedEvent& e : thread.events) {
        if (e.kind != Kind::kBarrier) continue;
        barriers++;
        generations.insert(e.payload[0]);
      }
    }
  }
  EXPECT_EQ(6u, barriers);
  EXPECT_EQ(3u, generations.size());
  // 200 + 400 blocks of 15 tuples are read once and once more when they are joined.
  EXPECT_GT(leaves, 2u * 600 * 2);
}

class StudyOfPsim : public testing::Test {
 protected:
  static constexpr const char* kAnswer =
      "packets=111 cycles=59 latency=1067 checksum=710748e4128f9cfb answer=right";
  const Words arguments_ = {"3", "2", "50", "0.25"};
};

TEST_F(StudyOfPsim, DoesNotDependOnWorkers) {
  std::set<std::string> answers;
  TemporaryDirectory scratch;
  for (const Words& options : {Words{"--workers", "1"}, Words{}, Words{"--threads"},
                               Words{"--workers", "3", "--barrier", "block"},
                               Words{"--threads", "--barrier", "block"}}) {
    const Words command = joined(joined({program("psim")}, options), arguments_);
    for (const Words& each : {command, recorded(scratch / "trace", command)}) {
      const Outcome outcome = run(each);
      EXPECT_EQ(0, outcome.status) << outcome.errors;
      answers.insert(firstLine(outcome.output));
    }
    run({"rm", "-r", scratch / "trace"});
  }
  EXPECT_EQ(std::set<std::string>{kAnswer}, answers);
}

// On the way are N switches, a memory that takes 4 cycles, N switches and the issue: with little traffic
// few packets wait for others.
TEST_F(StudyOfPsim, LatencyIsThatOfAnEmptyNetwork) {
  unsigned packets = 0, cycles = 0, latency = 0;
  const Outcome outcome = run({program("psim"), "4", "3", "300", "0.02"});
  ASSERT_EQ(3, sscanf(outcome.output.c_str(), "packets=%u cycles=%u latency=%u", &packets, &cycles,
                      &latency)) << outcome.output;
  EXPECT_GT(packets, 300u);
  EXPECT_LT(cycles, 330u);
  EXPECT_GE(latency, packets * 11);
  EXPECT_LT(latency, packets * 11.2);
}

// All that happens in the spinning barrier is waiting there; no lock is missing.
TEST_F(StudyOfPsim, SpinningIsSeenAsWaitingAtABarrier) {
  TemporaryDirectory scratch;
  const Outcome outcome =
      run(recorded(scratch / "trace", joined({program("psim")}, arguments_)));
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(2u, trace.processes.size());
  size_t locks = 0;
  std::set<uint64_t> keys;
  for (const TracedProcess& process : trace.processes) {
    const TracedThread& thread = process.threads.at(0);
    EXPECT_EQ(60u, process.calls(thread, "spin_barrier").size());
    EXPECT_EQ(60u, thread.count(Kind::kBarrier));
    EXPECT_EQ(thread.count(Kind::kAcquire), thread.count(Kind::kRelease));
    locks += thread.count(Kind::kAcquire);
    keys.insert(process.objects.at(static_cast<uint32_t>(
        thread.first(Kind::kBarrier)->operand)).key);
  }
  EXPECT_NE(std::string::npos, outcome.output.find("spin_locks=" + std::to_string(locks) + "\n"))
      << outcome.output;
  EXPECT_EQ(1u, keys.size());
}

// Two at once in turns of 2 ms; then the co-scheduler ends.
TEST_F(StudyOfPsim, RunsInTurns) {
  TemporaryDirectory scratch;
  const std::string psim = program("psim") + " --cosched socket --detail 300 3 2 50 0.25";
  const Outcome outcome = run({"sh", "-c", "cd " + scratch.path() + " || exit 9\n" +
      program("cosched") + " --interval 2 socket & scheduler=$!\n"
      "until [ -S socket ]; do sleep 0.01; done\n" +
      psim + " > one & " + psim + " > two; wait $!\n"
      "kill $scheduler; wait $scheduler; echo scheduler $?\n"
      "cut -d ' ' -f 1,2,3,5 one two | grep answer; " + psim + " 2> /dev/null || echo none\n"});
  EXPECT_EQ("scheduler 0\npackets=111 cycles=59 latency=1067 answer=right\n"
            "packets=111 cycles=59 latency=1067 answer=right\nnone\n", outcome.output)
      << outcome.errors;
}

// The server and both clients, each by a command of its own, with what stands before each.
std::string storage(const std::string& scratch, const std::string& address,
                    const std::string& file, const Words& before) {
  const std::string objects = " " + address + " 12 20";
  const Outcome outcome = run({"sh", "-c", "cd " + scratch + " || exit 9\n" + before[0] +
      program("sm_server") + " --threads 4 --log 64 " + address + " . > server & server=$!\n"
      "until [ -e " + file + " ]; do kill -0 $server || exit 8; sleep 0.01; done\n" + before[1] +
      program("producer") + objects + " > producer & producer=$!\n" + before[2] +
      program("consumer") + objects + " > consumer; echo $?; wait $producer; echo $?\n"
      "wait $server; echo $?; cmp producer consumer; cat server\n"
      "rm -f log data server producer consumer " + file + "\n"});
  return outcome.output + outcome.errors;
}

constexpr const char* kStored = "0\n0\n0\nobjects=12 answer=right\n";

TEST(StudyOfStorage, TheConsumerGetsWhatTheProducerMakes) {
  TemporaryDirectory scratch;
  EXPECT_EQ(kStored, storage(scratch.path(), "./socket", "socket", {"", "", ""}));
  EXPECT_EQ(kStored, storage(scratch.path(), "tcp:port", "port", {"", "", ""}));
}

TEST(StudyOfStorage, IsRecorded) {
  TemporaryDirectory scratch;
  Words before;
  for (const char* name : {"server", "producer", "consumer"}) {
    before.push_back(recorder() + " --quiet -o " + (scratch / (std::string("trace-") + name)) +
                     " -- ");
  }
  EXPECT_EQ(kStored, storage(scratch.path(), "./socket", "socket", before));
  const Trace server = loadTrace(scratch / "trace-server");
  ASSERT_EQ(3u, server.processes.size()) << "with the disk processes of both volumes";
  std::set<std::string> names;
  for (const TracedProcess& process : server.processes) {
    for (const auto& [thread, name] : process.threadNames) names.insert(name);
  }
  for (const char* name : {"sm_server[0]", "sm_server[4]", "diskrw[0]", "diskrw[1]"}) {
    EXPECT_EQ(1u, names.count(name)) << name;
  }
  const Trace consumer = loadTrace(scratch / "trace-consumer");
  ASSERT_EQ(1u, consumer.processes.size());
  EXPECT_GE(consumer.processes[0].count(Kind::kStreamReceive), 4u * 12);
}

// The definition once more, without buckets and processes: keys of the generator, the changes of the iterations,
// and a plain sort. Returns the sum of each key times its place.
uint64_t sortedPlainly(int logKeys, int logMaxKey, int iterations) {
  constexpr uint64_t kMask = (uint64_t{1} << 46) - 1;
  std::vector<uint64_t> keys(size_t{1} << logKeys);
  uint64_t x = 314159265;
  for (uint64_t& key : keys) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      x = x * 1220703125 & kMask;
      sum += std::ldexp(static_cast<double>(x), -46);
    }
    key = static_cast<uint64_t>(std::ldexp(sum, logMaxKey - 2));
  }
  for (int i = 1; i <= iterations; i++) {
    keys[i] = i;
    keys[i + 10] = (uint64_t{1} << logMaxKey) - i;
  }
  std::sort(keys.begin(), keys.end());
  uint64_t answer = 0;
  for (size_t i = 0; i < keys.size(); i++) answer += keys[i] * i;
  return answer;
}

// Runs the integer sort: its lines without the measured ones.
std::string integerSort(const std::string& mpi, const Words& arguments, int processes) {
  const Outcome outcome = run(joined({"mpirun." + mpi, "-n", std::to_string(processes),
                                      program("integer_sort." + mpi)}, arguments));
  EXPECT_EQ(0, outcome.status) << outcome.errors;
  const size_t begin = outcome.output.find("answer "), end = outcome.output.find("rss_kb ");
  if (begin == std::string::npos || end == std::string::npos) return outcome.output;
  return outcome.output.substr(begin, end - begin);
}

class StudyOfIntrusion : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { allowOpenMpi(); }
};

TEST_P(StudyOfIntrusion, SortsAsAPlainSortWithAnyProcesses) {
  const std::string answer = "answer " + std::to_string(sortedPlainly(16, 11, 10)) +
      "\nranks_right 50\nranks_wrong 0\nsorted 1\n";
  for (const int processes : {1, 2, 3}) {
    EXPECT_EQ(answer, integerSort(GetParam(), {"S"}, processes)) << processes;
  }
  EXPECT_EQ(answer, integerSort(GetParam(), {"--messages", "--repeat", "3", "S"}, 5));
  EXPECT_EQ("answer " + std::to_string(sortedPlainly(16, 11, 3)) +
                "\nranks_right 15\nranks_wrong 0\nsorted 1\n",
            integerSort(GetParam(), {"S", "3"}, 2));
}

TEST_P(StudyOfIntrusion, RefusesAnUnknownClass) {
  const Outcome outcome = run({program(std::string("integer_sort.") + GetParam()), "Q"});
  EXPECT_EQ(2, outcome.status);
  EXPECT_EQ("usage: integer_sort [--messages] [--repeat N] S|W|A|B|C [ITERATIONS of 1 to 10]\n", outcome.errors);
}

// By messages, a process makes three calls for each other process, twice in each of the eleven iterations.
TEST_P(StudyOfIntrusion, CallsGrowWithTheProcesses) {
  TemporaryDirectory scratch;
  ASSERT_EQ(0, run(recorded(scratch / "trace", {std::string("mpirun.") + GetParam(), "-n", "3",
                                                program(std::string("integer_sort.") + GetParam()), "--messages",
                                                "S"})).status);
  size_t processes = 0;
  for (const TracedProcess& process : loadTrace(scratch / "trace").processes) {
    if (process.threads.empty() || process.calls(process.threads.begin()->second, "MPI_Irecv").empty()) continue;
    processes++;
    for (const char* routine : {"MPI_Irecv", "MPI_Send", "MPI_Wait"}) {
      EXPECT_EQ(2u * 2 * 11, process.calls(process.threads.begin()->second, routine).size()) << routine;
    }
  }
  EXPECT_EQ(3u, processes);
}

#ifdef HAS_openmpi
INSTANTIATE_TEST_SUITE_P(OpenMpi, StudyOfIntrusion, testing::Values("openmpi"));
#endif
#ifdef HAS_mpich
INSTANTIATE_TEST_SUITE_P(Mpich, StudyOfIntrusion, testing::Values("mpich"));
#endif
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StudyOfIntrusion);

// The published ranks of the larger classes hold, too.
#ifdef HAS_openmpi
TEST(StudyOfIntrusionClasses, HaveThePublishedRanks) {
  allowOpenMpi();
  for (const char* size : {"W", "A"}) {
    EXPECT_NE(std::string::npos,
              integerSort("openmpi", {size}, 2).find("\nranks_right 50\nranks_wrong 0\nsorted 1\n")) << size;
  }
}
#endif

}  // namespace
}  // namespace parallax::tests
