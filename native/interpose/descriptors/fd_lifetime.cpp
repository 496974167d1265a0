// How descriptors come, are copied and go.
//
// Called before the real function is known: it is looked up at once; out of the lookup itself
// libc's own names are used (real.h). Called inside an intercepted routine: what is known of the
// descriptor is forgotten, and the call passes through. The agent's own descriptor is as good as
// closed for the program.
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/sys.h"
#include "interpose/descriptors/fd_transfer.h"
#include "interpose/descriptors/file_lock.h"
#include "transport/definitions_stage.h"

extern "C" {
int __close(int) __attribute__((weak));
int __fcntl(int, int, ...) __attribute__((weak));
int __dup2(int, int) __attribute__((weak));
int __pipe(int*) __attribute__((weak));
}

namespace parallax {

FdRegions closeRegions("close");

namespace {

PARALLAX_REAL Real<int(int)> realClose("close", __close);
PARALLAX_REAL Real<int(int, int, ...)> realFcntl("fcntl64", __fcntl);
PARALLAX_REAL Real<int(int)> realDup("dup");
PARALLAX_REAL Real<int(int, int)> realDup2("dup2", __dup2);
PARALLAX_REAL Real<int(int, int, int)> realDup3("dup3");
PARALLAX_REAL Real<int(int*)> realPipe("pipe", __pipe);
PARALLAX_REAL Real<int(int*, int)> realPipe2("pipe2");
PARALLAX_REAL Real<int(unsigned, unsigned, int)> realCloseRange("close_range");

Region lockRegion("fcntl", format::Group::kFile);

// The descriptors of directories that the agent keeps.
bool isOwn(int fd) {
  if (fd < 0 || process.state() != Process::State::kRecording) return false;
  const TraceDirectory* stage = definitions_stage::directory();
  return process.directory().isDescriptor(fd) || (stage != nullptr && stage->isDescriptor(fd));
}

int closeRange(unsigned first, unsigned last, int flags) {
  auto* real = realCloseRange.get();
  if (real == nullptr) {
    errno = ENOSYS;
    return -1;
  }
  const TraceDirectory* stage = definitions_stage::directory();
  unsigned own[] = {static_cast<unsigned>(process.directory().descriptor()),
                    stage != nullptr ? static_cast<unsigned>(stage->descriptor()) : ~0u};
  if (own[1] < own[0]) std::swap(own[0], own[1]);
  int result = 0;
  for (const unsigned fd : own) {
    if (first > last || fd < first || fd > last || !isOwn(static_cast<int>(fd))) continue;
    if (fd > first) result = real(first, fd - 1, flags);
    if (result != 0 || fd == last) return result;
    first = fd + 1;
  }
  return real(first, last, flags);
}

uint64_t startOf(int fd, const struct flock& range) {
  struct stat status;
  long from = 0;
  if (range.l_whence == SEEK_CUR) from = sys::call(SYS_lseek, fd, 0, SEEK_CUR);
  if (range.l_whence == SEEK_END && sys::call(SYS_fstat, fd, sys::word(&status)) == 0) from = status.st_size;
  return static_cast<uint64_t>(from + range.l_start);
}

int changeLock(int fd, int command, struct flock* range) {
  auto* real = realFcntl.get();
  const bool waits = command == F_SETLKW || command == F_OFD_SETLKW;
  const FileLock lock{fd, LockOf::kRange, startOf(fd, *range)};
  if (range->l_type != F_WRLCK) tellLockRelease(lock);  // a lock for reading may have been one for writing
  if (range->l_type == F_UNLCK || !waits) {
    const int result = real(fd, command, range);
    if (result == 0 && range->l_type != F_UNLCK) noteFileLock();
    return result;
  }
  const int attempt = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
  return lockFile(lockRegion, lock, [=] { return real(fd, attempt, range); },
                  [=] { return real(fd, command, range); });
}

int changeFlags(int fd, int command, void* argument) {
  auto* real = realFcntl.get();
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: {
      const int result = real(fd, command, argument);
      forgetDescriptor(result);
      return result;
    }
    case F_SETFL: {
      const int result = real(fd, command, argument);
      if (result == 0) {
        setNonBlocking(fd, (reinterpret_cast<intptr_t>(argument) & O_NONBLOCK) != 0);
      }
      return result;
    }
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
      if (argument != nullptr && fdCallsWanted()) return changeLock(fd, command, static_cast<struct flock*>(argument));
  }
  return real(fd, command, argument);
}

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int close(int fd) {
  auto* real = realClose.get();
  if (__builtin_expect(isOwn(fd), false)) {
    errno = EBADF;
    return -1;
  }
  tellLockReleaseByClose(fd);
  return closeDescriptor(fd, [=] { return real(fd); });
}

PARALLAX_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  if ((flags & 4) == 0) forgetDescriptors(first, last);  // not CLOSE_RANGE_CLOEXEC
  return closeRange(first, last, flags);
}

PARALLAX_EXPORT void closefrom(int first) noexcept {
  const int kept = errno;
  if (first < 0) first = 0;
  forgetDescriptors(static_cast<unsigned>(first), ~0u);
  if (closeRange(static_cast<unsigned>(first), ~0u, 0) != 0) {
    const long most = sysconf(_SC_OPEN_MAX);
    for (long fd = first; fd < most; fd++) close(static_cast<int>(fd));
  }
  errno = kept;
}

PARALLAX_EXPORT int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  return changeFlags(fd, command, argument);
}
PARALLAX_EXPORT int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  return changeFlags(fd, command, argument);
}

PARALLAX_EXPORT int dup(int fd) noexcept {
  const int result = realDup.get()(fd);
  forgetDescriptor(result);
  return result;
}

PARALLAX_EXPORT int dup2(int fd, int target) noexcept {
  if (fd != target) forgetDescriptor(target);
  const int result = realDup2.get()(fd, target);
  if (fd != target) forgetDescriptor(target);
  return result;
}

PARALLAX_EXPORT int dup3(int fd, int target, int flags) noexcept {
  forgetDescriptor(target);
  const int result = realDup3.get()(fd, target, flags);
  forgetDescriptor(target);
  return result;
}

PARALLAX_EXPORT int pipe(int fds[2]) noexcept {
  const int result = realPipe.get()(fds);
  if (result == 0) forgetDescriptor(fds[0]);
  if (result == 0) forgetDescriptor(fds[1]);
  return result;
}

PARALLAX_EXPORT int pipe2(int fds[2], int flags) noexcept {
  const int result = realPipe2.get()(fds, flags);
  if (result == 0) forgetDescriptor(fds[0]);
  if (result == 0) forgetDescriptor(fds[1]);
  return result;
}
