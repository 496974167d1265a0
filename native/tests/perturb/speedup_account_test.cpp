// What threads owe one another, as arithmetic.
#include <gtest/gtest.h>

#include <atomic>

#include "perturb/speedup_account.h"
#include "perturb/speedup_releases.h"

using namespace parallax::speedup;

constexpr uint64_t kMs = 1000000;

TEST(SpeedupAccount, OwesWhatTheTotalIsAhead) {
  const Account account(5 * kMs);
  EXPECT_EQ(account.due(5 * kMs, 0), 0u);
  EXPECT_EQ(account.due(8 * kMs, 0), 3 * kMs);
  EXPECT_EQ(account.due(8 * kMs, kMs), 2 * kMs) << "it may owe a millisecond";
  EXPECT_EQ(account.due(5 * kMs + Account::kLeastNs, 0), 0u) << "too little to pause for";
}

TEST(SpeedupAccount, WhatIsPausedTooLongIsNotPausedAgain) {
  Account account(0);
  account.raise(3 * kMs);
  EXPECT_EQ(account.due(2 * kMs, 0), 0u);
  EXPECT_EQ(account.due(5 * kMs, 0), 2 * kMs);
}

uint64_t levelAfterWait(uint64_t level, uint64_t waker, uint64_t waited) {
  Account account(level);
  account.beginWait(100 * kMs);
  account.endWait(waker, 100 * kMs + waited);
  return account.level();
}

TEST(SpeedupAccount, WhoWaitsGoesOnFromWhereTheOtherIs) {
  EXPECT_EQ(levelAfterWait(1 * kMs, 9 * kMs, 20 * kMs), 9 * kMs);
  EXPECT_EQ(levelAfterWait(9 * kMs, 1 * kMs, 20 * kMs), 1 * kMs) << "it gains nothing: it had to wait";
}

// It would have come later than the other, which is 8 ms ahead.
TEST(SpeedupAccount, ADebtOutlivesAShortWait) {
  EXPECT_EQ(levelAfterWait(1 * kMs, 9 * kMs, 0), 1 * kMs);
  EXPECT_EQ(levelAfterWait(1 * kMs, 9 * kMs, 3 * kMs), 4 * kMs) << "it came 3 ms too early";
}

TEST(SpeedupAccount, AnAdvanceOutlivesAShortWaitToo) {
  EXPECT_EQ(levelAfterWait(9 * kMs, 1 * kMs, 0), 9 * kMs);
  EXPECT_EQ(levelAfterWait(9 * kMs, 1 * kMs, 3 * kMs), 6 * kMs);
}

// ---------------------------------------------------------------- the waker

class SpeedupWaker : public testing::Test {
 protected:
  static constexpr uintptr_t kLock = 0x601040, kOther = 0x601080;
  void SetUp() override { releases_.start(&shared_); }
  void tell(uintptr_t object, uint16_t thread, uint64_t level) {
    releases_.tell(object, Release{thread, level});
  }
  // Of thread 1, at level 5, which itself is told when it begins to wait.
  void beginWait(uintptr_t object) {
    waker_.beginWait(releases_, object, Release{1, 5});
    tell(object, 1, 5);
  }
  uint64_t level(uintptr_t own = 5) { return waker_.levelOf(releases_, Release{1, own}); }

  std::atomic<uint64_t> shared_{0};
  Releases releases_;
  Waker waker_;
};

TEST_F(SpeedupWaker, IsNobodyAtFirst) {
  beginWait(kLock);
  EXPECT_EQ(level(), 5u);
}

TEST_F(SpeedupWaker, IsWhoLetGoOfTheSameObject) {
  beginWait(kLock);
  tell(kLock, 2, 7);
  tell(kOther, 3, 9);
  EXPECT_EQ(level(), 7u);
}

TEST_F(SpeedupWaker, IsWhoCameLastWithoutAnObject) {
  beginWait(Releases::kNoObject);
  tell(kLock, 2, 7);
  tell(kOther, 3, 9);
  EXPECT_EQ(level(), 9u);
}

TEST_F(SpeedupWaker, CameBeforeWhereNobodyCameSince) {
  tell(kLock, 2, 7);
  tell(kOther, 3, 9);
  beginWait(kLock);
  EXPECT_EQ(level(), 7u);
  for (int i = 0; i < 3; i++) {
    beginWait(Releases::kNoObject);
    EXPECT_EQ(level(), 9u) << "it polls, so that the last one is itself";
  }
}

TEST(SpeedupRelease, IsOneWord) {
  const Release release{Release::mark(4194303), uint64_t{77} * 3600 * 1000 * kMs};
  const Release read = Release::of(release.word());
  EXPECT_EQ(read.thread, release.thread);
  EXPECT_EQ(read.level, release.level);
  EXPECT_NE(Release::mark(0xFFFF), 0) << "nobody";
}
