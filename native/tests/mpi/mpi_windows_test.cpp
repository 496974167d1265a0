// One-sided communication under all MPIs: each routine is recorded, once.

#include "format/slots.h"
#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using format::Kind;
using format::WindowOp;

class MpiWindows : public MpiTest {};

struct Sums {
  uint64_t calls = 0, sentBytes = 0, receivedBytes = 0, ranks = 0;

  bool operator==(const Sums& o) const {
    return calls == o.calls && sentBytes == o.sentBytes && receivedBytes == o.receivedBytes &&
           ranks == o.ranks;
  }
};

std::ostream& operator<<(std::ostream& out, const Sums& sums) {
  return out << sums.calls << " calls, sent " << sums.sentBytes << ", received "
             << sums.receivedBytes << ", ranks " << sums.ranks;
}

// Of all Window events: by op; `ranks` adds up the ranks, all of the window as 100.
std::map<WindowOp, Sums> sumsOf(const TracedRank& rank) {
  std::map<WindowOp, Sums> all;
  for (const auto& [number, thread] : rank.process->threads) {
    for (const TracedEvent& e : thread.events) {
      if (e.kind != Kind::kWindow) continue;
      Sums& sums = all[static_cast<WindowOp>(e.payload[0] >> 31)];
      const uint32_t target = format::rootOf(e.payload[0]);
      sums.calls++;
      sums.ranks += target == format::kNoRoot ? 100 : target;
      if (e.payloadCount > 2) {
        sums.sentBytes += e.payload[1];
        sums.receivedBytes += e.payload[2];
      }
      EXPECT_TRUE(rank.communicators.at(e.operand).flags & format::kWindowMembers);
    }
  }
  return all;
}

TEST_P(MpiWindows, EachRoutineIsRecordedOnce) {
  TemporaryDirectory scratch;
  const Recorded run = runBoth(onRanks(2, "windows"), scratch);
  ASSERT_NO_FATAL_FAILURE(expectComplete(run));
  ASSERT_EQ(run.ranks.size(), 2u);
  for (const auto& [number, rank] : run.ranks) {
    SCOPED_TRACE("rank " + std::to_string(number));
    const uint64_t o = 1 - number;  // the other one
    const std::map<WindowOp, Sums> expected = {
        {WindowOp::kPut, {2, 8, 0, 2 * o}},
        {WindowOp::kGet, {2, 0, 16, 2 * o}},
        {WindowOp::kAccumulate, {2, 8, 0, 2 * o}},
        {WindowOp::kGetAccumulate, {4, 8, 16, 4 * o}},
        {WindowOp::kFetchAndOp, {2, 4, 8, 2 * o}},
        {WindowOp::kCompareAndSwap, {1, 8, 4, o}},
        {WindowOp::kDone, {4, 12, 12, 4 * o}},
        {WindowOp::kPost, {1, 0, 0, o}},
        {WindowOp::kStart, {1, 0, 0, o}},
        {WindowOp::kComplete, {1, 0, 0, o}},
        {WindowOp::kWait, {1, 0, 0, o}},
        {WindowOp::kLockShared, {2, 0, 0, 100 + o}},
        {WindowOp::kLockExclusive, {1, 0, 0, o}},
        {WindowOp::kUnlock, {3, 0, 0, 100 + 2 * o}},
        {WindowOp::kFlush, {2, 0, 0, 100 + o}},
        {WindowOp::kFlushLocal, {2, 0, 0, 100 + o}},
    };
    const std::map<WindowOp, Sums> found = sumsOf(rank);
    EXPECT_EQ(found.size(), expected.size());
    for (const auto& [op, sums] : expected) {
      ASSERT_TRUE(found.count(op)) << static_cast<int>(op);
      EXPECT_EQ(found.at(op), sums) << static_cast<int>(op);
    }
    const MessageSums messages = tests::sumsOf(*rank.process);
    EXPECT_EQ(messages.collectives.at(format::Collective::kWinCreate).calls, 4u);
    EXPECT_EQ(messages.collectives.at(format::Collective::kWinFree).calls, 4u);
    EXPECT_EQ(messages.collectives.at(format::Collective::kWinFence).calls, 5u);
    EXPECT_EQ(messages.collectives.at(format::Collective::kWinFenceOpen).calls, 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(Mpi, MpiWindows, kAllMpis);

// The MPIs of today come without Fortran.
class MpiWindowsInFortran : public MpiTest {};

TEST_P(MpiWindowsInFortran, EachRoutineIsRecordedOnce) {
  for (const char* name : {"windows_f", "windows_f08"}) {
    SCOPED_TRACE(name);
    TemporaryDirectory scratch;
    const Recorded run = runBoth(onRanks(2, name), scratch);
    ASSERT_NO_FATAL_FAILURE(expectComplete(run));
    ASSERT_EQ(run.ranks.size(), 2u);
    for (const auto& [number, rank] : run.ranks) {
      const uint64_t o = 1 - number;
      const std::map<WindowOp, Sums> expected = {{WindowOp::kPut, {2, 8, 0, 2 * o}},
                                                 {WindowOp::kFetchAndOp, {2, 4, 8, 2 * o}},
                                                 {WindowOp::kGetAccumulate, {1, 0, 4, o}},
                                                 {WindowOp::kDone, {1, 4, 0, o}},
                                                 {WindowOp::kLockExclusive, {1, 0, 0, o}},
                                                 {WindowOp::kUnlock, {1, 0, 0, o}}};
      EXPECT_EQ(sumsOf(rank), expected);
      const MessageSums messages = tests::sumsOf(*rank.process);
      EXPECT_EQ(messages.collectives.at(format::Collective::kWinCreate).calls, 1u);
      EXPECT_EQ(messages.collectives.at(format::Collective::kWinFence).calls, 1u);
      EXPECT_EQ(messages.collectives.at(format::Collective::kWinFenceOpen).calls, 1u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mpi, MpiWindowsInFortran, kDebians);

}  // namespace
}  // namespace parallax::tests
