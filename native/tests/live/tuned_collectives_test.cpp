// Ranks whose collectives change their methods.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <thread>

#include "live/live_job.h"
#include "tests/live/tuned_program.h"
#include "tests/mpi/mpi_runner.h"

namespace parallax::tests {
namespace {

using live::MonitoredPage;

// By default as many as end soon: processes of MPICH do not let others run while they wait.
int settingOr(const char* name, int value) {
  const char* text = getenv(name);
  return text == nullptr ? value : atoi(text);
}

live::AskedAction chosen(uint32_t id, const std::string& routine, const std::string& method, int64_t least = 0, int64_t most = INT64_MAX) {
  live::AskedAction action;
  action.id = id;
  action.kind = live::ActionKind::kCollective;
  action.name = routine;
  action.text = method;
  action.arguments = {live::Argument::of(least), live::Argument::of(most)};
  return action;
}

live::AskedAction undone(uint32_t id, uint32_t undoes) {
  live::AskedAction action;
  action.id = id;
  action.kind = live::ActionKind::kUndo;
  action.undoes = undoes;
  return action;
}

// How often the decision changes between methods. Looks as often as it can.
class Watched {
 public:
  explicit Watched(const std::string& directory) {
    for (const auto& file : std::filesystem::directory_iterator(directory)) {
      if (file.path().extension() != live::kJobEnding) continue;
      const int fd = open(file.path().c_str(), O_RDONLY);
      void* at = mmap(nullptr, sizeof(live::JobPage), PROT_READ, MAP_SHARED, fd, 0);
      close(fd);
      if (at != MAP_FAILED) page_ = static_cast<const live::JobPage*>(at);
    }
  }
  bool isThere() const { return page_ != nullptr; }
  void look() {
    const auto method = static_cast<int>(page_->decision.load() & 0xff);
    if (method != last_) changes_++;
    last_ = method;
    seen_[static_cast<size_t>(method)]++;
  }
  int changes() const { return changes_; }
  int seen(size_t method) const { return seen_[method]; }

