// Archives that OTF2's own writer wrote, as traces.
#include <ctype.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "format/reader.h"
#include "tests/temporary_directory.h"
#include "tools/otf2/archive_writer.h"
#include "tools/otf2/import.h"

namespace parallax::otf2 {
namespace {

using namespace format;

std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Line {
  Kind kind;
  uint64_t operand, ticks;
  std::vector<uint64_t> payload;
};

// The events of a thread.
std::vector<Line> eventsOf(const std::string& directory, size_t process, size_t thread) {
  std::vector<Line> lines;
  TraceFiles files;
  EXPECT_EQ("", findTraceFiles(directory, &files));
  if (process >= files.processes.size() || thread >= files.processes[process].threads.size()) return lines;
  EventFile events;
  EXPECT_EQ("", events.open(files.processes[process].threads[thread]));
  for (size_t i = 0; i < events.blockCount(); i++) {
    const BlockView block = events.block(i);
    EXPECT_EQ(BlockState::kClosed, block.state);
    BlockReader reader(block);
    Event event;
    while (reader.next(&event)) {
      Line line{event.kind, event.operand, event.ticks, {}};
      for (uint32_t p = 0; p < event.payloadCount; p++) line.payload.push_back(event.payload(p));
      lines.push_back(line);
    }
  }
  return lines;
}

// The bytes of all definitions files.
std::string definitionsOf(const std::string& directory) {
  std::string all;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    if (file.path().extension() == ".def") all += readFile(file.path());
  }
  return all;
}

class Otf2Test : public testing::Test {
 protected:
  std::string import(const std::string& anchor, unsigned workers = 2) {
    ImportOptions options;
    options.archive = anchor;
    options.directory = trace();
    options.workers = workers;
    return importArchive(options);
  }
  std::string trace() const { return directory_ / "trace"; }
  std::string report() const { return readFile(trace() + "/imported"); }

