// The monitor with programs that do what the test says.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "live/monitored_page.h"
#include "tests/tune/session.h"

namespace parallax::tests {
namespace {

const Json kLocks = Json::array({{{"name", "locks"}, {"routines", {"pthread_mutex_lock"}}, {"key", "none"}}});

class Tune : public testing::Test {
 protected:
  Tune() : session_({guest("commands")}, kLocks, {"--directory", directory_ / "live"}) {}

  // The process of the command, once it is known.
  int awaitProcess() {
    const Json line = session_.await("process", "event", "started");
    return line.is_object() ? line["pid"].get<int>() : 0;
  }
  // Has the program do something, and waits until it is done.
  void tell(const std::string& line) {
    session_.toCommand(line);
    EXPECT_EQ(line, session_.fromCommand());
  }
  std::string page(int pid) const { return directory_ / ("live/" + std::to_string(pid) + ".live"); }

  TemporaryDirectory directory_;
  TuneSession session_;
};

TEST_F(Tune, TellsOfTheProgramAndCountsExactly) {
  const Json hello = session_.await("hello");
  ASSERT_TRUE(hello.is_object());
  EXPECT_EQ(1, hello["version"]);
  EXPECT_EQ(session_.pid(), hello["pid"]);
  EXPECT_EQ(32u, hello["secret"].get<std::string>().size());
  EXPECT_EQ(hello["host"], session_.await("host")["host"]);
  const int pid = awaitProcess();
  ASSERT_GT(pid, 0);
  EXPECT_EQ(guest("commands"), session_.await("process")["program"]);
  tell("lock 1000");
  EXPECT_TRUE(session_.awaitCount("locks", 1000, pid)) << session_.count("locks", pid);
  EXPECT_GT(session_.sum("locks", "ns"), 0u);
  // Only what is new is told, and nothing when nothing is.
  const size_t before = session_.lines().size();
  session_.await("none", "", {}, 100);
  EXPECT_EQ(before, session_.lines().size());
  tell("lock 234");
  session_.toCommand("exit 5");
  EXPECT_EQ(5, session_.end());
  EXPECT_EQ(1234u, session_.count("locks", pid));
  const std::vector<Json>& lines = session_.lines();
  ASSERT_GT(lines.size(), 3u);
  const Json &last = lines.back(), &ended = lines[lines.size() - 2];
  EXPECT_EQ("end", last["type"]);
  EXPECT_EQ(5, last["status"]);
  EXPECT_EQ("ended", ended["event"]);
  EXPECT_EQ(pid, ended["pid"]);
  EXPECT_EQ(5, ended["status"]);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "live"));
}

TEST_F(Tune, FilesAreForTheUserAlone) {
  const int pid = awaitProcess();
  struct stat status {};
  ASSERT_EQ(0, stat(page(pid).c_str(), &status));
  EXPECT_EQ(0600u, status.st_mode & 07777);
  ASSERT_EQ(0, stat((directory_ / "live").c_str(), &status));
  EXPECT_EQ(0700u, status.st_mode & 07777);
}

TEST_F(Tune, PointsComeAndGo) {
  const int pid = awaitProcess();
  tell("lock 10");
  ASSERT_TRUE(session_.awaitCount("locks", 10, pid));
  session_.setPoints(Json::array());
  session_.setPoints(Json::array({{{"name", "again"}, {"routines", {"pthread_mutex_lock"}}, {"processes", {pid}}},
                                  {{"name", "others"}, {"routines", {"pthread_mutex_lock"}}, {"processes", {pid + 1}}},
                                  {{"name", "here"}, {"routines", {"pthread_mutex_lock"}}, {"processes", {{{"host", session_.await("hello")["host"]}, {"pid", pid}}}}},
                                  {{"name", "moon"}, {"routines", {"pthread_mutex_lock"}}, {"processes", {{{"host", "moon"}, {"pid", pid}}}}}}));
  session_.write("no JSON");  // its answer tells that the points are there
  EXPECT_EQ(4, session_.await("problem")["line"]);
  tell("lock 20");
  EXPECT_TRUE(session_.awaitCount("again", 20, pid)) << session_.count("again", pid);
  EXPECT_EQ(10u, session_.count("locks", pid));
  EXPECT_EQ(20u, session_.count("here", pid));
  EXPECT_EQ(0u, session_.count("others") + session_.count("moon"));
}

