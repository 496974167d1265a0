// Code of a program that is changed by actions of the live page, and given back.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/live/tuned_program.h"
#include "tools/points/points_prepare.h"

namespace parallax::tests {
namespace {

using live::ActionKind;
using live::Answer;
using live::AskedAction;

// The file that an action names.
void prepare(const points::ActionRequest& request, const std::string& path) {
  perturb::PreparedAction prepared;
  points::PatchPreparer preparer;
  ASSERT_EQ("", preparer.prepareAction(request, &prepared));
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&prepared), sizeof prepared);
  ASSERT_EQ(0, chmod(path.c_str(), 0600));
}

TEST(TunedCode, AnArgumentIsChangedAndGivenBackWhileThreadsRun) {
  TunedProgram program;
  program.start({guest("tuned"), "code", program.gates()});
  program.awaited("ready");
  live::MonitoredPage page = program.awaitPage("guest-tuned");
  const TemporaryDirectory directory;
  points::ActionRequest request;
  request.kind = "argument";
  request.module = guest("tuned");
  request.function = "plantedWork";
  request.value = 10;
  AskedAction action;
  action.id = 1;
  action.kind = ActionKind::kArgument;
  action.at = "any";
  action.text = directory / "action";
  EXPECT_EQ("the file with the prepared change cannot be opened", answerTo(page, action).text);
  prepare(request, action.text);
  action.id = 2;
  const Answer changed = answerTo(page, action);
  EXPECT_TRUE(changed.done) << changed.text;
  EXPECT_EQ("20", program.awaited("value1"));
  AskedAction undo;
  undo.id = 3;
  undo.kind = ActionKind::kUndo;
  undo.undoes = 2;
  const Answer undone = answerTo(page, undo);
  EXPECT_TRUE(undone.done) << undone.text;
  EXPECT_EQ("6", program.awaited("value2"));
  undo.id = 4;
  EXPECT_FALSE(answerTo(page, undo).done);
  program.open("end");
  EXPECT_EQ("wrong 0\n", program.awaited("result"));
  EXPECT_EQ(0, program.end());
}

// `gate`: opened by the program once the call was made often enough.
void expectInsertedAgain(const char* way, const char* inserted, const char* gate) {
  TunedProgram program;
  program.start({guest("tuned"), way, program.gates()});
  program.awaited("ready");
  live::MonitoredPage page = program.awaitPage("guest-tuned");
  const TemporaryDirectory directory;
  points::ActionRequest request;
  request.kind = "insert_before";
  request.module = request.otherModule = guest("tuned");
  request.function = "plantedWork";
  request.otherFunction = inserted;
  AskedAction action;
  action.id = 1;
  action.kind = ActionKind::kInsertCall;
  action.text = directory / "action";
  prepare(request, action.text);
  const Answer answer = answerTo(page, action);
  EXPECT_TRUE(answer.done) << answer.text;
  program.awaited(gate);
  program.open("end");
  EXPECT_EQ(0, program.end());
}

TEST(TunedCode, AnInsertedCallThatJumpsOutIsInsertedTheNextTimeAsWell) { expectInsertedAgain("jumps", "plantedLeave", "calledThrice"); }

// As by __builtin_longjmp or setcontext: the stack tells that it has been left.
TEST(TunedCode, AnInsertedCallThatIsLeftUnseenIsInsertedTheNextTimeAsWell) {
  expectInsertedAgain("unseen", "plantedUnseenJump", "calledOften");
}

TEST(TunedCode, AnInsertedCallThatHasLeftAStackWhichIsGoneIsInsertedAsWell) {
  expectInsertedAgain("switches", "plantedSwitch", "calledOften");
}

}  // namespace
}  // namespace parallax::tests
