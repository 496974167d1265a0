// The live page from both sides, in one process.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "live/live_agent.h"
#include "live/live_tunables.h"
#include "live/monitored_page.h"
#include "live/visit.h"
#include "tests/temporary_directory.h"

namespace parallax::live {
namespace {

using format::Group;

// Visits as they come from a routine.
struct Routine {
  const char* name;
  Group group;
  std::atomic<uint64_t> known{0};

  RoutinePoints points() { return pointsOf(name, group, known); }
  void visit(uint64_t ticks) {
    Visit visit;
    visit.begin(points());
    if (visit.isOn()) visit.end(ticks);
  }
  void send(uint32_t peer, uint64_t bytes, uint64_t ticks = 10) {
    Visit visit;
    visit.begin(points());
    visit.message(peer, bytes);
    if (visit.isOn()) visit.end(ticks);
  }
};

Routine sends{"MPI_Send", Group::kMpi}, packs{"pvm_send", Group::kPvm}, locks{"pthread_mutex_lock", Group::kPthread};

class LivePage : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new TemporaryDirectory;
    ASSERT_EQ(nullptr, begin(scratch_->path().c_str(), "/a/program", 1000000000));
  }
  static void TearDownTestSuite() { delete scratch_; }
  void SetUp() override { ASSERT_EQ("", page_.open(path())); }
  void TearDown() override { page_.setPoints({}); }

  static std::string path() { return *scratch_ / (std::to_string(getpid()) + kEnding); }
  Count only() const {
    const std::vector<Count> counts = page_.counts();
    EXPECT_EQ(1u, counts.size());
    return counts.empty() ? Count{} : counts[0];
  }

  static TemporaryDirectory* scratch_;
  MonitoredPage page_;
};
TemporaryDirectory* LivePage::scratch_ = nullptr;

TEST_F(LivePage, SaysWhoseItIsAndIsTheUsersAlone) {
  struct stat status;
  ASSERT_EQ(0, stat(path().c_str(), &status));
  EXPECT_EQ(0600u, status.st_mode & 0777);
  EXPECT_EQ(kPageBytes, static_cast<uint64_t>(status.st_size));
  EXPECT_LT(status.st_blocks * 512, 2 << 20) << "the file is sparse";
  EXPECT_EQ(getpid(), page_.header().pid);
  EXPECT_EQ("/a/program", page_.program());
  EXPECT_GT(page_.header().startTicks, 0u);
  EXPECT_EQ(-1, page_.header().rank.load());
  EXPECT_FALSE(page_.hasEnded());
  tellRank(3);
  EXPECT_EQ(3, page_.header().rank.load());
  tellLibrary("Open MPI v4.1.4, package: x\nmore");
  EXPECT_EQ("Open MPI v4.1.4, package: x", page_.library());
  tellLibrary("another");
  EXPECT_EQ("Open MPI v4.1.4, package: x", page_.library());
}

TEST_F(LivePage, IsNotMadeInADirectoryThatOthersMayEnter) {
  TemporaryDirectory open;
  chmod(open.path().c_str(), 0755);
  const pid_t child = fork();
  if (child == 0) _exit(begin(open.path().c_str(), "p", 1) != nullptr ? 0 : 1);
  int status;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
  EXPECT_TRUE(std::filesystem::is_empty(open.path()));
}

TEST_F(LivePage, FilesOfOtherKindsAreRefused) {
  MonitoredPage page;
  std::ofstream(*scratch_ / "x.live") << "PLXLIVE1";
  EXPECT_NE("", page.open(*scratch_ / "x.live"));
  EXPECT_NE("", page.open(*scratch_ / "none.live"));
  std::ofstream(*scratch_ / "y.live") << std::string(kPageBytes, 'x');
  EXPECT_NE("", page.open(*scratch_ / "y.live"));
}

TEST_F(LivePage, NothingIsAskedUntilAPointIsOn) {
  EXPECT_FALSE(isAsked());
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kNone}}));
  EXPECT_TRUE(isAsked());
  ASSERT_EQ("", page_.setPoints({}));
  EXPECT_FALSE(isAsked());
}

