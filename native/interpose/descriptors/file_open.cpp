// Opening and synchronising files. Those that cannot be opened, and seeks, are told only when
// they took long.
//
// Called before the real function is known: it is looked up at once; out of the lookup itself
// libc's own names are used (real.h). Called inside an intercepted routine: passes straight
// through.
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"
#include "interpose/descriptors/fd_call.h"

extern "C" {
int __open64(const char*, int, ...) __attribute__((weak));
off_t __lseek(int, off_t, int) __attribute__((weak));
}

namespace parallax {
namespace {

PARALLAX_REAL Real<int(const char*, int, ...)> realOpen("open64", __open64);
PARALLAX_REAL Real<int(int, const char*, int, ...)> realOpenat("openat64");
PARALLAX_REAL Real<int(const char*, mode_t)> realCreat("creat64");
PARALLAX_REAL Real<int(const char*, int)> realOpen2("__open64_2");
PARALLAX_REAL Real<int(int, const char*, int)> realOpenat2("__openat64_2");
PARALLAX_REAL Real<off_t(int, off_t, int)> realLseek("lseek64", __lseek);
PARALLAX_REAL Real<FILE*(const char*, const char*)> realFopen("fopen64");
PARALLAX_REAL Real<FILE*(const char*, const char*, FILE*)> realFreopen("freopen64");
PARALLAX_REAL Real<int(DIR*)> realClosedir("closedir");
PARALLAX_REAL Real<int(int)> realFsync("fsync"), realFdatasync("fdatasync"), realSyncfs("syncfs");
PARALLAX_REAL Real<void()> realSync("sync");

Region openRegion("open", format::Group::kFile), creatRegion("creat", format::Group::kFile),
    fopenRegion("fopen", format::Group::kFile), lseekRegion("lseek", format::Group::kFile),
    fsyncRegion("fsync", format::Group::kFile),
    fdatasyncRegion("fdatasync", format::Group::kFile), syncRegion("sync", format::Group::kFile);

bool wanted() { return fdCallsWanted() && adapterEnabled(Adapter::kFile); }

// The other end of a named pipe is waited for.
void beforeOpen(int directory, const char* path) {
  struct stat status;
  if (hasBeforeCalls() && sys::call(SYS_newfstatat, directory, sys::word(path), sys::word(&status), 0) == 0 && S_ISFIFO(status.st_mode)) {
    beforeWait();
  }
}

template <class Real>
int openOne(Region& region, Real real) {
  if (!wanted()) {
    const int result = real();
    forgetDescriptor(result);
    return result;
  }
  FdCall call;
  if (call) call.begin(region, false, FdCall::Polled::kNever);
  const int result = real();
  call.returned();
  forgetDescriptor(result);
  if (!call) return result;
  const int error = errno;
  Descriptor descriptor;
  if (result >= 0 && describe(result, &descriptor) && descriptor.kind == FdKind::kFile) {
    call.emit(Kind::kFile, descriptor.file, {static_cast<uint64_t>(format::FileOp::kOpen), 0});
  } else if (call.duration() > FdCall::shortTicks()) {
    call.keep();
  }
  errno = error;
  return result;
}

template <class Real>
FILE* openStdio(Region& region, Real real) {
  FILE* file = nullptr;
  openOne(region, [&] {
    file = real();
    return file != nullptr ? fileno(file) : -1;
  });
  return file;
}

int synchronise(Region& region, int fd, int (*real)(int)) {
  if (!wanted()) return real(fd);
  FdCall call;
  Descriptor descriptor;
  if (!call || !describe(fd, &descriptor) || descriptor.kind != FdKind::kFile) {
    call.release();
    return real(fd);
  }
  call.begin(region, true, FdCall::Polled::kNever);
  const int result = call.run([=] { return real(fd); });
  call.returned();
  if (result == 0) {
    call.emit(Kind::kFile, descriptor.file, {static_cast<uint64_t>(format::FileOp::kSync), 0});
  }
  return result;
}

// The mode is there only when the file may be made.
#define PARALLAX_TAKE_MODE(flags)                                  \
  mode_t mode = 0;                                                 \
  if (__OPEN_NEEDS_MODE(flags)) {                                  \
    va_list list;                                                  \
    va_start(list, flags);                                         \
    mode = va_arg(list, mode_t);                                   \
    va_end(list);                                                  \
  }

}  // namespace
}  // namespace parallax

using namespace parallax;

