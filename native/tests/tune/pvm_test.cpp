// The monitor in a virtual machine of PVM: one host, and three in network namespaces.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>

#include "bench/pvm_machine.h"
#include "tests/guest_trace.h"
#include "tests/pvm/pvm_daemon.h"
#include "tests/running_program.h"
#include "tests/tune/results.h"
#include "tests/tune/session.h"

namespace parallax::tests {
namespace {

constexpr int kFragmentSize = 10;  // PvmFragSize
constexpr int PvmDataDefault = 0, PvmDataRaw = 1;  // as pvm3.h has them
const Json kSent = Json::array({{{"name", "sent"}, {"routines", {"pvm_send"}}, {"key", "size"}}});

class TunePvm : public testing::Test {
 protected:
  void start(const char* kind) {
    signal(SIGPIPE, SIG_DFL);  // tasks inherit it; a former session of this process ignores it
    machine_ = std::make_unique<bench::PvmMachine>(PARALLAX_BUILD_DIRECTORY "/parallax-pvm-machine", kind, folder_.path());
    if (machine_->missing().empty()) startSession({});
  }
  // `before` are words that start the program.
  void startSession(const Words& options, Words before = {}) {
    seen_.clear();
    before.push_back(guest("pvm_commands"));
    session_ = std::make_unique<TuneSession>(before, kSent, options,
                                             Words{"sh", "-c", machine_->command("/usr/bin/env") + " \"$@\"", "sh"});
  }
  // What a task says of its signals.
  std::string signalsOfTask() {
    constexpr char kBegin[] = "] no default:";
    tell("catch");
    for (const char* line : {"spawn -", "ask 0 signals"}) {
      session_->toCommand(line);
      EXPECT_TRUE(awaitLine(line));
    }
    for (int i = 0; i < 100 && seen_.find(kBegin) == std::string::npos; i++) {  // printed at a later call
      usleep(20000);
      const std::string call = "send 0 1 " + std::to_string(i + 1);
      session_->toCommand(call);
      EXPECT_TRUE(awaitLine(call));
    }
    const size_t at = seen_.find(kBegin);
    return at == std::string::npos ? "" : seen_.substr(at, seen_.find('\n', at) - at);
  }
  void tell(const std::string& line) {
    session_->toCommand(line);
    EXPECT_EQ(line, session_->fromCommand());
  }
  // A line of the program with this text, maybe after others of pvm_catchout.
  bool awaitLine(const std::string& text) {
    if (seen_.find(text) != std::string::npos) return true;
    for (std::string line; !(line = session_->fromCommand()).empty();) {
      seen_ += line + "\n";
      if (seen_.find(text) != std::string::npos) return true;
    }
    return false;
  }
  Json awaitStart(int number) {
    return session_->await([number](const Json& line) mutable {
      return line["type"] == "process" && line["event"] == "started" && number-- == 0;
    });
  }
  Json awaitEnd(const Json& process) {
    return session_->await([&](const Json& line) {
      return line["type"] == "process" && line["event"] == "ended" && line["pid"] == process["pid"] && line["host"] == process["host"];
    });
  }
  Json awaitProblem() { return session_->await("problem", "", {}, 0); }

