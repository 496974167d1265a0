// One-sided communication. The records of OTF2 do not say which call of MPI they tell of: the region around them does.
#include "tools/otf2/location_import.h"

namespace parallax::otf2 {

using namespace format;

namespace {

uint64_t ofWindow(OTF2_RmaWinRef ref, uint64_t number) { return (uint64_t{ref} + 1) * 0x9E3779B97F4A7C15 ^ number; }

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

}  // namespace

// `rank` is a rank of the window, or OTF2_UNDEFINED_UINT32 for all.
ProcessImport::Window* LocationImport::window(RecordType type, OTF2_RmaWinRef ref, uint32_t rank) {
  ProcessImport::Window& window = process_.window(ref);
  if (window.self.number == 0) {
    leave(type, window.self.fault);
    return nullptr;
  }
  if (rank != OTF2_UNDEFINED_UINT32 && rank >= window.self.size) {
    leave(type, Fault::kPeerOutside);
    return nullptr;
  }
  return &window;
}

void LocationImport::windowCollective(uint64_t ticks, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level,
                                      OTF2_RmaWinRef ref, uint32_t root, uint64_t sent, uint64_t received) {
  constexpr RecordType kType = RecordType::kRmaCollectiveEnd;
  ProcessImport::Window* window = this->window(kType, ref, OTF2_UNDEFINED_UINT32);
  if (window == nullptr) return;
  switch (op) {
    case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
    case OTF2_COLLECTIVE_OP_ALLOCATE:
    case OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE:
      collective(kType, ticks, window->communicator, Collective::kWinCreate, root, sent, received, nullptr);
      return;
    case OTF2_COLLECTIVE_OP_DESTROY_HANDLE:
    case OTF2_COLLECTIVE_OP_DEALLOCATE:
    case OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE:
      collective(kType, ticks, &window->self, Collective::kWinFree, root, sent, received, nullptr);
      return;
    case OTF2_COLLECTIVE_OP_BARRIER:  // a fence; without the level of processes, it may end before the others come
      collective(kType, ticks, &window->self,
                 (level & OTF2_RMA_SYNC_LEVEL_PROCESS) != 0 ? Collective::kWinFence : Collective::kWinFenceOpen, root,
                 sent, received, nullptr);
      return;
    default:
      leave(kType, Fault::kUndefinedOperation);
  }
}

// MPI_Win_post, start, complete, wait and test.
void LocationImport::windowGroup(uint64_t ticks, OTF2_RmaSyncLevel, OTF2_RmaWinRef ref, OTF2_GroupRef group) {
  constexpr RecordType kType = RecordType::kRmaGroupSync;
  ProcessImport::Window* window = this->window(kType, ref, OTF2_UNDEFINED_UINT32);
  if (window == nullptr) return;
  const std::string& call = process_.regionName(stack_.empty() ? OTF2_UNDEFINED_REGION : stack_.back().region);
  WindowOp op;
  if (call == "MPI_Win_post") {
    op = WindowOp::kPost;
  } else if (call == "MPI_Win_start") {
    op = WindowOp::kStart;
  } else if (call == "MPI_Win_complete") {
    op = WindowOp::kComplete;
  } else if (call == "MPI_Win_wait" || call == "MPI_Win_test") {
    op = WindowOp::kWait;
  } else {
    leave(kType, Fault::kUndefinedOperation);
    return;
  }
  const std::vector<uint32_t>* ranks = process_.windowRanks(ref, group);
  if (ranks == nullptr) {
    leave(kType, Fault::kUndefinedGroup);
    return;
  }
  for (const uint32_t rank : *ranks) {
    output_.event(Kind::kWindow, window->self.number, ticks, {opAndRank(op, rank)});
  }
}

void LocationImport::windowOperation(RecordType type, uint64_t ticks, OTF2_RmaWinRef ref, uint32_t rank, WindowOp op,
                                     uint64_t sent, uint64_t received, uint64_t id) {
  ProcessImport::Window* window = this->window(type, ref, rank);
  if (window == nullptr || rank == OTF2_UNDEFINED_UINT32) {
    if (window != nullptr) leave(type, Fault::kPeerOutside);
    return;
  }
  sent &= ~kPayloadBit, received &= ~kPayloadBit;
  output_.event(Kind::kWindow, window->self.number, ticks, {opAndRank(op, rank), sent, received});
  operations_[ofWindow(ref, id)] = {rank, sent, received};
}

// The call that completes an operation says whether that is all that it does.
void LocationImport::windowComplete(RecordType type, uint64_t ticks, OTF2_RmaWinRef ref, uint64_t id) {
  ProcessImport::Window* window = this->window(type, ref, OTF2_UNDEFINED_UINT32);
  const auto known = operations_.find(ofWindow(ref, id));
  if (window == nullptr) return;
  if (known == operations_.end()) {
    leave(type, Fault::kRequestWithoutEnd);
    return;
  }
  const Operation operation = known->second;
  const std::string& call = process_.regionName(stack_.empty() ? OTF2_UNDEFINED_REGION : stack_.back().region);
  if (startsWith(call, "MPI_Win_flush")) {
    const WindowOp op = startsWith(call, "MPI_Win_flush_local") ? WindowOp::kFlushLocal : WindowOp::kFlush;
    const uint64_t flush = ofWindow(ref, operation.rank);
    if (flush != lastFlush_ || ticks != lastFlushTicks_) {
      output_.event(Kind::kWindow, window->self.number, ticks, {opAndRank(op, operation.rank)});
    }
    lastFlush_ = flush, lastFlushTicks_ = ticks;
  } else if (type == RecordType::kRmaOpCompleteNonBlocking &&
             (startsWith(call, "MPI_Wait") || startsWith(call, "MPI_Test"))) {
    output_.event(Kind::kWindow, window->self.number, ticks,
                  {opAndRank(WindowOp::kDone, operation.rank), operation.sent, operation.received});
  }
  if (type == RecordType::kRmaOpCompleteRemote) operations_.erase(known);
}

// A lock is told at the end of the wait for it: where it is acquired or, if that comes in a later call, at the end of the
// call that requests it.
void LocationImport::windowLock(RecordType type, uint64_t ticks, OTF2_RmaWinRef ref, uint32_t rank, uint64_t lock,
                                OTF2_LockType kind) {
  ProcessImport::Window* window = this->window(type, ref, rank);
  if (window == nullptr) return;
  tellLock(ticks);
  const uint64_t key = ofWindow(ref, lock << 32 ^ rank);
  const WindowOp op = kind == OTF2_LOCK_SHARED ? WindowOp::kLockShared : WindowOp::kLockExclusive;
  const Lock told{window->self.number, opAndRank(op, rank == OTF2_UNDEFINED_UINT32 ? kNoRoot : rank)};
  if (type == RecordType::kRmaRequestLock) {
    lockRequests_.insert(key);
    lock_ = told;
    mayWait_ = true;
  } else if (lockRequests_.erase(key) == 0) {
    output_.event(Kind::kWindow, told.window, ticks, {told.opAndRank});
  }
}

void LocationImport::tellLock(uint64_t ticks) {
  if (lock_.window == 0) return;
  output_.event(Kind::kWindow, lock_.window, ticks, {lock_.opAndRank});
  lock_ = {};
}

void LocationImport::windowUnlock(uint64_t ticks, OTF2_RmaWinRef ref, uint32_t rank) {
  tellLock(ticks);
  if (ProcessImport::Window* window = this->window(RecordType::kRmaReleaseLock, ref, rank)) {
    output_.event(Kind::kWindow, window->self.number, ticks,
                  {opAndRank(WindowOp::kUnlock, rank == OTF2_UNDEFINED_UINT32 ? kNoRoot : rank)});
  }
}

}  // namespace parallax::otf2