PARALLAX_EXPORT int open64(const char* path, int flags, ...) {
  PARALLAX_TAKE_MODE(flags)
  auto* real = realOpen.get();
  beforeOpen(AT_FDCWD, path);
  return openOne(openRegion, [=] { return real(path, flags, mode); });
}
PARALLAX_EXPORT int open(const char* path, int flags, ...) {
  PARALLAX_TAKE_MODE(flags)
  auto* real = realOpen.get();
  beforeOpen(AT_FDCWD, path);
  return openOne(openRegion, [=] { return real(path, flags, mode); });
}

PARALLAX_EXPORT int openat64(int directory, const char* path, int flags, ...) {
  PARALLAX_TAKE_MODE(flags)
  auto* real = realOpenat.get();
  beforeOpen(directory, path);
  return openOne(openRegion, [=] { return real(directory, path, flags, mode); });
}
PARALLAX_EXPORT int openat(int directory, const char* path, int flags, ...) {
  PARALLAX_TAKE_MODE(flags)
  auto* real = realOpenat.get();
  beforeOpen(directory, path);
  return openOne(openRegion, [=] { return real(directory, path, flags, mode); });
}

PARALLAX_EXPORT int creat64(const char* path, mode_t mode) {
  auto* real = realCreat.get();
  beforeOpen(AT_FDCWD, path);
  return openOne(creatRegion, [=] { return real(path, mode); });
}
PARALLAX_EXPORT int creat(const char* path, mode_t mode) { return creat64(path, mode); }

// What they are called, without a mode, when the program is compiled with _FORTIFY_SOURCE.
PARALLAX_EXPORT int __open64_2(const char* path, int flags) {
  auto* real = realOpen2.get();
  beforeOpen(AT_FDCWD, path);
  return openOne(openRegion, [=] { return real(path, flags); });
}
PARALLAX_EXPORT int __open_2(const char* path, int flags) { return __open64_2(path, flags); }
PARALLAX_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  auto* real = realOpenat2.get();
  beforeOpen(directory, path);
  return openOne(openRegion, [=] { return real(directory, path, flags); });
}
PARALLAX_EXPORT int __openat_2(int directory, const char* path, int flags) {
  return __openat64_2(directory, path, flags);
}

// libc opens, closes and copies descriptors in these past all symbols.
PARALLAX_EXPORT FILE* fopen64(const char* path, const char* mode) {
  auto* real = realFopen.get();
  beforeOpen(AT_FDCWD, path);
  return openStdio(fopenRegion, [=] { return real(path, mode); });
}
PARALLAX_EXPORT FILE* fopen(const char* path, const char* mode) { return fopen64(path, mode); }
PARALLAX_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* file) {
  auto* real = realFreopen.get();
  beforeOpen(AT_FDCWD, path);
  if (file != nullptr) forgetDescriptor(fileno(file));
  return openStdio(fopenRegion, [=] { return real(path, mode, file); });
}
PARALLAX_EXPORT FILE* freopen(const char* path, const char* mode, FILE* file) {
  return freopen64(path, mode, file);
}
PARALLAX_EXPORT int closedir(DIR* directory) {
  auto* real = realClosedir.get();
  DIR* volatile given = directory;  // of which the compiler does not know that it may not be null
  if (given != nullptr) forgetDescriptor(dirfd(given));
  return real(directory);
}

PARALLAX_EXPORT off64_t lseek64(int fd, off64_t offset, int whence) noexcept {
  auto* real = realLseek.get();
  if (!wanted()) return real(fd, offset, whence);
  FdCall call;
  Descriptor descriptor;
  if (!call || !knownDescriptor(fd, &descriptor) || descriptor.kind != FdKind::kFile) {
    call.release();
    return real(fd, offset, whence);
  }
  call.begin(lseekRegion, false, FdCall::Polled::kNever);
  const off64_t result = real(fd, offset, whence);
  call.returned();
  if (call.duration() > FdCall::shortTicks()) {
    call.emit(Kind::kFile, descriptor.file, {static_cast<uint64_t>(format::FileOp::kSeek), 0});
  }
  return result;
}
PARALLAX_EXPORT off_t lseek(int fd, off_t offset, int whence) noexcept {
  return lseek64(fd, offset, whence);
}

PARALLAX_EXPORT int fsync(int fd) { return synchronise(fsyncRegion, fd, realFsync.get()); }
PARALLAX_EXPORT int fdatasync(int fd) {
  return synchronise(fdatasyncRegion, fd, realFdatasync.get());
}
PARALLAX_EXPORT int syncfs(int fd) noexcept {
  return synchronise(syncRegion, fd, realSyncfs.get());
}
PARALLAX_EXPORT void sync() noexcept {
  auto* real = realSync.get();
  if (!wanted()) return real();
  Call call(syncRegion);
  real();
}
