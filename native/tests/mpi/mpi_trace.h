// What a trace says about MPI, and what holds for every trace of a program that ran to its end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/guest_trace.h"

namespace parallax::tests {

struct TracedCommunicator {
  uint64_t globalId = 0;
  uint32_t size = 0, ownRank = 0, flags = 0;
  std::vector<uint32_t> members, remoteMembers;  // world ranks
  std::string name;

  // The world ranks that peers of events stand for.
  const std::vector<uint32_t>& peers() const {
    return remoteMembers.empty() ? members : remoteMembers;
  }
};

struct TracedModule {
  uint64_t firstAddress = 0, endAddress = 0;
  std::string path;
};

struct TracedRank {
  const TracedProcess* process = nullptr;
  uint64_t job = 0;
  uint32_t rank = 0, size = 0, threadLevel = 0;
  std::string library;
  std::map<uint64_t, TracedCommunicator> communicators;
  std::vector<TracedModule> modules;

  // Path of the module of an address; empty when there is none.
  std::string moduleOf(uint64_t address) const;
};

struct CollectiveSums {
  uint64_t calls = 0, sentBytes = 0, receivedBytes = 0;
};

struct MessageSums {
  uint64_t sends = 0, sentBytes = 0, receives = 0, receivedBytes = 0, probes = 0, cancels = 0;
  std::map<format::Collective, CollectiveSums> collectives;
};

// The processes of a trace that are ranks of MPI, of any job.
std::vector<TracedRank> processesOf(const Trace& trace, const std::string& directory);

// The same of one job, by rank.
std::map<uint32_t, TracedRank> ranksOf(const Trace& trace, const std::string& directory);

MessageSums sumsOf(const TracedProcess& process);

// In the words of tests/programs/message_counts: "sends=.. send_bytes=.. ... OP=C/S/R ...".
std::string inWords(const MessageSums& sums);

// Each Enter has its Leave.
void expectCallsEnd(const TracedProcess& process);
// Each request that was posted ends, once.
void expectRequestsEnd(const TracedProcess& process);
// The k-th send on (communicator, sender, receiver, tag) has a k-th receive with as many bytes, or
// with less where messages are truncated: of those MPICH does not say how much arrived.
void expectMessagesMatch(const std::map<uint32_t, TracedRank>& ranks, bool truncated = false);
// All members of a communicator have the same collectives, numbered without gaps.
void expectCollectivesMatch(const std::map<uint32_t, TracedRank>& ranks);
// Communicators with the same global id have the same members, and no process has two of them.
void expectCommunicatorsAgree(const std::map<uint32_t, TracedRank>& ranks);

}  // namespace parallax::tests
