#include "transport/file_write.h"

#include <errno.h>
#include <fcntl.h>

#include "base/sys.h"
#include "format/format.h"
#include "transport/trace_space.h"

namespace parallax {
namespace {

constexpr uint64_t kHeader = sizeof(format::BlockHeader);

// An event file while something is written into it.
class OpenFile {
 public:
  OpenFile(const TraceDirectory& directory, const char* name, uint64_t endBytes)
      : fd_(directory.openFile(name, O_RDWR)), error_(fd_ < 0 ? fd_ : 0) {
    // The program may have lowered its limit.
    if (error_ == 0 && !blocked_.isBlocked()) error_ = checkFileSize(endBytes);
  }
  ~OpenFile() { close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int error() const { return error_; }

  // Returns up to where it is written.
  uint64_t put(const char* memory, uint64_t begin, uint64_t end, uint64_t fileOffset) {
    uint64_t done = begin;
    if (error_ == 0) error_ = writeRange(fd_, memory, begin, end, fileOffset, blocked_, &done);
    return done;
  }

  // Returns error(). File servers tell then what they could not write.
  int close() {
    const int closing = fd_ >= 0 ? sys::close(fd_) : 0;
    fd_ = -1;
    if (error_ == 0 && closing != -EINTR) error_ = closing;
    return error_;
  }

 private:
  const FileSizeSignalBlocked blocked_;
  int fd_;
  int error_;
};

}  // namespace

int writeRange(int fd, const char* memory, uint64_t begin, uint64_t end, uint64_t fileOffset,
               const FileSizeSignalBlocked& blocked, uint64_t* done) {
  for (*done = begin; *done < end;) {
    const long part = sys::pwrite(fd, memory + *done, end - *done, fileOffset + *done);
    if (part == -EINTR) continue;
    if (part == -EFBIG) blocked.take();
    if (part <= 0) return part == 0 ? -ENOSPC : static_cast<int>(part);
    *done += static_cast<uint64_t>(part);
  }
  return 0;
}

int writeBlocks(const TraceDirectory& directory, const char* name, const char* memory, uint64_t begin, uint64_t end,
                uint64_t fileOffset, uint64_t* done) {
  *done = begin;
  if (begin >= end) return 0;
  OpenFile file(directory, name, fileOffset + end);
  while (file.error() == 0 && *done < end) {
    const uint64_t at = *done, next = (at / format::kBlockBytes + 1) * format::kBlockBytes;
    const uint64_t blockEnd = next < end ? next : end;
    if (at % format::kBlockBytes != 0) {
      *done = file.put(memory, at, blockEnd, fileOffset);
      continue;
    }
    if (blockEnd - at <= kHeader) break;  // no event
    file.put(memory, at + kHeader, blockEnd, fileOffset);
    file.put(memory, at, at + kHeader, fileOffset);
    if (file.error() == 0) *done = blockEnd;
  }
  const bool isWritten = file.error() == 0;
  if (file.close() != 0 && isWritten) *done = begin;  // at most
  return file.error();
}

int writeBlockHeader(const TraceDirectory& directory, const char* name, const char* memory, uint64_t begin,
                     uint64_t fileOffset) {
  OpenFile file(directory, name, fileOffset + begin + kHeader);
  file.put(memory, begin, begin + kHeader, fileOffset);
  return file.close();
}

}  // namespace parallax
