// Clients and a threaded server that exchange requests of known cost: each request's arcs in both
// directions, and its cost between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/guest_runner.h"
#include "tests/guest_trace.h"
#include "tests/stream_arcs.h"

namespace parallax::tests {
namespace {

using format::StreamKind;

constexpr int kRequests = 12;

const std::string kProgram = PARALLAX_BUILD_DIRECTORY "/programs/client_server";

// What each thread of the server took for each request, as it says itself, by its thread id.
std::map<uint32_t, std::vector<double>> servedNs(const std::string& output) {
  std::map<uint32_t, std::vector<double>> result;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    int client, number;
    unsigned thread;
    long units, ns;
    if (sscanf(line.c_str(), "request client=%d number=%d units=%ld ns=%ld thread=%u", &client,
               &number, &units, &ns, &thread) != 5) {
      continue;
    }
    EXPECT_EQ(static_cast<size_t>(number), result[thread].size());
    result[thread].push_back(static_cast<double>(ns));
  }
  return result;
}

struct Connection {
  SharedStream requests, replies;
};

std::vector<Connection> connectionsOf(const std::vector<const Trace*>& traces) {
  std::vector<SharedStream> requests, replies;
  for (auto& [key, stream] : sharedStreams(traces)) {
    if (stream.kind != StreamKind::kTcp || stream.sends.empty()) continue;
    (stream.sends[0].bytes == 4 ? requests : replies).push_back(stream);
  }
  std::vector<Connection> result;
  for (const SharedStream& there : requests) {
    for (const SharedStream& back : replies) {
      // The server's thread takes from the one and gives to the other.
      if (there.receives.empty() || back.sends[0].process != there.receives[0].process ||
          back.sends[0].thread != there.receives[0].thread) {
        continue;
      }
      result.push_back({there, back});
    }
  }
  EXPECT_EQ(requests.size(), replies.size());
  EXPECT_EQ(requests.size(), result.size());
  return result;
}

// The receives that hold bytes of one send, in order.
std::vector<const StreamCall*> receiversOf(const SharedStream& stream, const StreamCall& send) {
  std::vector<const StreamCall*> result;
  for (const StreamCall& receive : stream.receives) {
    if (stream.senderOf(receive) == &send) result.push_back(&receive);
  }
  return result;
}

// Expects the arcs of all requests, and returns the time between those of each, in nanoseconds.
std::vector<double> expectRequests(const Connection& connection) {
  const auto& [requests, replies] = connection;
  expectWhole(requests);
  expectWhole(replies);
  std::vector<double> ns;
  if (requests.sends.size() != kRequests + 1 || replies.sends.size() != kRequests) {
    ADD_FAILURE() << requests.sends.size() << " requests, " << replies.sends.size() << " replies";
    return ns;
  }
  uint64_t before = 0;
  for (size_t i = 0; i < kRequests; i++) {
    const StreamCall &request = requests.sends[i + 1], &reply = replies.sends[i];
    EXPECT_EQ(100 + i, request.bytes);
    EXPECT_EQ(1000 + 10 * i, reply.bytes);
    const auto there = receiversOf(requests, request), back = receiversOf(replies, reply);
    if (there.empty() || back.empty()) {
      ADD_FAILURE() << "request " << i << " has no arc " << (there.empty() ? "there" : "back");
      continue;
    }
    // From client to server and back, each after the other.
    EXPECT_NE(request.process, there[0]->process);
    EXPECT_EQ(there[0]->process, reply.process);
    EXPECT_EQ(there[0]->thread, reply.thread);
    EXPECT_EQ(request.process, back[0]->process);
    EXPECT_EQ(request.thread, back[0]->thread);
    EXPECT_LE(before, request.enterTicks);
    EXPECT_LE(request.enterTicks, there.back()->ticks);
    EXPECT_LE(there.back()->ticks, reply.enterTicks);
    EXPECT_LE(reply.enterTicks, back.back()->ticks);
    before = back.back()->ticks;
    ns.push_back(static_cast<double>(reply.enterTicks - there.back()->ticks) * 1e9 /
                 static_cast<double>(reply.process->process.tickHz));
  }
  return ns;
}

// The time between the arcs of each request holds what the server says, and little more, but where
// the thread lost the processor on its way.
void expectCosts(const std::vector<Connection>& connections,
                 std::map<uint32_t, std::vector<double>> served) {
  constexpr double kClockErrorNs = 20e3;
  for (const Connection& connection : connections) {
    const std::vector<double> arcs = expectRequests(connection);
    const StreamCall& reply = connection.replies.sends[0];
    const auto found = served.find(reply.process->threads.at(reply.thread).definition.kernelTid);
    ASSERT_NE(served.end(), found) << "a thread that has served nothing";
    const std::vector<double> costs = found->second;
    served.erase(found);
    ASSERT_EQ(costs.size(), arcs.size());
    std::vector<double> more;
    for (size_t i = 0; i < costs.size(); i++) {
      EXPECT_GE(arcs[i], costs[i] - kClockErrorNs) << "request " << i;
      more.push_back(arcs[i] - costs[i]);
    }
    std::sort(more.begin(), more.end());
    EXPECT_LT(more[2], 0.1 * *std::min_element(costs.begin(), costs.end()))
        << "between the arcs of each request, and its cost, in ns: " << testing::PrintToString(arcs)
        << testing::PrintToString(costs);
  }
  EXPECT_TRUE(served.empty()) << served.size() << " connections are not in the trace";
}

TEST(ClientServer, EachRequestHasItsArcsInBothDirections) {
  TemporaryDirectory scratch;
  const Outcome outcome = run(recorded(scratch / "trace", {kProgram, "3", "12", "4"}, {"--quiet"}));
  ASSERT_EQ(0, outcome.status) << outcome.errors;
  const Trace trace = loadTrace(scratch / "trace");
  ASSERT_EQ(2u, trace.processes.size());
  const auto connections = connectionsOf({&trace});
  ASSERT_EQ(3u, connections.size());
  const auto served = servedNs(outcome.output);
  ASSERT_EQ(3u, served.size());
  expectCosts(connections, served);
}

// Each side by a command of its own, as it would be on two hosts.
class ClientServerApart : public testing::Test {
 protected:
  // Runs `script` with the two commands as $server and $client, and returns the server's output.
  std::string record(const std::string& script, const std::string& address) {
    auto side = [&](const char* role, const std::string& file) {
      std::string line;
      for (const std::string& word :
           recorded(scratch_ / role, {kProgram, role, file, "2", "12", "4"}, {"--quiet"})) {
        line += word + " ";
      }
      return line;
    };
    const std::string file = scratch_ / "address";
    const Outcome outcome = run({"sh", "-c", script}, [&] {
      setenv("server", side("serve", file + "@" + address).c_str(), 1);
      setenv("client", side("ask", file).c_str(), 1);
    });
    EXPECT_EQ(0, outcome.status) << outcome.errors;
    return outcome.output;
  }
  void expectArcs(const std::string& output, bool apart) {
    const Trace server = loadTrace(scratch_ / "serve"), client = loadTrace(scratch_ / "ask");
    ASSERT_EQ(1u, server.processes.size());
    ASSERT_EQ(1u, client.processes.size());
    if (apart) {
      EXPECT_EQ("far", server.processes[0].host);
      EXPECT_EQ("near", client.processes[0].host);
    }
    const auto connections = connectionsOf({&server, &client});
    ASSERT_EQ(2u, connections.size());
    const auto served = servedNs(output);
    ASSERT_EQ(2u, served.size());
    expectCosts(connections, served);
  }
  static bool permitted(const char* what) { return run({"sh", "-c", what}).status == 0; }

