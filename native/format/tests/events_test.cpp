#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "format/reader.h"
#include "tests/temporary_directory.h"
#include "format/writer.h"

namespace parallax::format {
namespace {

struct Plain {
  Kind kind;
  uint64_t operand, ticks;
  std::vector<uint64_t> payload;

  bool operator==(const Plain& o) const {
    return kind == o.kind && operand == o.operand && ticks == o.ticks && payload == o.payload;
  }
};

std::vector<Plain> readAll(const std::string& path) {
  EventFile file;
  EXPECT_EQ(file.open(path), "");
  std::vector<Plain> all;
  Event e;
  for (EventReader reader(file); reader.next(&e);) {
    all.push_back({e.kind, e.operand, e.ticks, {}});
    for (uint32_t i = 0; i < e.payloadCount; i++) all.back().payload.push_back(e.payload(i));
  }
  return all;
}

TEST(FormatSlots, FieldsDoNotTouchEachOther) {
  constexpr uint64_t slot = eventSlot(Kind::kProbe, kOperandEscape, kTimeMask);
  static_assert(!isPayload(slot));
  EXPECT_EQ(kindOf(slot), Kind::kProbe);
  EXPECT_EQ(operandOf(slot), kOperandEscape);
  EXPECT_EQ(ticksOf(slot), kTimeMask);
  EXPECT_EQ(operandOf(eventSlot(Kind::kEnter, 0, kTimeMask)), 0u);
  EXPECT_EQ(kindOf(eventSlot(Kind::kNone, kOperandEscape, kTimeMask)), Kind::kNone);
  const uint64_t anything = payloadSlot(peerAndTag(kAnySource, kAnyTag));
  EXPECT_TRUE(isPayload(anything));
  EXPECT_EQ(peerOf(payloadOf(anything)), kAnySource);
  EXPECT_EQ(tagOf(payloadOf(anything)), kAnyTag);
  const uint64_t op = payloadOf(payloadSlot(opAndRoot(Collective::kFinalize, kNoRoot)));
  EXPECT_EQ(opOf(op), Collective::kFinalize);
  EXPECT_EQ(rootOf(op), kNoRoot);
}

TEST(FormatEvents, RandomRoundTripOverManyBlocks) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.0.evt";
  std::mt19937_64 random(2);
  std::vector<Plain> written;
  EventWriter writer(path, 7, ClockLine{1000, 5, 2'000'000'000});
  uint64_t ticks = 1000;
  for (int i = 0; i < 60000; i++) {
    // Now and then a pause that 37 bits cannot hold.
    ticks += i % 20000 == 19999 ? (1ull << kTimeBits) + 5 : random() % 1000;
    // Around the escape, where a mistake would hide.
    const uint64_t operand = random() % 8 == 0 ? kOperandEscape - 2 + random() % 5 : random() % 99;
    const uint64_t value = random() >> 1;
    switch (random() % 3) {
      case 0:
        writer.event(Kind::kEnter, operand, ticks);
        written.push_back({Kind::kEnter, operand, ticks, {}});
        break;
      case 1:
        writer.event(Kind::kReceive, operand, ticks, {value, 8, 9});
        written.push_back({Kind::kReceive, operand, ticks, {value, 8, 9}});
        break;
      default:
        writer.event(static_cast<Kind>(50), operand, ticks, {value});
        written.push_back({static_cast<Kind>(50), operand, ticks, {value}});
    }
  }
  writer.close();
  ASSERT_EQ(writer.error(), "");
  EXPECT_EQ(writer.eventCount(), written.size());
  EXPECT_TRUE(readAll(path) == written);

  EventFile file;
  ASSERT_EQ(file.open(path), "");
  ASSERT_GT(file.blockCount(), 10u);
  for (size_t i = 0; i < file.blockCount(); i++) {
    const BlockView block = file.block(i);
    ASSERT_EQ(block.state, BlockState::kClosed);
    EXPECT_EQ(block.header->number, i);
    EXPECT_EQ(block.header->thread, 7u);
    EXPECT_EQ(block.header->monotonicNs, 5 + (block.header->baseTicks - 1000) / 2);
  }
}

TEST(FormatEvents, HeaderTellsLossesOpenPathAndCpuTime) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.0.evt";
  EventWriter writer(path, 0, ClockLine{100, 0, 1'000'000'000});
  writer.enter(3, 110);
  writer.enter(4, 120);
  writer.enter(5, 130);
  writer.lose(2);
  writer.cpu(150, 30);
  writer.leave(4, 150);  // also leaves 5
  writer.breakBlock();
  writer.leave(3, 160);
  writer.close();
  EventFile file;
  ASSERT_EQ(file.open(path), "");
  ASSERT_EQ(file.blockCount(), 3u);
  EXPECT_EQ(file.block(0).header->openPath, 0u);
  EXPECT_EQ(file.block(0).header->lost, 0u);
  EXPECT_EQ(file.block(1).header->openPath, 5u);
  EXPECT_EQ(file.block(1).header->lost, 2u);
  EXPECT_EQ(file.block(2).header->openPath, 3u);
  EXPECT_EQ(file.block(2).header->lost, 0u);
  EXPECT_EQ(file.block(2).header->cpuNs, 30u);  // 60 since the start, 30 lost
  EXPECT_EQ(std::filesystem::file_size(path), 2 * kBlockBytes + sizeof(BlockHeader) + 8);
}

TEST(FormatEvents, KilledProcessLeavesAnOpenBlock) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.0.evt";
  EventWriter writer(path, 0, ClockLine{});
  writer.enter(1, 10);
  writer.event(Kind::kSend, 1, 11, {peerAndTag(1, 2), 3});
  writer.abandon(2);
  EXPECT_EQ(readAll(path).size(), 2u);
  EventFile file;
  ASSERT_EQ(file.open(path), "");
  ASSERT_EQ(file.blockCount(), 3u);
  EXPECT_EQ(file.block(0).state, BlockState::kOpen);
  EXPECT_EQ(file.block(1).state, BlockState::kEmpty);
  // Cut within the payload of the last event: it was being written.
  ASSERT_EQ(truncate(path.c_str(), sizeof(BlockHeader) + 3 * 8), 0);
  EXPECT_EQ(readAll(path).size(), 1u);
}

TEST(FormatEvents, BlocksOfZerosAreSkippedWhereverTheyAre) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.0.evt";
  EventWriter writer(path, 0, ClockLine{});
  writer.missBlocks(2);
  writer.enter(1, 10);
  writer.missBlocks(1);
  writer.enter(2, 20);
  writer.abandon(1);
  const std::vector<Plain> expected = {{Kind::kEnter, 1, 10, {}}, {Kind::kEnter, 2, 20, {}}};
  EXPECT_TRUE(readAll(path) == expected);
  EventFile file;
  ASSERT_EQ(file.open(path), "");
  ASSERT_EQ(file.blockCount(), 6u);
  for (const size_t empty : {0, 1, 3, 5}) EXPECT_EQ(file.block(empty).state, BlockState::kEmpty) << empty;
  EXPECT_EQ(file.block(2).header->number, 2u);
  EXPECT_EQ(file.block(4).header->number, 4u);
  EXPECT_EQ(file.block(4).header->openPath, 1u);
}

// Several blocks are written at once, the header of the first one last, and the process is killed in between.
TEST(FormatEvents, AnUnfinishedWriteOfSeveralBlocksEndsTheFile) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.0.evt";
  EventWriter writer(path, 0, ClockLine{});
  for (uint32_t i = 0; i < 4; i++) {
    writer.enter(i + 1, i);
    writer.enter(i + 1, i);
    writer.breakBlock();
  }
  writer.close();
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(kBlockBytes);
  for (size_t i = 0; i < sizeof(BlockHeader); i++) file.put('\0');
  file.close();
  const auto count = [&](bool isInParts) {
    EventFile events;
    EXPECT_EQ(events.open(ThreadFile{0, path, {}, 0, 0, isInParts}), "");
    EXPECT_EQ(events.block(1).state, isInParts ? BlockState::kUnfinished : BlockState::kEmpty);
    size_t found = 0;
    Event event;
    for (EventReader reader(events); reader.next(&event);) found++;
    return found;
  };
  EXPECT_EQ(count(true), 2u);
  EXPECT_EQ(count(false), 6u);  // written one after the other: only this one has failed
}

// A block is written with its header, and the machine ends meanwhile: zeros stand from some place on.
TEST(FormatEvents, ATornBlockHasTheEventsBeforeTheTear) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.0.evt";
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 200; round++) {
    EventWriter writer(path, 0, ClockLine{});
    const uint32_t events = 1 + random() % 2000;
    std::vector<uint64_t> ends;  // of events, in slots of the block
    for (uint32_t i = 0; i < events; i++) {
      const bool isSend = random() % 2 == 0;
      if (isSend) {
        writer.event(Kind::kSend, 1, i, {i, i});
      } else {
        writer.enter(1, i);
      }
      ends.push_back((ends.empty() ? 0 : ends.back()) + (isSend ? 3 : 1));
    }
    writer.breakBlock();
    writer.enter(2, events);
    writer.close();
    const uint64_t cut = random() % ends.back();
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(sizeof(BlockHeader) + cut * sizeof(uint64_t)));
    for (uint64_t at = cut; at < ends.back(); at++) file.write("\0\0\0\0\0\0\0", sizeof(uint64_t));
    file.close();
    EventFile torn;
    ASSERT_EQ(torn.open(path), "");
    EXPECT_EQ(BlockState::kTorn, torn.block(0).state);
    EXPECT_EQ(cut, torn.block(0).used);
    EXPECT_EQ(BlockState::kClosed, torn.block(1).state);
    const auto whole = static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), cut) - ends.begin());
    EXPECT_EQ(whole + 1, readAll(path).size()) << "cut " << cut << " of " << ends.back();
    std::filesystem::remove(path);
  }
}

