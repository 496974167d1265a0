// The lines between analyzer and monitor.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tools/tune/change_preparer.h"
#include "tools/tune/lines.h"
#include "tools/tune/reports.h"
#include "tools/tune/requests.h"

namespace parallax::tuning {
namespace {

template <class Kind>
Kind read(const std::string& line) {
  Request request;
  EXPECT_EQ("", parseRequest(line, &request)) << line;
  EXPECT_TRUE(std::holds_alternative<Kind>(request)) << line;
  return std::holds_alternative<Kind>(request) ? std::get<Kind>(request) : Kind{};
}

TEST(TuneRequests, PointsHaveRoutinesKeysAndProcesses) {
  const auto points = read<Points>(R"({"type":"points","points":[
      {"name":"sent","routines":["pvm_send","pvm_psend"],"key":"size"},
      {"name":"locked","routines":["pthread_mutex_lock"],"key":"none","processes":[7,9]},
      {"name":"all","routines":["mpi:*"],"key":"peer","processes":"all","later":true}]})").points;
  ASSERT_EQ(3u, points.size());
  EXPECT_EQ("sent", points[0].name);
  EXPECT_EQ((live::AskedPoint{{"pvm_send", "pvm_psend"}, live::Key::kSize}), points[0].measured);
  EXPECT_TRUE(points[0].holdsFor(1));
  EXPECT_EQ(live::Key::kNone, points[1].measured.key);
  EXPECT_TRUE(points[1].holdsFor(9));
  EXPECT_FALSE(points[1].holdsFor(8));
  EXPECT_EQ(live::Key::kPeer, points[2].measured.key);
  EXPECT_TRUE(points[2].holdsFor(8));
  EXPECT_TRUE(read<Points>(R"({"type":"points","points":[]})").points.empty());
  // Two hosts may have processes of one number.
  Point point = read<Points>(R"({"type":"points","points":[{"name":"sent","routines":["pvm_send"],"processes":[
      {"host":"moon","pid":7},{"host":"mars","pid":8},9]}]})").points.at(0);
  point.keepThoseOf("moon");
  EXPECT_TRUE(point.holdsFor(7) && point.holdsFor(9));
  EXPECT_FALSE(point.holdsFor(8));
}

