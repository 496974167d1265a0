// Programs whose results must not change when they are tuned.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/tune/session.h"

namespace parallax::tests {

// Runs the command under the monitor, asks each process whose program's path ends so for all of these actions, and expects the output
// and the status of the command alone, and that none is refused. Returns which actions were done by at least one process.
inline std::set<size_t> expectSameResultsOnce(const Words& command, const std::string& program, const std::vector<Json>& actions) {
  const Outcome alone = run(command);
  EXPECT_EQ(0, alone.status) << alone.errors;
  EXPECT_NE("", alone.output);
  TuneSession session(command, Json::array({{{"name", "all"}, {"routines", {"mpi:*", "pvm:*"}}, {"key", "size"}}}));
  std::set<int> asked;
  std::map<int, size_t> actionOf;
  int id = 0;
  const auto endsSo = [&](const std::string& path) {
    return path.size() >= program.size() && path.compare(path.size() - program.size(), program.size(), program) == 0;
  };
  // The next of these processes, or the end.
  const auto isNews = [&](const Json& line) {
    return line["type"] == "end" || (line["type"] == "process" && line["event"] == "started" && endsSo(line["program"]) && asked.count(line["pid"]) == 0);
  };
  for (Json news; (news = session.await(isNews, 20000)).is_object() && news["type"] == "process";) {
    asked.insert(news["pid"].get<int>());
    for (size_t i = 0; i < actions.size(); i++) {
      Json request{{"type", "act"}, {"id", ++id}, {"pid", news["pid"]}};
      request.update(actions[i]);
      session.send(request);
      actionOf[id] = i;
    }
  }
  EXPECT_EQ(alone.status, session.end());
  EXPECT_EQ(alone.output, session.output());
  std::set<size_t> done;
  for (const Json& line : session.lines()) {
    if (!line.is_object() || line["type"] != "action") continue;
    EXPECT_NE("refused", line["state"]) << line;
    if (line["state"] == "done") done.insert(actionOf[line["id"]]);
  }
  EXPECT_TRUE(session.await("problem", "", {}, 0).is_null()) << session.await("problem", "", {}, 0);
  return done;
}

// Each action must be done at least once. Beside other work, a program may end before it is asked: then a longer one follows.
inline void expectSameResults(const std::function<Words(int steps)>& command, const std::string& program, const std::vector<Json>& actions) {
  std::set<size_t> done;
  for (int steps = 100; done.size() < actions.size() && steps <= 10000; steps *= 10) {
    const std::set<size_t> now = expectSameResultsOnce(command(steps), program, actions);
    done.insert(now.begin(), now.end());
    if (testing::Test::HasFailure()) return;
  }
  for (size_t i = 0; i < actions.size(); i++) EXPECT_EQ(1u, done.count(i)) << actions[i];
}

}  // namespace parallax::tests