TEST_F(Tune, APointThatCannotBeIsToldAndTheOthersAreMeasured) {
  const int pid = awaitProcess();
  const std::string name(100, 'x');
  session_.setPoints(Json::array({{{"name", "long"}, {"routines", {name + "1", name + "2", name + "3"}}},
                                  {{"name", "again"}, {"routines", {"pthread_mutex_lock"}}}}));
  EXPECT_NE(std::string::npos, session_.await("problem")["text"].get<std::string>().find("long: the names of the routines"));
  tell("lock 20");
  EXPECT_TRUE(session_.awaitCount("again", 20, pid)) << session_.count("again", pid);
}

TEST_F(Tune, ChildrenAndProgramsThatAreExecutedAreProcessesOfTheirOwn) {
  const int pid = awaitProcess();
  tell("lock 5");
  session_.toCommand("fork 70");
  const Json child = session_.await([&](const Json& line) { return line["type"] == "process" && line["pid"] != pid; });
  ASSERT_TRUE(child.is_object());
  EXPECT_EQ("fork 70", session_.fromCommand());
  EXPECT_TRUE(session_.awaitCount("locks", 70, child["pid"]));
  EXPECT_TRUE(session_.await([&](const Json& line) { return line["type"] == "process" && line["pid"] == child["pid"] && line["event"] == "ended"; })
                  .is_object());
  tell("execute");
  EXPECT_TRUE(session_.await("process", "event", "ended").is_object());
  session_.await([&, count = 0](const Json& line) mutable {
    return line["type"] == "process" && line["pid"] == pid && line["event"] == "started" && ++count == 2;
  });
  tell("lock 6");
  EXPECT_TRUE(session_.awaitCount("locks", 11, pid)) << session_.count("locks", pid);
}

TEST_F(Tune, AKilledProcessHasItsStatusAndItsLastMetrics) {
  session_.send({{"type", "interval"}, {"ns", 3600000000000}});
  const int pid = awaitProcess();
  tell("lock 321");
  session_.send({{"type", "kill"}, {"signal", SIGKILL}});
  EXPECT_EQ(128 + SIGKILL, session_.end());
  EXPECT_EQ(321u, session_.count("locks", pid));
  EXPECT_EQ(128 + SIGKILL, session_.await("process", "event", "ended")["status"]);
  EXPECT_EQ(128 + SIGKILL, session_.await("end")["status"]);
}

TEST_F(Tune, AnActionIsTakenAtItsSafeMoment) {
  const int pid = awaitProcess();
  session_.send({{"type", "act"}, {"id", 7}, {"pid", pid}, {"kind", "call"}, {"at", "pthread_mutex_lock"}, {"name", "abs"}, {"arguments", {-17}}});
  ASSERT_EQ("waiting", session_.await("action", "id", 7)["state"]);
  session_.await("none", "", {}, 100);
  EXPECT_FALSE(session_.await("action", "state", "done", 0).is_object());  // no call of the routine yet
  tell("lock 1");
  const Json done = session_.await("action", "state", "done");
  ASSERT_TRUE(done.is_object());
  EXPECT_EQ(7, done["id"]);
  EXPECT_EQ(17, done["result"]);
}

// What is counted before an action must not be taken for its effect, and an analyzer need not wait for the interval.
TEST_F(Tune, AnActionIsAnsweredAtOnceAndMetricsEndThere) {
  const int pid = awaitProcess();
  session_.send({{"type", "interval"}, {"ns", 3600000000000}});
  session_.await("none", "", {}, 300);  // until the interval before is over
  tell("lock 5");
  session_.send({{"type", "act"}, {"id", 7}, {"pid", pid}, {"kind", "call"}, {"at", "pthread_mutex_lock"}, {"name", "abs"}, {"arguments", {-17}}});
  ASSERT_EQ("waiting", session_.await("action", "id", 7)["state"]);
  tell("lock 1");
  const Json done = session_.await("action", "state", "done", 2000);
  ASSERT_TRUE(done.is_object());
  EXPECT_TRUE(session_.awaitCount("locks", 6, pid));
  const Json metrics = session_.await("metrics", "pid", pid);
  EXPECT_GE(metrics["time"], done["time"]);
}