TEST(TuneRequests, ActionsOfEachKind) {
  const auto call = read<Action>(R"({"type":"act","id":7,"host":"h","pid":12,"kind":"call","at":"pvm_send","name":"pvm_setopt",
      "arguments":[10,-2,0.5,"text"],"returns":"long"})");
  EXPECT_EQ("h", call.host);
  EXPECT_EQ(12, call.pid);
  EXPECT_EQ(7u, call.asked.id);
  EXPECT_EQ(live::ActionKind::kCall, call.asked.kind);
  EXPECT_EQ("pvm_send", call.asked.at);
  EXPECT_EQ("pvm_setopt", call.asked.name);
  ASSERT_EQ(4u, call.asked.arguments.size());
  EXPECT_EQ(-2, call.asked.arguments[1].integer);
  EXPECT_EQ(0.5, call.asked.arguments[2].number);
  EXPECT_EQ("text", call.asked.arguments[3].text);
  EXPECT_EQ(live::ReturnType::kLong, call.asked.returns);

  const auto undone = read<Action>(R"({"type":"act","id":7,"pid":12,"kind":"call","at":"pvm_send","name":"f","undoes":5,
      "undo":{"name":"g","arguments":[1]}})");
  EXPECT_EQ(5u, undone.undoes);
  ASSERT_NE(nullptr, undone.undo);
  EXPECT_EQ("g", undone.undo->asked.name);
  EXPECT_EQ("pvm_send", undone.undo->asked.at);
  EXPECT_EQ(live::ActionKind::kCall, undone.undo->asked.kind);
  ASSERT_EQ(1u, undone.undo->asked.arguments.size());

  const auto variable = read<Action>(R"({"type":"act","id":8,"pid":12,"kind":"set_variable","name":"0x4010","module":"is","value":-3,"value_type":"i32"})");
  EXPECT_EQ("any", variable.asked.at);
  EXPECT_EQ(0x4010u, variable.asked.address);
  EXPECT_EQ("is", variable.asked.module);
  EXPECT_EQ("", variable.asked.name);
  ASSERT_EQ(1u, variable.asked.arguments.size());
  EXPECT_EQ(-3, variable.asked.arguments[0].integer);

  const auto mpi = read<Action>(R"({"type":"act","id":9,"pid":12,"kind":"mpi_variable","name":"MPIR_CVAR_X","value":"4","at":"mpi:*"})");
  EXPECT_EQ(live::ActionKind::kMpiVariable, mpi.asked.kind);
  EXPECT_EQ("4", mpi.asked.text);
  EXPECT_EQ("4.5", read<Action>(R"({"type":"act","id":9,"pid":12,"kind":"tunable","name":"work","value":4.5})").value);

  const auto argument = read<Action>(R"({"type":"act","id":9,"pid":12,"kind":"argument","name":"pvm_initsend","index":0,"least":-1,
      "value_type":"i64","only":{"index":2,"equals":3}})");
  EXPECT_EQ("argument", argument.change.kind);
  EXPECT_EQ("pvm_initsend", argument.change.function);
  EXPECT_EQ("at_least", argument.change.change);
  EXPECT_EQ(-1, argument.change.value);
  EXPECT_EQ("i64", argument.change.type);
  EXPECT_EQ("==", argument.change.comparison);
  EXPECT_EQ(2u, argument.change.conditionArgument);
  EXPECT_EQ(3, argument.change.conditionValue);
  const auto insertion = read<Action>(R"({"type":"act","id":9,"pid":12,"kind":"insert_call","name":"f","after":"g","arguments":[4,-5]})");
  EXPECT_EQ("insert_after", insertion.change.kind);
  EXPECT_EQ("g", insertion.change.function);
  EXPECT_EQ("f", insertion.change.otherFunction);
  EXPECT_EQ(-5, insertion.change.words[1]);
  const auto replacement = read<Action>(R"({"type":"act","id":9,"pid":12,"kind":"replace","name":"f","with":"g"})");
  EXPECT_EQ("replace", replacement.change.kind);
  EXPECT_EQ("g", replacement.change.otherFunction);

  const auto collective = read<Action>(R"({"type":"act","id":9,"pid":12,"kind":"collective","name":"MPI_Alltoall","method":"linear",
      "from":16,"to":31})");
  EXPECT_EQ(live::ActionKind::kCollective, collective.asked.kind);
  EXPECT_EQ("MPI_Alltoall", collective.asked.name);
  EXPECT_EQ("linear", collective.asked.text);
  ASSERT_EQ(2u, collective.asked.arguments.size());
  EXPECT_EQ(16, collective.asked.arguments[0].integer);
  EXPECT_EQ(31, collective.asked.arguments[1].integer);

  const auto undo = read<Action>(R"({"type":"act","id":10,"pid":12,"kind":"undo","undoes":7})");
  EXPECT_EQ(live::ActionKind::kUndo, undo.asked.kind);
  EXPECT_EQ(7u, undo.asked.undoes);
}

TEST(TuneRequests, OtherRequests) {
  EXPECT_EQ(1000000u, read<Interval>(R"({"type":"interval","ns":1000000})").ns);
  EXPECT_EQ(15, read<Kill>(R"({"type":"kill","signal":15})").signal);
  read<Stop>(R"({"type":"stop"})");
  const auto back = read<TakeBack>(R"({"type":"take_back","id":7,"host":"h","pid":12})");
  EXPECT_EQ("h", back.host);
  EXPECT_EQ(12, back.pid);
  EXPECT_EQ(7u, back.id);
  EXPECT_EQ(9u, read<Keep>(R"({"type":"keep","id":9,"host":"h","pid":12})").id);
  read<Lost>(R"({"type":"lost"})");
  EXPECT_EQ(139, read<Status>(Reports("h").status(12, 139)).status);
  read<Ready>(Reports("h").ready());
}

