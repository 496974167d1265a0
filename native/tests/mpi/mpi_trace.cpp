#include "tests/mpi/mpi_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

namespace parallax::tests {

using format::Collective;
using format::Kind;

namespace {

std::vector<uint32_t> expanded(const format::RankRun* runs, uint32_t count) {
  std::vector<uint32_t> ranks;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < runs[i].count; k++) {
      ranks.push_back(runs[i].first + static_cast<uint32_t>(runs[i].stride * int32_t(k)));
    }
  }
  return ranks;
}

struct MpiDefinitions {
  TracedRank* target;
  bool isRank = false;

  void operator()(const format::MpiRecord& r) {
    isRank = true;
    target->job = r.job;
    target->rank = r.worldRank;
    target->size = r.worldSize;
    target->threadLevel = r.threadLevel;
    target->library = r.library;
  }
  void operator()(const format::CommunicatorRecord& r) {
    TracedCommunicator c{r.globalId, r.size, r.ownRank, r.flags, {}, {}, std::string(r.name)};
    c.members = expanded(r.runs.data, r.runs.ownCount);
    c.remoteMembers = expanded(r.runs.data + r.runs.ownCount, r.runs.remoteCount);
    EXPECT_EQ(0u, target->communicators.count(r.communicator));
    if ((r.flags & format::kMembersUnknown) == 0) {
      EXPECT_EQ(r.size, c.members.size());
    }
    target->communicators[r.communicator] = c;
  }
  void operator()(const format::ModuleRecord& r) {
    target->modules.push_back({r.firstAddress, r.endAddress, std::string(r.path)});
  }
  template <class R>
  void operator()(const R&) {}
};

uint32_t peerOf(uint64_t peerAndTag) { return static_cast<uint32_t>(peerAndTag >> 32); }
uint32_t tagOf(uint64_t peerAndTag) { return static_cast<uint32_t>(peerAndTag); }

constexpr const char* kOperationNames[] = {
    "", "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
    "alltoall", "alltoallv", "alltoallw", "reduce", "allreduce", "reduce_scatter",
    "reduce_scatter_block", "scan", "exscan", "neighbor_allgather", "neighbor_allgatherv",
    "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw", "comm_create", "init",
    "finalize", "win_create", "win_free", "win_fence", "win_fence_open", "comm_spawn", "comm_connect",
    "comm_disconnect", "file_open", "file_close", "file_set_size", "file_set_view", "file_sync", "file_seek",
    "file_read", "file_write", "session_init", "session_finalize"};

}  // namespace

std::string TracedRank::moduleOf(uint64_t address) const {
  for (const TracedModule& module : modules) {
    if (address >= module.firstAddress && address < module.endAddress) return module.path;
  }
  return "";
}

std::vector<TracedRank> processesOf(const Trace& trace, const std::string& directory) {
  std::vector<TracedRank> ranks;
  format::TraceFiles files;
  EXPECT_EQ("", format::findTraceFiles(directory, &files));
  for (const format::ProcessFiles& one : files.processes) {
    format::DefinitionsFile definitions;
    EXPECT_EQ("", definitions.open(one.definitions));
    TracedRank rank;
    MpiDefinitions visitor{&rank};
    definitions.forEach(visitor);
    if (!visitor.isRank) continue;
    for (const TracedProcess& process : trace.processes) {
      if (process.process.pid == one.pid) rank.process = &process;
    }
    EXPECT_NE(nullptr, rank.process) << one.name;
    ranks.push_back(rank);
  }
  return ranks;
}

std::map<uint32_t, TracedRank> ranksOf(const Trace& trace, const std::string& directory) {
  std::map<uint32_t, TracedRank> ranks;
  for (const TracedRank& rank : processesOf(trace, directory)) {
    EXPECT_EQ(0u, ranks.count(rank.rank)) << "rank " << rank.rank << " twice";
    ranks[rank.rank] = rank;
  }
  for (const auto& [number, rank] : ranks) {
    EXPECT_EQ(ranks.size(), rank.size);
    EXPECT_EQ(ranks.begin()->second.job, rank.job);
    // A program with sessions can do without it.
    const auto world = rank.communicators.find(1);
    if (world != rank.communicators.end()) {
      EXPECT_EQ("MPI_COMM_WORLD", world->second.name);
    }
  }
  return ranks;
}

