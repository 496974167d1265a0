// Archives that OTF2's own writer wrote, as traces.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

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

TEST_F(Otf2Test, ShowsRegionsThatAreNotDefined) {
  ArchiveWriter archive(directory_ / "archive", "undefined", 1);
  OTF2_EvtWriter_Enter(archive.events(0), nullptr, archive.offset(), 1234);
  OTF2_EvtWriter_Leave(archive.events(0), nullptr, archive.offset() + 9, 1234);
  archive.close();
  ASSERT_EQ("", import(archive.anchor()));
  EXPECT_NE(std::string::npos, report().find("warning\t1 call paths end in a region that is not defined")) << report();
  EXPECT_NE(nullptr, find(eventsOf(trace(), 0, 0), Kind::kEnter));
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

TEST_F(Otf2Test, RefusesWhatIsNoArchive) {
  const std::string path = directory_ / "text.otf2";
  std::ofstream(path) << "this is no archive\n";
  const std::string error = import(path);
  EXPECT_NE(std::string::npos, error.find("is not an archive of OTF2 that can be read")) << error;
}

// Blocks wait for what completes them, but not for ever.
TEST_F(Otf2Test, GivesUpOperationsThatNeverComplete) {
  ArchiveWriter archive(directory_ / "archive", "held", 2);
  const auto step = archive.region("step", OTF2_PARADIGM_COMPILER);
  for (uint32_t rank = 0; rank < 2; rank++) {
    OTF2_EvtWriter* to = archive.events(rank);
    uint64_t time = archive.offset();
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
  ASSERT_NE(nullptr, find(events, Kind::kCollective));
  EXPECT_EQ(0u, find(events, Kind::kCollective)->payload[3]);
  EXPECT_NE(std::string::npos, report().find("record\tNonBlockingCollectiveRequest\t2\t2\n")) << report();
  EXPECT_NE(std::string::npos, report().find("record\tMpiIrecvRequest\t2\t2\n")) << report();
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

}  // namespace
}  // namespace parallax::otf2