TEST(TuneRequests, BadLinesAreToldAndChangeNothing) {
  const std::string action = R"({"type":"act","id":7,"pid":12,"kind":"call","name":"f")";
  const std::pair<std::string, std::string> lines[] = {
      {"", "no JSON"},
      {"{", "no JSON"},
      {"[]", "must be an object"},
      {"7", "must be an object"},
      {"{}", "\"type\""},
      {R"({"type":7})", "\"type\""},
      {R"({"type":"pints"})", "unknown \"type\": pints"},
      {R"({"type":"points"})", "\"points\""},
      {R"({"type":"points","points":{}})", "\"points\""},
      {R"({"type":"points","points":[7]})", "\"points\""},
      {R"({"type":"points","points":[{"routines":["a"]}]})", "\"name\""},
      {R"({"type":"points","points":[{"name":"a"}]})", "\"routines\""},
      {R"({"type":"points","points":[{"name":"a","routines":[]}]})", "at least one routine"},
      {R"({"type":"points","points":[{"name":"a","routines":["b,c"]}]})", "\"routines\""},
      {R"({"type":"points","points":[{"name":"a","routines":["b"],"key":"tag"}]})", "one of none, peer, size"},
      {R"({"type":"points","points":[{"name":"a","routines":["b"],"processes":["c"]}]})", "\"processes\""},
      {R"({"type":"points","points":[{"name":"a","routines":["b"],"processes":[{"pid":7}]}]})", "\"processes\""},
      {R"({"type":"points","points":[{"name":"a","routines":["b"]},{"name":"a","routines":["c"]}]})", "two points"},
      {R"({"type":"interval","ns":1})", "from 1000000"},
      {R"({"type":"interval","ns":1e9})", "whole number"},
      {R"({"type":"kill","signal":-9})", "\"signal\""},
      {R"({"type":"act","pid":12,"kind":"call","name":"f"})", "\"id\""},
      {R"({"type":"act","id":0,"pid":12,"kind":"call","name":"f"})", "\"id\""},
      {R"({"type":"act","id":4294967296,"pid":12,"kind":"call","name":"f"})", "\"id\""},
      {R"({"type":"act","id":7,"kind":"call","name":"f"})", "\"pid\""},
      {R"({"type":"act","id":7,"pid":12,"kind":"eat","name":"f"})", "one of call"},
      {R"({"type":"act","id":7,"pid":12,"kind":"call"})", "\"name\""},
      {R"({"type":"act","id":7,"pid":12,"kind":"call","name":"0xzz"})", "an address"},
      {R"({"type":"act","id":7,"pid":12,"kind":"undo"})", "\"undoes\""},
      {R"({"type":"act","id":7,"pid":12,"kind":"set_variable","name":"v","value":1})", "\"value_type\""},
      {R"({"type":"act","id":7,"pid":12,"kind":"set_variable","name":"v","value":3000000000,"value_type":"i32"})", "of the type i32"},
      {R"({"type":"act","id":7,"pid":12,"kind":"set_variable","name":"v","value":-1,"value_type":"u64"})", "of the type u64"},
      {R"({"type":"act","id":7,"pid":12,"kind":"set_variable","name":"v","value":"x","value_type":"f64"})", "of the type f64"},
      {R"({"type":"act","id":7,"pid":12,"kind":"argument","name":"f","index":6,"value":1})", "from 0 to 5"},
      {R"({"type":"act","id":7,"pid":12,"kind":"argument","name":"f","index":0})", "\"value\""},
      {R"({"type":"act","id":7,"pid":12,"kind":"argument","name":"f","index":0,"value":0.5})", "64 bits"},
      {R"({"type":"act","id":7,"pid":12,"kind":"argument","name":"f","index":0,"value":1,"only":1})", "\"only\""},
      {R"({"type":"act","id":7,"pid":12,"kind":"insert_call","name":"f"})", "\"before\""},
      {R"({"type":"act","id":7,"pid":12,"kind":"insert_call","name":"f","before":"g","arguments":["x"]})", "whole numbers"},
      {R"({"type":"act","id":7,"pid":12,"kind":"replace","name":"f"})", "\"with\""},
      {action + R"(,"arguments":[1,2,3,4,5,6,7]})", "at most 6"},
      {action + R"(,"arguments":[null]})", "numbers and texts"},
      {action + R"(,"arguments":7})", "\"arguments\""},
      {action + R"(,"name":")" + std::string(200, 'n') + "\"}", "1 to 127 bytes"},
      {action + R"(,"returns":"text"})", "one of int, long, double"},
  };
  for (const auto& [line, told] : lines) {
    Request request = Kill{77};
    EXPECT_NE(std::string::npos, parseRequest(line, &request).find(told)) << line << ": " << parseRequest(line, &request);
    ASSERT_TRUE(std::holds_alternative<Kill>(request)) << line;
    EXPECT_EQ(77, std::get<Kill>(request).signal) << line;
  }
}

