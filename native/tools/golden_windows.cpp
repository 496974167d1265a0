// Two ranks of MPI and a window: each synchronization and each operation. Who waits for whom is as in a run that
// could have been.

#include "tools/golden.h"

namespace parallax::golden {

using namespace format;

namespace {

constexpr Machine kMachine = {"win", Clock::kMonotonic, 1'000'000'000, 3'000'000'000, 3'000'000'000};
constexpr uint32_t kWorld = 1, kWindowNumber = 2;
constexpr const char* kRegions[] = {
    "MPI_Init",         "MPI_Win_allocate", "MPI_Win_fence",        "MPI_Put",        "MPI_Get",
    "MPI_Accumulate",   "MPI_Win_start",    "MPI_Win_complete",     "MPI_Win_post",   "MPI_Win_wait",
    "MPI_Win_lock",     "MPI_Win_unlock",   "MPI_Get_accumulate",   "MPI_Rput",       "MPI_Wait",
    "MPI_Fetch_and_op", "MPI_Win_flush",    "MPI_Compare_and_swap", "MPI_Win_lock_all",
    "MPI_Win_flush_local_all", "MPI_Win_unlock_all", "MPI_Win_free", "MPI_Finalize"};
enum RegionPath : uint32_t {
  kMain = 1, kInit, kAllocate, kFence, kPut, kGet, kAccumulate, kStart, kComplete, kPost, kWinWait,
  kLock, kUnlock, kGetAccumulate, kRput, kWait, kFetchAndOp, kFlush, kCompareAndSwap, kLockAll,
  kFlushLocalAll, kUnlockAll, kFree, kFinalize
};

void define(Process& process, uint32_t rank, uint32_t pid) {
  ProcessRecord record = process.processRecord(pid, 10, rank);
  record.executable = "/home/user/halo";
  record.command = std::string_view("./halo");
  record.directory = "/home/user";
  process.definitions().add(record);
  process.thread(0, pid, 0, rank, "halo");
  MpiRecord mpi;
  mpi.job = 0xfeed;
  mpi.worldRank = rank;
  mpi.worldSize = 2;
  mpi.library = "MPICH 4.0";
  process.definitions().add(mpi);
  const RankRun both[] = {{0, 1, 2}};
  CommunicatorRecord communicator;
  communicator.communicator = kWorld;
  communicator.size = 2;
  communicator.globalId = 0xabc;
  communicator.ownRank = rank;
  communicator.runs = {both, 1, 0};
  communicator.name = "MPI_COMM_WORLD";
  process.definitions().add(communicator);
  communicator.communicator = kWindowNumber;
  communicator.globalId = 0xdef;
  communicator.flags = kWindowMembers;
  communicator.name = "";
  process.definitions().add(communicator);
  process.path(kMain, 0, PathKind::kAddress, 0x1000);
  for (uint32_t i = 0; i < std::size(kRegions); i++) {
    process.region(1 + i, Group::kMpi, kRegions[i]);
    process.path(kInit + i, kMain, PathKind::kRegion, 1 + i);
  }
}

class Rank {
 public:
  Rank(const Process& process, uint32_t rank) : t_(process, 0, rank) {}

  void collective(uint64_t from, uint64_t to, uint32_t path, uint32_t comm, Collective op) {
    t_.enter(from, path);
    t_.event(to, Kind::kCollective, comm, {opAndRoot(op, kNoRoot), 0, 0, sequences_[comm]++});
    t_.leave(to, path);
  }
  // Something for others, and operations: the event stands where the call begins.
  void gives(uint64_t from, uint64_t to, uint32_t path, WindowOp op, uint32_t rank) {
    t_.enter(from, path);
    t_.event(from, Kind::kWindow, kWindowNumber, {opAndRank(op, rank)});
    t_.leave(to, path);
  }
  void operates(uint64_t from, uint64_t to, uint32_t path, WindowOp op, uint64_t sent,
                uint64_t received) {
    t_.enter(from, path);
    t_.event(from, Kind::kWindow, kWindowNumber, {opAndRank(op, 1), sent, received});
    t_.leave(to, path);
  }
  // What waits for others: where it ends.
  void waits(uint64_t from, uint64_t to, uint32_t path, WindowOp op, uint32_t rank) {
    t_.enter(from, path);
    t_.event(to, Kind::kWindow, kWindowNumber, {opAndRank(op, rank)});
    t_.leave(to, path);
  }
  Thread& thread() { return t_; }

 private:
  Thread t_;
  uint64_t sequences_[3] = {};
};

void run(Rank& r, uint32_t rank) {
  r.thread().event(rank, Kind::kThreadBegin, 0, {0});
  r.collective(10, 20, kInit, kWorld, Collective::kInit);
  r.collective(30, 40, kAllocate, kWorld, Collective::kWinCreate);
  r.collective(50, 52, kFence, kWindowNumber, Collective::kWinFenceOpen);
  if (rank == 0) r.operates(53, 54, kPut, WindowOp::kPut, 4096, 0);
  if (rank == 0) r.operates(55, 56, kGet, WindowOp::kGet, 0, 1 << 20);
  r.collective(60 + 20 * rank, 85, kFence, kWindowNumber, Collective::kWinFence);
  if (rank == 0) {
    r.waits(100, 121, kStart, WindowOp::kStart, 1);  // late post
    r.operates(122, 123, kAccumulate, WindowOp::kAccumulate, 800, 0);
    r.gives(150, 152, kComplete, WindowOp::kComplete, 1);
    r.waits(200, 201, kLock, WindowOp::kLockExclusive, 1);
    r.operates(202, 203, kGetAccumulate, WindowOp::kGetAccumulate, 16, 16);
    r.thread().enter(204, kRput);
    r.thread().event(204, Kind::kWindow, kWindowNumber, {opAndRank(WindowOp::kPut, 1), 24, 0, 1});
    r.thread().leave(205, kRput);
    r.thread().enter(206, kWait);
    r.thread().event(207, Kind::kWindow, kWindowNumber, {opAndRank(WindowOp::kDone, 1), 24, 0, 1});
    r.thread().leave(207, kWait);
    r.gives(260, 262, kUnlock, WindowOp::kUnlock, 1);
  } else {
    r.gives(120, 121, kPost, WindowOp::kPost, 0);
    r.waits(122, 153, kWinWait, WindowOp::kWait, 0);  // early wait, late complete
    r.waits(210, 263, kLock, WindowOp::kLockShared, 1);  // lock contention
    r.operates(264, 265, kFetchAndOp, WindowOp::kFetchAndOp, 4, 4);
    r.waits(266, 267, kFlush, WindowOp::kFlush, 1);
    r.operates(268, 269, kCompareAndSwap, WindowOp::kCompareAndSwap, 8, 4);
    r.gives(270, 271, kUnlock, WindowOp::kUnlock, 1);
  }
  r.waits(300, 301, kLockAll, WindowOp::kLockShared, kNoRoot);
  r.waits(302, 303, kFlushLocalAll, WindowOp::kFlushLocal, kNoRoot);
  r.gives(304, 305, kUnlockAll, WindowOp::kUnlock, kNoRoot);
  r.collective(310, 320, kFree, kWindowNumber, Collective::kWinFree);
  r.collective(330, 340, kFinalize, kWorld, Collective::kFinalize);
  r.thread().event(350, Kind::kThreadEnd);
}

}  // namespace

void writeWindows(const std::string& directory) {
  for (uint32_t rank = 0; rank < 2; rank++) {
    const uint32_t pid = 400 + rank;
    Process process(directory, kMachine, pid);
    define(process, rank, pid);
    Rank one(process, rank);
    run(one, rank);
    one.thread().writer().close();
    process.end(360, 300, EndReason::kExit, 0);
    process.definitions().close();
  }
  writeManifest(directory, {{"run", "0123456789abcdef0123456789abcdef"},
                            {"created", "2026-11-23T20:00:00Z"},
                            {"host", "win"},
                            {"directory", "/home/user"},
                            {"command", "mpirun -n 2 ./halo"},
                            {"agent", "0.2.0"},
                            {"sample-hz", "100"},
                            {"tick-hz", "1000000000"},
                            {"ended", "2026-11-23T20:00:01Z"},
                            {"elapsed-ns", "400000"},
                            {"exit-status", "0"}});
}

}  // namespace parallax::golden
