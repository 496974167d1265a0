// Called before the real function is known: it is looked up at once (real.h). Called inside an intercepted routine: passes
// straight through.
#include "interpose/descriptors/file_lock.h"

#include <dirent.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"
#include "core/process.h"
#include "core/shared_counters.h"
#include "interpose/real.h"

namespace parallax {
namespace {

PARALLAX_REAL Real<int(int, int)> realFlock("flock");
PARALLAX_REAL Real<int(int, int, off64_t)> realLockf("lockf64");

Region flockRegion("flock", format::Group::kFile);
Region lockfRegion("lockf", format::Group::kFile);

constexpr int kSignals = 0, kWaiters = 1;  // of a file; of a range the Signals only
std::atomic<bool> locksTaken{false};       // by this process, or by who forked it
std::atomic<SharedCounters*> hostWaiters{nullptr};

// Those who wait for locks of any file.
std::atomic<uint64_t>* waitersOfHost() {
  SharedCounters* counters = hostWaiters.load(std::memory_order_acquire);
  if (counters == nullptr) {
    constexpr uint64_t kFileLocks = 0xF11E10C45ADE7701;  // of all that has shared counters
    counters = sharedCounters(kFileLocks, kFileLocks);
    hostWaiters.store(counters, std::memory_order_release);
  }
  return counters == nullptr ? nullptr : &counters->value[0];
}

bool somebodyWaits() {
  std::atomic<uint64_t>* waiters = waitersOfHost();
  return waiters != nullptr && waiters->load(std::memory_order_seq_cst) != 0;
}

uint64_t idOf(const struct stat& status, LockOf of) {
  return mixIds(mixIds(static_cast<uint64_t>(of) + 1, status.st_dev), status.st_ino);
}

KernelObject* fileOf(uint64_t id, const struct stat& status) {
  return kernelObject(format::SyncKind::kFileLock, id, status.st_ino);
}

KernelObject* rangeOf(uint64_t id, const struct stat& status, uint64_t start) {
  return kernelObject(format::SyncKind::kFileLock, mixIds(id, start + 1), status.st_ino);
}

void signal(Instant& instant, KernelObject* object) {
  if (object == nullptr) return;
  const uint64_t number = object->count(kSignals).fetch_add(1, std::memory_order_acq_rel) + 1;
  instant.emit(Kind::kSignal, object->number(), {number});
}

void tellRelease(int fd, LockOf of, const uint64_t* start) {
  struct stat status;
  if (sys::call(SYS_fstat, fd, sys::word(&status)) != 0 || !S_ISREG(status.st_mode)) return;
  Instant instant;
  if (!instant) return;
  const uint64_t id = idOf(status, of);
  KernelObject* file = fileOf(id, status);
  if (file == nullptr || file->count(kWaiters).load(std::memory_order_seq_cst) == 0) return;
  signal(instant, file);
  if (start != nullptr) signal(instant, rangeOf(id, status, *start));
}

// The process ends: what it has locked is released.
void tellReleaseByEnd() {
  if (!locksTaken.load(std::memory_order_relaxed) || !somebodyWaits()) return;
  constexpr int kMost = 1024;
  for (int fd = 0; fd < kMost; fd++) tellLockReleaseByClose(fd);
}

// Where the range of lockf begins.
uint64_t position(int fd) {
  const long at = sys::call(SYS_lseek, fd, 0, SEEK_CUR);
  return at > 0 ? static_cast<uint64_t>(at) : 0;
}

}  // namespace

bool beginLockWait(const FileLock& lock, LockWait* wait) {
  struct stat status;
  std::atomic<uint64_t>* waiters = waitersOfHost();
  if (waiters == nullptr || sys::call(SYS_fstat, lock.fd, sys::word(&status)) != 0) return false;
  const uint64_t id = idOf(status, lock.of);
  wait->file = fileOf(id, status);
  if (wait->file == nullptr) return false;
  wait->range = lock.of == LockOf::kRange ? rangeOf(id, status, lock.start) : nullptr;
  wait->fileSignals = wait->file->count(kSignals).load(std::memory_order_relaxed);
  if (wait->range != nullptr) wait->rangeSignals = wait->range->count(kSignals).load(std::memory_order_relaxed);
  wait->file->count(kWaiters).fetch_add(1, std::memory_order_seq_cst);
  waiters->fetch_add(1, std::memory_order_seq_cst);
  return true;
}

void endLockWait(const LockWait& wait) {
  wait.file->count(kWaiters).fetch_sub(1, std::memory_order_relaxed);
  if (std::atomic<uint64_t>* waiters = waitersOfHost()) waiters->fetch_sub(1, std::memory_order_relaxed);
}

TakenSignal lockRelease(const LockWait& wait) {
  if (wait.range != nullptr) {
    const uint64_t last = wait.range->count(kSignals).load(std::memory_order_acquire);
    if (last != wait.rangeSignals) return {wait.range->number(), last};
  }
  const uint64_t last = wait.file->count(kSignals).load(std::memory_order_acquire);
  return {wait.file->number(), last != wait.fileSignals ? last : 0};
}

void noteFileLock() {
  if (locksTaken.load(std::memory_order_relaxed)) return;
  locksTaken.store(true, std::memory_order_relaxed);
  process.releasesAtExit.store(tellReleaseByEnd, std::memory_order_release);
}

void tellLockRelease(const FileLock& lock) {
  if (!adapterEnabled(Adapter::kFile) || !somebodyWaits() || !process.isOurs()) return;
  tellRelease(lock.fd, lock.of, lock.of == LockOf::kRange ? &lock.start : nullptr);
}

void tellLockReleaseByClose(int fd) {
  if (!locksTaken.load(std::memory_order_relaxed) || !adapterEnabled(Adapter::kFile) || !somebodyWaits() ||
      !process.isOurs()) {
    return;
  }
  tellRelease(fd, LockOf::kFile, nullptr);
  tellRelease(fd, LockOf::kRange, nullptr);
}

}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int flock(int fd, int operation) noexcept {
  auto* real = realFlock.get();
  if (!fdCallsWanted()) return real(fd, operation);
  const FileLock lock{fd, LockOf::kFile};
  const int what = operation & ~LOCK_NB;
  if (what != LOCK_EX) tellLockRelease(lock);  // a shared lock may have been an exclusive one
  if (what == LOCK_UN || operation != what) {
    const int result = real(fd, operation);
    if (result == 0 && what != LOCK_UN) noteFileLock();
    return result;
  }
  return lockFile(flockRegion, lock, [=] { return real(fd, operation | LOCK_NB); },
                  [=] { return real(fd, operation); });
}

PARALLAX_EXPORT int lockf64(int fd, int command, off64_t length) {
  auto* real = realLockf.get();
  if (!fdCallsWanted() || command == F_TEST) return real(fd, command, length);
  const FileLock lock{fd, LockOf::kRange, position(fd)};
  if (command == F_ULOCK) tellLockRelease(lock);
  if (command != F_LOCK) {
    const int result = real(fd, command, length);
    if (result == 0 && command == F_TLOCK) noteFileLock();
    return result;
  }
  return lockFile(lockfRegion, lock, [=] { return real(fd, F_TLOCK, length); },
                  [=] { return real(fd, command, length); });
}
PARALLAX_EXPORT int lockf(int fd, int command, off_t length) { return lockf64(fd, command, length); }
