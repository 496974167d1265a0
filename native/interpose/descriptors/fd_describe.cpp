// Asks the kernel what a descriptor is. Raw system calls only.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstring>

#include "base/address_table.h"
#include "base/fork_generation.h"
#include "base/scratch.h"
#include "base/sys.h"
#include "base/text.h"
#include "core/agent.h"
#include "interpose/descriptors/event_counter.h"
#include "interpose/descriptors/fd_table.h"
#include "interpose/descriptors/stream_keys.h"

namespace parallax {
namespace {

struct FileEntry {
  std::atomic<uint32_t> number;
  std::atomic<uint32_t> definedIn;  // forkGeneration()
};
AddressTable<FileEntry> files;  // by the hash of the path
FileEntry anyOther;             // when the table is full
std::atomic<uint32_t> lastFile{0};

bool isSilentDevice(const struct stat& status) {
  constexpr unsigned kMemoryDevices = 1;  // /dev/null, zero, full, random and urandom
  return major(status.st_rdev) == kMemoryDevices;
}

bool isNonBlocking(int fd) {
  const long flags = sys::call(SYS_fcntl, fd, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) != 0;
}

bool pathOf(int fd, char* path) {
  char link[32];
  size_t at = appendText(link, 0, sizeof link, "/proc/self/fd/");
  at = appendNumber(link, at, sizeof link - 1, fd);
  link[at] = '\0';
  const long length = sys::readlink(link, path, Scratch::kBytes - 1);
  path[length > 0 ? length : 0] = '\0';
  return length > 0;
}

// An inode without a name in any file system.
void describeAnonymous(int fd, Descriptor* result) {
  result->kind = FdKind::kOther;
  const Scratch path;
  if (!path || !pathOf(fd, path.bytes())) return;
  const auto is = [&](const char* name) { return strcmp(path.bytes(), name) == 0; };
  if (is("anon_inode:[signalfd]")) {
    result->kind = FdKind::kSignals;
  } else if (is("anon_inode:[eventfd]")) {
    describeEvents(fd, result);
  } else if (is("anon_inode:[timerfd]")) {
    result->kind = FdKind::kTimer;
  } else if (is("anon_inode:inotify") || is("anon_inode:[fanotify]") || is("anon_inode:[userfaultfd]")) {
    result->kind = FdKind::kSource;
  }
}

}  // namespace

// The number of a file in the trace, defined at first use in this process.
uint32_t fileNumber(const char* path) {
  size_t length = strlen(path);
  FileEntry* entry = files.obtain(hashOf(StreamTag::kPath, path, length).low | 1);
  if (entry == nullptr) {
    entry = &anyOther;
    path = "[other files]";
    length = strlen(path);
  }
  const uint32_t generation = forkGeneration();
  if (entry->definedIn.load(std::memory_order_acquire) == generation) {
    return entry->number.load(std::memory_order_relaxed);
  }
  // Several threads may define a new file at the same time. It then has several numbers with one path. That is
  // harmless, because each number has its definition.
  const uint32_t number = lastFile.fetch_add(1, std::memory_order_relaxed) + 1;
  define(format::FileRecord{number, std::string_view(path, length)});
  entry->number.store(number, std::memory_order_relaxed);
  entry->definedIn.store(generation, std::memory_order_release);
  return number;
}

namespace {

// Where /proc is missing (after a change of the root) a file has no path, and is known by its number.
uint32_t fileNumberOf(int fd, const struct stat& status) {
  const Scratch path;
  if (path && pathOf(fd, path.bytes())) return fileNumber(path.bytes());
  char name[96];
  constexpr size_t kCapacity = sizeof name - 1;
  size_t at = appendText(name, 0, kCapacity, "[device ");
  at = appendNumber(name, at, kCapacity, major(status.st_dev));
  at = appendText(name, at, kCapacity, ":");
  at = appendNumber(name, at, kCapacity, minor(status.st_dev));
  at = appendText(name, at, kCapacity, " inode ");
  at = appendNumber(name, at, kCapacity, static_cast<int64_t>(status.st_ino));
  at = appendText(name, at, kCapacity, "]");
  name[at] = '\0';
  return fileNumber(name);
}

}  // namespace

bool askKernel(int fd, Sight sight, Descriptor* result) {
  struct stat status;
  if (fd < 0 || sys::call(SYS_fstat, fd, sys::word(&status)) != 0) return false;
  const bool streams = adapterEnabled(Adapter::kStream);
  const mode_t type = status.st_mode & S_IFMT;
  result->kind = FdKind::kQuiet;
  switch (type) {
    case S_IFREG:
    case S_IFBLK:
    case S_IFCHR:
      if (!adapterEnabled(Adapter::kFile) || (type == S_IFCHR && isSilentDevice(status))) break;
      result->kind = FdKind::kFile;
      result->regular = type != S_IFCHR;
      result->file = fileNumberOf(fd, status);
      break;
    case S_IFIFO:
      if (streams) describePipe(fd, status.st_dev, status.st_ino, result);
      break;
    case S_IFSOCK:
      if (streams && !describeSocket(fd, status.st_ino, sight, result)) return false;
      break;
    case S_IFDIR:
      break;
    default:  // eventfd, timerfd, signalfd, epoll
      if (streams) describeAnonymous(fd, result);
  }
  if (result->kind != FdKind::kQuiet && !result->regular) result->nonBlocking = isNonBlocking(fd);
  return true;
}

}  // namespace parallax
