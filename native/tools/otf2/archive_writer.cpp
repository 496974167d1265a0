#include "tools/otf2/archive_writer.h"

namespace parallax::otf2 {
namespace {

constexpr uint64_t kMs = 1'000'000;

OTF2_FlushType beforeFlush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp afterFlush(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

}  // namespace

ArchiveWriter::ArchiveWriter(const std::string& directory, const std::string& name, uint32_t ranks, uint32_t threads,
                             uint64_t tickHz, uint64_t offset)
    : directory_(directory), name_(name), ranks_(ranks), threads_(threads), offset_(offset) {
  static const OTF2_FlushCallbacks kCallbacks = {beforeFlush, afterFlush};
  archive_ = OTF2_Archive_Open(directory.c_str(), name.c_str(), OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  OTF2_Archive_SetFlushCallbacks(archive_, &kCallbacks, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
  OTF2_Archive_SetCreator(archive_, "Planted 1.0");
  OTF2_Archive_OpenEvtFiles(archive_);
  for (uint32_t i = 0; i < ranks * threads; i++) events_.push_back(OTF2_Archive_GetEvtWriter(archive_, i));
  definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_);
  string("");
  writeDefinitions(tickHz);
}

ArchiveWriter::~ArchiveWriter() { close(); }

OTF2_StringRef ArchiveWriter::string(const std::string& text) {
  OTF2_GlobalDefWriter_WriteString(definitions_, strings_, text.c_str());
  return strings_++;
}

OTF2_RegionRef ArchiveWriter::region(const std::string& name, OTF2_Paradigm paradigm, OTF2_RegionRole role,
                                     const std::string& file, uint32_t line) {
  const OTF2_StringRef ref = string(name);
  const OTF2_StringRef place = file.empty() ? OTF2_UNDEFINED_STRING : string(file);
  OTF2_GlobalDefWriter_WriteRegion(definitions_, regions_, ref, ref, 0, role, paradigm, OTF2_REGION_FLAG_NONE, place,
                                   line, line);
  return regions_++;
}

void ArchiveWriter::writeDefinitions(uint64_t tickHz) {
  OTF2_GlobalDefWriter_WriteClockProperties(definitions_, tickHz, offset_, tickHz, 1'700'000'000'000'000'000);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, 0, string("cluster"), string("machine"),
                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  const OTF2_StringRef className = string("node");
  std::vector<uint64_t> locations, ranks;
  for (uint32_t rank = 0; rank < ranks_; rank++) {
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, rank + 1, string("node" + std::to_string(rank)), className, 0);
    OTF2_GlobalDefWriter_WriteLocationGroup(definitions_, rank, string("MPI Rank " + std::to_string(rank)),
                                            OTF2_LOCATION_GROUP_TYPE_PROCESS, rank + 1, OTF2_UNDEFINED_LOCATION_GROUP);
    locations.push_back(rank * threads_);
    ranks.push_back(rank);
  }
  if (ranks_ > 1) {
    OTF2_GlobalDefWriter_WriteGroup(definitions_, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, ranks_, locations.data());
    OTF2_GlobalDefWriter_WriteGroup(definitions_, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, ranks_, ranks.data());
    OTF2_GlobalDefWriter_WriteGroup(definitions_, 2, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 0, nullptr);
    OTF2_GlobalDefWriter_WriteComm(definitions_, kWorld, string("MPI_COMM_WORLD"), 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(definitions_, kSelf, string("MPI_COMM_SELF"), 2, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
  }
  for (uint32_t rank = 0; rank < ranks_ && threads_ > 1; rank++) {
    std::vector<uint64_t> members;
    for (uint32_t thread = 0; thread < threads_; thread++) members.push_back(thread);
    OTF2_GlobalDefWriter_WriteGroup(definitions_, 10 + rank, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
                                    OTF2_GROUP_FLAG_NONE, threads_, members.data());
    OTF2_GlobalDefWriter_WriteComm(definitions_, kTeams + rank, string("team"), 10 + rank, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
  }
}

void ArchiveWriter::close() {
  if (archive_ == nullptr) return;
  for (uint32_t i = 0; i < events_.size(); i++) {
    uint64_t count = 0;
    OTF2_EvtWriter_GetNumberOfEvents(events_[i], &count);
    OTF2_Archive_CloseEvtWriter(archive_, events_[i]);
    const OTF2_StringRef name = string(i % threads_ == 0 ? "Master thread" : "Thread " + std::to_string(i % threads_));
    OTF2_GlobalDefWriter_WriteLocation(definitions_, i, name, OTF2_LOCATION_TYPE_CPU_THREAD, count, i / threads_);
  }
  OTF2_Archive_CloseEvtFiles(archive_);
  OTF2_Archive_OpenDefFiles(archive_);
  for (uint32_t i = 0; i < events_.size(); i++) {
    OTF2_DefWriter* local = OTF2_Archive_GetDefWriter(archive_, i);
    OTF2_Archive_CloseDefWriter(archive_, local);
  }
  OTF2_Archive_CloseDefFiles(archive_);
  OTF2_Archive_CloseGlobalDefWriter(archive_, definitions_);
  OTF2_Archive_Close(archive_);
  archive_ = nullptr;
}

std::string writeLateSender(const std::string& directory, uint64_t tickHz) {
  ArchiveWriter archive(directory, "late", 2, 1, tickHz);
  const uint64_t ticksOfMs = tickHz / 1000;
  const auto at = [&](double ms) { return archive.offset() + static_cast<uint64_t>(ms * static_cast<double>(ticksOfMs)); };
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER, OTF2_REGION_ROLE_FUNCTION, "/src/late.c", 12);
  const auto send = archive.region("MPI_Send", OTF2_PARADIGM_MPI);
  const auto receive = archive.region("MPI_Recv", OTF2_PARADIGM_MPI);
  const auto isend = archive.region("MPI_Isend", OTF2_PARADIGM_MPI);
  const auto ireceive = archive.region("MPI_Irecv", OTF2_PARADIGM_MPI);
  const auto wait = archive.region("MPI_Wait", OTF2_PARADIGM_MPI);
  const auto barrier = archive.region("MPI_Barrier", OTF2_PARADIGM_MPI);
  const auto ibarrier = archive.region("MPI_Ibarrier", OTF2_PARADIGM_MPI);
  const OTF2_StringRef program = archive.string("/opt/late");
  constexpr auto kWorld = ArchiveWriter::kWorld;
  constexpr uint32_t kTag = 7;

  OTF2_EvtWriter* a = archive.events(0);
  OTF2_EvtWriter_ProgramBegin(a, nullptr, at(0), program, 0, nullptr);
  OTF2_EvtWriter_Enter(a, nullptr, at(0), main);
  OTF2_EvtWriter_Enter(a, nullptr, at(13), send);
  OTF2_EvtWriter_MpiSend(a, nullptr, at(13), 1, kWorld, kTag, 1000);
  OTF2_EvtWriter_Leave(a, nullptr, at(13.1), send);
  OTF2_EvtWriter_Enter(a, nullptr, at(25), isend);
  OTF2_EvtWriter_MpiIsend(a, nullptr, at(25), 1, kWorld, kTag, 2000, 41);
  OTF2_EvtWriter_Leave(a, nullptr, at(25.01), isend);
  OTF2_EvtWriter_Enter(a, nullptr, at(26), wait);
  OTF2_EvtWriter_MpiIsendComplete(a, nullptr, at(26.001), 41);
  OTF2_EvtWriter_Leave(a, nullptr, at(26.001), wait);
  OTF2_EvtWriter_Enter(a, nullptr, at(30), barrier);
  OTF2_EvtWriter_MpiCollectiveBegin(a, nullptr, at(30));
  OTF2_EvtWriter_MpiCollectiveEnd(a, nullptr, at(35), OTF2_COLLECTIVE_OP_BARRIER, kWorld, OTF2_UNDEFINED_UINT32, 0, 0);
  OTF2_EvtWriter_Leave(a, nullptr, at(35), barrier);
  OTF2_EvtWriter_Enter(a, nullptr, at(42), ibarrier);
  OTF2_EvtWriter_NonBlockingCollectiveRequest(a, nullptr, at(42), 42);
  OTF2_EvtWriter_Leave(a, nullptr, at(42.01), ibarrier);
  OTF2_EvtWriter_Enter(a, nullptr, at(43), wait);
  OTF2_EvtWriter_NonBlockingCollectiveComplete(a, nullptr, at(43.001), OTF2_COLLECTIVE_OP_BARRIER, kWorld,
                                               OTF2_UNDEFINED_UINT32, 0, 0, 42);
  OTF2_EvtWriter_Leave(a, nullptr, at(43.001), wait);
  OTF2_EvtWriter_Leave(a, nullptr, at(50), main);
  OTF2_EvtWriter_ProgramEnd(a, nullptr, at(50), 0);

  OTF2_EvtWriter* b = archive.events(1);
  OTF2_EvtWriter_ProgramBegin(b, nullptr, at(0), program, 0, nullptr);
  OTF2_EvtWriter_Enter(b, nullptr, at(0), main);
  OTF2_EvtWriter_Enter(b, nullptr, at(10), receive);
  OTF2_EvtWriter_MpiRecv(b, nullptr, at(13), 0, kWorld, kTag, 1000);
  OTF2_EvtWriter_Leave(b, nullptr, at(13), receive);
  OTF2_EvtWriter_Enter(b, nullptr, at(20), ireceive);
  OTF2_EvtWriter_MpiIrecvRequest(b, nullptr, at(20), 51);
  OTF2_EvtWriter_Leave(b, nullptr, at(20.01), ireceive);
  OTF2_EvtWriter_Enter(b, nullptr, at(21), wait);
  OTF2_EvtWriter_MpiIrecv(b, nullptr, at(25), 0, kWorld, kTag, 2000, 51);
  OTF2_EvtWriter_Leave(b, nullptr, at(25), wait);
  OTF2_EvtWriter_Enter(b, nullptr, at(35), barrier);
  OTF2_EvtWriter_MpiCollectiveBegin(b, nullptr, at(35));
  OTF2_EvtWriter_MpiCollectiveEnd(b, nullptr, at(35), OTF2_COLLECTIVE_OP_BARRIER, kWorld, OTF2_UNDEFINED_UINT32, 0, 0);
  OTF2_EvtWriter_Leave(b, nullptr, at(35), barrier);
  OTF2_EvtWriter_Enter(b, nullptr, at(38), ibarrier);
  OTF2_EvtWriter_NonBlockingCollectiveRequest(b, nullptr, at(38), 52);
  OTF2_EvtWriter_Leave(b, nullptr, at(38.01), ibarrier);
  OTF2_EvtWriter_Enter(b, nullptr, at(40), wait);
  OTF2_EvtWriter_NonBlockingCollectiveComplete(b, nullptr, at(42), OTF2_COLLECTIVE_OP_BARRIER, kWorld,
                                               OTF2_UNDEFINED_UINT32, 0, 0, 52);
  OTF2_EvtWriter_Leave(b, nullptr, at(42), wait);
  OTF2_EvtWriter_Leave(b, nullptr, at(45), main);
  OTF2_EvtWriter_ProgramEnd(b, nullptr, at(45), 3);
  archive.close();
  return archive.anchor();
}

std::string writeThreads(const std::string& directory) {
  ArchiveWriter archive(directory, "threads", 1, 2);
  const auto at = [&](uint64_t ms) { return archive.offset() + ms * kMs; };
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  const auto work = archive.region("work", OTF2_PARADIGM_COMPILER);
  const auto create = archive.region("pthread_create", OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_THREAD_CREATE);
  const auto join = archive.region("pthread_join", OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_THREAD_WAIT);
  const auto lock = archive.region("pthread_mutex_lock", OTF2_PARADIGM_PTHREAD);
  const auto unlock = archive.region("pthread_mutex_unlock", OTF2_PARADIGM_PTHREAD);
  constexpr auto kTeam = ArchiveWriter::kTeams;
  OTF2_EvtWriter* a = archive.events(0);
  OTF2_EvtWriter_Enter(a, nullptr, at(0), main);
  OTF2_EvtWriter_Enter(a, nullptr, at(1), create);
  OTF2_EvtWriter_ThreadCreate(a, nullptr, at(1), kTeam, 1);
  OTF2_EvtWriter_Leave(a, nullptr, at(1), create);
  OTF2_EvtWriter_Enter(a, nullptr, at(4), lock);
  OTF2_EvtWriter_ThreadAcquireLock(a, nullptr, at(10), OTF2_PARADIGM_PTHREAD, 5, 2);
  OTF2_EvtWriter_Leave(a, nullptr, at(10), lock);
  OTF2_EvtWriter_Enter(a, nullptr, at(12), unlock);
  OTF2_EvtWriter_ThreadReleaseLock(a, nullptr, at(12), OTF2_PARADIGM_PTHREAD, 5, 2);
  OTF2_EvtWriter_Leave(a, nullptr, at(12), unlock);
  OTF2_EvtWriter_Enter(a, nullptr, at(13), join);
  OTF2_EvtWriter_ThreadWait(a, nullptr, at(20), kTeam, 1);
  OTF2_EvtWriter_Leave(a, nullptr, at(20), join);
  OTF2_EvtWriter_Leave(a, nullptr, at(25), main);
  OTF2_EvtWriter* b = archive.events(1);
  OTF2_EvtWriter_ThreadBegin(b, nullptr, at(1), kTeam, 1);
  OTF2_EvtWriter_Enter(b, nullptr, at(1), work);
  OTF2_EvtWriter_Enter(b, nullptr, at(2), lock);
  OTF2_EvtWriter_ThreadAcquireLock(b, nullptr, at(2), OTF2_PARADIGM_PTHREAD, 5, 1);
  OTF2_EvtWriter_Leave(b, nullptr, at(2), lock);
  OTF2_EvtWriter_Enter(b, nullptr, at(10), unlock);
  OTF2_EvtWriter_ThreadReleaseLock(b, nullptr, at(10), OTF2_PARADIGM_PTHREAD, 5, 1);
  OTF2_EvtWriter_Leave(b, nullptr, at(10), unlock);
  OTF2_EvtWriter_Leave(b, nullptr, at(20), work);
  OTF2_EvtWriter_ThreadEnd(b, nullptr, at(20), kTeam, 1);
  archive.close();
  return archive.anchor();
}

std::string writeTeam(const std::string& directory) {
  ArchiveWriter archive(directory, "team", 1, 2);
  const auto at = [&](uint64_t ms) { return archive.offset() + ms * kMs; };
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  const auto parallel = archive.region("!$omp parallel", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_PARALLEL);
  const auto barrier = archive.region("!$omp implicit barrier", OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_IMPLICIT_BARRIER);
  constexpr auto kTeam = ArchiveWriter::kTeams;
  OTF2_EvtWriter* a = archive.events(0);
  OTF2_EvtWriter* b = archive.events(1);
  OTF2_EvtWriter_Enter(a, nullptr, at(0), main);
  for (uint64_t begin : {uint64_t{1}, uint64_t{31}}) {
    OTF2_EvtWriter_ThreadFork(a, nullptr, at(begin), OTF2_PARADIGM_OPENMP, 2);
    for (OTF2_EvtWriter* each : {a, b}) {
      OTF2_EvtWriter_ThreadTeamBegin(each, nullptr, at(begin), kTeam);
      OTF2_EvtWriter_Enter(each, nullptr, at(begin), parallel);
      OTF2_EvtWriter_Enter(each, nullptr, at(begin + (each == a ? 11 : 19)), barrier);
      OTF2_EvtWriter_Leave(each, nullptr, at(begin + 19), barrier);
      OTF2_EvtWriter_Leave(each, nullptr, at(begin + 19), parallel);
      OTF2_EvtWriter_ThreadTeamEnd(each, nullptr, at(begin + 19), kTeam);
    }
    OTF2_EvtWriter_ThreadJoin(a, nullptr, at(begin + 19), OTF2_PARADIGM_OPENMP);
  }
  OTF2_EvtWriter_Leave(a, nullptr, at(55), main);
  archive.close();
  return archive.anchor();
}

std::string writeMany(const std::string& directory, uint64_t records) {
  constexpr uint64_t kInRound = 10;
  ArchiveWriter archive(directory, "many", 2);
  const auto main = archive.region("main", OTF2_PARADIGM_COMPILER);
  const auto step = archive.region("step", OTF2_PARADIGM_COMPILER);
  const auto inner = archive.region("inner", OTF2_PARADIGM_COMPILER);
  const auto send = archive.region("MPI_Send", OTF2_PARADIGM_MPI);
  const auto receive = archive.region("MPI_Recv", OTF2_PARADIGM_MPI);
  const uint64_t rounds = records / 2 / kInRound + 1;
  for (uint32_t rank = 0; rank < 2; rank++) {
    OTF2_EvtWriter* to = archive.events(rank);
    uint64_t time = archive.offset();
    OTF2_EvtWriter_Enter(to, nullptr, time, main);
    for (uint64_t round = 0; round < rounds; round++) {
      OTF2_EvtWriter_Enter(to, nullptr, time += 120, step);
      OTF2_EvtWriter_Enter(to, nullptr, time += 80, inner);
      OTF2_EvtWriter_Leave(to, nullptr, time += 700 + round % 64, inner);
      OTF2_EvtWriter_Leave(to, nullptr, time += 60, step);
      for (const bool isSend : {rank == 0, rank != 0}) {
        OTF2_EvtWriter_Enter(to, nullptr, time += 100, isSend ? send : receive);
        if (isSend) {
          OTF2_EvtWriter_MpiSend(to, nullptr, time += 20, 1 - rank, ArchiveWriter::kWorld, 1, 64);
        } else {
          OTF2_EvtWriter_MpiRecv(to, nullptr, time += 300, 1 - rank, ArchiveWriter::kWorld, 1, 64);
        }
        OTF2_EvtWriter_Leave(to, nullptr, time += 30, isSend ? send : receive);
      }
    }
    OTF2_EvtWriter_Leave(to, nullptr, time, main);
  }
  archive.close();
  return archive.anchor();
}

}  // namespace parallax::otf2