TEST_F(Tune, FunctionsAndVariablesThatTheProgramDoesNotExportAreFound) {
  const int pid = awaitProcess();
  session_.send({{"type", "act"}, {"id", 1}, {"pid", pid}, {"kind", "call"}, {"at", "pthread_mutex_lock"}, {"name", "doubleOf"}, {"arguments", {21}}});
  session_.await("action", "id", 1);
  tell("lock 1");
  EXPECT_EQ(42, session_.await("action", "state", "done")["result"]);
  session_.send({{"type", "act"}, {"id", 2}, {"pid", pid}, {"kind", "set_variable"}, {"at", "pthread_mutex_lock"}, {"name", "_ZL5shown"}, {"value", -7}, {"value_type", "i32"}});
  session_.await("action", "id", 2);
  tell("lock 1");
  const Json done = session_.await([](const Json& line) { return line["type"] == "action" && line["id"] == 2 && line["state"] == "done"; });
  EXPECT_EQ(1, done["old"]);
  EXPECT_EQ(-7, done["result"]);
  session_.toCommand("show");
  EXPECT_EQ("-7", session_.fromCommand());
}

TEST_F(Tune, CodeIsChangedAndGivenBack) {
  const int pid = awaitProcess();
  int id = 0;
  const auto done = [&](const Json& line) {
    Json request{{"type", "act"}, {"id", ++id}, {"pid", pid}, {"at", "pthread_mutex_lock"}};
    request.update(line);
    session_.send(request);
    session_.await("action", "id", id);
    tell("lock 1");
    return session_.await([&](const Json& each) { return each["type"] == "action" && each["id"] == id && each["state"] != "waiting"; });
  };
  const auto doubleOf = [&](int value) { return done({{"kind", "call"}, {"name", "doubleOf"}, {"arguments", {value}}})["result"]; };
  const auto undo = [&](int undoes) { return done({{"kind", "undo"}, {"undoes", undoes}})["state"]; };
  EXPECT_EQ("done", done({{"kind", "argument"}, {"name", "doubleOf"}, {"index", 0}, {"value", 5}, {"only", {{"index", 0}, {"equals", 21}}}})["state"]);
  EXPECT_EQ(10, doubleOf(21));
  EXPECT_EQ(6, doubleOf(3));
  EXPECT_EQ("undone", undo(1));
  EXPECT_EQ(42, doubleOf(21));
  const int insertion = id + 1;
  EXPECT_EQ("done", done({{"kind", "insert_call"}, {"name", "addShown"}, {"arguments", {30}}, {"before", "doubleOf"}})["state"]);
  EXPECT_EQ(42, doubleOf(21));
  session_.toCommand("show");
  EXPECT_EQ("31", session_.fromCommand());
  EXPECT_EQ("undone", undo(insertion));
  const int replacement = id + 1;
  EXPECT_EQ("done", done({{"kind", "replace"}, {"name", "doubleOf"}, {"with", "abs"}})["state"]);
  EXPECT_EQ(21, doubleOf(-21));
  EXPECT_EQ("undone", undo(replacement));
  EXPECT_EQ(-42, doubleOf(-21));
  const Json ofLibc = done({{"kind", "argument"}, {"name", "insque"}, {"index", 0}, {"least", 0}, {"value_type", "i64"}});
  EXPECT_EQ("done", ofLibc["state"]) << ofLibc;
  EXPECT_EQ("undone", undo(id));
  EXPECT_EQ(1, std::distance(std::filesystem::directory_iterator(directory_ / "live"), std::filesystem::directory_iterator()));
}