TEST_F(LivePage, CountsMessagesBySizeClassExactly) {
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kSize}}));
  for (const uint64_t bytes : {0, 1, 2, 3, 4, 1023, 1024, 1024}) sends.send(1, bytes);
  std::map<uint64_t, std::pair<uint64_t, double>> found;
  for (const Count& count : page_.counts()) found[count.key] = {count.count, count.squares};
  const std::map<uint64_t, std::pair<uint64_t, double>> planted{
      {0, {1, 0}}, {1, {1, 1}}, {2, {2, 13}}, {4, {1, 16}}, {512, {1, 1023.0 * 1023}}, {1024, {2, 2.0 * 1024 * 1024}}};
  EXPECT_EQ(planted, found);
}

TEST_F(LivePage, APointCountsTheRoutinesAndGroupsThatItNames) {
  ASSERT_EQ("", page_.setPoints({{{"mpi:*", "pvm_send"}, Key::kNone}, {{"pvm_send"}, Key::kNone}, {{"MPI_Sen"}, Key::kNone}}));
  sends.send(1, 10);
  packs.send(2, 100);
  locks.visit(5);
  std::map<uint32_t, uint64_t> bytes;
  for (const Count& count : page_.counts()) bytes[count.point] = count.bytes;
  EXPECT_EQ((std::map<uint32_t, uint64_t>{{0, 110}, {1, 100}}), bytes);
  EXPECT_TRUE(isMeasured(Group::kMpi));
  EXPECT_FALSE(isMeasured(Group::kPthread));
  ASSERT_EQ("", page_.setPoints({{{"pthread_mutex_lock"}, Key::kNone}}));
  EXPECT_FALSE(isMeasured(Group::kMpi));
  EXPECT_TRUE(isMeasured(Group::kPthread));
}

TEST_F(LivePage, AVisitWithSeveralMessagesCountsEachAndItsTimeOnce) {
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kPeer}}));
  Visit visit;
  visit.begin(sends.points());
  for (const uint32_t peer : {4, 5, 5}) visit.message(peer, 10);
  visit.end(1000);
  const auto counts = page_.counts();
  ASSERT_EQ(2u, counts.size());
  EXPECT_EQ(4u, counts[0].key);
  EXPECT_EQ(1u, counts[0].count);
  EXPECT_EQ(1000u, counts[0].ns);
  EXPECT_EQ(2u, counts[1].count);
  EXPECT_EQ(20u, counts[1].bytes);
  EXPECT_EQ(0u, counts[1].ns);
  EXPECT_EQ(0u, counts[1].leastNs);
}

TEST_F(LivePage, LeastAndMostTimesAreOfSingleVisits) {
  ASSERT_EQ("", page_.setPoints({{{"pthread_mutex_lock"}, Key::kNone}}));
  for (const uint64_t ticks : {50, 20, 900}) locks.visit(ticks);
  const Count count = only();
  EXPECT_EQ(3u, count.count);
  EXPECT_EQ(970u, count.ns);
  EXPECT_EQ(20u, count.leastNs);
  EXPECT_EQ(900u, count.mostNs);
}

TEST_F(LivePage, MorePeersThanCellsAreOthersAndNoneIsLost) {
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kPeer}}));
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t peer = 0; peer < 500; peer++) sends.send(peer, 1);
  }
  uint64_t all = 0, others = 0;
  for (const Count& count : page_.counts()) {
    all += count.count;
    if (count.key == kOthers) others += count.count;
    if (count.key != kOthers) {
      EXPECT_EQ(3u, count.count);
    }
  }
  EXPECT_EQ(1500u, all);
  EXPECT_EQ(1500u - 63 * 3, others);
}

TEST_F(LivePage, APointThatStaysGoesOnCountingAndANewOneBeginsAtNothing) {
  const AskedPoint first{{"MPI_Send"}, Key::kNone}, second{{"pvm_send"}, Key::kNone}, third{{"pthread_mutex_lock"}, Key::kNone};
  ASSERT_EQ("", page_.setPoints({first, second}));
  sends.send(1, 10);
  packs.send(1, 20);
  ASSERT_EQ("", page_.setPoints({third, first}));
  sends.send(1, 10);
  packs.send(1, 20);
  std::map<uint32_t, uint64_t> counts;
  for (const Count& count : page_.counts()) counts[count.point] = count.count;
  EXPECT_EQ((std::map<uint32_t, uint64_t>{{1, 2}}), counts);
  locks.visit(5);
  counts.clear();
  for (const Count& count : page_.counts()) counts[count.point] = count.count;
  EXPECT_EQ((std::map<uint32_t, uint64_t>{{0, 1}, {1, 2}}), counts);
}

