#include "format/definitions.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "format/reader.h"
#include "tests/temporary_directory.h"
#include "format/writer.h"

namespace parallax::format {
namespace {

template <class R>
std::string encoded(const R& record) {
  std::string bytes(4096, '\x55');
  bytes.resize(RecordWriter(bytes.data(), bytes.size()).encode(record));
  return bytes;
}

// Collects what a file holds, by type.
struct Collected {
  std::vector<std::string> regions;
  std::vector<CommunicatorRecord> communicators;
  size_t others = 0;

  void operator()(const RegionRecord& r) { regions.emplace_back(r.name); }
  void operator()(const CommunicatorRecord& r) { communicators.push_back(r); }
  template <class R>
  void operator()(const R&) { others++; }
};

TEST(FormatDefinitions, LayoutIsThatOfTheSpecification) {
  RegionRecord region;
  region.region = 0x01020304;
  region.group = Group::kPthread;
  region.name = "lock";
  const std::string bytes = encoded(region);
  const std::string body("\x04\x03\x02\x01\x02\0\0\0\x04\0\0\0lock", 16);
  ASSERT_EQ(bytes.size(), 24u);
  EXPECT_EQ(bytes.substr(0, 6), std::string("\x18\0\0\0\x07\0", 6));
  EXPECT_EQ(bytes.substr(8), body);
  uint16_t check;
  memcpy(&check, bytes.data() + 6, sizeof check);
  EXPECT_EQ(check, static_cast<uint16_t>(crc32c(body.data(), body.size())));
}

TEST(FormatDefinitions, EveryTypeHasTheSizeOfItsFields) {
  // The header, the fixed fields as listed in the specification, and a u32 for each string.
  EXPECT_EQ(encoded(ProcessRecord{}).size(), 8u + 4 * 8 + 2 * 4 + 2 * 2 + 4 + 4 * 4);
  EXPECT_EQ(encoded(ProcessEndRecord{}).size(), 8u + 3 * 8 + 2 * 2 + 4);
  EXPECT_EQ(encoded(ClockSyncRecord{}).size(), 8u + 3 * 8);
  EXPECT_EQ(encoded(ThreadRecord{}).size(), 8u + 4 * 4 + 8 + 4 + 4);
  EXPECT_EQ(encoded(ModuleRecord{}).size(), 8u + 2 * 4 + 4 * 8 + 2 * 4);
  EXPECT_EQ(encoded(ModuleUnloadRecord{}).size(), 8u + 2 * 4 + 8);
  EXPECT_EQ(encoded(RegionRecord{}).size(), 8u + 4 + 2 * 2 + 4 + 4);
  EXPECT_EQ(encoded(CallPathRecord{}).size(), 8u + 2 * 4 + 2 * 2 + 4 + 8);
  EXPECT_EQ(encoded(MpiRecord{}).size(), 8u + 8 + 4 * 4 + 4 + 4);
  EXPECT_EQ(encoded(CommunicatorRecord{}).size(), 8u + 2 * 4 + 8 + 4 * 4 + 4 + 4);
  EXPECT_EQ(encoded(SyncObjectRecord{}).size(), 8u + 4 + 2 * 2 + 2 * 8);
  EXPECT_EQ(encoded(NoteRecord{}).size(), 8u + 4 + 4);
  EXPECT_EQ(encoded(SettingRecord{}).size(), 8u + 4 + 2 * 4 + 4);
  EXPECT_EQ(encoded(ThreadNameRecord{}).size(), 8u + 2 * 4 + 4 + 4);
  EXPECT_EQ(encoded(MetricRecord{}).size(), 8u + 4 + 2 * 2 + 2 * 4);
  EXPECT_EQ(encoded(StreamRecord{}).size(), 8u + 4 + 2 * 2 + 2 * 8 + 4 + 4);
  EXPECT_EQ(encoded(FileRecord{}).size(), 8u + 2 * 4 + 4 + 4);
  EXPECT_EQ(encoded(PvmRecord{}).size(), 8u + 8 + 2 * 4);
  EXPECT_EQ(encoded(ClockOffsetRecord{}).size(), 8u + 3 * 8 + 4 + 4);
}

TEST(FormatDefinitions, WhatDoesNotFitIsNotEncoded) {
  RegionRecord region;
  region.name = "a name";
  const size_t needed = encoded(region).size();
  for (size_t capacity = 0; capacity < needed; capacity++) {
    std::vector<char> buffer(capacity);
    EXPECT_EQ(RecordWriter(buffer.data(), capacity).encode(region), 0u) << capacity;
  }
  std::vector<char> buffer(needed);
  EXPECT_EQ(RecordWriter(buffer.data(), needed).encode(region), needed);
}

TEST(FormatDefinitions, PublishedRecordEqualsTheEncodedOne) {
  const std::string bytes = encoded(MpiRecord{});
  std::vector<uint64_t> space(bytes.size() / 8 + 1);
  publishRecord(space.data(), bytes.data(), bytes.size());
  EXPECT_EQ(memcmp(space.data(), bytes.data(), bytes.size()), 0);
  EXPECT_EQ(space.back(), 0u);
}

TEST(FormatDefinitions, FileRoundTrip) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.def";
  const RankRun runs[] = {{0, 2, 3}, {9, -1, 4}};
  CommunicatorRecord communicator;
  communicator.size = 3;
  communicator.runs = {runs, 1, 1};
  communicator.name = "halo";
  const std::string longName(10000, 'n');
  RegionRecord region;
  {
    DefinitionsWriter writer(path);
    writer.add(ProcessRecord{});
    writer.addPending(48);
    region.name = longName;
    writer.add(region);
    writer.add(communicator);
    std::string unknown = encoded(ClockSyncRecord{});
    unknown[4] = 77;
    writer.addBytes(unknown.data(), unknown.size());
    region.name = "last";
    writer.add(region);
    const std::string reserved(64, '\0');
    writer.addBytes(reserved.data(), reserved.size());
    writer.close();
    ASSERT_EQ(writer.error(), "");
  }
  DefinitionsFile file;
  ASSERT_EQ(file.open(path), "");
  Collected collected;
  EXPECT_EQ(file.forEach(collected), DefinitionsEnd::kInOrder);
  EXPECT_EQ(collected.regions, (std::vector<std::string>{longName, "last"}));
  EXPECT_EQ(collected.others, 1u);
  ASSERT_EQ(collected.communicators.size(), 1u);
  const CommunicatorRecord& read = collected.communicators[0];
  EXPECT_EQ(read.name, "halo");
  ASSERT_EQ(read.runs.ownCount + read.runs.remoteCount, 2u);
  EXPECT_EQ(read.runs.data[1].stride, -1);
}

TEST(FormatDefinitions, TruncatedAtAnyByteKeepsWhatIsWhole) {
  TemporaryDirectory directory;
  const std::string path = directory / "h.1.0.def";
  RegionRecord region;
  region.name = "region";
  const size_t recordSize = encoded(region).size();
  {
    DefinitionsWriter writer(path);
    for (int i = 0; i < 3; i++) writer.add(region);
    writer.close();
  }
  for (size_t size = 16 + 3 * recordSize; size-- > 16;) {
    ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(size)), 0);
    DefinitionsFile file;
    ASSERT_EQ(file.open(path), "");
    Collected collected;
    const DefinitionsEnd end = file.forEach(collected);
    EXPECT_EQ(collected.regions.size(), (size - 16) / recordSize);
    const size_t rest = (size - 16) % recordSize;
    EXPECT_EQ(end, rest < 8 ? DefinitionsEnd::kInOrder : DefinitionsEnd::kTruncated) << size;
  }
  ASSERT_EQ(truncate(path.c_str(), 15), 0);
  EXPECT_NE(DefinitionsFile().open(path), "");
}

}  // namespace
}  // namespace parallax::format