  TemporaryDirectory directory_;
};

const Line* find(const std::vector<Line>& lines, Kind kind, size_t nth = 0) {
  for (const Line& line : lines) {
    if (line.kind == kind && nth-- == 0) return &line;
  }
  return nullptr;
}

TEST_F(Otf2Test, CompletesOperationsWhosePartnersComeLater) {
  ASSERT_EQ("", import(writeLateSender(directory_ / "archive", 1'000'000'000)));
  const std::vector<Line> events = eventsOf(trace(), 1, 0);  // rank 1
  const Line* post = find(events, Kind::kReceivePost);
  ASSERT_NE(nullptr, post);
  EXPECT_EQ(1u, post->operand);
  EXPECT_EQ((std::vector<uint64_t>{peerAndTag(0, 7), 51}), post->payload);
  const Line* received = find(events, Kind::kReceive, 1);
  ASSERT_NE(nullptr, received);
  EXPECT_EQ((std::vector<uint64_t>{peerAndTag(0, 7), 2000, 51}), received->payload);
  // The barrier is collective 0, the non-blocking one 1 where it begins and where it ends.
  ASSERT_NE(nullptr, find(events, Kind::kCollective, 1));
  EXPECT_EQ(0u, find(events, Kind::kCollective)->payload[3]);
  EXPECT_EQ(1u, find(events, Kind::kCollective, 1)->payload[3]);
  ASSERT_NE(nullptr, find(events, Kind::kCollectivePost));
  EXPECT_EQ(1u, find(events, Kind::kCollectivePost)->payload[3]);
  EXPECT_EQ(Kind::kThreadBegin, events.front().kind);
  EXPECT_EQ(Kind::kThreadEnd, events.back().kind);
}

TEST_F(Otf2Test, CountsWhatItReadsAndLeavesOut) {
  ArchiveWriter archive(directory_ / "archive", "counted", 1);
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  OTF2_EvtWriter* to = archive.events(0);
  OTF2_EvtWriter_Enter(to, nullptr, archive.offset(), main);
  for (int i = 0; i < 3; i++) OTF2_EvtWriter_ParameterInt(to, nullptr, archive.offset() + 1, 0, i);
  OTF2_EvtWriter_MpiSend(to, nullptr, archive.offset() + 2, 0, 77, 1, 8);
  OTF2_EvtWriter_Leave(to, nullptr, archive.offset() + 3, main);
  OTF2_EvtWriter_Leave(to, nullptr, archive.offset() + 4, 99);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  const std::string text = report();
  EXPECT_NE(std::string::npos, text.find("\nrecord\tEnter\t1\t0\n")) << text;
  EXPECT_NE(std::string::npos, text.find("\nrecord\tLeave\t2\t1\n")) << text;
  EXPECT_NE(std::string::npos, text.find("\nrecord\tParameterInt\t3\t3\n")) << text;
  EXPECT_NE(std::string::npos, text.find("\nrecord\tMpiSend\t1\t1\n")) << text;
  EXPECT_NE(std::string::npos, text.find("warning\t1 records name a communicator that is not defined")) << text;
  EXPECT_NE(std::string::npos, text.find("warning\t1 ends of regions that had not begun")) << text;
}

// What names something undefined, or never ends, is counted as left out.
TEST_F(Otf2Test, CountsOtherRecordsThatItLeavesOut) {
  ArchiveWriter archive(directory_ / "archive", "left", 2);
  OTF2_GlobalDefWriter* definitions = archive.definitions();
  OTF2_GlobalDefWriter_WriteRmaWin(definitions, 0, archive.string("halo"), ArchiveWriter::kWorld, OTF2_RMA_WIN_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteParameter(definitions, 0, archive.string("phase"), OTF2_PARAMETER_TYPE_STRING);
  OTF2_GlobalDefWriter_WriteIoRegularFile(definitions, 0, archive.string("/data"), 0);
  OTF2_GlobalDefWriter_WriteIoHandle(definitions, 0, 0, 0, 0, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM,
                                     OTF2_UNDEFINED_IO_HANDLE);
  const auto post = archive.region("MPI_Win_post", OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_RMA);
  const auto lock = archive.region("MPI_Win_lock", OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_RMA);
  OTF2_EvtWriter* to = archive.events(0);
  const uint64_t at = archive.offset();
  constexpr OTF2_GroupRef kNoGroup = 999;
  constexpr OTF2_StringRef kNoString = 999;
  OTF2_EvtWriter_Enter(to, nullptr, at, post);
  OTF2_EvtWriter_RmaGroupSync(to, nullptr, at, OTF2_RMA_SYNC_LEVEL_NONE, 0, kNoGroup);
  OTF2_EvtWriter_RmaOpCompleteBlocking(to, nullptr, at, 0, 77);
  OTF2_EvtWriter_Leave(to, nullptr, at, post);
  OTF2_EvtWriter_ParameterString(to, nullptr, at, 0, kNoString);
  const auto begin = [&](OTF2_IoHandleRef handle, uint64_t id) {
    OTF2_EvtWriter_IoOperationBegin(to, nullptr, at, handle, OTF2_IO_OPERATION_MODE_READ, OTF2_IO_OPERATION_FLAG_NONE, 8, id);
  };
  begin(0, 1);  // never ends
  begin(5, 2);  // of no handle
  begin(0, 3);
  OTF2_EvtWriter_IoOperationComplete(to, nullptr, at, 0, 8, 3);
  OTF2_EvtWriter_IoOperationCancelled(to, nullptr, at, 0, 4);
  OTF2_EvtWriter_Enter(to, nullptr, at + 1, lock);
  OTF2_EvtWriter_RmaRequestLock(to, nullptr, at + 1, 0, 1, 1, OTF2_LOCK_EXCLUSIVE);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  for (const char* line : {"RmaGroupSync\t1\t1", "RmaOpCompleteBlocking\t1\t1", "ParameterString\t1\t1",
                           "IoOperationBegin\t3\t2", "IoOperationComplete\t1\t0", "IoOperationCancelled\t1\t1"}) {
    EXPECT_NE(std::string::npos, report().find(std::string("\nrecord\t") + line + "\n")) << line << report();
  }
  const Line* locked = find(eventsOf(trace(), 0, 0), Kind::kWindow);
  EXPECT_NE(nullptr, locked);
}

// A process in the second group of an intercommunicator: ranks of the window are those of its own group.
TEST_F(Otf2Test, FindsTheRanksOfAWindowBetweenTwoGroups) {
  ArchiveWriter archive(directory_ / "archive", "between", 4);
  constexpr OTF2_GroupRef kFirst = 50, kSecond = 51;
  constexpr OTF2_CommRef kBetween = 60;
  const uint64_t first = 0, second[] = {1, 2, 3};
  OTF2_GlobalDefWriter* definitions = archive.definitions();
  OTF2_GlobalDefWriter_WriteGroup(definitions, kFirst, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 1, &first);
  OTF2_GlobalDefWriter_WriteGroup(definitions, kSecond, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 3, second);
  OTF2_GlobalDefWriter_WriteInterComm(definitions, kBetween, archive.string("between"), kFirst, kSecond,
                                      OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteRmaWin(definitions, 0, archive.string("halo"), kBetween, OTF2_RMA_WIN_FLAG_NONE);
  const auto post = archive.region("MPI_Win_post", OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_RMA);
  OTF2_EvtWriter* to = archive.events(3);
  OTF2_EvtWriter_Enter(to, nullptr, archive.offset(), post);
  OTF2_EvtWriter_RmaGroupSync(to, nullptr, archive.offset(), OTF2_RMA_SYNC_LEVEL_NONE, 0, kSecond);
  OTF2_EvtWriter_Leave(to, nullptr, archive.offset() + 1, post);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  const std::vector<Line> events = eventsOf(trace(), 3, 0);
  for (uint32_t rank = 0; rank < 3; rank++) {
    const Line* posted = find(events, Kind::kWindow, rank);
    ASSERT_NE(nullptr, posted) << report();
    EXPECT_EQ(opAndRank(WindowOp::kPost, rank), posted->payload[0]);
  }
}

// Samples of a counter would speak for the same time as those of the timer, and a function that is sampled before its
// first call is instrumented all the same.
TEST_F(Otf2Test, SamplesOfOneTimerCount) {
  ArchiveWriter archive(directory_ / "archive", "timers", 1);
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  OTF2_GlobalDefWriter* definitions = archive.definitions();
  OTF2_GlobalDefWriter_WriteCallingContext(definitions, 0, main, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                           OTF2_UNDEFINED_CALLING_CONTEXT);
  OTF2_GlobalDefWriter_WriteInterruptGenerator(definitions, 0, archive.string("timer"),
                                               OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -6, 1000);
  OTF2_GlobalDefWriter_WriteInterruptGenerator(definitions, 1, archive.string("misses"),
                                               OTF2_INTERRUPT_GENERATOR_MODE_COUNT, OTF2_BASE_DECIMAL, 0, 1000);
  OTF2_EvtWriter* to = archive.events(0);
  uint64_t at = archive.offset();
  for (int i = 0; i < 10; i++) OTF2_EvtWriter_CallingContextSample(to, nullptr, ++at, 0, 1, i % 5 == 0 ? 0 : 1);
  OTF2_EvtWriter_Enter(to, nullptr, ++at, main);
  OTF2_EvtWriter_Leave(to, nullptr, ++at, main);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  EXPECT_NE(std::string::npos, report().find("\nrecord\tCallingContextSample\t10\t8\n")) << report();
  EXPECT_NE(std::string::npos, definitionsOf(trace()).find("instrument"));
}

TEST_F(Otf2Test, ShowsRegionsThatAreNotDefined) {
  ArchiveWriter archive(directory_ / "archive", "undefined", 1);
  OTF2_EvtWriter_Enter(archive.events(0), nullptr, archive.offset(), 1234);
  OTF2_EvtWriter_Leave(archive.events(0), nullptr, archive.offset() + 9, 1234);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  EXPECT_NE(std::string::npos, report().find("warning\t1 call paths end in a region that is not defined")) << report();
  EXPECT_NE(nullptr, find(eventsOf(trace(), 0, 0), Kind::kEnter));
}

TEST_F(Otf2Test, RecordsWithoutARegionAreNoIdleTime) {
  ArchiveWriter archive(directory_ / "archive", "unknown", 1);
  OTF2_EvtWriter_Enter(archive.events(0), nullptr, archive.offset(), OTF2_UNDEFINED_REGION);
  OTF2_EvtWriter_Leave(archive.events(0), nullptr, archive.offset() + 9, OTF2_UNDEFINED_REGION);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  EXPECT_NE(std::string::npos, report().find("warning\t1 call paths end in a region that is not defined")) << report();
  const std::string definitions = definitionsOf(trace());
  EXPECT_NE(std::string::npos, definitions.find("[unknown region]"));
  EXPECT_EQ(std::string::npos, definitions.find("omp idle"));
}

TEST_F(Otf2Test, FindsNamesThatAreDefinedLater) {
  ArchiveWriter archive(directory_ / "archive", "later", 1);
  constexpr OTF2_StringRef kName = 900;
  constexpr OTF2_RegionRef kRegion = 500;
  OTF2_GlobalDefWriter_WriteRegion(archive.definitions(), kRegion, kName, kName, 0, OTF2_REGION_ROLE_FUNCTION,
                                   OTF2_PARADIGM_COMPILER, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
  OTF2_GlobalDefWriter_WriteString(archive.definitions(), kName, "named_later");
  OTF2_EvtWriter_Enter(archive.events(0), nullptr, archive.offset(), kRegion);
  OTF2_EvtWriter_Leave(archive.events(0), nullptr, archive.offset() + 9, kRegion);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  EXPECT_NE(std::string::npos, readFile(trace() + "/symbols").find("named_later"));
}

TEST_F(Otf2Test, CountsMetricValuesWithoutADefinition) {
  ArchiveWriter archive(directory_ / "archive", "values", 1);
  const OTF2_MetricMemberRef member = 0;
  OTF2_GlobalDefWriter_WriteMetricMember(archive.definitions(), member, archive.string("flops"), 0,
                                         OTF2_METRIC_TYPE_USER, OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
                                         OTF2_BASE_DECIMAL, 0, 0);
  OTF2_GlobalDefWriter_WriteMetricClass(archive.definitions(), 0, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
                                        OTF2_RECORDER_KIND_ABSTRACT);
  const OTF2_Type types[3] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
  OTF2_MetricValue values[3];
  for (auto& value : values) value.unsigned_int = 7;
  OTF2_EvtWriter_Metric(archive.events(0), nullptr, archive.offset(), 0, 3, types, values);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  EXPECT_NE(std::string::npos, report().find("warning\t2 metric values have no definition")) << report();
}

// EZTrace gives the group of MPI_COMM_WORLD the number of the group of all locations.
TEST_F(Otf2Test, FindsTheRanksIfGroupsShareANumber) {
  ArchiveWriter archive(directory_ / "archive", "shared", 2);
  const uint64_t ranks[] = {0, 1};
  OTF2_GlobalDefWriter_WriteGroup(archive.definitions(), 0, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 2, ranks);
  OTF2_EvtWriter_MpiSend(archive.events(0), nullptr, archive.offset(), 1, ArchiveWriter::kWorld, 1, 8);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  EXPECT_NE(nullptr, find(eventsOf(trace(), 0, 0), Kind::kSend)) << report();
}

TEST_F(Otf2Test, OpensAnArchiveWithoutEvents) {
  ArchiveWriter archive(directory_ / "archive", "empty", 2);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  EXPECT_NE(std::string::npos, report().find("warning\tthe archive has no events")) << report();
}

TEST_F(Otf2Test, TellsOfAMissingLocation) {
  const std::string anchor = writeLateSender(directory_ / "archive", 1'000'000'000);
  std::filesystem::remove(directory_ / "archive/late/1.evt");
  ASSERT_EQ("", import(anchor));
  EXPECT_NE(std::string::npos, report().find("location 1 (traces/1.evt)")) << report();
  EXPECT_NE(nullptr, find(eventsOf(trace(), 0, 0), Kind::kSend));
}

// Blocks wait for what completes them, but not for ever.
TEST_F(Otf2Test, GivesUpOperationsThatNeverComplete) {
  ArchiveWriter archive(directory_ / "archive", "held", 2);
  const auto step = archive.region("step", OTF2_PARADIGM_COMPILER);
  for (uint32_t rank = 0; rank < 2; rank++) {
    OTF2_EvtWriter* to = archive.events(rank);
    uint64_t time = archive.offset();
    OTF2_EvtWriter_Enter(to, nullptr, time, step);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(to, nullptr, time, 1);
    OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, time, 2);
    OTF2_EvtWriter_MpiCollectiveEnd(to, nullptr, ++time, OTF2_COLLECTIVE_OP_BARRIER, ArchiveWriter::kWorld,
                                    OTF2_UNDEFINED_UINT32, 0, 0);
    for (int i = 0; i < 3000; i++) {
      OTF2_EvtWriter_Enter(to, nullptr, ++time, step);
      OTF2_EvtWriter_Leave(to, nullptr, ++time, step);
    }
  }
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  const std::vector<Line> events = eventsOf(trace(), 0, 0);
  EXPECT_EQ(nullptr, find(events, Kind::kCollectivePost));
  EXPECT_EQ(nullptr, find(events, Kind::kReceivePost));
  EXPECT_EQ(nullptr, find(events, Kind::kVisits)) << "places that are not complete mean nothing";
  ASSERT_NE(nullptr, find(events, Kind::kCollective));
  EXPECT_EQ(0u, find(events, Kind::kCollective)->payload[3]);
  EXPECT_NE(std::string::npos, report().find("record\tNonBlockingCollectiveRequest\t2\t2\n")) << report();
  EXPECT_NE(std::string::npos, report().find("record\tMpiIrecvRequest\t2\t2\n")) << report();
}

// More events than memory holds for them come between the beginning and the end.
TEST_F(Otf2Test, CompletesOperationsAfterManyEvents) {
  constexpr int kCalls = 300'000;
  ArchiveWriter archive(directory_ / "archive", "late", 2);
  const auto step = archive.region("step", OTF2_PARADIGM_COMPILER);
  constexpr auto kWorld = ArchiveWriter::kWorld;
  for (uint32_t rank = 0; rank < 2; rank++) {
    OTF2_EvtWriter* to = archive.events(rank);
    uint64_t time = archive.offset();
    OTF2_EvtWriter_Enter(to, nullptr, time, step);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(to, nullptr, time, 1);
    OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, time, 2);
    OTF2_EvtWriter_MpiCollectiveEnd(to, nullptr, ++time, OTF2_COLLECTIVE_OP_ALLREDUCE, kWorld, OTF2_UNDEFINED_UINT32, 8,
                                    8);
    OTF2_EvtWriter_Leave(to, nullptr, time, step);
    for (int i = 0; i < kCalls; i++) {
      OTF2_EvtWriter_Enter(to, nullptr, ++time, step);
      OTF2_EvtWriter_Leave(to, nullptr, ++time, step);
    }
    OTF2_EvtWriter_MpiIrecv(to, nullptr, time, 1 - rank, kWorld, 5, 64, 2);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(to, nullptr, ++time, OTF2_COLLECTIVE_OP_BARRIER, kWorld,
                                                 OTF2_UNDEFINED_UINT32, 0, 0, 1);
  }
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  const std::vector<Line> events = eventsOf(trace(), 0, 0);  // all blocks are closed, with the right checksum
  ASSERT_GT(events.size(), 2u * kCalls);
  ASSERT_NE(nullptr, find(events, Kind::kCollectivePost));
  EXPECT_EQ(0u, find(events, Kind::kCollectivePost)->payload[3]);
  EXPECT_EQ(archive.offset(), find(events, Kind::kCollectivePost)->ticks);
  ASSERT_NE(nullptr, find(events, Kind::kCollective, 1));
  EXPECT_EQ(1u, find(events, Kind::kCollective)->payload[3]);
  EXPECT_EQ(0u, find(events, Kind::kCollective, 1)->payload[3]);
  ASSERT_NE(nullptr, find(events, Kind::kReceivePost));
  EXPECT_EQ((std::vector<uint64_t>{peerAndTag(1, 5), 2}), find(events, Kind::kReceivePost)->payload);
  EXPECT_EQ(std::string::npos, report().find("warning")) << report();
}

TEST_F(Otf2Test, ReadsTheSameWithOneWorkerAndWithTwo) {
  const std::string anchor = writeMany(directory_ / "archive", 100'000);
  ASSERT_EQ("", import(anchor, 1));
  std::map<std::string, std::string> before;
  for (const auto& file : std::filesystem::directory_iterator(trace())) {
    before[file.path().filename()] = readFile(file.path());
  }
  std::filesystem::remove_all(trace());
  ASSERT_EQ("", import(anchor, 2));
  size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(trace())) {
    files++;
    EXPECT_EQ(before[file.path().filename()], readFile(file.path())) << file.path();
  }
  EXPECT_EQ(before.size(), files);
}

// The processes that this one has started.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (isdigit(static_cast<unsigned char>(entry.path().filename().string()[0])) == 0) continue;
    const std::string stat = readFile(entry.path() / "stat");
    int pid = 0, parent = 0;
    char state = 0;
    const size_t end = stat.rfind(')');
    if (end != std::string::npos && sscanf(stat.c_str(), "%d", &pid) == 1 &&
        sscanf(stat.c_str() + end + 1, " %c %d", &state, &parent) == 2 && parent == getpid() && state != 'Z') {
      found.push_back(pid);
    }
  }
  return found;
}

// A worker that gets no processor, or waits for a disk, does not hang.
TEST_F(Otf2Test, WaitsForAWorkerThatIsOnlyStopped) {
  ImportOptions options;
  options.archive = writeMany(directory_ / "archive", 8'000'000);
  options.directory = trace();
  options.workers = 1;
  options.hangSeconds = 1;
  std::vector<pid_t> stopped;
  std::thread waker;
  options.progress = [&](uint64_t, uint64_t) {
    if (waker.joinable()) return;
    stopped = children();
    for (const pid_t child : stopped) kill(child, SIGSTOP);
    waker = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2500));
      for (const pid_t child : stopped) kill(child, SIGCONT);
    });
  };
  EXPECT_EQ("", importArchive(options));
  ASSERT_TRUE(waker.joinable()) << "the import ended before its first progress";
  waker.join();
  EXPECT_EQ(1u, stopped.size());
  EXPECT_EQ(std::string::npos, report().find("warning")) << report();
}