 private:
  const live::JobPage* page_ = nullptr;
  int last_ = 0, changes_ = 0;
  int seen_[256] = {};
};

class TunedCollectives : public MpiTest {
 protected:
  void SetUp() override { setUpYielding("tuned_collectives"); }
  void begin(TunedProgram& program, int ranks, int calls, int pauseUs) {
    program.start(onRanks(ranks, "tuned_collectives", {program.gates(), std::to_string(calls), std::to_string(pauseUs)}));
    for (int rank = 0; rank < ranks; rank++) program.awaited("ready" + std::to_string(rank));
    pages_ = program.awaitPages("tuned_collectives." + mpi(), static_cast<size_t>(ranks));
    for (auto& [pid, page] : pages_) byRank_.push_back(&page);
  }
  std::map<int, MonitoredPage> pages_;
  std::vector<MonitoredPage*> byRank_;
};

// Asks all, each a little later than the one before; waits for the answers. False: the program ends.
bool askAll(const std::vector<MonitoredPage*>& pages, const std::function<live::AskedAction(size_t)>& actionOf, const std::function<void()>& meanwhile,
            const std::function<bool()>& hasEnded, int* refused) {
  for (size_t i = 0; i < pages.size(); i++) {
    EXPECT_EQ("", pages[i]->ask(actionOf(i)));
    meanwhile();
  }
  for (MonitoredPage* page : pages) {
    for (std::vector<live::Answer> answers; answers.empty();) {
      if (hasEnded()) return false;
      meanwhile();
      answers = page->takeAnswers();
      for (const live::Answer& answer : answers) {
        if (!answer.done && ++*refused == 1) ADD_FAILURE() << answer.text;
      }
    }
  }
  return true;
}

TEST_P(TunedCollectives, AllRanksChangeTheMethodAtTheSameCall) {
  const int calls = settingOr("PARALLAX_TEST_CALLS", isOpenMpi() ? 1000 : 300), ranks = settingOr("PARALLAX_TEST_RANKS", isOpenMpi() ? 4 : 2);
  std::vector<std::pair<std::string, std::string>> methods{{"MPI_Allreduce", "exchange"}, {"MPI_Allreduce", "reduce-bcast"},
      {"MPI_Allreduce", "scatter-gather"}, {"MPI_Alltoall", "pairwise"}, {"MPI_Alltoall", "linear"}};
  if (mpi() == "mpich") methods.insert(methods.end(), {{"MPI_Alltoall", "mpich:brucks"}, {"MPI_Allreduce", "mpich:recursive_doubling"}});
  std::string untuned;
  {
    TunedProgram program;
    begin(program, ranks, calls, isOpenMpi() ? 0 : 300);
    program.open("go");
    untuned = program.awaited("result");
    EXPECT_EQ("0 wrong", untuned.substr(0, 7));
    EXPECT_EQ(0, program.end());
  }
  pages_.clear();
  byRank_.clear();
  TunedProgram program;
  begin(program, ranks, calls, isOpenMpi() ? 0 : 300);
  Watched watched(program.pages());
  ASSERT_TRUE(watched.isThere());
  program.open("go");
  std::mt19937 random(19);
  const std::string result = program.gates() + "/result";
  const auto hasEnded = [&] { return access(result.c_str(), F_OK) == 0; };
  const auto look = [&] { watched.look(); };
  uint32_t id = 1;
  int refused = 0, switches = 0;
  while (!hasEnded()) {
    const auto& [routine, method] = methods[random() % methods.size()];
    std::shuffle(byRank_.begin(), byRank_.end(), random);
    const int64_t least = random() % 2 == 0 ? 0 : 64;
    const uint32_t first = id;
    if (!askAll(byRank_, [&, name = routine, text = method](size_t) { return chosen(id++, name, text, least); }, look, hasEnded, &refused)) break;
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 1500);
    while (std::chrono::steady_clock::now() < until) {
      look();
      usleep(20);
    }
    if (!askAll(byRank_, [&](size_t i) { return undone(id++, first + static_cast<uint32_t>(i)); }, look, hasEnded, &refused)) break;
    switches++;
  }
  EXPECT_EQ(untuned, program.awaited("result"));
  EXPECT_EQ(0, program.end());
  EXPECT_EQ(0, refused);
  EXPECT_GT(switches, 3);
  EXPECT_GT(watched.changes(), 3);
  if (getenv("PARALLAX_TEST_CALLS") != nullptr) {
    printf("%s: %d switches on and off, %d changes seen;", mpi().c_str(), switches, watched.changes());
    for (size_t method = 0; method < 256; method++) {
      if (watched.seen(method) > 0) printf(" %zu: %d", method, watched.seen(method));
    }
    printf("\n");
  }
}

TEST_P(TunedCollectives, WhatNotAllCanDoIsRefused) {
  TunedProgram program;
  begin(program, 2, 200, 2000);
  program.open("go");
  live::Answer answer = answerTo(*byRank_[0], chosen(1, "MPI_Bcast", "exchange"));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("\"MPI_Bcast\" has no other methods", answer.text);
  answer = answerTo(*byRank_[0], chosen(2, "MPI_Alltoall", "exchange"));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("there is no method \"exchange\" of MPI_Alltoall; there is pairwise linear", answer.text);
  answer = answerTo(*byRank_[0], chosen(3, "MPI_Alltoall", "mpich:none"));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ(isOpenMpi() ? "this MPI library is not MPICH" : "this MPICH has no algorithm \"none\"", answer.text);
  // What only one wants is not done, and hinders nobody.
  answer = answerTo(*byRank_[0], chosen(4, "MPI_Alltoall", "pairwise"));
  EXPECT_TRUE(answer.done) << answer.text;
  EXPECT_EQ("0 wrong", program.awaited("result").substr(0, 7));
  EXPECT_EQ(0, program.end());
}

// Not those of doubles, in place, on few bytes or that fail; and "mpi:*" has no call twice. The time begins when the last process does.
TEST_P(TunedCollectives, ChoosableCallsAreCountedAfterTheLastProcessHasBegun) {
  TunedProgram program;
  begin(program, 2, 150, 300);
  for (MonitoredPage* page : byRank_) {
    ASSERT_EQ("", page->setPoints({{{"MPI_Allreduce:choosable"}, live::Key::kNone},
                                   {{"MPI_Alltoall:choosable"}, live::Key::kSize},
                                   {{"MPI_Allreduce"}, live::Key::kNone},
                                   {{"MPI_Alltoall"}, live::Key::kNone},
                                   {{"MPI_Allreduce", "MPI_Alltoall", "MPI_Alltoall:choosable"}, live::Key::kNone},
                                   {{"mpi:*"}, live::Key::kNone},
                                   {{"mpi:*", "MPI_Alltoall:choosable"}, live::Key::kNone}}));
  }
  program.open("go");
  const std::string result = program.awaited("result");
  int wrong = 0;
  uint64_t reductions = 0, exchanges = 0;
  ASSERT_EQ(3, sscanf(result.c_str(), "%d wrong, %lu reductions, %lu exchanges", &wrong, &reductions, &exchanges)) << result;
  EXPECT_EQ(0, wrong);
  EXPECT_GT(reductions, 20u);
  EXPECT_GT(exchanges, 20u);
  EXPECT_EQ(0, program.end());
  for (const MonitoredPage* page : byRank_) {
    uint64_t visits[7] = {}, ns[7] = {};
    for (const live::Count& count : page->counts()) {
      visits[count.point] += count.count;
      ns[count.point] += count.ns;
    }
    EXPECT_EQ(reductions, visits[0]);
    EXPECT_EQ(exchanges, visits[1]);
    EXPECT_GT(visits[2], visits[0]);
    EXPECT_GT(visits[3], visits[1]);
    EXPECT_EQ(visits[4], visits[1] + visits[2] + visits[3]);
    EXPECT_EQ(visits[6], visits[1] + visits[5]);
    EXPECT_LT(ns[0], ns[2]);
    EXPECT_LT(ns[1], ns[3]);
    EXPECT_GT(ns[0], 0u);
    EXPECT_EQ(0u, page->header().lost.load());
  }
}

INSTANTIATE_TEST_SUITE_P(All, TunedCollectives, kDebians, [](const auto& mpi) { return std::string(mpi.param); });

}  // namespace
}  // namespace parallax::tests
