#include "interpose/mpi/mpi_place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/sys.h"
#include "core/agent.h"
#include "core/shared_counters.h"
#include "format/definitions.h"
#include "interpose/descriptors/stream_keys.h"
#include "interpose/mpi/mpi_abi.h"
#include "interpose/mpi/mpi_memory.h"

namespace parallax::mpi {
namespace {

constexpr uint64_t kSeed = 0xCBF29CE484222325ull;
constexpr uint64_t kProgramsKey = 0x4D50496D616E7921ull;

SpinLock lock;
Place own{};

// Under the lock. Of several records of a process the last one counts.
void tell(const Place& place) {
  own = place;
  char library[128];
  libraryVersion(library, sizeof library);
  format::MpiRecord record;
  record.job = place.job;
  record.worldRank = place.rank;
  record.worldSize = place.size;
  record.threadLevel = place.threadLevel;
  record.library = library;
  define(record);
}

uint64_t number(const char* variable) {
  const char* text = getenv(variable);
  return text != nullptr ? strtoull(text, nullptr, 10) : 0;
}

// The process at the other end of the socket to the launcher: the same for all processes of the job on this host, even
// if other programs stand between it and them.
int launcherAt(const char* descriptorVariable) {
  const char* text = getenv(descriptorVariable);
  if (text == nullptr) return 0;
  struct ucred peer {};
  socklen_t bytes = sizeof peer;
  const long result = sys::call(SYS_getsockopt, atoi(text), SOL_SOCKET, SO_PEERCRED, sys::word(&peer), sys::word(&bytes));
  return result == 0 ? peer.pid : 0;
}

struct Launched {
  uint64_t job;  // 0: the launcher leaves no trace
  bool isCertain;
};

Launched byPmi() {
  const int launcher = number("PMI_SPAWNED") == 0 ? launcherAt("PMI_FD") : 0;
  if (launcher <= 0) return {};
  // Not the name of the host: a process in a container or a namespace can have another one.
  return {(hostSalt() ^ static_cast<uint64_t>(launcher)) * 0x9E3779B97F4A7C15ull,
          number("PMI_SIZE") > 0 && number("PMI_SIZE") == number("MPI_LOCALNRANKS")};
}

// A launcher may start several programs of MPI in a rank, one after the other, under one name: each is a job.
uint64_t ofProgram(uint64_t job, const char* rank) {
  SharedCounters* programs = sharedCounters(kProgramsKey, hashOf(rank, job));
  const uint64_t earlier = programs != nullptr ? programs->value[0].fetch_add(1, std::memory_order_relaxed) : 0;
  return earlier == 0 ? job : (job ^ earlier) * 0x9E3779B97F4A7C15ull;
}

Launched byPmix() {
  const char *name = getenv("PMIX_NAMESPACE"), *rank = getenv("PMIX_RANK");
  if (name == nullptr) return {};
  const uint64_t job = hashOf(name, kSeed);
  return {rank != nullptr ? ofProgram(job, rank) : job, true};
}

SpinLock launcherLock;
bool isLauncherKnown = false;
Launched ofLauncher{};

}  // namespace

uint64_t hashOf(const char* text, uint64_t hash) {
  for (; *text != 0; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001B3ull;
  return hash ^ hash >> 29;
}

Place place() {
  SpinGuard guard(lock);
  return own;
}

void definePlace(const Place& place) {
  SpinGuard guard(lock);
  const bool same = own.job == place.job && own.rank == place.rank && own.size == place.size &&
                    own.threadLevel == place.threadLevel;
  if (same) {
    own.isJobCertain |= place.isJobCertain;
  } else {
    tell(place);
  }
}

void forgetPlace() {
  SpinGuard guard(lock);
  own = {};
}

void adoptJob(uint64_t job) {
  SpinGuard guard(lock);
  if (own.job == 0 || own.isJobCertain || own.job == job) return;
  Place moved = own;
  moved.job = job;
  tell(moved);
}

// PMIx has a name for each job. PMI has none, but each job has a launcher on each host. The processes of MPI_Comm_spawn
// may have the same one as their parents. A job that a process of another one has started inherits variables of the other
// library's launcher.
uint64_t jobOfLauncher(bool* isCertain) {
  SpinGuard guard(launcherLock);
  if (!isLauncherKnown) {
    isLauncherKnown = true;
    const bool isOpenMpi = abi().library == Library::kOpenMpi;
    ofLauncher = isOpenMpi ? byPmix() : byPmi();
    if (ofLauncher.job == 0) ofLauncher = isOpenMpi ? byPmi() : byPmix();
  }
  *isCertain = ofLauncher.isCertain;
  return ofLauncher.job;
}

uint64_t commonJob() {
  bool isCertain = false;
  const uint64_t job = jobOfLauncher(&isCertain);
  if (job != 0 && isCertain) return job;
  const Place known = place();
  return known.isJobCertain ? known.job : 0;
}

}  // namespace parallax::mpi