// Runs the program, which survives what the library does with damage. Returns its exit status.
int runProgram(const std::string& anchor, const std::string& trace, std::string* said) {
  const std::string errors = trace + ".err";
  const std::string command = "timeout -s KILL 20 '" PARALLAX_BUILD_DIRECTORY "/parallax-otf2' '" + anchor + "' '" +
                              trace + "' 2> '" + errors + "'";
  const int status = system(command.c_str());
  *said = readFile(errors);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Not in this process: the library forgets memory that it cannot use.
TEST_F(Otf2Test, RefusesWhatIsNoArchive) {
  const std::string path = directory_ / "text.otf2";
  std::ofstream(path) << "this is no archive\n";
  std::string said;
  EXPECT_EQ(1, runProgram(path, trace(), &said));
  EXPECT_NE(std::string::npos, said.find("is not an archive of OTF2 that can be read")) << said;
}

// Bytes of the files are changed, cut off or inserted. Each archive opens, or a message says why it does not.
TEST_F(Otf2Test, DamagedArchivesOpenOrSayWhyNot) {
  constexpr unsigned kSeed = 20;
  constexpr int kArchives = 60;
  std::mt19937 random(kSeed);
  const auto below = [&](size_t n) { return random() % n; };
  const std::string sound = directory_ / "sound";
  const std::string anchors[] = {
      writeLateSender(sound + "/a", 2'000'000'000), writeThreads(sound + "/b"), writeTeam(sound + "/c"),
      writeOneSided(sound + "/d"),                  writeSamples(sound + "/e"), writeTasks(sound + "/f"),
      writeOldTeam(sound + "/g"),                   writeFiles(sound + "/h")};
  int opened = 0;
  for (int i = 0; i < kArchives; i++) {
    const std::string original = anchors[below(std::size(anchors))];
    const std::string copy = directory_ / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(std::filesystem::path(original).parent_path(), copy,
                          std::filesystem::copy_options::recursive);
    std::vector<std::string> files;
    for (const auto& file : std::filesystem::recursive_directory_iterator(copy)) {
      if (file.is_regular_file()) files.push_back(file.path());
    }
    std::sort(files.begin(), files.end());
    const std::string file = files[below(files.size())];
    std::string bytes = readFile(file);
    if (bytes.empty()) continue;
    const size_t at = below(std::min<size_t>(bytes.size(), 2000));
    switch (below(3)) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes.resize(at); break;
      default: bytes.insert(at, 1 + below(9), static_cast<char>(random())); break;
    }
    std::ofstream(file, std::ios::binary) << bytes;
    std::filesystem::remove_all(trace());
    std::string said;
    const int status = runProgram(copy + "/" + std::filesystem::path(original).filename().string(), trace(), &said);
    const std::string which = "archive " + std::to_string(i) + ", seed " + std::to_string(kSeed) + ", " + file +
                              " at " + std::to_string(at) + ": " + said;
    ASSERT_TRUE(status == 0 || status == 1) << status << ", " << which;
    EXPECT_EQ(status == 1, !said.empty()) << which;
    if (status == 0) {
      opened++;
      TraceFiles found;
      EXPECT_EQ("", findTraceFiles(trace(), &found)) << which;
    }
  }
  EXPECT_GT(opened, kArchives / 4);
}

// Whoever reads its lines can cancel while definitions are read.
TEST_F(Otf2Test, TellsThatItReadsDefinitions) {
  constexpr int kRegions = 200'000;
  ArchiveWriter archive(directory_ / "archive", "large", 1);
  for (int i = 0; i < kRegions; i++) archive.region("region" + std::to_string(i), OTF2_PARADIGM_COMPILER);
  archive.close();
  const std::string output = directory_ / "output";
  ASSERT_EQ(0, system(("'" PARALLAX_BUILD_DIRECTORY "/parallax-otf2' --progress '" + archive.anchor() + "' '" + trace() +
                       "' > '" + output + "'")
                          .c_str()));
  EXPECT_EQ(0u, readFile(output).find("definitions\n")) << readFile(output);
}

TEST_F(Otf2Test, ADamagedLocationCostsNoOther) {
  const std::string anchor = writeLateSender(directory_ / "archive", 1'000'000'000);
  std::string bytes = readFile(directory_ / "archive/late/1.evt");
  for (size_t i = 40; i < bytes.size(); i++) bytes[i] = static_cast<char>(i * 37);
  std::ofstream(directory_ / "archive/late/1.evt", std::ios::binary) << bytes;
  std::string said;
  ASSERT_EQ(0, runProgram(anchor, trace(), &said)) << said;
  EXPECT_NE(std::string::npos, report().find("warning\tlocation 1 (traces/1.evt)")) << report();
  EXPECT_NE(nullptr, find(eventsOf(trace(), 0, 0), Kind::kSend));
}

}  // namespace
}  // namespace parallax::otf2