TEST(TuneReports, LinesBeginWithTheirTypeAndKeepTheirNumbers) {
  const Reports reports("host");
  EXPECT_EQ(R"({"type":"hello","version":1,"host":"host","pid":3,"secret":"s"})", reports.hello(3, "s"));
  EXPECT_EQ(R"({"type":"host","host":"other","event":"added","arch":"LINUX64"})", reports.hostEvent("other", "added", "LINUX64"));
  EXPECT_EQ(R"({"type":"process","host":"host","pid":4,"event":"started","program":"/x/is","task":"t40002","time":5})",
            reports.process({4, "/x/is", "t40002", "", -1}, "started", 5));
  EXPECT_EQ(R"({"type":"process","host":"host","pid":4,"event":"ended","program":"p","rank":2,"library":"l","time":5,"status":137})",
            reports.process({4, "p", "", "l", 2}, "ended", 5, 137));
  const std::string metrics = reports.metrics(4, 5, {{"sent", "4096", 3, 18446744073709551615ULL, 7, 1, 4, 2.5}});
  EXPECT_EQ(R"({"type":"metrics","host":"host","pid":4,"time":5,"points":[{"point":"sent","key":"4096","count":3,)"
            R"("bytes":18446744073709551615,"bytes2":2.5,"ns":7,"least":1,"most":4}]})", metrics);
  EXPECT_EQ(R"({"type":"tunables","host":"host","pid":4,"variables":[{"name":"v","value":8,"least":-1,"most":9}]})",
            reports.tunables(4, {{"v", int64_t{8}, int64_t{-1}, int64_t{9}}}));
  EXPECT_EQ(R"({"type":"action","host":"host","pid":4,"id":7,"state":"done","result":0,"old":1.5,"time":5})",
            reports.action(4, {7, "done", "", int64_t{0}, 1.5}, 5));
  EXPECT_EQ(R"({"type":"problem","host":"host","text":"t","line":2})", reports.problem("t", 2));
  EXPECT_EQ(R"({"type":"end","status":0,"time":5})", reports.end(0, 5));
  // A path that is no UTF-8 still makes a line that can be read.
  EXPECT_FALSE(nlohmann::json::parse(reports.process({4, "/x/\xff", "", "", -1}, "started", 5), nullptr, false).is_discarded());
}

bool isReady(const ChangePreparer& preparer, int patienceMs) {
  pollfd ready{preparer.fd(), POLLIN, 0};
  return poll(&ready, 1, patienceMs) == 1;
}

