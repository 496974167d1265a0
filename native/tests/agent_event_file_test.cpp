// Blocks of an event file, as they stand on the disk.
#include "transport/event_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "format/reader.h"
#include "tests/temporary_directory.h"

namespace parallax {
namespace {

using format::Kind;

class AgentEventFile : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(0, directory_.open(path_.path().c_str()));
    file_.open(directory_, "test.evt", 7);
  }
  void append(Kind kind, uint32_t operand, uint64_t ticks, std::vector<uint64_t> payload = {}) {
    if (!file_.fits(EventFile::slotsOf(operand, payload.size()), ticks)) {
      BlockStart start;
      start.ticks = ticks;
      ASSERT_EQ(0, file_.beginBlock(start));
    }
    file_.append(kind, operand, ticks, payload.data(), payload.size());
  }
  std::vector<format::Event> read() {
    EXPECT_EQ("", reader_.open(path_ / "test.evt"));
    std::vector<format::Event> events;
    format::Event event;
    for (format::EventReader reader(reader_); reader.next(&event);) events.push_back(event);
    return events;
  }
  off_t size() const {
    struct stat status;
    return stat((path_ / "test.evt").c_str(), &status) == 0 ? status.st_size : -1;
  }

  const TemporaryDirectory path_;
  TraceDirectory directory_;
  EventFile file_ = {};
  format::EventFile reader_;
};

TEST_F(AgentEventFile, EnterAndLeaveCostEightBytesEach) {
  for (uint64_t i = 0; i < 100; i++) append(i % 2 == 0 ? Kind::kEnter : Kind::kLeave, 3, 1000 + i);
  file_.close();
  EXPECT_EQ(64 + 100 * 8, size());
  const auto events = read();
  ASSERT_EQ(100u, events.size());
  for (uint64_t i = 0; i < 100; i++) {
    EXPECT_EQ(1000 + i, events[i].ticks);
    EXPECT_EQ(3u, events[i].operand);
  }
  EXPECT_EQ(format::BlockState::kClosed, reader_.block(0).state);
}

TEST_F(AgentEventFile, AnOpenFileCanBeRead) {
  append(Kind::kEnter, 1, 10);
  append(Kind::kSend, 2, 11, {5, 6});
  const auto events = read();
  ASSERT_EQ(2u, events.size());
  EXPECT_EQ(6u, events[1].payload(1));
  EXPECT_EQ(format::BlockState::kOpen, reader_.block(0).state);
  file_.close();
}

TEST_F(AgentEventFile, LargeOperandsEscape) {
  for (const uint32_t operand : {0u, 0xFFFFEu, 0xFFFFFu, 0x100000u, 0xFFFFFFFFu}) {
    append(Kind::kAcquire, operand, 100, {9});
  }
  file_.close();
  const auto events = read();
  ASSERT_EQ(5u, events.size());
  EXPECT_EQ(0xFFFFEu, events[1].operand);
  EXPECT_EQ(0xFFFFFu, events[2].operand);
  EXPECT_EQ(0xFFFFFFFFu, events[4].operand);
  for (const auto& event : events) {
    ASSERT_EQ(1u, event.payloadCount);
    EXPECT_EQ(9u, event.payload(0));
  }
}

TEST_F(AgentEventFile, ALongSilenceBeginsABlock) {
  append(Kind::kEnter, 1, 5);
  append(Kind::kLeave, 1, 5 + format::kTimeMask);      // just fits
  append(Kind::kEnter, 1, 6 + format::kTimeMask);      // does not
  append(Kind::kLeave, 1, 5 + 100 * format::kTimeMask);
  file_.close();
  const auto events = read();
  ASSERT_EQ(4u, events.size());
  EXPECT_EQ(5 + format::kTimeMask, events[1].ticks);
  EXPECT_EQ(6 + format::kTimeMask, events[2].ticks);
  EXPECT_EQ(5 + 100 * format::kTimeMask, events[3].ticks);
  EXPECT_EQ(3u, reader_.blockCount());
}

TEST_F(AgentEventFile, EventsOfOddSizesFillManyBlocks) {
  constexpr uint64_t kCount = 200000;
  for (uint64_t i = 0; i < kCount; i++) {
    std::vector<uint64_t> payload(i % 5, i);
    append(Kind::kThreadEnd, static_cast<uint32_t>(i % 1000), 100 + i, payload);
  }
  file_.close();
  const auto events = read();
  ASSERT_EQ(kCount, events.size());
  for (uint64_t i = 0; i < kCount; i++) {
    ASSERT_EQ(100 + i, events[i].ticks);
    ASSERT_EQ(i % 5, events[i].payloadCount);
    if (i % 5 == 0) continue;
    ASSERT_EQ(i, events[i].payload(static_cast<uint32_t>(i % 5 - 1)));
  }
  for (size_t block = 0; block < reader_.blockCount(); block++) {
    ASSERT_EQ(format::BlockState::kClosed, reader_.block(block).state);
    ASSERT_EQ(7u, reader_.block(block).header->thread);
  }
}

TEST_F(AgentEventFile, KnowsItsLastEventWhateverItsOperand) {
  EXPECT_FALSE(file_.lastIs(Kind::kEnter, 1));
  for (const uint32_t path : {1u, format::kOperandEscape - 1, format::kOperandEscape,
                              format::kOperandEscape + 1, ~0u}) {
    append(Kind::kEnter, path, 100);
    EXPECT_TRUE(file_.lastIs(Kind::kEnter, path)) << path;
    EXPECT_FALSE(file_.lastIs(Kind::kLeave, path)) << path;
    EXPECT_FALSE(file_.lastIs(Kind::kEnter, path ^ 2)) << path;
    append(Kind::kSample, path, 100, {5});
    EXPECT_FALSE(file_.lastIs(Kind::kEnter, path)) << path;
    EXPECT_FALSE(file_.lastIs(Kind::kSample, path)) << path;
  }
}

TEST_F(AgentEventFile, AFileWithoutEventsIsNotMade) {
  file_.close();
  EXPECT_EQ(-1, size());
}

TEST_F(AgentEventFile, TheFirstBlockMayStandElsewhere) {
  alignas(8) char memory[64 + 5 * 8] = {};
  BlockStart start;
  start.ticks = 10;
  file_.beginElsewhere(memory, sizeof memory, start);
  for (uint64_t i = 0; i < 5; i++) append(Kind::kEnter, 3, 20 + i);
  EXPECT_EQ(-1, size());
  for (uint64_t i = 5; i < 8; i++) append(Kind::kEnter, 3, 20 + i);
  file_.close();
  EXPECT_EQ(64 + 3 * 8, size());
  const auto& header = *reinterpret_cast<const format::BlockHeader*>(memory);
  EXPECT_EQ(format::kBlockClosed, header.flags);
  EXPECT_EQ(5u, header.used);
  EXPECT_EQ(0u, header.number);
  ASSERT_EQ(3u, read().size());
  EXPECT_EQ(1u, reader_.block(0).header->number);
}

}  // namespace
}  // namespace parallax
