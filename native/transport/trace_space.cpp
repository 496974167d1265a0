#include "transport/trace_space.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "base/file_size_signal.h"
#include "base/sys.h"

namespace parallax {
namespace {

// Constant-initialised: usable before any constructor.
struct Limits {
  std::atomic<uint64_t> keepFreeBytes{kUsualFree};
  std::atomic<uint64_t> maxBytes{0};
  std::atomic<std::atomic<uint64_t>*> taken{nullptr};
  std::atomic<uint64_t> maxOwnBytes{0};
  std::atomic<uint64_t> ownBytes{0};
} limits;

// Of the disk of a file: what is free, and what of it is the program's. False if there is no limit, or it is not known.
bool hasLimit(int fd, uint64_t* available, uint64_t* keep) {
  struct statfs system{};
  if (sys::call(SYS_fstatfs, fd, sys::word(&system)) != 0 || system.f_blocks == 0) return false;
  *available = availableBytes(system);
  *keep = limits.keepFreeBytes.load(std::memory_order_relaxed);
  if (*keep == kUsualFree) *keep = usualFreeBytes(system);
  return *keep != 0;
}

int checkFree(int fd, uint64_t sizeBytes) {
  uint64_t available, keep;
  if (!hasLimit(fd, &available, &keep)) return 0;
  return available < sizeBytes || available - sizeBytes < keep ? -kDiskReserved : 0;
}

std::atomic<uint64_t>* taken() { return limits.taken.load(std::memory_order_acquire); }

// Adds to the counter, unless it would exceed `most`.
bool count(std::atomic<uint64_t>& counter, uint64_t sizeBytes, uint64_t most) {
  const uint64_t before = counter.fetch_add(sizeBytes, std::memory_order_relaxed);
  if (before + sizeBytes <= most) return true;
  counter.fetch_sub(sizeBytes, std::memory_order_relaxed);
  return false;
}

int checkTraceSize(uint64_t sizeBytes) {
  const uint64_t mostOwn = limits.maxOwnBytes.load(std::memory_order_relaxed);
  if (mostOwn != 0 && !count(limits.ownBytes, sizeBytes, mostOwn)) return -kProcessTooLarge;
  auto* counter = taken();
  if (counter == nullptr || count(*counter, sizeBytes, limits.maxBytes.load(std::memory_order_relaxed))) return 0;
  if (mostOwn != 0) limits.ownBytes.fetch_sub(sizeBytes, std::memory_order_relaxed);
  return -kTraceTooLarge;
}

int allocate(int fd, uint64_t offset, uint64_t sizeBytes) {
  int error;
  do {
    error = sys::fallocate(fd, offset, sizeBytes);
  } while (error == -EINTR);
  return error;
}

bool isMissing(int error) { return error == -EOPNOTSUPP || error == -ENOSYS; }

// Zeros written the ordinary way reserve the space, too.
int writeZeros(int fd, uint64_t offset, uint64_t sizeBytes) {
  static const char zeros[4096] = {};
  while (sizeBytes > 0) {
    const size_t part = sizeBytes < sizeof zeros ? sizeBytes : sizeof zeros;
    const long written = sys::pwrite(fd, zeros, part, offset);
    if (written == -EINTR) continue;
    if (written <= 0) return written == 0 ? -ENOSPC : static_cast<int>(written);
    offset += static_cast<uint64_t>(written);
    sizeBytes -= static_cast<uint64_t>(written);
  }
  return 0;
}

// Zeros behind the end of the file, wherever that is by then. An older kernel reserves nothing: a write then tells the error.
int appendZeros(int fd, uint64_t endBytes) {
  static const char zeros[4096] = {};
  constexpr long kAppend = 0x10;  // RWF_APPEND, of Linux 4.16
  for (;;) {
    struct stat status{};
    if (const long error = sys::call(SYS_fstat, fd, sys::word(&status))) return static_cast<int>(error);
    const auto size = static_cast<uint64_t>(status.st_size);
    if (size >= endBytes) return 0;
    const iovec part{const_cast<char*>(zeros), endBytes - size < sizeof zeros ? endBytes - size : sizeof zeros};
    const long written = sys::call(SYS_pwritev2, fd, sys::word(&part), 1, 0, 0, kAppend);
    if (written == -EINTR) continue;
    if (isMissing(static_cast<int>(written))) return 0;
    if (written <= 0) return written == 0 ? -ENOSPC : static_cast<int>(written);
  }
}

// The highest byte of the last number in the range, which is 0 in all states of the file: unlike a
// truncation this never makes a file smaller.
int extend(int fd, uint64_t endBytes) {
  const char zero = 0;
  const long written = sys::pwrite(fd, &zero, 1, endBytes - 1);
  return written < 0 ? static_cast<int>(written) : 0;
}

// `reserve` is called when nothing stands against it.
template <class Reserve>
int reserveWithin(int fd, uint64_t offset, uint64_t sizeBytes, Reserve reserve, bool isOfTrace = true) {
  if (const int error = checkFileSize(offset + sizeBytes)) return error;
  if (const int error = isOfTrace ? checkFree(fd, sizeBytes) : 0) return error;
  if (const int error = checkTraceSize(sizeBytes)) return error;
  int error;
  {
    const FileSizeSignalBlocked blocked;
    error = reserve();
    if (error == -EFBIG) blocked.take();
  }
  // Once more: others may have been given the same free space.
  if (error == 0 && isOfTrace) error = checkFree(fd, 0);
  if (error != 0) giveBackFileSpace(sizeBytes);
  return error;
}

}  // namespace

format::LossCause lossCause(int reason) {
  using format::LossCause;
  switch (-reason) {
    case ENOSPC:
    case EDQUOT: return LossCause::kDiskFull;
    case kDiskReserved: return LossCause::kDiskReserved;
    case kTraceTooLarge: return LossCause::kTraceTooLarge;
    case kWriterBehind: return LossCause::kBehind;
    case kProcessTooLarge: return LossCause::kProcessTooLarge;
    case EFBIG: return LossCause::kFileTooLarge;
    case ENOMEM: return LossCause::kMemory;
    case EMFILE:
    case ENFILE: return LossCause::kDescriptors;
    default: return LossCause::kOther;
  }
}

int checkFileSize(uint64_t endBytes) {
  rlimit limit{};
  if (sys::call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, sys::word(&limit)) != 0) return 0;
  return limit.rlim_cur != RLIM_INFINITY && endBytes > limit.rlim_cur ? -EFBIG : 0;
}

