// Programs that are tuned: what is counted of them, and actions at safe moments.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "tests/live/tuned_program.h"

namespace parallax::tests {
namespace {

using live::ActionKind;
using live::Answer;
using live::Argument;
using live::AskedAction;
using live::Count;
using live::Key;
using live::MonitoredPage;
using live::ValueType;

AskedAction call(uint32_t id, const std::string& at, const std::string& name, std::vector<Argument> arguments) {
  AskedAction action;
  action.id = id;
  action.at = at;
  action.name = name;
  action.arguments = std::move(arguments);
  return action;
}

AskedAction set(uint32_t id, ActionKind kind, const std::string& name, ValueType type, int64_t value) {
  AskedAction action = call(id, "any", name, {Argument::of(value)});
  action.kind = kind;
  action.valueType = type;
  return action;
}

AskedAction undo(uint32_t id, uint32_t undoes) {
  AskedAction action;
  action.id = id;
  action.kind = ActionKind::kUndo;
  action.undoes = undoes;
  return action;
}

uint64_t bitsOf(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  return word;
}

double doubleOf(uint64_t word) {
  double number;
  memcpy(&number, &word, sizeof number);
  return number;
}

uint64_t locksOf(const MonitoredPage& page) {
  uint64_t count = 0;
  for (const Count& each : page.counts()) count += each.count;
  return count;
}

class Tuned : public testing::TestWithParam<bool> {
 protected:
  void start(const std::string& way) { program_.start({guest("tuned"), way, program_.gates()}, GetParam()); }
  TunedProgram program_;
};

TEST_P(Tuned, LocksOfManyThreadsAreCountedExactlyWhileAMonitorReads) {
  start("locks");
  MonitoredPage page = program_.awaitPage("guest-tuned");
  ASSERT_EQ("", page.setPoints({{{"pthread_mutex_lock"}, Key::kNone}}));
  program_.open("go");
  uint64_t before = 0;
  EXPECT_TRUE(soon([&] {
    const uint64_t now = locksOf(page);
    EXPECT_GE(now, before);
    before = now;
    return access((program_.gates() + "/done").c_str(), F_OK) == 0;
  }));
  EXPECT_EQ(0, program_.end());
  EXPECT_EQ(80000u, locksOf(page));
  EXPECT_EQ(0u, page.header().lost.load());
  EXPECT_TRUE(page.hasEnded());
}

TEST_P(Tuned, VariablesChangeAtATuningPointAndAreRestored) {
  start("variables");
  program_.awaited("ready");
  MonitoredPage page = program_.awaitPage("guest-tuned");
  const auto tunables = page.tunables();
  ASSERT_EQ(2u, tunables.size());
  EXPECT_EQ("work_unit", tunables[0].name);
  EXPECT_EQ(64u, tunables[0].value);
  EXPECT_EQ(4096u, tunables[0].most);

  Answer answer = answerTo(page, set(1, ActionKind::kTunable, "work_unit", ValueType::kI64, 128));
  EXPECT_TRUE(answer.done) << answer.text;
  EXPECT_EQ(64u, answer.old);
  EXPECT_EQ(128u, answer.result);
  EXPECT_EQ(128u, page.tunables()[0].value);
  answer = answerTo(page, set(2, ActionKind::kTunable, "share", ValueType::kF64, static_cast<int64_t>(bitsOf(0.75))));
  EXPECT_TRUE(answer.done) << answer.text;
  answer = answerTo(page, set(3, ActionKind::kTunable, "work_unit", ValueType::kI64, 5000));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("the value is outside of the limits that the program has declared for \"work_unit\"", answer.text);
  answer = answerTo(page, set(4, ActionKind::kTunable, "works_unit", ValueType::kI64, 5));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("the program has declared no tunable variable \"works_unit\"", answer.text);

  answer = answerTo(page, set(5, ActionKind::kSetVariable, "plantedNumber", ValueType::kI32, -9));
  EXPECT_TRUE(answer.done) << answer.text;
  EXPECT_EQ(7u, answer.old);
  EXPECT_EQ(-9, static_cast<int64_t>(answer.result));
  answer = answerTo(page, set(6, ActionKind::kSetVariable, "plantedNumber", ValueType::kI64, 1));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("\"plantedNumber\" has 4 bytes, and the type that is asked for 8", answer.text);
  answer = answerTo(page, set(7, ActionKind::kSetVariable, "plantedConstant", ValueType::kI32, 1));
  EXPECT_FALSE(answer.done);
  answer = answerTo(page, set(8, ActionKind::kSetVariable, "noSuchNumber", ValueType::kI32, 1));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("no loaded object exports a variable \"noSuchNumber\"", answer.text);
  AskedAction nowhere = set(9, ActionKind::kSetVariable, "", ValueType::kI32, 1);
  nowhere.address = 16;
  EXPECT_FALSE(answerTo(page, nowhere).done);
  answer = answerTo(page, set(10, ActionKind::kSetVariable, "plantedDouble", ValueType::kF64, static_cast<int64_t>(bitsOf(2.5))));
  EXPECT_TRUE(answer.done) << answer.text;

  EXPECT_TRUE(answerTo(page, undo(11, 1)).done);
  EXPECT_TRUE(answerTo(page, undo(12, 10)).done);
  answer = answerTo(page, undo(13, 1));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("no action 1 was done that can be undone; of a call, ask for the opposite", answer.text);

  EXPECT_EQ(3u, answerTo(page, call(14, "any", "plantedCall", {Argument::of(3)})).result);
  AskedAction sum = call(15, "any", "plantedSum", {Argument::of(10), Argument::ofDouble(0.5), Argument::ofText("four"),
                                                   Argument::ofDouble(100)});
  sum.returns = live::ReturnType::kDouble;
  EXPECT_EQ(114.5, doubleOf(answerTo(page, sum).result));
  answer = answerTo(page, call(16, "any", "noSuchCall", {}));
  EXPECT_FALSE(answer.done);
  EXPECT_EQ("no loaded object exports a function \"noSuchCall\"", answer.text);
  EXPECT_FALSE(answerTo(page, call(17, "any", "plantedNumber", {})).done);
  answer = answerTo(page, undo(18, 14));
  EXPECT_FALSE(answer.done);
  EXPECT_NE(std::string::npos, answer.text.find("ask for the opposite")) << answer.text;
  program_.open("end");
  EXPECT_EQ("unit 64 share 0.750000 number -9 double 1.500000 calls 3\n", program_.awaited("result"));
  EXPECT_EQ(0, program_.end());
}

// It is not the one that was changed: that is gone.
TEST_P(Tuned, AVariableOfALibraryThatWasLoadedAgainIsNotRestored) {
  program_.start({guest("tuned"), "plugin", program_.gates(), TUNED_PLUGIN}, GetParam());
  program_.awaited("ready");
  MonitoredPage page = program_.awaitPage("guest-tuned");
  const Answer answer = answerTo(page, set(1, ActionKind::kSetVariable, "pluginNumber", ValueType::kI32, 9));
  EXPECT_TRUE(answer.done) << answer.text;
  EXPECT_EQ(5u, answer.old);
  program_.open("reload");
  program_.awaited("reloaded");
  const Answer undone = answerTo(page, undo(2, 1));
  EXPECT_FALSE(undone.done);
  EXPECT_EQ("the variable is not there any more", undone.text);
  program_.open("end");
  EXPECT_EQ("1", program_.awaited("result"));
  EXPECT_EQ(0, program_.end());
}

TEST_P(Tuned, AFunctionThatJumpsOutOfAnActionKeepsNoOtherActionFromBeingTaken) {
  start("jumps");
  program_.awaited("ready");
  MonitoredPage page = program_.awaitPage("guest-tuned");
  const Answer left = answerTo(page, call(1, "any", "plantedJump", {}));
  EXPECT_FALSE(left.done);
  EXPECT_EQ("it was begun, and left by longjmp or an exception", left.text);
  const Answer answer = answerTo(page, call(2, "any", "abs", {Argument::of(-3)}));
  EXPECT_TRUE(answer.done);
  EXPECT_EQ(3u, answer.result);
  program_.open("end");
  EXPECT_EQ(0, program_.end());
}

// A handler of a signal locks 200 times; then the program does, once.
TEST_P(Tuned, HandlersOfSignalsAreNoSafeMoment) {
  for (const char* way : {"handlers", "stacks"}) {
    SCOPED_TRACE(way);
    TunedProgram program;
    program.start({guest("tuned"), way, program.gates()}, GetParam());
    program.awaited("ready");
    MonitoredPage page = program.awaitPage("guest-tuned");
    ASSERT_EQ("", page.ask(call(1, "pthread_mutex_lock", "plantedCall", {Argument::of(1)})));
    ASSERT_EQ("", page.setPoints({{{"pthread_mutex_lock"}, Key::kNone}}));
    program.open("go");
    program.awaited("handled");
    EXPECT_EQ(200u, locksOf(page));
    EXPECT_TRUE(page.takeAnswers().empty());
    EXPECT_EQ((std::vector<uint32_t>{1}), page.unanswered());
    program.open("next");
    program.awaited("done");
    EXPECT_EQ(0, program.end());
    const auto answers = page.takeAnswers();
    ASSERT_EQ(1u, answers.size());
    EXPECT_TRUE(answers[0].done);
    EXPECT_EQ(1u, answers[0].result);
  }
}

// The child has a page of its own, and so has the program that it executes, in the place of that.
TEST_P(Tuned, ChildrenAndExecutedProgramsHaveTheirOwnPages) {
  start("forks");
  MonitoredPage page = program_.awaitPage("guest-tuned");
  const std::vector<live::AskedPoint> points{{{"pthread_mutex_lock"}, Key::kNone}};
  ASSERT_EQ("", page.setPoints(points));
  program_.open("go");
  const int child = std::stoi(program_.awaited("child"));
  auto both = program_.awaitPages("guest-tuned", 2);
  ASSERT_EQ(1u, both.count(child));
  MonitoredPage& own = both.at(child);
  ASSERT_EQ("", own.setPoints(points));
  program_.open("childGo");
  program_.awaited("childDone");
  EXPECT_EQ(20u, locksOf(own));
  program_.open("childEnd");
  program_.awaited("executed");
  EXPECT_TRUE(own.hasEnded());
  auto last = program_.awaitPages("guest-tuned", 2);
  MonitoredPage& executed = last.at(child);
  EXPECT_FALSE(executed.hasEnded());
  ASSERT_EQ("", executed.setPoints(points));
  program_.open("executedGo");
  program_.awaited("executedDone");
  EXPECT_EQ(30u, locksOf(executed));
  program_.open("executedEnd");
  EXPECT_EQ("0", program_.awaited("done"));
  EXPECT_EQ(0, program_.end());
  EXPECT_EQ(10u, locksOf(page));
}

// The parent's place 0 was that of another routine, in the same generation.
TEST_P(Tuned, AChildCountsNothingForThePointsOfItsParent) {
  start("forks");
  MonitoredPage page = program_.awaitPage("guest-tuned");
  ASSERT_EQ("", page.setPoints({{{"pthread_mutex_lock"}, Key::kNone}}));
  program_.open("go");
  const int child = std::stoi(program_.awaited("child"));
  auto both = program_.awaitPages("guest-tuned", 2);
  ASSERT_EQ("", both.at(child).setPoints({{{"pthread_spin_lock"}, Key::kNone}}));
  program_.open("childGo");
  program_.awaited("childDone");
  EXPECT_EQ(0u, locksOf(both.at(child)));
  program_.open("childEnd");
  program_.awaited("executed");
  program_.open("executedGo");
  program_.awaited("executedDone");
  program_.open("executedEnd");
  EXPECT_EQ("0", program_.awaited("done"));
  EXPECT_EQ(0, program_.end());
}

INSTANTIATE_TEST_SUITE_P(, Tuned, testing::Bool(), [](const auto& recorded) { return recorded.param ? "Recorded" : "Alone"; });

TEST(TunedNot, ADirectoryThatOthersMayEnterGivesNoPage) {
  TunedProgram program;
  TemporaryDirectory open;
  chmod(open.path().c_str(), 0755);
  const Outcome outcome = run({"env", "PARALLAX_TUNE=" + open.path(), "LD_PRELOAD=" + agent(), guest("tuned"), "none", "/tmp"});
  EXPECT_EQ(0, outcome.status);
  EXPECT_EQ("", outcome.output + outcome.errors);
  EXPECT_TRUE(std::filesystem::is_empty(open.path()));
}

}  // namespace
}  // namespace parallax::tests