// The place of the first point has another one by the time that the visit ends.
TEST_F(LivePage, AVisitDoesNotCountInAPointThatCameLater) {
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kNone}}));
  Visit visit;
  visit.begin(sends.points());
  ASSERT_EQ("", page_.setPoints({{{"pvm_send"}, Key::kNone}}));
  visit.end(5);
  EXPECT_TRUE(page_.counts().empty());
}

TEST_F(LivePage, PointsThatCannotBeAreRefused) {
  EXPECT_NE("", page_.setPoints(std::vector<AskedPoint>(kPoints + 1, {{"MPI_Send"}, Key::kNone})));
  EXPECT_NE("", page_.setPoints({{{}, Key::kNone}}));
  EXPECT_NE("", page_.setPoints({{{std::string(300, 'x')}, Key::kNone}}));
  EXPECT_EQ("", page_.setPoints(std::vector<AskedPoint>(kPoints, {{"MPI_Send"}, Key::kNone})));
}

TEST_F(LivePage, ManyThreadsCountExactlyWhileAMonitorReads) {
  constexpr int kThreads = 16, kTimes = 20000;
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kNone}}));
  const uint64_t lost = page_.header().lost.load();
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([&] {
      Routine own{"MPI_Send", Group::kMpi};
      for (int i = 0; i < kTimes; i++) own.send(1, 3);
      leaveShard();
      running--;
    });
  }
  uint64_t before = 0;
  while (running > 0) {
    for (const Count& count : page_.counts()) {
      EXPECT_GE(count.count, before);
      // Of a thread that does not run at the moment, a message may be half there.
      EXPECT_NEAR(3.0 * static_cast<double>(count.count), static_cast<double>(count.bytes), 3 * kThreads);
      EXPECT_NEAR(9.0 * static_cast<double>(count.count), count.squares, 9 * kThreads);
      before = count.count;
    }
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(uint64_t{kThreads} * kTimes, only().count);
  EXPECT_EQ(lost, page_.header().lost.load());
}

// More threads than shards at a time: the rest share the last one.
TEST_F(LivePage, ThreadsWithoutAShardOfTheirOwnLoseNothingUntold) {
  constexpr int kThreads = kOwnShards + 8, kTimes = 500;
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kNone}}));
  const uint64_t lost = page_.header().lost.load();
  std::atomic<int> counting{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([&] {
      Routine own{"MPI_Send", Group::kMpi};
      own.send(1, 3);
      counting++;
      while (counting < kThreads) usleep(100);
      for (int i = 1; i < kTimes; i++) own.send(1, 3);
      leaveShard();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(uint64_t{kThreads} * kTimes, only().count + page_.header().lost.load() - lost);
}

// A handler of a signal has left the writing of a cell by longjmp.
TEST_F(LivePage, ACellThatWasLeftIsWrittenAgainAndHoldsUpNobody) {
  constexpr uint32_t kClasses = 40;
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kSize}}));
  sends.send(1, 0);
  uint32_t shard = 0;
  while ((page().header().usedRows[shard].load() & 1) == 0) shard++;
  for (uint32_t k = 1; k < kClasses; k++) sends.send(1, leastBytes(k));
  Cell* const row = page().row(shard, 0);
  for (uint32_t k = 0; k < kClasses; k++) row[k].sequence.fetch_add(1);
  EXPECT_EQ(kClasses, page_.counts().size());
  int64_t leastMs = INT64_MAX;
  for (int i = 0; i < 5; i++) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(kClasses, page_.counts().size());
    leastMs = std::min<int64_t>(leastMs, std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count());
  }
  EXPECT_LT(leastMs, kClasses / 2);  // each wait takes 1 ms
  sends.send(1, 0);
  EXPECT_EQ(0u, row[0].sequence.load() & 1);
  EXPECT_EQ(2u, page_.counts()[0].count);
}