void limitTraceSpace(uint64_t keepFreeBytes, uint64_t maxBytes, std::atomic<uint64_t>* taken) {
  limits.keepFreeBytes.store(keepFreeBytes, std::memory_order_relaxed);
  limits.maxBytes.store(maxBytes, std::memory_order_relaxed);
  limits.taken.store(taken, std::memory_order_release);
}

void limitProcessSpace(uint64_t maxBytes) {
  limits.maxOwnBytes.store(maxBytes, std::memory_order_relaxed);
  limits.ownBytes.store(0, std::memory_order_relaxed);
}

int reserveFileSpace(int fd, uint64_t offset, uint64_t sizeBytes) {
  return reserveWithin(fd, offset, sizeBytes, [=] {
    const int error = allocate(fd, offset, sizeBytes);
    return isMissing(error) ? writeZeros(fd, offset, sizeBytes) : error;
  });
}

int reserveSpaceBesideOthers(int fd, uint64_t offset, uint64_t sizeBytes) {
  return reserveWithin(fd, offset, sizeBytes, [=] {
    const int error = allocate(fd, offset, sizeBytes);
    return isMissing(error) ? appendZeros(fd, offset + sizeBytes) : error;
  });
}

int reserveStagedSpace(int fd, uint64_t offset, uint64_t sizeBytes) {
  return reserveWithin(fd, offset, sizeBytes, [=] { return allocate(fd, offset, sizeBytes); }, false);
}

uint64_t freeForTrace(int fd) {
  uint64_t available, keep;
  if (!hasLimit(fd, &available, &keep)) return ~uint64_t{0};
  return available > keep ? available - keep : 0;
}

int reserveSharedFileSpace(int fd, uint64_t offset, uint64_t sizeBytes) {
  struct stat status{};
  const bool there = sys::call(SYS_fstat, fd, sys::word(&status)) == 0 &&
                     static_cast<uint64_t>(status.st_size) >= offset + sizeBytes;
  if (there) {  // another process has reserved it
    const int error = allocate(fd, offset, sizeBytes);
    return isMissing(error) ? 0 : error;
  }
  return reserveWithin(fd, offset, sizeBytes, [=] {
    const int error = allocate(fd, offset, sizeBytes);
    return isMissing(error) ? extend(fd, offset + sizeBytes) : error;
  });
}

void giveBackFileSpace(uint64_t sizeBytes) {
  if (auto* counter = taken()) counter->fetch_sub(sizeBytes, std::memory_order_relaxed);
  if (limits.maxOwnBytes.load(std::memory_order_relaxed) != 0) {
    limits.ownBytes.fetch_sub(sizeBytes, std::memory_order_relaxed);
  }
}

}  // namespace parallax
