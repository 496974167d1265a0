// Four ranks on two machines exchange every kind of message and collective. Matching and
// times are those of a run that could have been: analyses can use this trace too.

#include "format/symbols_file.h"
#include "tools/golden.h"

namespace parallax::golden {

using namespace format;

namespace {

constexpr Machine kAlpha = {"alpha", Clock::kTsc, 2'100'000'000, 5'000'000'000'000,
                            2'380'952'380'952};
constexpr Machine kBeta = {"beta.cluster", Clock::kMonotonic, 1'000'000'000, 77'000'000'000,
                           77'000'000'000};

constexpr const char* kRegions[] = {
    "MPI_Init",     "MPI_Send",       "MPI_Recv",      "MPI_Isend",     "MPI_Irecv",
    "MPI_Waitall",  "MPI_Probe",      "MPI_Cancel",    "MPI_Allreduce", "MPI_Bcast",
    "MPI_Iallreduce", "MPI_Wait",     "MPI_Comm_split", "MPI_Intercomm_create", "MPI_Finalize"};
enum RegionPath : uint32_t {
  kMain = 1, kCompute,  // samples
  kInit, kSend, kRecv, kIsend, kIrecv, kWaitall, kProbe, kCancel, kAllreduce, kBcast,
  kIallreduce, kWait, kSplit, kIntercomm, kFinalize
};

constexpr uint64_t kProgramBias = 0x555555554000;

void defineCommunicators(Process& process, uint32_t rank) {
  const RankRun world[] = {{0, 1, 4}};
  CommunicatorRecord record;
  record.communicator = 1;
  record.size = 4;
  record.globalId = 0x9ae16a3b2f90404f;
  record.ownRank = rank;
  record.runs = {world, 1, 0};
  record.name = "MPI_COMM_WORLD";
  process.definitions().add(record);

  const RankRun parity[] = {{rank % 2, 2, 2}};
  record.communicator = 2;
  record.size = 2;
  record.globalId = 0xc000000000000000 + rank % 2;
  record.ownRank = rank / 2;
  record.runs = {parity, 1, 0};
  record.name = rank % 2 == 0 ? "even" : "odd";
  process.definitions().add(record);

  // The two machines face each other.
  const RankRun sides[] = {{rank / 2 * 2, 1, 2}, {2 - rank / 2 * 2, 1, 2}};
  record.communicator = 3;
  record.globalId = 0xd00d;
  record.ownRank = rank % 2;
  record.flags = kIntercommunicator;
  record.runs = {sides, 1, 1};
  record.name = "";
  process.definitions().add(record);

  record.communicator = 4;
  record.size = 0;
  record.globalId = 0xe000 + rank;
  record.ownRank = 0;
  record.flags = kMembersUnknown;
  record.runs = {};
  process.definitions().add(record);
}

void define(Process& process, uint32_t rank, uint32_t pid) {
  DefinitionsWriter& definitions = process.definitions();
  ProcessRecord record = process.processRecord(pid, pid - 10, rank);
  record.executable = "/home/user/ring";
  record.command = std::string_view("./ring\0--verbose", 16);
  record.directory = "/home/user";
  definitions.add(record);
  process.thread(0, pid, 0, rank, "ring");
  ModuleRecord module;
  module.ticks = process.machine().ticks(rank);
  module.loadBias = kProgramBias;
  module.firstAddress = kProgramBias + 0x1000;
  module.endAddress = kProgramBias + 0x3000;
  module.buildId = "5f3c9d1e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d";
  module.path = "/home/user/ring";
  definitions.add(module);
  MpiRecord mpi;
  mpi.job = 0x123456789abcdef0;
  mpi.worldRank = rank;
  mpi.worldSize = 4;
  mpi.threadLevel = 1;
  mpi.library = "Open MPI v4.1.4";
  definitions.add(mpi);
  defineCommunicators(process, rank);
  process.path(kMain, 0, PathKind::kReturnAddress, kProgramBias + 0x1235);
  process.path(kCompute, kMain, PathKind::kAddress, kProgramBias + 0x1480);
  for (uint32_t i = 0; i < std::size(kRegions); i++) {
    process.region(1 + i, Group::kMpi, kRegions[i]);
    process.path(kInit + i, kMain, PathKind::kRegion, 1 + i);
  }
  ClockSyncRecord sync;
  sync.ticks = process.machine().ticks(500);
  sync.monotonicNs = process.machine().monotonicNs(500);
  sync.realtimeNs = Machine::realtimeNs(500);
  definitions.add(sync);
}

void collective(Thread& t, uint32_t path, uint64_t from, uint64_t to, Collective op,
                uint32_t root, uint64_t bytes, uint64_t sequence, uint32_t comm = 1) {
  t.enter(from, path);
  t.event(to, Kind::kCollective, comm, {opAndRoot(op, root), bytes, bytes, sequence});
  t.leave(to, path);
}

void send(Thread& t, uint64_t from, uint64_t to, uint32_t comm, uint32_t peer, uint32_t tag,
          uint64_t bytes) {
  t.enter(from, kSend);
  t.event(from, Kind::kSend, comm, {peerAndTag(peer, tag), bytes});
  t.leave(to, kSend);
}

void receive(Thread& t, uint64_t from, uint64_t to, uint32_t comm, uint32_t peer, uint32_t tag,
             uint64_t bytes) {
  t.enter(from, kRecv);
  t.event(to, Kind::kReceive, comm, {peerAndTag(peer, tag), bytes});
  t.leave(to, kRecv);
}

// Each rank passes a message to the next one with non-blocking calls and wildcards.
void exchange(Thread& t, uint32_t rank) {
  const uint32_t next = (rank + 1) % 4;
  const uint32_t previous = (rank + 3) % 4;
  t.enter(400, kIrecv);
  t.event(400, Kind::kReceivePost, 1, {peerAndTag(kAnySource, kAnyTag), 1});
  t.leave(402, kIrecv);
  t.enter(403, kIsend);
  t.event(403, Kind::kSend, 1, {peerAndTag(next, 5), 4096 + rank, 2});
  t.leave(405, kIsend);
  t.enter(410, kWaitall);
  t.cpu(440, 25);
  t.event(440, Kind::kReceive, 1, {peerAndTag(previous, 5), 4096 + previous, 1});
  t.event(440, Kind::kRequestDone, 0, {2});
  t.leave(440, kWaitall);
}

void probeAndCancel(Thread& t, uint32_t rank) {
  if (rank == 0) {
    t.enter(500, kProbe);
    t.event(520, Kind::kProbe, 1, {peerAndTag(1, 9), 800});
    t.leave(520, kProbe);
    receive(t, 521, 525, 1, 1, 9, 800);
  } else if (rank == 1) {
    send(t, 505, 507, 1, 0, 9, 800);
  } else if (rank == 3) {
    t.enter(540, kIrecv);
    t.event(540, Kind::kReceivePost, 1, {peerAndTag(2, kAnyTag), 3});
    t.leave(541, kIrecv);
    t.enter(550, kCancel);
    t.leave(551, kCancel);
    t.enter(552, kWait);
    t.event(553, Kind::kRequestCancel, 0, {3});
    t.leave(553, kWait);
  }
}

void run(Thread& t, uint32_t rank) {
  t.event(rank, Kind::kThreadBegin, 0, {0});
  collective(t, kInit, 10 + rank, 100 + rank, Collective::kInit, kNoRoot, 0, 0);
  t.event(150, Kind::kSample, kCompute);
  // Around the ring, one after the other.
  if (rank == 0) {
    send(t, 200, 210, 1, 1, 7, 1 << 20);
    receive(t, 215, 340, 1, 3, 7, 1 << 20);
  } else {
    receive(t, 190, 180 + 40 * rank, 1, rank - 1, 7, 1 << 20);
    send(t, 190 + 40 * rank, 195 + 40 * rank, 1, (rank + 1) % 4, 7, 1 << 20);
  }
  exchange(t, rank);
  probeAndCancel(t, rank);
  collective(t, kAllreduce, 600 + 10 * rank, 640, Collective::kAllreduce, kNoRoot, 8, 1);
  collective(t, kBcast, 650, rank == 2 ? 652 : 660, Collective::kBcast, 2, 64, 2);
  t.enter(670, kIallreduce);
  t.event(670, Kind::kCollectivePost, 1,
          {opAndRoot(Collective::kAllreduce, kNoRoot), 16, 16, 3});
  t.leave(672, kIallreduce);
  t.event(690, Kind::kSample, kCompute);
  t.enter(700, kWait);
  t.event(710 + rank, Kind::kCollective, 1,
          {opAndRoot(Collective::kAllreduce, kNoRoot), 16, 16, 3});
  t.leave(710 + rank, kWait);
  collective(t, kSplit, 720, 740, Collective::kCommCreate, kNoRoot, 0, 4);
  collective(t, kIntercomm, 745, 760, Collective::kCommCreate, kNoRoot, 0, 0, 3);
  // Over the intercommunicator, 0 to 3; among the even ranks, 0 to 2.
  if (rank == 0) {
    send(t, 770, 772, 3, 1, 1, 24);
    send(t, 780, 782, 2, 1, 2, 32);
  } else if (rank == 3) {
    receive(t, 765, 790, 3, 0, 1, 24);
  } else if (rank == 2) {
    receive(t, 765, 795, 2, 0, 2, 32);
  }
  collective(t, kFinalize, 800 + rank, 900, Collective::kFinalize, kNoRoot, 0, 5);
  t.event(950, Kind::kThreadEnd);
}

std::string symbols() {
  SymbolModule program;
  program.buildId = "5f3c9d1e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d";
  program.path = "/home/user/ring";
  program.reason = "no function covers the address";
  program.addresses = {
      {0x1234, {{"main", "/home/user/ring.cpp", 40, 31, false}}},
      {0x1480,
       {{"Vector<double>::at(unsigned long)", "/home/user/vector.h", 12, 10, true},
        {"compute(int)", "/home/user/ring.cpp", 22, 20, false}}},
      {0x2ff0, {}, 0x2fe0}};
  SymbolModule library;
  library.number = 1;
  library.path = "/usr/lib/libmissing.so";
  library.reason = "the file does not exist";
  library.addresses = {{0x40, {}}};
  return formatSymbols({program, library});
}

}  // namespace

void writeMessages(const std::string& directory) {
  for (uint32_t rank = 0; rank < 4; rank++) {
    const uint32_t pid = 1000 + rank;
    Process process(directory, rank < 2 ? kAlpha : kBeta, pid);
    define(process, rank, pid);
    Thread thread(process, 0, rank);
    run(thread, rank);
    thread.writer().close();
    process.end(960, 900, EndReason::kExit, 0);
    process.definitions().close();
  }
  writeManifest(directory, {{"run", "00112233445566778899aabbccddeeff"},
                            {"created", "2026-09-21T14:13:20Z"},
                            {"host", "alpha"},
                            {"directory", "/home/user"},
                            {"command", "mpirun -n 4 --host 'alpha,beta.cluster' ./ring --verbose"},
                            {"agent", "0.1.0"},
                            {"sample-hz", "100"},
                            {"tick-hz", "2100000000"},
                            {"ended", "2026-09-21T14:13:21Z"},
                            {"elapsed-ns", "1200000"},
                            {"exit-status", "0"}});
  replaceFile(directory + "/symbols", symbols());
}

}  // namespace parallax::golden