MessageSums sumsOf(const TracedProcess& process) {
  MessageSums sums;
  for (const auto& [number, thread] : process.threads) {
    for (const TracedEvent& e : thread.events) {
      if (e.kind == Kind::kSend) {
        sums.sends++;
        sums.sentBytes += e.payload[1];
      } else if (e.kind == Kind::kReceive) {
        sums.receives++;
        sums.receivedBytes += e.payload[1];
      } else if (e.kind == Kind::kProbe) {
        sums.probes++;
      } else if (e.kind == Kind::kRequestCancel) {
        sums.cancels++;
      } else if (e.kind == Kind::kCollective) {
        CollectiveSums& op = sums.collectives[static_cast<Collective>(e.payload[0] >> 31)];
        op.calls++;
        op.sentBytes += e.payload[1];
        op.receivedBytes += e.payload[2];
      }
    }
  }
  return sums;
}

std::string inWords(const MessageSums& sums) {
  std::ostringstream words;
  words << "sends=" << sums.sends << " send_bytes=" << sums.sentBytes
        << " receives=" << sums.receives << " receive_bytes=" << sums.receivedBytes
        << " probes=" << sums.probes << " cancels=" << sums.cancels;
  for (const auto& [op, c] : sums.collectives) {
    words << " " << kOperationNames[static_cast<size_t>(op)] << "=" << c.calls << "/"
          << c.sentBytes << "/" << c.receivedBytes;
  }
  return words.str();
}

void expectCallsEnd(const TracedProcess& process) {
  for (const auto& [number, thread] : process.threads) {
    EXPECT_EQ(thread.count(Kind::kEnter), thread.count(Kind::kLeave)) << "thread " << number;
    EXPECT_EQ(0u, thread.lost);
  }
}

void expectRequestsEnd(const TracedProcess& process) {
  std::map<uint64_t, int> open;  // 1 posted, 2 ended
  for (const Kind pass : {Kind::kSend, Kind::kRequestDone}) {
    for (const auto& [number, thread] : process.threads) {
      for (const TracedEvent& e : thread.events) {
        uint64_t request = 0;
        if (pass == Kind::kSend) {
          if (e.kind == Kind::kSend && e.payloadCount > 2) request = e.payload[2];
          if (e.kind == Kind::kReceivePost) request = e.payload[1];
          if (request != 0) {
            EXPECT_EQ(0, open[request]) << "request " << request << " posted twice";
            open[request] = 1;
          }
        } else {
          if (e.kind == Kind::kReceive && e.payloadCount > 2) request = e.payload[2];
          if (e.kind == Kind::kRequestDone || e.kind == Kind::kRequestCancel) {
            request = e.payload[0];
          }
          if (request != 0) {
            EXPECT_EQ(1, open[request]) << "end of request " << request;
            open[request] = 2;
          }
        }
      }
    }
  }
  for (const auto& [request, state] : open) EXPECT_EQ(2, state) << "request " << request;
}

void expectMessagesMatch(const std::map<uint32_t, TracedRank>& ranks, bool truncated) {
  using Channel = std::tuple<uint64_t, uint32_t, uint32_t, uint32_t>;  // id, from, to, tag
  using Ordered = std::vector<std::pair<uint64_t, uint64_t>>;          // ticks, bytes
  std::map<Channel, Ordered> sends, receives;
  for (const auto& [worldRank, rank] : ranks) {
    std::map<uint64_t, uint64_t> postTicks;  // of requests
    for (const auto& [number, thread] : rank.process->threads) {
      for (const TracedEvent& e : thread.events) {
        if (e.kind == Kind::kReceivePost) postTicks[e.payload[1]] = e.ticks;
      }
    }
    for (const auto& [number, thread] : rank.process->threads) {
      uint64_t entered = 0;
      for (const TracedEvent& e : thread.events) {
        if (e.kind == Kind::kEnter) entered = e.ticks;
        if (e.kind != Kind::kSend && e.kind != Kind::kReceive) continue;
        const TracedCommunicator& c = rank.communicators.at(e.operand);
        ASSERT_LT(peerOf(e.payload[0]), c.peers().size());
        const uint32_t peer = c.peers()[peerOf(e.payload[0])], tag = tagOf(e.payload[0]);
        if (e.kind == Kind::kSend) {
          sends[{c.globalId, worldRank, peer, tag}].emplace_back(e.ticks, e.payload[1]);
        } else {
          const uint64_t posted = e.payloadCount > 2 ? postTicks.at(e.payload[2]) : entered;
          receives[{c.globalId, peer, worldRank, tag}].emplace_back(posted, e.payload[1]);
        }
      }
    }
  }
  EXPECT_EQ(sends.size(), receives.size());
  for (auto& [channel, sent] : sends) {
    Ordered& received = receives[channel];
    const auto byTicks = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(sent.begin(), sent.end(), byTicks);
    std::stable_sort(received.begin(), received.end(), byTicks);
    const std::string name = "from " + std::to_string(std::get<1>(channel)) + " to " +
                             std::to_string(std::get<2>(channel)) + " tag " +
                             std::to_string(std::get<3>(channel));
    ASSERT_EQ(sent.size(), received.size()) << name;
    for (size_t k = 0; k < sent.size(); k++) {
      if (truncated && received[k].second < sent[k].second) continue;
      EXPECT_EQ(sent[k].second, received[k].second) << name << " message " << k;
    }
  }
}

