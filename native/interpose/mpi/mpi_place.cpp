#include "interpose/mpi/mpi_place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>

#include "base/sys.h"
#include "core/agent.h"
#include "format/definitions.h"
#include "interpose/mpi/mpi_abi.h"
#include "interpose/mpi/mpi_memory.h"

namespace parallax::mpi {
namespace {

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
// may have the same one as their parents.
uint64_t jobOfLauncher(bool* isCertain) {
  static constexpr uint64_t kSeed = 0xCBF29CE484222325ull;
  *isCertain = true;
  if (const char* name = getenv("PMIX_NAMESPACE")) return hashOf(name, kSeed);
  const int launcher = number("PMI_SPAWNED") == 0 ? launcherAt("PMI_FD") : 0;
  struct utsname names;
  if (launcher <= 0 || sys::call(SYS_uname, sys::word(&names)) != 0) return 0;
  *isCertain = number("PMI_SIZE") > 0 && number("PMI_SIZE") == number("MPI_LOCALNRANKS");
  return hashOf(names.nodename, kSeed ^ static_cast<uint64_t>(launcher) << 32);
}

uint64_t commonJob() {
  bool isCertain = false;
  const uint64_t job = jobOfLauncher(&isCertain);
  if (job != 0 && isCertain) return job;
  const Place known = place();
  return known.isJobCertain ? known.job : 0;
}

}  // namespace parallax::mpi
