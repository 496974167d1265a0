#include "transport/trace_directory.h"

#include <errno.h>
#include <sys/stat.h>

#include <cstring>

#include "base/scratch.h"
#include "base/sys.h"

namespace parallax {
namespace {

constexpr int kHighDescriptor = 500;

int statDescriptor(int fd, struct stat* result) {
  return static_cast<int>(sys::call(SYS_fstat, fd, sys::word(result)));
}

}  // namespace

int TraceDirectory::open(const char* path) {
  const size_t length = strlen(path);
  if (path[0] != '/' || length + 256 >= sizeof path_) return -ENAMETOOLONG;
  memcpy(path_, path, length + 1);
  const int low = sys::openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
  if (low < 0) return low;
  // Above what programs count on; the limit of descriptors may be lower than that.
  long high = sys::call(SYS_fcntl, low, F_DUPFD_CLOEXEC, kHighDescriptor);
  if (high < 0) high = sys::call(SYS_fcntl, low, F_DUPFD_CLOEXEC, 100);
  if (high >= 0) sys::close(low);
  descriptor_ = high >= 0 ? static_cast<int>(high) : low;
  struct stat status;
  if (const int error = statDescriptor(descriptor_, &status)) return error;
  device_ = status.st_dev;
  inode_ = status.st_ino;
  return 0;
}

void TraceDirectory::close() {
  if (descriptor_ >= 0 && descriptorIsOurs()) sys::close(descriptor_);
  descriptor_ = -1;
  path_[0] = '\0';
}

bool TraceDirectory::descriptorIsOurs() const {
  struct stat status;
  return statDescriptor(descriptor_, &status) == 0 && status.st_dev == device_ &&
         status.st_ino == inode_;
}

int TraceDirectory::openFile(const char* name, int flags) const {
  // At the program's limit of descriptors another thread of ours may be about to free one.
  constexpr int kTries = 100;
  int fd = openOnce(name, flags);
  for (int i = 0; fd == -EMFILE && i < kTries; i++) {
    sys::call(SYS_sched_yield);
    fd = openOnce(name, flags);
  }
  return fd;
}

int TraceDirectory::openOnce(const char* name, int flags) const {
  constexpr int kMode = 0600;
  flags |= O_NOFOLLOW;
  if (descriptorIsOurs()) return sys::openat(descriptor_, name, flags, kMode);
  if (path_[0] == '\0') return -ENOENT;
  const Scratch full;
  if (!full) return -ENOMEM;
  const size_t length = strlen(path_);
  const size_t nameLength = strlen(name);
  if (length + 1 + nameLength >= Scratch::kBytes) return -ENAMETOOLONG;
  memcpy(full.bytes(), path_, length);
  full.bytes()[length] = '/';
  memcpy(full.bytes() + length + 1, name, nameLength + 1);
  return sys::openat(AT_FDCWD, full.bytes(), flags, kMode);
}

int TraceDirectory::openShared(const char* name) const {
  const int made = openFile(name, O_RDWR | O_CREAT | O_EXCL);
  if (made != -EEXIST) return made;
  const int fd = openFile(name, O_RDWR);
  struct stat status;
  if (fd < 0 || (statDescriptor(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                 status.st_uid == static_cast<uid_t>(sys::call(SYS_geteuid)))) {
    return fd;
  }
  sys::close(fd);
  return -EACCES;
}

}  // namespace parallax