TEST_F(Tune, ActionsThatCannotBeAreRefusedWithTheReason) {
  const int pid = awaitProcess();
  const auto refusal = [&](int id, const Json& line) {
    Json request{{"type", "act"}, {"id", id}, {"pid", pid}};
    request.update(line);
    session_.send(request);
    session_.await("action", "id", id);
    tell("lock 1");  // the safe moment of those that wait
    const Json answer = session_.await([&](const Json& each) { return each["type"] == "action" && each["id"] == id && each["state"] != "waiting"; });
    return answer.is_object() && answer["state"] == "refused" ? answer["text"].get<std::string>() : "";
  };
  EXPECT_EQ("there is no host moon", refusal(1, {{"host", "moon"}, {"kind", "call"}, {"name", "abs"}}));
  EXPECT_EQ("there is no process 999999999 that can be tuned", refusal(2, {{"pid", 999999999}, {"kind", "call"}, {"name", "abs"}}));
  EXPECT_EQ("the program declares no variable x", refusal(3, {{"kind", "tunable"}, {"name", "x"}, {"value", 1}}));
  EXPECT_NE(std::string::npos, refusal(5, {{"kind", "set_variable"}, {"name", "_ZL5shown"}, {"value", 1}, {"value_type", "i64"}}).find("has 4 bytes"));
  EXPECT_NE(std::string::npos, refusal(6, {{"kind", "call"}, {"name", "_ZL5shown"}}).find("is a variable"));
  EXPECT_NE("", refusal(7, {{"kind", "replace"}, {"name", "no_such_function"}, {"with", "abs"}}));
  EXPECT_NE("", refusal(8, {{"kind", "argument"}, {"name", "doubleOf"}, {"module", "libmoon"}, {"index", 0}, {"value", 1}}));
  EXPECT_NE("", refusal(4, {{"kind", "call"}, {"at", "pthread_mutex_lock"}, {"name", "no_such_function"}}));
}

TEST_F(Tune, TheEndOfTheAnalyzerRemovesAllPointsAndTheProgramGoesOn) {
  const int pid = awaitProcess();
  tell("lock 3");
  ASSERT_TRUE(session_.awaitCount("locks", 3, pid));
  session_.send({{"type", "act"}, {"id", 7}, {"pid", pid}, {"kind", "call"}, {"at", "pthread_mutex_lock"}, {"name", "abort"}});
  session_.await("action", "id", 7);
  session_.closeLines();
  const Json lost = session_.await("action", "state", "lost");
  ASSERT_TRUE(lost.is_object());
  EXPECT_EQ(7, lost["id"]);
  tell("lock 1000");  // and nothing aborts it
  session_.toCommand("exit 9");
  EXPECT_EQ(9, session_.end());
  EXPECT_EQ(3u, session_.count("locks"));
}

TEST_F(Tune, AnActionThatWaitsIsTakenBack) {
  const int pid = awaitProcess();
  session_.send({{"type", "act"}, {"id", 7}, {"pid", pid}, {"kind", "call"}, {"at", "pthread_mutex_lock"}, {"name", "abort"}});
  ASSERT_EQ("waiting", session_.await("action", "id", 7)["state"]);
  session_.send({{"type", "take_back"}, {"id", 7}, {"pid", pid}});
  const Json back = session_.await("action", "state", "refused");
  ASSERT_TRUE(back.is_object());
  EXPECT_EQ(7, back["id"]);
  EXPECT_EQ("taken back", back["text"]);
  tell("lock 1");  // and nothing aborts it
}

// The first function of a library takes some time to prepare.
TEST_F(Tune, WhatIsPreparedForOneProcessIsNotGivenUpForAnother) {
  const int pid = awaitProcess();
  session_.send({{"type", "act"}, {"id", 7}, {"pid", pid}, {"kind", "argument"}, {"at", "pthread_mutex_lock"}, {"name", "insque"}, {"index", 0}, {"least", 0}, {"value_type", "i64"}});
  session_.send({{"type", "take_back"}, {"id", 7}, {"pid", pid + 1}});
  EXPECT_EQ("waiting", session_.await("action", "id", 7)["state"]);
  session_.send({{"type", "take_back"}, {"id", 7}, {"pid", pid}});
  EXPECT_EQ("taken back", session_.await("action", "state", "refused")["text"]);
}