// A row that the disk has no room for, and a cell of the shared shard whose writer does not come back.
TEST_F(LivePage, WhatFailsIsTriedAgainAfterAWhileAndNotAtEachVisit) {
  ASSERT_EQ("", page_.setPoints({{{"pvm_send"}, Key::kPeer}, {{"MPI_Send"}, Key::kNone}, {{"pthread_mutex_lock"}, Key::kNone}}));
  std::vector<std::atomic<uint32_t>*> taken;
  for (auto& owner : page().header().owners) {
    uint32_t nobody = 0;
    if (owner.compare_exchange_strong(nobody, 1)) taken.push_back(&owner);
  }
  const auto countOf = [&](uint32_t point) {
    uint64_t count = 0;
    for (const Count& each : page_.counts()) count += each.point == point ? each.count : 0;
    return count;
  };
  const auto soon = [](const std::function<bool()>& holds) {
    for (int i = 0; i < 500; i++) {
      if (holds()) return true;
      usleep(10000);
    }
    return false;
  };
  std::thread shares([&] {
    Routine own{"MPI_Send", Group::kMpi}, other{"pthread_mutex_lock", Group::kPthread};
    own.send(1, 3);
    EXPECT_EQ(1u, countOf(1));
    page().row(kSharedShard, 1)[0].sequence.fetch_add(1);
    const uint64_t lost = page().header().lost.load();
    own.send(1, 3);
    EXPECT_EQ(lost + 1, page().header().lost.load());
    ASSERT_EQ(0, rename(path().c_str(), (path() + ".away").c_str()));
    other.visit(5);
    ASSERT_EQ(0, rename((path() + ".away").c_str(), path().c_str()));
    other.visit(5);
    EXPECT_EQ(lost + 3, page().header().lost.load());
    EXPECT_TRUE(soon([&] {
      own.send(1, 3);
      other.visit(5);
      return countOf(1) > 1 && countOf(2) > 0;
    }));
    leaveShard();
  });
  shares.join();
  for (auto* owner : taken) owner->store(0);
}

// ----------------------------------------------------------------- actions

TEST_F(LivePage, AnActionIsInThePageUntilItIsAnsweredOrTakenBack) {
  AskedAction action;
  action.id = 5;
  action.name = "pvm_setopt";
  action.at = "pvm_send";
  action.arguments = {Argument::of(4), Argument::ofDouble(2.5), Argument::ofText("text")};
  ASSERT_EQ("", page_.ask(action));
  EXPECT_EQ(oneActionAsked, page().header().asked.load());
  EXPECT_EQ((std::vector<uint32_t>{5}), page_.unanswered());
  const Action& asked = page().action(0);
  EXPECT_STREQ("pvm_setopt", asked.name);
  EXPECT_STREQ("text", asked.text + asked.arguments[2]);
  EXPECT_TRUE(names(asked.at, sizeof asked.at, "pvm_send", Group::kPvm));
  EXPECT_FALSE(names(asked.at, sizeof asked.at, "pvm_psend", Group::kPvm));
  EXPECT_TRUE(page_.takeBack(5));
  EXPECT_FALSE(page_.takeBack(5));
  EXPECT_EQ(0u, page().header().asked.load());
  EXPECT_TRUE(page_.takeAnswers().empty());
}

// A process that has looked at an action takes no other one that has come into its place.
TEST_F(LivePage, AnotherActionInTheSamePlaceIsNotTakenForTheFormer) {
  AskedAction action;
  action.id = 5;
  action.name = "f";
  ASSERT_EQ("", page_.ask(action));
  const uint64_t seen = page().action(0).place.load();
  EXPECT_EQ(actionWord(ActionState::kAsked, 5), seen);
  EXPECT_TRUE(page_.takeBack(5));
  action.id = 6;
  ASSERT_EQ("", page_.ask(action));
  EXPECT_NE(seen, page().action(0).place.load());
  EXPECT_TRUE(page_.takeBack(6));
}

void* watchedPage;
constexpr size_t kHeaderBytes = 4096;
uint64_t placeAtRaise;

