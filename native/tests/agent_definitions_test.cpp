// The lock-free definitions file, by many threads, a signal handler and a kill.
#include "transport/definitions_file.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
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
    return file_.append(record, size) != nullptr;
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
  EXPECT_EQ(0u, file_.lostRecords());
}

std::atomic<uint64_t> fromHandler{0};
DefinitionsFile* handlerFile = nullptr;

void appendInHandler(int) {
  char record[64];
  const format::CallPathRecord path{1, 0, format::PathKind::kAddress, 1u << 30};
  const size_t size = format::RecordWriter(record, sizeof record).encode(path);
  if (handlerFile->append(record, size) != nullptr) fromHandler++;
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

TEST_F(AgentDefinitions, LargeRecordsAndRetractedOnes) {
  const std::string text(100000, 'x');
  std::vector<char> record(200000);
  const size_t size =
      format::RecordWriter(record.data(), record.size()).encode(format::NoteRecord{text});
  void* first = file_.append(record.data(), size);
  void* second = file_.append(record.data(), size);
  ASSERT_NE(nullptr, first);
  ASSERT_NE(nullptr, second);
  DefinitionsFile::retract(first);
  ASSERT_TRUE(appendPath(1, 5));
  format::DefinitionsEnd end;
  EXPECT_EQ((std::multiset<uint64_t>{5, 100000}), readValues(&end));
}

TEST_F(AgentDefinitions, AFileThatExistsIsNotTouched) {
  DefinitionsFile other;
  EXPECT_EQ(-EEXIST, other.open(directory_, "test.def"));
}

}  // namespace
}  // namespace parallax