// It would be told as lost, although it happens.
TEST_F(Tune, AnActionThatIsBeingDoneIsNotTakenBack) {
  const int pid = awaitProcess();
  constexpr int kMicroseconds = 600000;
  session_.send({{"type", "act"}, {"id", 7}, {"pid", pid}, {"kind", "call"}, {"at", "pthread_mutex_lock"}, {"name", "usleep"}, {"arguments", {kMicroseconds}}});
  ASSERT_EQ("waiting", session_.await("action", "id", 7)["state"]);
  session_.toCommand("lock 1");
  usleep(kMicroseconds / 3);
  session_.send({{"type", "take_back"}, {"id", 7}, {"pid", pid}});
  session_.send({{"type", "stop"}});
  const Json answer = session_.await([&](const Json& each) { return each["type"] == "action" && each["id"] == 7 && each["state"] != "waiting"; });
  EXPECT_EQ("done", answer["state"]) << answer;
  EXPECT_EQ("lock 1", session_.fromCommand());
}

TEST_F(Tune, StopEndsTuningAndNotTheProgram) {
  const int pid = awaitProcess();
  session_.send({{"type", "stop"}});
  session_.send({{"type", "act"}, {"id", 7}, {"pid", pid}, {"kind", "call"}, {"name", "abs"}, {"arguments", {1}}});
  EXPECT_EQ("tuning was stopped", session_.await("action", "id", 7)["text"]);
  tell("lock 10");
  session_.toCommand("exit 0");
  EXPECT_EQ(0, session_.end());
  EXPECT_EQ(0u, session_.count("locks"));
}

// The monitor undoes what the analyzer has not wanted to stay: changes of code, and calls that another call undoes.
TEST_F(Tune, WhatIsNotKeptIsUndoneWhenTheAnalyzerEnds) {
  enum class End { kStop, kLines, kKilled };
  for (const End how : {End::kStop, End::kLines, End::kKilled}) {
    SCOPED_TRACE(static_cast<int>(how));
    TuneSession session({guest("commands")}, kLocks);
    const Json started = session.await("process", "event", "started");
    ASSERT_TRUE(started.is_object());
    const auto lock = [&] {
      session.toCommand("lock 1");
      EXPECT_EQ("lock 1", session.fromCommand());
    };
    const auto shown = [&] {
      session.toCommand("show");
      return session.fromCommand();
    };
    const auto done = [&](int id, const Json& line) {
      Json request{{"type", "act"}, {"id", id}, {"pid", started["pid"]}, {"at", "pthread_mutex_lock"}};
      request.update(line);
      session.send(request);
      session.await("action", "id", id);
      lock();
      return session.await([&](const Json& each) { return each["type"] == "action" && each["id"] == id && each["state"] != "waiting"; });
    };
    const auto call = [](int value) { return Json{{"kind", "call"}, {"name", "addShown"}, {"arguments", {value}}}; };
    const auto undone = [&](int value, int by) {
      Json line = call(value);
      line["undo"] = call(by);
      return line;
    };
    EXPECT_EQ("done", done(1, call(2))["state"]);  // as a question, it is not undone
    EXPECT_EQ("done", done(2, undone(10, -10))["state"]);
    EXPECT_EQ("done", done(3, undone(100, -100))["state"]);
    EXPECT_EQ("done", done(4, undone(1000, -1000))["state"]);
    EXPECT_EQ("done", done(5, {{"kind", "insert_call"}, {"name", "addShown"}, {"arguments", {10000}}, {"before", "doubleOf"}})["state"]);
    session.toCommand("double 4");
    EXPECT_EQ("8", session.fromCommand());
    Json back = call(-100);
    back["undoes"] = 3;
    EXPECT_EQ("done", done(6, back)["state"]);
    for (const int id : {2, 4}) session.send({{"type", "keep"}, {"id", id}});
    Json late = call(-10);
    late.update({{"type", "act"}, {"id", 7}, {"pid", started["pid"]}, {"at", "pthread_mutex_lock"}, {"undoes", 2}});
    session.send(late);
    EXPECT_EQ("waiting", session.await("action", "id", 7)["state"]);
    EXPECT_EQ("11013", shown());
    if (how == End::kStop) session.send({{"type", "stop"}});
    if (how == End::kKilled) {
      kill(session.pid(), SIGKILL);  // the monitor itself: a process beside it does it
    } else {
      session.closeLines();
    }
    session.await("action", "state", "none", 200);
    EXPECT_EQ("11013", shown()) << "before its safe moment";
    std::string last;
    for (int i = 0; i < 100 && last != "11003"; i++) {  // until the monitor has seen the end
      lock();
      last = shown();
    }
    EXPECT_EQ("11003", last);
    session.toCommand("double 4");
    EXPECT_EQ("8", session.fromCommand());
    EXPECT_EQ("11003", shown()) << "and no call is inserted";
    session.toCommand("exit 0");
    if (how != End::kKilled) {
      EXPECT_EQ(0, session.end());
    }
  }
}

