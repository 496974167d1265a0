// Writes archives with OTF2's own writer; for tests and benchmarks.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parallax::otf2 {

// One process for each rank of MPI, with so many threads. Location `rank * threads + thread`.
class ArchiveWriter {
 public:
  static constexpr OTF2_CommRef kWorld = 0, kSelf = 1, kTeams = 100;  // kTeams + rank: the threads of a process
  static constexpr uint64_t kNoSequence = UINT64_MAX;

  ArchiveWriter(const std::string& directory, const std::string& name, uint32_t ranks, uint32_t threads = 1,
                uint64_t tickHz = 1'000'000'000, uint64_t offset = 5'000'000'000);
  ~ArchiveWriter();

  OTF2_RegionRef region(const std::string& name, OTF2_Paradigm paradigm, OTF2_RegionRole role = OTF2_REGION_ROLE_FUNCTION,
                        const std::string& file = "", uint32_t line = 0);
  OTF2_StringRef string(const std::string& text);
  OTF2_GlobalDefWriter* definitions() { return definitions_; }
  // Events of a location; its times come in order.
  OTF2_EvtWriter* events(uint32_t location) { return events_[location]; }
  uint64_t offset() const { return offset_; }
  void close();
  std::string anchor() const { return directory_ + "/" + name_ + ".otf2"; }

 private:
  void writeDefinitions(uint64_t tickHz);

  std::string directory_, name_;
  uint32_t ranks_, threads_;
  uint64_t offset_;
  OTF2_Archive* archive_;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::vector<OTF2_EvtWriter*> events_;
  OTF2_StringRef strings_ = 0;
  OTF2_RegionRef regions_ = 0;
};

// Archives with answers that are known by construction.

// Two ranks on two machines. Rank 1 waits 3 ms in MPI_Recv for a late sender, 4 ms in MPI_Wait for an MPI_Isend;
// rank 0 waits 5 ms in MPI_Barrier, and rank 1 2 ms in the MPI_Wait of an MPI_Ibarrier. `tickHz` is the clock's.
std::string writeLateSender(const std::string& directory, uint64_t tickHz);
// A process with two threads: thread 1 holds a lock for which thread 0 waits 6 ms, then thread 0 waits 7 ms in
// pthread_join for it.
std::string writeThreads(const std::string& directory);
// A process whose team of two meets in an implicit barrier: thread 0 waits 8 ms there.
std::string writeTeam(const std::string& directory);
// Two ranks with a window. Rank 0 waits 5 ms in MPI_Win_fence and 3 ms in MPI_Win_start for rank 1, which waits 4 ms in
// MPI_Win_wait and 6 ms in MPI_Win_lock. Rank 0 puts 800 bytes.
std::string writeOneSided(const std::string& directory);
// Samples each ms: 30 of main/solve and 10 of main/print, and a lock of 5 ms after 20 of them, with a sample inside.
std::string writeSamples(const std::string& directory);
// A team of two. Thread 1 waits 4 ms in a barrier for a task, works on it for 8 ms, and again for thread 0 for 2 ms;
// thread 0 waits 7 ms for the task in a taskwait.
std::string writeTasks(const std::string& directory);
// writeTeam with the records of OTF2 1.1.
std::string writeOldTeam(const std::string& directory);
// Rank 0 reads 5,000 bytes and writes 3,000 by MPI, with parameters (step 17, phase "solve"), attributes (cells 640,
// label "solve"), and an MPI_Test of 2 ms in vain.
std::string writeFiles(const std::string& directory);
// Enters, leaves and messages of two ranks, at least so many records; for measurements.
std::string writeMany(const std::string& directory, uint64_t records);

}  // namespace parallax::otf2