TEST(TuneChanges, ArePreparedWhileTheCallerGoesOn) {
  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
  ChangePreparer preparer([open](int pid, const points::ActionRequest& request, const std::string&) {
    open.wait();
    return pid == 2 ? "no function " + request.function : "";
  });
  points::ActionRequest request;
  request.function = "f";
  preparer.begin(7, 1, request, "/path/7");
  preparer.begin(8, 2, request, "/path/8");
  EXPECT_FALSE(isReady(preparer, 0));
  EXPECT_TRUE(preparer.take().empty());
  gate.set_value();
  std::vector<ChangePreparer::Prepared> prepared;
  while (prepared.size() < 2 && isReady(preparer, 10000)) {
    for (const auto& each : preparer.take()) prepared.push_back(each);
  }
  ASSERT_EQ(2u, prepared.size());
  EXPECT_EQ(7u, prepared[0].id);
  EXPECT_EQ("/path/7", prepared[0].path);
  EXPECT_EQ("", prepared[0].problem);
  EXPECT_EQ(8u, prepared[1].id);
  EXPECT_EQ("no function f", prepared[1].problem);
  EXPECT_TRUE(preparer.take().empty());
}

TEST(TuneChanges, AreNotWaitedForAtTheEnd) {
  const std::string path = testing::TempDir() + "parallax-change-" + std::to_string(getpid());
  std::promise<void> gate, begun;
  {
    std::shared_future<void> open = gate.get_future().share();
    ChangePreparer preparer([open, &begun](int, const points::ActionRequest&, const std::string& file) {
      begun.set_value();
      open.wait();
      std::ofstream(file) << "change";
      return "";
    });
    preparer.begin(7, 1, {}, path);
    begun.get_future().wait();
  }
  gate.set_value();
  usleep(20000);
  for (int i = 0; i < 200 && std::filesystem::exists(path); i++) usleep(10000);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TuneLines, CrossPipesInAnyPieces) {
  int ends[2];
  ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
  LineReader reader(ends[0]);
  std::vector<LineReader::Line> lines;
  const auto put = [&](const std::string& text) { ASSERT_EQ(static_cast<ssize_t>(text.size()), write(ends[1], text.data(), text.size())); };
  put("a");
  ASSERT_TRUE(reader.read(&lines));
  EXPECT_TRUE(lines.empty());
  put("b\n\nc\nd");
  ASSERT_TRUE(reader.read(&lines));
  ASSERT_EQ(3u, lines.size());
  EXPECT_EQ("ab", lines[0].text);
  EXPECT_EQ("", lines[1].text);
  EXPECT_EQ("c", lines[2].text);
  EXPECT_EQ(3u, lines[2].number);
  put("\n");
  ASSERT_TRUE(reader.read(&lines));
  EXPECT_EQ("d", lines[3].text);
  close(ends[1]);
  EXPECT_FALSE(reader.read(&lines));
  close(ends[0]);
}

TEST(TuneLines, WhatIsTooLongIsSkippedAndTheNextIsRead) {
  int ends[2];
  ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
  LineReader reader(ends[0]);
  LineWriter writer(ends[1]);
  writer.write(std::string(LineReader::kMostBytes + 100000, 'x'));
  writer.write("next");
  std::vector<LineReader::Line> lines;
  while (lines.size() < 2) {
    ASSERT_TRUE(writer.flush());
    ASSERT_TRUE(reader.read(&lines));
  }
  EXPECT_TRUE(lines[0].tooLong);
  EXPECT_FALSE(lines[1].tooLong);
  EXPECT_EQ("next", lines[1].text);
  EXPECT_EQ(0u, writer.waiting());
  close(ends[0]);
  close(ends[1]);
}

TEST(TuneLines, AWriterNeverWaitsForItsReader) {
  int ends[2];
  ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
  LineWriter writer(ends[1]);
  constexpr int kLines = 200;
  const std::string line(4000, 'x');
  for (int i = 0; i < kLines; i++) {
    writer.write(line);
    ASSERT_TRUE(writer.flush());
  }
  EXPECT_GT(writer.waiting(), 0u);
  EXPECT_EQ(0, fcntl(ends[1], F_GETFL) & O_NONBLOCK);  // others may have it
  signal(SIGPIPE, SIG_IGN);
  close(ends[0]);
  EXPECT_FALSE(writer.flush());
  EXPECT_EQ(0u, writer.waiting());
  close(ends[1]);
}

}  // namespace
}  // namespace parallax::tuning