// And untuned: what it has asked for is taken back, and its files are removed.
TEST_F(Tune, AKilledMonitorLeavesTheProgramRunning) {
  const int pid = awaitProcess();
  tell("lock 3");
  session_.send({{"type", "act"}, {"id", 1}, {"pid", pid}, {"kind", "call"}, {"at", "pthread_mutex_lock"}, {"name", "abort"}});
  session_.send({{"type", "act"}, {"id", 2}, {"pid", pid}, {"kind", "argument"}, {"at", "pthread_mutex_lock"}, {"name", "doubleOf"}, {"index", 0}, {"value", 5}});
  ASSERT_EQ("waiting", session_.await("action", "id", 2)["state"]);
  live::MonitoredPage live;
  ASSERT_EQ("", live.open(page(pid)));
  EXPECT_NE(0u, live.header().asked.load());
  kill(session_.pid(), SIGKILL);
  session_.end();
  EXPECT_EQ(0, kill(pid, 0));
  for (int i = 0; i < 200 && std::filesystem::exists(directory_ / "live"); i++) usleep(10000);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "live"));
  EXPECT_EQ(0u, live.header().asked.load());
  EXPECT_TRUE(live.unanswered().empty());
  tell("lock 1000");
  session_.toCommand("exit 0");
  EXPECT_EQ("exit 0", session_.fromCommand());
  EXPECT_EQ("", session_.fromCommand(1000));  // its output has ended: it has
}

TEST_F(Tune, ASignalForTheMonitorIsForTheProgram) {
  awaitProcess();
  kill(session_.pid(), SIGTERM);
  EXPECT_EQ(128 + SIGTERM, session_.end());
}

TEST(TuneChannel, AnalyzerThatListensOnASocketKnowsTheMonitorByItsSecret) {
  const TemporaryDirectory directory;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, (directory / "a").c_str(), sizeof address.sun_path - 1);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(0, bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address));
  ASSERT_EQ(0, listen(listener, 1));
  Outcome outcome;
  std::string told;
  const auto tune = [&](const Words& command, int status, const std::string& output, const std::string& errors) {
    const pid_t monitor = fork();
    if (monitor == 0) {
      Words words{monitorProgram(), "--connect", directory / "a", "--"};
      words.insert(words.end(), command.begin(), command.end());
      outcome = run(words, [] { setenv("PARALLAX_TUNE_SECRET", "known", 1); });
      _exit(outcome.status == status && outcome.output == output && (status == 127 ? outcome.errors.rfind(errors, 0) == 0 : outcome.errors == errors) ? 0 : 1);
    }
    told.clear();
    const int analyzer = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    const std::string points = "{\"type\":\"points\",\"points\":[]}\n";
    EXPECT_EQ(static_cast<ssize_t>(points.size()), write(analyzer, points.data(), points.size()));
    char text[4096];
    for (ssize_t got; (got = read(analyzer, text, sizeof text)) > 0;) told.append(text, static_cast<size_t>(got));
    EXPECT_EQ(0, endOf(monitor));  // the program's output and status are its own
    close(analyzer);
  };
  tune({"./no-such-program"}, 127, "", "parallax: ");
  EXPECT_EQ(std::string::npos, told.find("problem")) << "told twice on the same terminal: " << told;
  tune({"sh", "-c", "echo out; echo error >&2; exit 4"}, 4, "out\n", "error\n");
  EXPECT_NE(std::string::npos, told.find("\"secret\":\"known\"")) << told;
  EXPECT_NE(std::string::npos, told.find("{\"type\":\"end\",\"status\":4,")) << told;
  close(listener);
}