  TemporaryDirectory scratch_;
};

TEST_F(ClientServerApart, TwoCommandsOnOneHost) {
  expectArcs(record("$server & $client && wait $!", "127.0.0.1"), false);
}

TEST_F(ClientServerApart, TwoCommandsUnderTwoHostNames) {
  if (!permitted("unshare -u hostname far")) {
    GTEST_SKIP() << "no right to another host name (unshare -u)";
  }
  expectArcs(record("unshare -u sh -c 'hostname far; exec $server' &\n"
                    "unshare -u sh -c 'hostname near; exec $client' && wait $!", "127.0.0.1"), true);
}

// Addresses that are not the host's own, and a cable between them: no side can see the other's
// memory, sockets or counters.
TEST_F(ClientServerApart, TwoCommandsInTwoNetworks) {
  if (!permitted("unshare -un sh -c 'hostname far && ip link add near0 type veth peer name far0'")) {
    GTEST_SKIP() << "no right to another network, or no virtual cables (unshare -n, ip link)";
  }
  const std::string output = record(
      "unshare -un sh -c '\n"
      "  hostname near\n"
      "  unshare -un sleep 60 & far=$!\n"
      "  until [ \"$(readlink /proc/$far/ns/net)\" != \"$(readlink /proc/self/ns/net)\" ]\n"
      "  do sleep 0.05; done\n"
      "  ip link add near0 type veth peer name far0 && ip link set far0 netns $far &&\n"
      "  ip addr add 10.77.0.1/24 dev near0 && ip link set near0 up &&\n"
      "  nsenter -t $far -u -n sh -c \"hostname far && ip addr add 10.77.0.2/24 dev far0 &&\n"
      "    ip link set far0 up\" &&\n"
      "  { nsenter -t $far -u -n $server & $client && wait $!; }\n"
      "  status=$?; kill $far; exit $status'",
      "10.77.0.2");
  expectArcs(output, true);
}

}  // namespace
}  // namespace parallax::tests
