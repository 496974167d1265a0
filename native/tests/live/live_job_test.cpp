// How the processes of a job agree, with threads for processes.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "live/live_job.h"
#include "live/live_page.h"

namespace parallax::live {
namespace {

TEST(JobPage, AMethodNeedsTheWishOfAll) {
  JobPage page{};
  const auto wish = [&](uint32_t member, uint32_t slot, Wish wished) { page.member[member].wishes[0][slot].store(wished.word); };
  EXPECT_EQ(0, commonWish(page, 2, 0, 5, 10));
  wish(0, 0, Wish::of(3, 7, 0, 63));
  EXPECT_EQ(0, commonWish(page, 2, 0, 5, 10));
  wish(1, 0, Wish::of(11, 7, 0, 63));
  EXPECT_EQ(0, commonWish(page, 2, 0, 5, 10)) << "rank 1 wants it from call 11 on";
  EXPECT_EQ(7, commonWish(page, 2, 0, 5, 11));
  EXPECT_EQ(0, commonWish(page, 2, 1, 5, 11)) << "of another routine";
  wish(0, 1, Wish::of(4, 8, 4, 6));
  EXPECT_EQ(0, commonWish(page, 2, 0, 5, 11)) << "the last wish that fits counts, and they differ";
  EXPECT_EQ(7, commonWish(page, 2, 0, 7, 11));
  wish(1, 3, Wish::of(Wish::kLastCall, 8, 5, 5));
  EXPECT_EQ(0, commonWish(page, 2, 0, 5, 11));
  EXPECT_EQ(8, commonWish(page, 2, 0, 5, Wish::kLastCall));
  EXPECT_EQ(7, decide(page, 2, 0, 7, 11, true));
  wish(1, 0, {});
  EXPECT_EQ(7, decide(page, 2, 0, 7, 11, true)) << "decided is decided";
  EXPECT_EQ(0, decide(page, 2, 0, 7, 12, true));
}

// So many at once; those that are taken back leave room for others, which come last.
TEST(JobPage, PlacesOfWishesThatWereTakenBackAreUsedAgain) {
  JobPage page{};
  Member& own = page.member[0];
  uint64_t from = 0, last = 0;
  std::vector<std::atomic<uint64_t>*> places;
  for (uint8_t method = 1; method <= kWishes; method++) {
    places.push_back(addWish(own, 0, 10, method, 0, 63, &from));
    ASSERT_NE(nullptr, places.back());
    EXPECT_GT(from, last) << "each begins later than the one before, also within one call";
    last = from;
  }
  EXPECT_EQ(nullptr, addWish(own, 0, 10, 9, 0, 63, &from));
  EXPECT_NE(nullptr, addWish(own, 1, 10, 9, 0, 63, &from)) << "of another routine";
  EXPECT_EQ(kWishes, commonWish(page, 1, 0, 5, last));
  for (uint8_t method = 20; method < 60; method++) {
    places[method % kWishes]->store(0);
    ASSERT_NE(nullptr, places[method % kWishes] = addWish(own, 0, 100u + method, method, 0, 63, &from)) << int{method};
    EXPECT_EQ(101u + method, from);
    EXPECT_EQ(method, commonWish(page, 1, 0, 5, from));
    EXPECT_EQ(0, commonWish(page, 1, 0, 5, from - 1)) << "not before its call";
  }
}

// Each wishes and takes back at random between its calls, which end when all have begun them, as those of MPI do.
TEST(JobPage, AllFindTheSameDecisionForEachCall) {
  constexpr uint32_t kMembers = 4;
  constexpr uint64_t kCalls = 20000;
  const auto page = std::make_unique<JobPage>();
  pthread_barrier_t all;
  pthread_barrier_init(&all, nullptr, kMembers);
  std::vector<std::vector<uint8_t>> found(kMembers, std::vector<uint8_t>(kCalls + 1));
  const auto run = [&](uint32_t own) {
    std::mt19937 random(own);
    bool hasWished = false;
    for (uint64_t call = 1; call <= kCalls; call++) {
      if (random() % 4 == 0) {
        const auto method = static_cast<uint8_t>(random() % 8 == 0 ? 0 : 1 + call / 64 % 2);
        const uint32_t slot = random() % 3 == 0 ? 1 : 0;
        page->member[own].wishes[0][slot].store(method == 0 ? 0 : Wish::of(call, method, 0, 63).word);
        hasWished = true;
      }
      found[own][call] = hasWished ? decide(*page, kMembers, 0, 3, call, true) : uint8_t{0};
      pthread_barrier_wait(&all);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t own = 0; own < kMembers; own++) threads.emplace_back(run, own);
  for (std::thread& thread : threads) thread.join();
  pthread_barrier_destroy(&all);
  uint64_t chosen = 0, changes = 0;
  for (uint64_t call = 1; call <= kCalls; call++) {
    for (uint32_t own = 1; own < kMembers; own++) ASSERT_EQ(found[0][call], found[own][call]) << "call " << call;
    chosen += found[0][call] != 0 ? 1 : 0;
    changes += found[0][call] != found[0][call - 1] ? 1 : 0;
  }
  EXPECT_GT(chosen, kCalls / 10);
  EXPECT_GT(changes, kCalls / 100);
}

// Each sleeps at random before its calls. A barrier cannot be left before all have begun it, as the calls of MPI that are counted.
TEST(JobPage, EachFindsWhenTheLastOneBeganTheCall) {
  constexpr uint32_t kMembers = 4;
  constexpr uint64_t kCalls = 5000;
  const auto page = std::make_unique<JobPage>();
  pthread_barrier_t all;
  pthread_barrier_init(&all, nullptr, kMembers);
  std::atomic<uint64_t> clock{0};
  std::vector<std::vector<uint64_t>> begun(kMembers, std::vector<uint64_t>(kCalls + 1)), found = begun;
  const auto run = [&](uint32_t own) {
    std::mt19937 random(own);
    for (uint64_t call = 1; call <= kCalls; call++) {
      if (random() % 64 == 0) sched_yield();
      begun[own][call] = ++clock;
      tellBegin(*page, call, begun[own][call]);
      pthread_barrier_wait(&all);
      if (random() % 64 == 0) sched_yield();
      found[own][call] = lastBegin(*page, call);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t own = 0; own < kMembers; own++) threads.emplace_back(run, own);
  for (std::thread& thread : threads) thread.join();
  pthread_barrier_destroy(&all);
  for (uint64_t call = 1; call <= kCalls; call++) {
    uint64_t last = 0;
    for (uint32_t own = 0; own < kMembers; own++) last = std::max(last, begun[own][call]);
    for (uint32_t own = 0; own < kMembers; own++) ASSERT_EQ(last, found[own][call]) << "call " << call;
  }
}

}  // namespace
}  // namespace parallax::live