// A program that runs already, by the recorder that attaches to it.
TEST(TuneAttached, ARunningProgramIsMeasuredAndChangedAndGivenBack) {
  const TemporaryDirectory directory;
  int input[2], output[2];
  ASSERT_EQ(0, pipe2(input, O_CLOEXEC));
  ASSERT_EQ(0, pipe2(output, O_CLOEXEC));
  const pid_t program = fork();
  if (program == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    execl(guest("commands").c_str(), "commands", nullptr);
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  FILE* says = fdopen(output[0], "r");
  const auto tell = [&](const std::string& line) {
    char text[64] = "";
    if (write(input[1], (line + "\n").data(), line.size() + 1) < 0 || fgets(text, sizeof text, says) == nullptr) return std::string();
    return std::string(text, strcspn(text, "\n"));
  };
  EXPECT_EQ("lock 1", tell("lock 1"));
  {
    TuneSession session({recorder(), "-o", directory / "trace", "--attach", std::to_string(program)}, kLocks);
    ASSERT_TRUE(session.await("process", "pid", program).is_object()) << "it is not attached to";
    for (int i = 0; i < 100 && session.count("locks", program) == 0; i++) {  // until the points are there
      tell("lock 1");
      session.await("none", "", {}, 50);
    }
    EXPECT_LT(0u, session.count("locks", program));
    session.send({{"type", "act"}, {"id", 1}, {"pid", program}, {"kind", "argument"}, {"at", "pthread_mutex_lock"}, {"name", "doubleOf"}, {"index", 0}, {"value", 50}});
    ASSERT_EQ("waiting", session.await("action", "id", 1)["state"]);
    for (int i = 0; i < 100 && !session.await("action", "state", "done", 50).is_object(); i++) tell("lock 1");
    EXPECT_EQ("100", tell("double 4"));
    session.closeLines();
    for (int i = 0; i < 100 && tell("double 4") != "8"; i++) {
      tell("lock 1");
      usleep(50000);
    }
    EXPECT_EQ("8", tell("double 4")) << "not given back when the analyzer has ended";
    EXPECT_EQ("exit 7", tell("exit 7"));
    EXPECT_EQ(7, endOf(program));
    EXPECT_EQ(0, session.end());
  }
  fclose(says);
  close(input[1]);
}

TEST(TuneChannel, WhatCannotBeStartedIsTold) {
  TuneSession session({"./no-such-program"}, Json::array());
  EXPECT_EQ(127, session.end());
  EXPECT_NE(std::string::npos, session.await("problem")["text"].get<std::string>().find("no-such-program"));
  EXPECT_EQ(127, session.await("end")["status"]);
}

TEST(TuneChannel, WrongUseIsTold) {
  for (const Words& options : {Words{}, Words{"--interval", "5"}, Words{"--interval", "2h", "true"}, Words{"--in-fd", "77", "true"},
                               Words{"--colour", "true"}}) {
    Words words{monitorProgram()};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(2, outcome.status);
    EXPECT_EQ(0u, outcome.errors.find("parallax: ")) << outcome.errors;
  }
  const TemporaryDirectory directory;
  chmod(directory.path().c_str(), 0755);
  const Outcome outcome = run({monitorProgram(), "--directory", directory.path(), "true"});
  EXPECT_EQ(1, outcome.status);
  EXPECT_NE(std::string::npos, outcome.errors.find("for you alone")) << outcome.errors;
}

}  // namespace
}  // namespace parallax::tests
