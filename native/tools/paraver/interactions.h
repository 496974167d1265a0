// What tasks of a trace do together: collectives, and messages in an order in which they match.
#pragma once

#include <unordered_map>
#include <vector>

#include "tools/paraver/trace.h"

namespace parallax::paraver {

// A call of a collective that all tasks of a communicator make.
struct CollectiveUse {
  uint64_t sent = 0, received = 0, sequence = 0;
  uint32_t record;        // at which the call begins, index in Thread::records
  uint32_t communicator = kNone;  // index in Trace::communicators
  uint8_t op;             // format::Collective
};

class Interactions {
 public:
  static constexpr uint32_t kMostLanes = 16;

  // The records of threads are sorted and the types are classified.
  explicit Interactions(Trace* trace);

  bool hasMpi() const { return hasMpi_; }
  // All tasks of an application; only with MPI.
  uint32_t world(uint32_t application) const { return worlds_[application - 1]; }
  // The calls of a thread in their order.
  const std::vector<CollectiveUse>& collectives(uint32_t thread) const { return uses_[thread]; }
  // The root as a rank of the communicator, format::kNoRoot if it is not known.
  uint32_t root(const CollectiveUse& use) const;

 private:
  struct Details {
    uint64_t sent = 0, received = 0, communicator = 0;
    bool hasSizes = false, hasCommunicator = false, isRoot = false;
  };
  void makeWorlds();
  void orderMessages();
  void findCollectives(uint32_t thread);
  void keep(uint32_t thread, CollectiveUse use, const Details& details);
  void dropLonelyStarts();
  void number();
  uint32_t rankOf(uint32_t communicator, uint32_t task) const;

  Trace& trace_;
  bool hasMpi_ = false, hasCommunicators_ = false, containMessages_ = false;
  std::vector<uint32_t> worlds_;
  std::vector<std::vector<CollectiveUse>> uses_;
  std::vector<std::vector<bool>> areRoots_;  // for each use, whether the trace says that its task is the root
  struct Root {
    uint32_t rank = kNone;
    uint8_t trust = 0;  // 1 guessed from sizes, 2 told, 3 contradicting guesses
  };
  std::vector<std::vector<Root>> roots_;  // of communicators, by sequence
  std::vector<std::unordered_map<uint64_t, uint32_t>> communicatorNumbers_;  // of applications, by id
  mutable std::vector<std::unordered_map<uint32_t, uint32_t>> ranks_;       // of communicators, by task; filled when asked
};

}  // namespace parallax::paraver
