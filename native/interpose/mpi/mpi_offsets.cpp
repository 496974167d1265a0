#include "interpose/mpi/mpi_offsets.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/settings.h"
#include "core/agent.h"
#include "core/clock.h"
#include "interpose/mpi/mpi_memory.h"
#include "interpose/mpi/mpi_place.h"
#include "interpose/mpi/mpi_real.h"

namespace parallax::mpi {
namespace {

constexpr int kRounds = 20;
constexpr int kTag = 11287;
constexpr uint64_t kHashStart = 0xCBF29CE484222325ull;

struct Answer {
  uint64_t monotonicNs;
  char host[64];  // null-terminated
};

// A duplicate of MPI_COMM_WORLD, on which no receive of the program can take the agent's messages.
Handle apart = 0;
bool isMeasured = false;
int ownRank = 0;
// Of rank 0: whom it answers, the first process of each other host. Of another process: whether it is one.
constexpr int kMostHosts = 1024;
int leaders[kMostHosts];
int leaderCount = 0;
bool isLeader = false;

uintptr_t noStatus() { return abi().statusIgnore; }

void readHost(char* host, size_t bytes) {
  utsname names;
  strncpy(host, uname(&names) == 0 ? names.nodename : "", bytes - 1);
  host[bytes - 1] = '\0';
}

void answer(int leader) {
  Answer own;
  memset(&own, 0, sizeof own);
  readHost(own.host, sizeof own.host);
  for (int round = 0; round < kRounds; ++round) {
    char question = 0;
    callService(Service::kRecv, &question, 1, abi().byteType, leader, kTag, apart, noStatus());
    own.monotonicNs = readClockNs(CLOCK_MONOTONIC);
    callService(Service::kSend, &own, static_cast<int>(sizeof own), abi().byteType, leader, kTag, apart);
  }
}

void ask() {
  Answer other;
  uint64_t shortestNs = ~uint64_t{0};
  format::ClockOffsetRecord record;
  for (int round = 0; round < kRounds; ++round) {
    char question = 0;
    const uint64_t beginNs = readClockNs(CLOCK_MONOTONIC);
    callService(Service::kSend, &question, 1, abi().byteType, 0, kTag, apart);
    callService(Service::kRecv, &other, static_cast<int>(sizeof other), abi().byteType, 0, kTag, apart, noStatus());
    const uint64_t tookNs = readClockNs(CLOCK_MONOTONIC) - beginNs;
    if (tookNs >= shortestNs) continue;
    shortestNs = tookNs;
    record.monotonicNs = beginNs + tookNs / 2;
    record.otherMonotonicNs = other.monotonicNs;
    record.errorNs = (tookNs + 1) / 2;
  }
  other.host[sizeof other.host - 1] = '\0';
  record.otherHost = other.host;
  define(record);
}

void measure() {
  for (int i = 0; i < leaderCount; ++i) answer(leaders[i]);
  if (isLeader) ask();
}

// Finds the hosts; false if there is only one. All processes find the same: a process without memory for this would end in MPI_Init.
bool findHosts(int ranks) {
  char host[64];
  readHost(host, sizeof host);
  const uint64_t own = hashOf(host, kHashStart);
  CallBuffer room(static_cast<size_t>(ranks) * (sizeof(uint64_t) + 2 * sizeof(int)));
  if (room.data() == nullptr) return false;
  auto* hashes = static_cast<uint64_t*>(room.data());
  auto* counts = reinterpret_cast<int*>(hashes + ranks);
  int* places = counts + ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    counts[rank] = sizeof(uint64_t);
    places[rank] = rank * static_cast<int>(sizeof(uint64_t));
  }
  const int result = callService(Service::kAllgatherv, &own, static_cast<int>(sizeof own), abi().byteType, hashes, counts,
                                 places, abi().byteType, abi().world);
  if (result != 0) return false;
  leaderCount = 0;
  isLeader = false;
  bool several = false;
  int known = 0;
  for (int rank = 1; rank < ranks && known < kMostHosts; ++rank) {
    bool isFirst = hashes[rank] != hashes[0];
    several |= isFirst;
    for (int i = 0; isFirst && i < known; ++i) isFirst = hashes[leaders[i]] != hashes[rank];
    if (!isFirst) continue;
    leaders[known++] = rank;
    isLeader |= rank == ownRank;
  }
  leaderCount = ownRank == 0 ? known : 0;
  return several;
}

}  // namespace

void beginOffsets() {
  if (setting(Setting::kClockOffsets).empty()) return;
  int ranks = 0;
  callService(Service::kComm_size, abi().world, &ranks);
  callService(Service::kComm_rank, abi().world, &ownRank);
  isMeasured = false;
  if (ranks < 2 || !findHosts(ranks)) return;
  if (callService(Service::kComm_dup, abi().world, &apart) != 0) return;
  apart = loadHandle(&apart);
  isMeasured = true;
  measure();
}

void endOffsets() {
  if (!isMeasured) return;
  isMeasured = false;
  measure();
  callService(Service::kComm_free, &apart);
}

}  // namespace parallax::mpi
