// Space on the disk for the files of a trace: how much of it may be taken.
#pragma once

#include <sys/statfs.h>

#include <atomic>
#include <cstdint>

#include "format/format.h"

namespace parallax {

// Why there is no space, beside the errno of a system call. As these, returned negative.
inline constexpr int kDiskReserved = 5001;  // what is left of the file system is the program's
inline constexpr int kTraceTooLarge = 5002;
inline constexpr int kWriterBehind = 5003;  // and the user's choice is to lose events then
inline constexpr int kProcessTooLarge = 5004;
inline constexpr int kProcessEnds = 5005;  // nothing is lost that would not be lost anyway
// What a trace says of a reason, which is negative.
format::LossCause lossCause(int reason);

inline uint64_t blockBytes(const struct statfs& system) {
  return static_cast<uint64_t>(system.f_frsize != 0 ? system.f_frsize : system.f_bsize);
}
// What is left for others on a file system of this size, unless a person says otherwise: 5 %, but
// not more than 1 GiB.
inline uint64_t usualFreeBytes(const struct statfs& system) {
  constexpr uint64_t kMostBytes = 1u << 30;
  const uint64_t share = system.f_blocks / 20 * blockBytes(system);
  return share < kMostBytes ? share : kMostBytes;
}
// What a program without privileges could still take of it.
inline uint64_t availableBytes(const struct statfs& system) {
  return system.f_bavail * blockBytes(system);
}

// Sets how many bytes are left free (kUsual for usualFreeBytes), and, unless `maxBytes` is 0, how
// many the files of all processes of this host may have together, which they count in `taken`.
// Before the first reservation.
inline constexpr uint64_t kUsualFree = ~uint64_t{0};
void limitTraceSpace(uint64_t keepFreeBytes, uint64_t maxBytes, std::atomic<uint64_t>* taken);

// Sets how many bytes the files of this process may have, 0 for no limit. Before the first reservation, and in a child
// after fork, which begins to count anew.
void limitProcessSpace(uint64_t maxBytes);

// Writing a file beyond the limit of the process raises SIGXFSZ, which ends most programs. Returns 0, or -EFBIG if
// `endBytes` is beyond it.
int checkFileSize(uint64_t endBytes);

// Makes sure that [offset, offset + size) of a file has space on the disk, so that writing
// through a mapping cannot fail. Returns 0 or one of the reasons, negative, and may then have reserved
// a part or all of it, which the owner of the file cuts off: -EFBIG for the limit of the
// process on the size of its files (going beyond it would end the program). Signal handlers may
// call it.
int reserveFileSpace(int fd, uint64_t offset, uint64_t sizeBytes);
// The same where another process may begin to write into the range meanwhile: what stands in the file stays as it is. Where the
// file system cannot reserve, zeros are appended, and what is in the middle of the file gets no space.
int reserveSpaceBesideOthers(int fd, uint64_t offset, uint64_t sizeBytes);
// The same for a file that other processes are writing into.
int reserveSharedFileSpace(int fd, uint64_t offset, uint64_t sizeBytes);
// The same for a file that is on another disk, and will be copied into the trace: the free space of the trace's disk is checked
// when the file is copied.
int reserveStagedSpace(int fd, uint64_t offset, uint64_t sizeBytes);
// How many bytes files may still take of the disk that has this one; the rest is the program's.
uint64_t freeForTrace(int fd);
// Some of what was reserved was not used, and the file was cut off before it.
void giveBackFileSpace(uint64_t sizeBytes);

}  // namespace parallax
