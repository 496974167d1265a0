// The lock-free definitions file, by many threads, a signal handler and a kill.
#include "transport/definitions_file.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "format/definitions.h"
#include "format/reader.h"
#include "tests/temporary_directory.h"

namespace parallax {
namespace {

// What tells the records of these tests apart.
struct Values {
  std::multiset<uint64_t>* values;
  void operator()(const format::CallPathRecord& r) { values->insert(r.value); }
  void operator()(const format::NoteRecord& r) { values->insert(r.text.size()); }
  template <class R>
  void operator()(const R&) {}
};

// Opens a directory of its own for each test.
class AgentDefinitions : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(0, directory_.open(path_.path().c_str()));
    ASSERT_EQ(0, file_.open(directory_, "test.def"));
  }

  bool appendPath(uint32_t path, uint64_t value) {
    char record[64];
    const format::CallPathRecord definition{path, 0, format::PathKind::kAddress, value};
    const size_t size = format::RecordWriter(record, sizeof record).encode(definition);
    return file_.append(record, size) == 0;
  }
  std::multiset<uint64_t> readValues(format::DefinitionsEnd* end) {
    std::multiset<uint64_t> values;
    format::DefinitionsFile reader;
    EXPECT_EQ("", reader.open(path_ / "test.def"));
    *end = reader.forEach(Values{&values});
    return values;
  }

  const TemporaryDirectory path_;
  TraceDirectory directory_;
  DefinitionsFile file_;
};

TEST_F(AgentDefinitions, ManyThreadsLoseNothing) {
  constexpr uint64_t kThreads = 8, kEach = 20000;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; t++) {
    threads.emplace_back([this, t] {
      for (uint64_t i = 0; i < kEach; i++) appendPath(1, t * kEach + i);
    });
  }
  for (auto& thread : threads) thread.join();
  format::DefinitionsEnd end;
  const auto values = readValues(&end);
  EXPECT_EQ(format::DefinitionsEnd::kInOrder, end);
  EXPECT_EQ(kThreads * kEach, values.size());
  uint64_t expected = 0;
  for (const uint64_t value : values) ASSERT_EQ(expected++, value);
}

std::atomic<uint64_t> fromHandler{0};
DefinitionsFile* handlerFile = nullptr;

void appendInHandler(int) {
  char record[64];
  const format::CallPathRecord path{1, 0, format::PathKind::kAddress, 1u << 30};
  const size_t size = format::RecordWriter(record, sizeof record).encode(path);
  if (handlerFile->append(record, size) == 0) fromHandler++;
}

TEST_F(AgentDefinitions, ASignalHandlerMayInterruptAnAppend) {
  handlerFile = &file_;
  fromHandler = 0;
  signal(SIGALRM, appendInHandler);
  itimerval often{{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, nullptr);
  constexpr uint64_t kCount = 300000;
  for (uint64_t i = 0; i < kCount; i++) ASSERT_TRUE(appendPath(1, i));
  itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  format::DefinitionsEnd end;
  const auto values = readValues(&end);
  EXPECT_EQ(format::DefinitionsEnd::kInOrder, end);
  EXPECT_GT(fromHandler.load(), 0u);
  EXPECT_EQ(kCount + fromHandler.load(), values.size());
  EXPECT_EQ(fromHandler.load(), values.count(1u << 30));
}

TEST_F(AgentDefinitions, AKillLeavesAChainThatCanBeWalked) {
  const pid_t child = fork();
  if (child == 0) {
    // The mapping is not inherited: the child has a file of its own in the same place.
    unlink((path_ / "test.def").c_str());
    file_.forget();
    if (file_.open(directory_, "test.def") != 0) _exit(1);
    for (int t = 0; t < 3; t++) {
      std::thread([this] {
        for (uint64_t i = 0;; i++) appendPath(1, i);
      }).detach();
    }
    pause();
  }
  usleep(50000);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  format::DefinitionsEnd end;
  const auto values = readValues(&end);
  EXPECT_EQ(format::DefinitionsEnd::kInOrder, end);
  EXPECT_GT(values.size(), 1000u);
  // The three threads counted from 0; each has lost the record it was writing at most.
  EXPECT_LE(values.count(*values.begin()), 3u);
}

TEST_F(AgentDefinitions, RecordsOfAllSizesFillManySegments) {
  std::multiset<uint64_t> expected;
  std::vector<char> record(20 << 20);
  size_t total = 0;
  for (const size_t length : {100000u, 5u, 70000u, 16u << 20, 3u, 4u << 20, 60000u}) {
    const std::string text(length, 'x');
    const size_t size =
        format::RecordWriter(record.data(), record.size()).encode(format::NoteRecord{text});
    ASSERT_EQ(0, file_.append(record.data(), size));
    expected.insert(length);
    ASSERT_TRUE(appendPath(1, total += size));
    expected.insert(total);
  }
  format::DefinitionsEnd end;
  EXPECT_EQ(expected, readValues(&end));
  EXPECT_EQ(format::DefinitionsEnd::kInOrder, end);
}

// Nothing of the program's address space is taken that is not needed: not beyond the first segment in a
// small file, and not more than some segments in one of 300 MB.
TEST_F(AgentDefinitions, OnlyWhatIsWrittenIntoIsMapped) {
  const auto mappedBytes = [this] {
    std::ifstream maps("/proc/self/maps");
    uint64_t total = 0, low = 0, high = 0;
    for (std::string line; std::getline(maps, line);) {
      if (line.find(path_ / "test.def") == std::string::npos) continue;
      sscanf(line.c_str(), "%lx-%lx", &low, &high);
      total += high - low;
    }
    return total;
  };
  ASSERT_TRUE(appendPath(1, 0));
  EXPECT_EQ(64u << 10, mappedBytes());
  const std::string text(1 << 20, 'x');
  std::vector<char> record(2 << 20);
  const size_t size =
      format::RecordWriter(record.data(), record.size()).encode(format::NoteRecord{text});
  constexpr int kCount = 300;
  for (int i = 0; i < kCount; i++) ASSERT_EQ(0, file_.append(record.data(), size));
  EXPECT_LE(mappedBytes(), 9u << 20);
  format::DefinitionsEnd end;
  EXPECT_EQ(size_t{kCount}, readValues(&end).count(text.size()));
}

TEST_F(AgentDefinitions, AFixedRecordIsChangedAfterManySegments) {
  char record[64];
  const format::CallPathRecord definition{1, 0, format::PathKind::kAddress, 77};
  const size_t size = format::RecordWriter(record, sizeof record).encode(definition);
  auto* place = static_cast<format::RecordHeader*>(file_.appendFixed(record, size));
  ASSERT_NE(nullptr, place);
  for (uint64_t i = 0; i < 100000; i++) ASSERT_TRUE(appendPath(1, 5));
  format::DefinitionsEnd end;
  EXPECT_EQ(1u, readValues(&end).count(77));
  __atomic_store_n(&place->type, static_cast<uint16_t>(format::Record::kReserved), __ATOMIC_RELEASE);
  const auto left = readValues(&end);
  EXPECT_EQ(100000u, left.size());
  EXPECT_EQ(100000u, left.count(5));
}

TEST_F(AgentDefinitions, AFileThatExistsIsNotTouched) {
  DefinitionsFile other;
  EXPECT_EQ(-EEXIST, other.open(directory_, "test.def"));
}

}  // namespace
}  // namespace parallax
