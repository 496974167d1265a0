// Ranks whose MPI_Send returns before the receiver is there.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/live/tuned_program.h"
#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using live::MonitoredPage;

constexpr int64_t kAll = 1 << 20;

live::AskedAction buffered(uint32_t id, int64_t mostBytes) {
  live::AskedAction action;
  action.id = id;
  action.kind = live::ActionKind::kTunable;
  action.name = "mpi_buffered_send";
  action.arguments = {live::Argument::of(mostBytes)};
  return action;
}

class TunedBuffered : public MpiTest {
 protected:
  void SetUp() override { setUpYielding("tuned_buffered"); }
  void begin(TunedProgram& program, int ranks, const std::string& mode) {
    program.start(onRanks(ranks, "tuned_buffered", {program.gates(), mode}));
    for (int rank = 0; rank < ranks; rank++) program.awaited("ready" + std::to_string(rank));
    pages_ = program.awaitPages("tuned_buffered." + mpi(), static_cast<size_t>(ranks));
    for (auto& [pid, page] : pages_) byRank_[page.header().rank.load()] = &page;
    ASSERT_EQ(static_cast<size_t>(ranks), byRank_.size());
  }
  // Asked at the next call of MPI.
  void run(const std::string& mode) {
    TunedProgram program;
    begin(program, 2, mode);
    EXPECT_EQ("", byRank_[0]->ask(buffered(1, kAll)));
    program.open("go");
    for (const char* result : {"result0", "result1"}) EXPECT_EQ("0 wrong", program.awaited(result).substr(0, 7));
    EXPECT_EQ(0, program.end());
    const auto answers = byRank_[0]->takeAnswers();
    ASSERT_EQ(1u, answers.size());
    EXPECT_TRUE(answers[0].done) << answers[0].text;
    EXPECT_EQ(0u, answers[0].old);
  }
  std::map<int, MonitoredPage> pages_;
  std::map<int, MonitoredPage*> byRank_;
};

TEST_P(TunedBuffered, ASendReturnsBeforeItIsReceived) { run("late"); }

// A message that only the sender's next call of MPI would have sent is sent when the sender waits for something else.
TEST_P(TunedBuffered, WhoWaitsOutsideOfMpiIsNotWaitedFor) { run("outside"); }

TEST_P(TunedBuffered, AProgramThatHandlesErrorsKeepsItsSends) { run("returned"); }

// What does not depend on the interface of the library.
class TunedBufferedOfDebian : public TunedBuffered {};

TEST_P(TunedBufferedOfDebian, MemoryIsBounded) { run("bound"); }

TEST_P(TunedBufferedOfDebian, AKilledReceiverEndsTheProgram) {
  TunedProgram program;
  begin(program, 2, "killed");
  EXPECT_EQ("", byRank_[0]->ask(buffered(1, kAll)));
  program.open("go");
  program.awaited("sent0");
  EXPECT_NE(0, program.end());
}

// It is switched on and off in the sending ranks all the time; what is under way then completes.
TEST_P(TunedBufferedOfDebian, OrderAndContentStay) {
  std::string untuned;
  for (const bool tuned : {false, true}) {
    SCOPED_TRACE(tuned ? "tuned" : "untuned");
    TunedProgram program;
    byRank_.clear();
    pages_.clear();
    begin(program, 3, "order");
    program.open("go");
    uint32_t id = 0;
    int done = 0;
    const std::string result = program.gates() + "/result0";
    while (tuned && access(result.c_str(), F_OK) != 0) {
      for (const int rank : {1, 2}) {
        if (byRank_[rank]->unanswered().empty()) {
          id++;
          EXPECT_EQ("", byRank_[rank]->ask(buffered(id, id / 4 % 3 != 2 ? kAll >> id % 4 : 0)));
        }
        for (const live::Answer& answer : byRank_[rank]->takeAnswers()) done += answer.done;
      }
      usleep(1000);
    }
    const std::string sum = program.awaited("result0");
    EXPECT_EQ("0 wrong", sum.substr(0, 7));
    EXPECT_EQ(0, program.end());
    if (!tuned) untuned = sum;
    EXPECT_EQ(untuned, sum);
    EXPECT_TRUE(!tuned || done > 10) << done;
  }
}

INSTANTIATE_TEST_SUITE_P(All, TunedBuffered, kAllMpis, [](const auto& mpi) { return std::string(mpi.param); });
INSTANTIATE_TEST_SUITE_P(All, TunedBufferedOfDebian, kDebians, [](const auto& mpi) { return std::string(mpi.param); });

}  // namespace
}  // namespace parallax::tests
