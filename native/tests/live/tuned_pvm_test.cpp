// A task of PVM that is tuned.
#include <gtest/gtest.h>

#include "tests/live/tuned_program.h"
#include "tests/pvm/pvm_daemon.h"

namespace parallax::tests {
namespace {

using live::Count;
using live::Key;
using live::MonitoredPage;

class TunedPvm : public testing::TestWithParam<bool> {
 protected:
  static void SetUpTestSuite() { daemon_ = new PvmDaemon; }
  static void TearDownTestSuite() { delete daemon_; }

  static PvmDaemon* daemon_;
};
PvmDaemon* TunedPvm::daemon_ = nullptr;

TEST_P(TunedPvm, SizesAreExactAndAnOptionIsSetOnlyOutsideOfItsRoutines) {
  TunedProgram program;
  program.start({PARALLAX_PROGRAMS_DIR "/tuned_pvm", program.gates()}, GetParam());
  program.awaited("ready");
  MonitoredPage page = program.awaitPage("tuned_pvm");
  EXPECT_GT(page.header().task.load(), 0);
  EXPECT_EQ("pvm 3.4.6", page.library().substr(0, 9));
  ASSERT_EQ("", page.setPoints({{{"pvm_send"}, Key::kSize}, {{"pvm_recv"}, Key::kPeer}, {{"pvm:*"}, Key::kNone}}));
  program.open("go");
  program.awaited("sent");
  std::map<uint64_t, Count> sent;
  uint64_t received = 0, peers = 0, all = 0;
  for (const Count& count : page.counts()) {
    if (count.point == 0) sent[count.key] = count;
    if (count.point == 1) received += count.bytes;
    if (count.point == 1) peers += count.key == static_cast<uint64_t>(page.header().task.load());
    if (count.point == 2) all += count.count;
  }
  ASSERT_EQ(4u, sent.size());
  const std::map<uint64_t, std::pair<uint64_t, uint64_t>> planted{{1, {5, 1}}, {64, {7, 100}}, {4096, {3, 5000}}, {262144, {2, 300000}}};
  for (const auto& [key, count] : sent) {
    const auto& [times, bytes] = planted.at(key);
    EXPECT_EQ(times, count.count) << key;
    EXPECT_EQ(times * bytes, count.bytes) << key;
    EXPECT_EQ(static_cast<double>(times * bytes) * static_cast<double>(bytes), count.squares) << key;
    EXPECT_GT(count.leastNs, 0u);
    EXPECT_GE(count.ns, count.leastNs + (times > 1 ? count.mostNs : 0));
  }
  EXPECT_EQ(5u * 1 + 7 * 100 + 3 * 5000 + 2 * 300000, received);
  EXPECT_EQ(1u, peers);
  EXPECT_EQ(34u, all);

  // pvm_psend calls pvm_send in the library, which is no safe moment.
  constexpr int64_t kFragmentSize = 10;
  live::AskedAction action;
  action.id = 1;
  action.at = "pvm_send";
  action.name = "pvm_setopt";
  action.arguments = {live::Argument::of(kFragmentSize), live::Argument::of(65536)};
  ASSERT_EQ("", page.ask(action));
  program.open("packed");
  program.awaited("packedSent");
  EXPECT_TRUE(page.takeAnswers().empty());
  program.open("next");
  EXPECT_EQ("65536\n", program.awaited("result"));
  const auto answers = page.takeAnswers();
  ASSERT_EQ(1u, answers.size());
  EXPECT_TRUE(answers[0].done) << answers[0].text;
  EXPECT_EQ(4080, static_cast<int64_t>(answers[0].result));
  EXPECT_EQ(0, program.end());
}

INSTANTIATE_TEST_SUITE_P(, TunedPvm, testing::Bool(), [](const auto& recorded) { return recorded.param ? "Recorded" : "Alone"; });

}  // namespace
}  // namespace parallax::tests
