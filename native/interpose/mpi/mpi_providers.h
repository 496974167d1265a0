// Whose data a process receives in a collective, where it may be that of a part of the others only: operations
// with a count for each process, and those among neighbours.
#pragma once

#include <cstdint>

#include "format/format.h"
#include "interpose/mpi/mpi_comm.h"

namespace parallax::mpi {

// The slots of a Collective or CollectivePost event after the sequence: the form, then runs or bits.
struct Providers {
  static constexpr uint32_t kMostSlots = 65;

  uint64_t slots[kMostSlots];
  uint32_t count;  // 0: all, or what op and root say

  void begin(uint32_t runs, uint32_t size);
  void add(uint32_t rank);
};

// Sets `into` to those of `n` sources that send something, unless these are all of a group or none. `ranks` are
// those of the sources, null if source i is rank i.
template <class Sends>
void findProviders(const Communicator& c, uint32_t n, const uint32_t* ranks, Sends sends, Providers* into) {
  into->count = 0;
  uint32_t senders = 0, runs = 0, next = kNullNeighbour;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t rank = ranks != nullptr ? ranks[i] : i;
    if (rank == kNullNeighbour || !sends(i)) continue;
    ++senders;
    if (rank != next) ++runs;
    next = rank + 1;
  }
  // Who receives no bytes needs nobody.
  if (senders == 0 || (ranks == nullptr && senders == n)) return;
  into->begin(runs, c.peers());
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t rank = ranks != nullptr ? ranks[i] : i;
    if (rank != kNullNeighbour && sends(i)) into->add(rank);
  }
}

// A copy for a persistent request, null if there is nothing to keep or no memory; and its end.
const Providers* keepProviders(const Providers& providers);
void releaseProviders(const Providers* kept);

}  // namespace parallax::mpi
