// The members of a communicator, window or file as world ranks.
#pragma once

#include <cstdint>

#include "format/definitions.h"
#include "interpose/mpi/mpi_comm.h"
#include "interpose/mpi/mpi_memory.h"
#include "interpose/mpi/mpi_real.h"

namespace parallax::mpi {

inline uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0xFF51AFD7ED558CCDull;
  return hash ^ (hash >> 32);
}

// Which group has the world ranks: that of MPI_COMM_WORLD, or the process set "mpi://WORLD" of a session. The objects of
// a session must not depend on MPI_COMM_WORLD, which may not exist yet, or not any more. Both have the same ranks.
enum class Universe : uint8_t { kWorld, kSession };

// A group as world ranks in as few runs as they allow.
class Members {
 public:
  Members(Universe universe, size_t ranks)
      : universe_(universe), ranks_(ranks), buffer_(ranks * sizeof(format::RankRun)) {}

  format::RankRun* runs() { return static_cast<format::RankRun*>(buffer_.data()); }
  uint32_t count() const { return count_; }
  uint64_t hash() const { return hash_; }  // of the group that was added last

  // False when a member is not in the universe.
  bool add(Service groupOf, Handle communicator, uint32_t size);

 private:
  bool addWithin(Handle group, uint32_t size, Handle universe);
  void append(uint32_t worldRank);

  Universe universe_;
  size_t ranks_;
  CallBuffer buffer_;
  uint32_t count_ = 0;
  uint32_t groupStart_ = 0;
  uint64_t hash_ = 0;
};

// The members of a group by their ranks in the communicator that it was derived from: the same in all of them, even if
// they belong to several jobs. 0 if there is one who is not in it.
uint64_t hashWithin(const Communicator& parent, Handle parentHandle, Service groupOf, Handle communicator,
                    uint32_t size);

}  // namespace parallax::mpi
