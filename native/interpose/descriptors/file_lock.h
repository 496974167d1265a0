// Locks of files: flock, and those of fcntl and lockf on a range of a file.
//
// A lock is attempted first. Whoever has to wait is counted, for the file and for all files of the host, and has Enter and
// Leave. While somebody waits for a file, each release is a Signal: an unlock, a lock that may replace a stronger one, a
// close by a process that has taken locks, and the end of such a process. There is one for the file, and one for the
// begin of the range. A wait names the last Signal of the range that it wanted, or the last one of the file. A release
// while nobody waits costs two loads.
//
// A process that is killed while it waits stays counted. Locks that end with a killed process are released without a
// Signal.
#pragma once

#include <errno.h>
#include <fcntl.h>

#include "interpose/ipc/kernel_object.h"
#include "interpose/process/process_signal.h"

namespace parallax {

enum class LockOf : uint8_t { kFile, kRange };

struct FileLock {
  int fd;
  LockOf of;
  uint64_t start = 0;  // of the range
};

// What is waited for by a thread that found the lock taken; how many Signals there were.
struct LockWait {
  KernelObject* file = nullptr;
  KernelObject* range = nullptr;
  uint64_t fileSignals = 0, rangeSignals = 0;
};

// Counts the thread among those that wait. Inside a Guard. False if the file cannot be known.
bool beginLockWait(const FileLock& lock, LockWait* wait);
void endLockWait(const LockWait& wait);
// The object and number for the Wake.
TakenSignal lockRelease(const LockWait& wait);
// This process has taken a lock.
void noteFileLock();
// A release is about to be made.
void tellLockRelease(const FileLock& lock);
// A descriptor is about to be closed, with all that it locks.
void tellLockReleaseByClose(int fd);

// `attempt` takes the lock if it is free; `real` waits.
template <class Attempt, class Real>
int lockFile(Region& region, const FileLock& lock, Attempt attempt, Real real) {
  if (!fdCallsWanted() || !adapterEnabled(Adapter::kFile)) return real();
  FdCall call;
  if (!call) return real();
  call.begin(region, false);
  const int before = errno;
  int result = attempt();
  int error = errno;
  if (result == 0 || (error != EAGAIN && error != EACCES)) {
    call.returned();
    if (result == 0) noteFileLock();
    if (call.duration() > FdCall::shortTicks()) call.keep();
    errno = error;
    return result;
  }
  LockWait wait;
  const bool known = beginLockWait(lock, &wait);
  call.enterToWait();
  errno = before;
  result = call.run(real, [&] {
    if (known) endLockWait(wait);
  });
  error = errno;
  const TakenSignal release = known ? lockRelease(wait) : TakenSignal{};
  if (known) endLockWait(wait);
  if (result == 0) {
    noteFileLock();
    call.returned();
    if (known) call.emit(Kind::kWake, release.object, {release.sending});
  } else if (error == EINTR) {
    tellInterruption(call);
  }
  errno = error;
  return result;
}

}  // namespace parallax