// Else a process that takes one while it looks for another one would lower the number below 0. The page of the header cannot be
// written: at the first try, the handler sees what the action is then.
TEST_F(LivePage, AnActionIsAmongThoseThatAreAskedBeforeItCanBeTaken) {
  watchedPage = const_cast<Header*>(&page_.header());
  placeAtRaise = UINT64_MAX;
  struct sigaction action {}, before {};
  action.sa_handler = [](int) {
    placeAtRaise = page().action(0).place.load();
    mprotect(watchedPage, kHeaderBytes, PROT_READ | PROT_WRITE);
  };
  ASSERT_EQ(0, sigaction(SIGSEGV, &action, &before));
  ASSERT_EQ(0, mprotect(watchedPage, kHeaderBytes, PROT_READ));
  AskedAction asked;
  asked.id = 5;
  asked.name = "f";
  EXPECT_EQ("", page_.ask(asked));
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(ActionState::kFree, actionState(placeAtRaise));
  EXPECT_EQ(actionWord(ActionState::kAsked, 5), page().action(0).place.load());
  EXPECT_TRUE(page_.takeBack(5));
}

TEST_F(LivePage, WhatAKilledMonitorHasLeftIsCleared) {
  ASSERT_EQ("", page_.setPoints({{{"MPI_Send"}, Key::kNone}}));
  AskedAction action;
  action.id = 7;
  action.name = "f";
  ASSERT_EQ("", page_.ask(action));
  page().header().asked.fetch_add(oneActionAsked);  // it was killed before it had set another one
  page_.clear();
  EXPECT_EQ(0u, page().header().asked.load());
  EXPECT_TRUE(page_.unanswered().empty());
  EXPECT_TRUE(sends.points().isEmpty());
}

TEST_F(LivePage, HasRoomForSoManyActions) {
  AskedAction action;
  action.name = "f";
  for (action.id = 1; action.id <= kActions; action.id++) ASSERT_EQ("", page_.ask(action));
  EXPECT_NE("", page_.ask(action));
  for (uint32_t id = 1; id <= kActions; id++) EXPECT_TRUE(page_.takeBack(id));
  action.name = std::string(200, 'x');
  EXPECT_NE("", page_.ask(action));
  action.name = "f";
  action.arguments.resize(kMostArguments + 1);
  EXPECT_NE("", page_.ask(action));
  EXPECT_EQ(0u, page().header().asked.load());
}

TEST_F(LivePage, AnyStandsForMessagesAndNotForLocks) {
  EXPECT_TRUE(names("any", 4, "MPI_Send", Group::kMpi));
  EXPECT_TRUE(names("any", 4, "parallax_tuning_point", Group::kUser));
  EXPECT_FALSE(names("any", 4, "pthread_mutex_lock", Group::kPthread));
  EXPECT_TRUE(names("pthread:*", 10, "pthread_mutex_lock", Group::kPthread));
}

// --------------------------------------------------------------- tunables

TEST_F(LivePage, TunablesAreShownWithTheirLimits) {
  static int64_t unit = -5;
  static float share = 0.25f;
  const auto bits = [](double number) {
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return word;
  };
  EXPECT_TRUE(declare("unit", ValueType::kI64, &unit, static_cast<uint64_t>(-10), 10));
  EXPECT_TRUE(declare("share", ValueType::kF32, &share, bits(0), bits(1)));
  EXPECT_FALSE(declare("wrong", ValueType::kI64, &unit, 10, static_cast<uint64_t>(-10)));
  EXPECT_FALSE(declare("", ValueType::kI64, &unit, 0, 1));
  const auto variables = page_.tunables();
  ASSERT_EQ(2u, variables.size());
  EXPECT_EQ("unit", variables[0].name);
  EXPECT_EQ(-5, static_cast<int64_t>(variables[0].value));
  EXPECT_EQ(-10, static_cast<int64_t>(variables[0].least));
  EXPECT_EQ(bits(0.25), variables[1].value);
  EXPECT_TRUE(isWithin(*findTunable("unit"), static_cast<uint64_t>(-10)));
  EXPECT_FALSE(isWithin(*findTunable("unit"), 11));
  EXPECT_FALSE(isWithin(*findTunable("share"), bits(1.5)));
  EXPECT_EQ(nullptr, findTunable("none"));
}

}  // namespace
}  // namespace parallax::live