TEST(FormatEvents, DamageIsSeenAndDoesNoHarm) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.0.evt";
  const auto write = [&] {
    EventWriter writer(path, 0, ClockLine{});
    for (uint32_t i = 0; i < 100; i++) writer.event(Kind::kSend, 1, i, {i, i});
    writer.close();
  };
  write();
  const auto size = std::filesystem::file_size(path);
  // No byte of the block can change unnoticed.
  for (uintmax_t at = 0; at < size; at++) {
    if (at % 7 != 0 && at > sizeof(BlockHeader)) continue;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 0x10));
    file.flush();
    EventFile events;
    ASSERT_EQ(events.open(path), "");
    EXPECT_NE(events.block(0).state, BlockState::kClosed) << at;
    readAll(path);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }
  for (uintmax_t cut = size; cut-- > 0;) {
    ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(cut)), 0);
    EXPECT_TRUE(readAll(path).empty());
  }
}

TEST(FormatFiles, TraceDirectoryIsFoundInOrder) {
  TemporaryDirectory directory;
  TraceFiles unused;
  EXPECT_NE(findTraceFiles(directory.path(), &unused), "");
  ASSERT_EQ(writeManifest(directory.path(), {{"command", "mpirun -n 2 ./a = b"}, {"directory", "/a\nb\r"}}),
            "");
  for (const char* name :
       {"n_1.10.0.def", "n_1.10.0.0.evt", "n_1.10.0.12.evt", "n_1.10.0.2.evt", "n_1.9.1.def",
        "n_1.9.0.def", "m.9.0.def", "notes.txt", "n_1.x.0.def", ".9.0.def", "n.9.def"}) {
    std::ofstream(directory / name).put('x');
  }
  TraceFiles files;
  ASSERT_EQ(findTraceFiles(directory.path(), &files), "");
  EXPECT_EQ(files.property("command"), "mpirun -n 2 ./a = b");
  EXPECT_EQ(files.property("directory"), "/a\\nb\\r");
  std::vector<std::string> names;
  for (const auto& process : files.processes) names.push_back(process.name);
  EXPECT_EQ(names, (std::vector<std::string>{"m.9.0", "n_1.9.0", "n_1.9.1", "n_1.10.0"}));
  ASSERT_EQ(files.processes[3].threads.size(), 3u);
  EXPECT_EQ(files.processes[3].threads[1].thread, 2u);
  EXPECT_EQ(files.processes[3].threads[2].thread, 12u);
}

TEST(FormatFiles, ForeignManifestIsRefused) {
  TemporaryDirectory directory;
  TraceFiles files;
  for (const char* text : {"", "hello\n", "parallax-trace = 2\n", "parallax-trace = x\n",
                           "command = a\nparallax-trace = 1\n"}) {
    std::ofstream(directory / "manifest") << text;
    EXPECT_NE(findTraceFiles(directory.path(), &files), "") << text;
  }
  EXPECT_EQ(hostInFileName("node-1.cluster.örg"), "node-1_cluster___rg");
}

}  // namespace
}  // namespace parallax::format