void expectCollectivesMatch(const std::map<uint32_t, TracedRank>& ranks) {
  struct Met {
    std::set<uint32_t> participants;
    uint64_t op = 0;
    std::set<uint64_t> roots;  // as far as known
    const TracedCommunicator* communicator = nullptr;
  };
  std::map<std::pair<uint64_t, uint64_t>, Met> met;
  for (const auto& [worldRank, rank] : ranks) {
    std::map<uint64_t, std::set<uint64_t>> sequences, posted, completed;
    for (const auto& [number, thread] : rank.process->threads) {
      for (const TracedEvent& e : thread.events) {
        if (e.kind == Kind::kCollectivePost) posted[e.operand].insert(e.payload[3]);
        if (e.kind != Kind::kCollective) continue;
        const TracedCommunicator& c = rank.communicators.at(e.operand);
        EXPECT_TRUE(sequences[e.operand].insert(e.payload[3]).second);
        Met& one = met[{c.globalId, e.payload[3]}];
        one.communicator = &c;
        EXPECT_TRUE(one.op == 0 || one.op == e.payload[0] >> 31);
        one.op = e.payload[0] >> 31;
        const uint64_t root = e.payload[0] & 0x7fffffff;
        if (root != format::kNoRoot) one.roots.insert(root);
        one.participants.insert(worldRank);
      }
    }
    for (const auto& [communicator, numbers] : sequences) {
      EXPECT_EQ(numbers.size(), *numbers.rbegin() + 1) << "gap on communicator " << communicator;
      for (const uint64_t number : posted[communicator]) {
        EXPECT_TRUE(numbers.count(number)) << "not completed: " << number;
      }
    }
  }
  for (const auto& [key, one] : met) {
    std::set<uint32_t> members(one.communicator->members.begin(),
                               one.communicator->members.end());
    members.insert(one.communicator->remoteMembers.begin(), one.communicator->remoteMembers.end());
    EXPECT_EQ(members, one.participants) << "sequence " << key.second << " op " << one.op;
    EXPECT_LE(one.roots.size(), 1u) << "sequence " << key.second << " op " << one.op;
  }
}

void expectCommunicatorsAgree(const std::map<uint32_t, TracedRank>& ranks) {
  std::map<uint64_t, std::set<uint32_t>> membersOf;
  for (const auto& [worldRank, rank] : ranks) {
    std::set<uint64_t> seen;
    for (const auto& [number, c] : rank.communicators) {
      EXPECT_TRUE(seen.insert(c.globalId).second) << "two of rank " << worldRank;
      std::set<uint32_t> members(c.members.begin(), c.members.end());
      ASSERT_LT(c.ownRank, c.members.size());
      EXPECT_EQ(worldRank, c.members[c.ownRank]);
      members.insert(c.remoteMembers.begin(), c.remoteMembers.end());
      EXPECT_EQ(c.remoteMembers.empty(), (c.flags & format::kIntercommunicator) == 0);
      const auto [at, isNew] = membersOf.emplace(c.globalId, members);
      EXPECT_EQ(at->second, members) << "communicator " << number << " of rank " << worldRank;
    }
  }
}

}  // namespace parallax::tests