  std::string seen_;  // lines that awaitLine() has read
  const TemporaryDirectory folder_;
  std::unique_ptr<bench::PvmMachine> machine_;
  std::unique_ptr<TuneSession> session_;
};

TEST_F(TunePvm, TasksThatAreSpawnedLaterAreCounted) {
  start("one");
  ASSERT_TRUE(session_) << machine_->missing();
  EXPECT_EQ("LINUX64", session_->await("host")["arch"]);
  const Json master = awaitStart(0);
  ASSERT_TRUE(master.is_object());
  tell("catch");
  session_->toCommand("spawn -");
  EXPECT_TRUE(awaitLine("spawn -"));
  const Json worker = awaitStart(1);
  ASSERT_TRUE(worker.is_object());
  EXPECT_EQ(guest("pvm_commands"), worker["program"]);
  tell("send 0 100 5000");
  EXPECT_TRUE(session_->awaitCount("sent", 100, master["pid"], "4096")) << session_->count("sent", master["pid"], "4096");
  EXPECT_EQ(500000u, session_->sum("sent", "bytes", master["pid"], "4096"));
  EXPECT_TRUE(session_->awaitCount("sent", 1, worker["pid"]));
  const Json known = session_->await([&](const Json& line) { return line["type"] == "process" && line["pid"] == worker["pid"] && line.contains("task"); });
  ASSERT_TRUE(known.is_object());
  EXPECT_EQ('t', known["task"].get<std::string>().at(0));
  // What it prints arrives where PVM's daemon would have sent it.
  session_->toCommand("ask 0 hello");
  EXPECT_TRUE(awaitLine("ask 0 hello"));
  // PVM prints it at a later call.
  for (int i = 0; i < 100 && seen_.find("] hello") == std::string::npos; i++) {
    usleep(50000);
    const std::string call = "send 0 1 " + std::to_string(i + 1);
    session_->toCommand(call);
    EXPECT_TRUE(awaitLine(call));
  }
  EXPECT_NE(std::string::npos, seen_.find("] hello")) << seen_;
  constexpr int kMore = 5;
  for (int i = 0; i < kMore; i++) session_->toCommand("spawn -");
  session_->endCommandInput();
  EXPECT_EQ(0, session_->end());
  // All have printed that right before their end.
  const std::string last = session_->output();
  int byes = 0;
  for (size_t at = 0; (at = last.find("] bye\n", at)) != std::string::npos; at++) byes++;
  EXPECT_EQ(1 + kMore, byes) << last;
  EXPECT_EQ(0, awaitEnd(worker)["status"]);
  EXPECT_TRUE(awaitProblem().is_null()) << awaitProblem();
}

// The tasker ignores signals for itself alone.
TEST_F(TunePvm, TasksInheritTheSignalsThatPvmGivesThem) {
  start("one");
  ASSERT_TRUE(session_) << machine_->missing();
  const std::string tuned = signalsOfTask();
  session_->endCommandInput();
  EXPECT_EQ(0, session_->end());
  startSession({"--pvm=no"});
  EXPECT_EQ(signalsOfTask(), tuned);
  EXPECT_NE("", tuned);
}

TEST_F(TunePvm, ARecorderInsideRecordsTasksThatAreSpawned) {
  start("one");
  ASSERT_TRUE(session_) << machine_->missing();
  session_->endCommandInput();
  EXPECT_EQ(0, session_->end());
  const std::string trace = folder_.path() + "/trace";
  startSession({"--pvm"}, {PARALLAX_BUILD_DIRECTORY "/parallax-record", "--quiet", "--no-calibration", "-o", trace, "--"});
  tell("catch");
  for (const char* line : {"spawn -", "send 0 10 5000"}) {
    session_->toCommand(line);
    EXPECT_TRUE(awaitLine(line));
  }
  ASSERT_TRUE(awaitStart(1).is_object());
  session_->endCommandInput();
  EXPECT_EQ(0, session_->end());
  const Trace recorded = loadTrace(trace);
  EXPECT_EQ(2u, recorded.processes.size());
  // The agent waits until the output of a task has arrived, and asks the daemon: that is no call of the program.
  for (const TracedProcess& process : recorded.processes) {
    std::vector<std::string> calls;
    for (const TracedEvent& event : process.threads.at(0).events) {
      if (event.kind == format::Kind::kEnter) calls.push_back(process.leafOf(event.operand));
    }
    const auto last = std::find_if(calls.rbegin(), calls.rend(), [](const std::string& name) { return name == "pvm_send" || name == "pvm_recv"; });
    EXPECT_NE(calls.rend(), last);
    EXPECT_NE(calls.end(), std::find(last.base(), calls.end(), "pvm_exit"));
    for (auto call = last.base(); call != calls.end(); call++) EXPECT_TRUE(*call == "pvm_exit" || *call == "write") << *call;
  }
}

TEST_F(TunePvm, AKilledTaskIsToldWithItsStatus) {
  start("one");
  ASSERT_TRUE(session_) << machine_->missing();
  tell("spawn -");
  tell("spawn -");
  const Json first = awaitStart(1), second = awaitStart(2);
  ASSERT_TRUE(second.is_object());
  tell("send 0 1 10");
  // A message is counted when the routine has returned, and the master may have it before.
  const int firstId = first["pid"], secondId = second["pid"];
  for (int i = 0; i < 250 && session_->count("sent", firstId) + session_->count("sent", secondId) == 0; i++) session_->await("none", "", {}, 20);
  for (const int pid : {firstId, secondId}) {
    session_->send({{"type", "act"}, {"id", pid}, {"pid", pid}, {"kind", "call"}, {"at", "pvm_barrier"}, {"name", "abort"}});
    ASSERT_EQ("waiting", session_->await("action", "id", pid)["state"]);
  }
  tell("kill 0");
  const Json ended = session_->await("process", "event", "ended");
  EXPECT_EQ(128 + SIGKILL, ended["status"]);
  EXPECT_EQ(1u, session_->count("sent", ended["pid"]));
  EXPECT_EQ(ended["pid"], session_->await("action", "state", "lost")["id"]);
  tell("send 1 3 10");  // the other goes on, and is tuned
  const int otherId = ended["pid"] == firstId ? secondId : firstId;
  EXPECT_TRUE(session_->awaitCount("sent", 1, otherId)) << session_->count("sent", otherId);
  session_->endCommandInput();
  EXPECT_EQ(0, session_->end());
}

TEST_F(TunePvm, AKilledMonitorLeavesTheTasksRunning) {
  start("one");
  ASSERT_TRUE(session_) << machine_->missing();
  tell("spawn -");
  const Json hello = session_->await("hello");
  ASSERT_TRUE(awaitStart(1).is_object());
  kill(hello["pid"].get<int>(), SIGKILL);
  tell("send 0 1000 100");
  tell("spawn -");  // still starts tasks
  tell("send 1 10 100");
  session_->endCommandInput();
  EXPECT_EQ("", session_->fromCommand(2000));  // the master has ended
}

TEST_F(TunePvm, OtherHostsAreWatchedAndHostsComeAndGo) {
  start("three");
  if (!machine_->missing().empty()) GTEST_SKIP() << machine_->missing();
  ASSERT_EQ(3u, machine_->hosts().size());
  const std::string second = machine_->hosts()[1], third = machine_->hosts()[2];
  for (const std::string& host : {second, third}) EXPECT_TRUE(session_->await("host", "host", host).is_object()) << host;
  tell("spawn " + second);
  tell("spawn " + third);
  const Json on2 = session_->await("process", "host", second), on3 = session_->await("process", "host", third);
  ASSERT_TRUE(on2.is_object());
  ASSERT_TRUE(on3.is_object());
  tell("send 0 10 100");
  tell("send 1 10 100");
  tell("send 1 10 100");
  EXPECT_TRUE(session_->awaitCount("sent", 1, on2["pid"])) << session_->count("sent", on2["pid"]);
  EXPECT_TRUE(session_->awaitCount("sent", 2, on3["pid"])) << session_->count("sent", on3["pid"]);
  session_->send({{"type", "act"}, {"id", 5}, {"host", third}, {"pid", on3["pid"]}, {"kind", "call"}, {"at", "pvm_send"}, {"name", "pvm_setopt"}, {"arguments", {kFragmentSize, 65536}}});
  ASSERT_TRUE(session_->await("action", "state", "waiting").is_object());
  tell("send 1 1 1");
  const Json done = session_->await("action", "state", "done");
  ASSERT_TRUE(done.is_object());
  EXPECT_EQ(third, done["host"]);
  EXPECT_EQ(4080, done["result"]);  // the size before

  session_->send({{"type", "act"}, {"id", 6}, {"host", third}, {"pid", on3["pid"]}, {"kind", "call"}, {"at", "pvm_barrier"}, {"name", "abort"}});
  ASSERT_TRUE(session_->await("action", "id", 6).is_object());
  tell("delete " + third);
  EXPECT_TRUE(session_->await("host", "event", "left").is_object());
  EXPECT_EQ(6, session_->await("action", "state", "lost")["id"]);
  EXPECT_TRUE(awaitEnd(on3).is_object());
  tell("add " + third);
  session_->await([&, count = 0](const Json& line) mutable { return line["type"] == "host" && line["host"] == third && line["event"] == "added" && ++count == 2; });
  usleep(500000);  // until ours is there
  tell("spawn " + third);
  const Json again = session_->await([&](const Json& line) {
    return line["type"] == "process" && line["event"] == "started" && line["host"] == third && line["pid"] != on3["pid"];
  });
  ASSERT_TRUE(again.is_object());
  tell("send 2 10 100");
  EXPECT_TRUE(session_->awaitCount("sent", 1, again["pid"])) << session_->count("sent", again["pid"]);
  session_->endCommandInput();
  EXPECT_EQ(0, session_->end());
  EXPECT_EQ(0, awaitEnd(again)["status"]);
}

// A task that runs already, by the recorder that attaches to it, twice: its hosts are known, and an option of PVM is set in it.
TEST(TunePvmAttached, ATaskAndItsHostAreKnown) {
  {
    const PvmDaemon daemon;
    const TemporaryDirectory gates;
    const auto open = [&](const char* gate) { std::ofstream(gates / gate); };
    const auto isThere = [&](const char* name) {
      for (int i = 0; i < 2000 && access((gates / name).c_str(), F_OK) != 0; i++) usleep(10000);
      return access((gates / name).c_str(), F_OK) == 0;
    };
    Running program({PARALLAX_PROGRAMS_DIR "/tuned_pvm", gates.path()});
    ASSERT_TRUE(isThere("ready"));
    for (const int round : {1, 2}) {
      TuneSession session({recorder(), "--no-calibration", "--quiet", "-o", gates / ("trace" + std::to_string(round)), "--attach", program.name()}, kSent);
      EXPECT_EQ("LINUX64", session.await("host").value("arch", ""));
      ASSERT_TRUE(session.await("process", "pid", program.pid()).is_object());
      if (round == 2) {
        session.send({{"type", "act"}, {"id", 1}, {"pid", program.pid()}, {"kind", "call"}, {"at", "pvm_send"}, {"name", "pvm_setopt"}, {"arguments", {kFragmentSize, 65536}}});
        EXPECT_TRUE(session.await("action", "state", "waiting").is_object());
        open("next");
      }
      open(round == 1 ? "go" : "packed");
      const Json known = session.await([&](const Json& line) { return line["type"] == "process" && line.contains("task"); });
      ASSERT_TRUE(known.is_object()) << round;
      EXPECT_EQ("pvm 3.4.6", known.value("library", "").substr(0, 9));
      EXPECT_TRUE(isThere(round == 1 ? "sent" : "result"));
      if (round == 1) {
        EXPECT_EQ(0, run({recorder(), "--detach", program.name()}).status);
      } else {
        EXPECT_EQ(4080, session.await("action", "state", "done").value("result", 0));
      }
      EXPECT_EQ(0, session.end());
    }
    std::string size;
    std::getline(std::ifstream(gates / "result"), size);
    EXPECT_EQ("65536", size);
    EXPECT_EQ("", program.end());
  }
  for (const char* name : {"PVM_TMP", "PVM_VMID", "PVM_ALLOW_ROOT"}) unsetenv(name);
}

// Of each kind, those that must not change what it computes.
TEST(TunePvmResults, AreThoseOfTheProgramAlone) {
  {
    const PvmDaemon daemon;
    const auto farm = [](int steps) { return Words{PARALLAX_PROGRAMS_DIR "/pvm_farm", "2", std::to_string(steps / 10), "20"}; };
    expectSameResults(farm, "/pvm_farm",
                      {{{"kind", "call"}, {"at", "pvm:*"}, {"name", "pvm_setopt"}, {"arguments", {kFragmentSize, 8192}}},
                       {{"kind", "set_variable"}, {"at", "pvm:*"}, {"name", "opterr"}, {"value", 0}, {"value_type", "i32"}},
                       {{"kind", "argument"}, {"at", "pvm:*"}, {"name", "pvm_initsend"}, {"index", 0}, {"value", PvmDataDefault}, {"only", {{"index", 0}, {"equals", PvmDataRaw}}}},
                       {{"kind", "insert_call"}, {"at", "pvm:*"}, {"name", "abs"}, {"arguments", {-1}}, {"before", "pvm_send"}},
                       {{"kind", "replace"}, {"at", "pvm:*"}, {"name", "pvm_pkint"}, {"with", "pvm_pkuint"}}});
  }
  for (const char* name : {"PVM_TMP", "PVM_VMID", "PVM_ALLOW_ROOT"}) unsetenv(name);
}

TEST(TunePvmMissing, WithoutADaemonTheProgramRunsAsItWould) {
  const TemporaryDirectory nowhere;
  setenv("PVM_TMP", nowhere.path().c_str(), 1);
  setenv("PVM_ALLOW_ROOT", "1", 1);
  TuneSession session({guest("pvm_commands")}, kSent);
  EXPECT_EQ("no daemon", session.fromCommand());
  EXPECT_EQ(5, session.end());
  EXPECT_NE(std::string::npos, session.await("problem")["text"].get<std::string>().find("PVM is not reached"));
  EXPECT_TRUE(session.await("host").is_object());
  unsetenv("PVM_TMP");
  unsetenv("PVM_ALLOW_ROOT");
}

}  // namespace
}  // namespace parallax::tests
