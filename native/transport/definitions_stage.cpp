#include "transport/definitions_stage.h"

#include <errno.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>

#include "base/sys.h"
#include "base/text.h"
#include "format/definitions.h"
#include "format/format.h"
#include "format/slots.h"
#include "transport/file_write.h"
#include "transport/trace_space.h"

namespace parallax::definitions_stage {
namespace {

constexpr uint64_t kFileHeaderBytes = 16;

// Constant-initialised: usable before any constructor.
TraceDirectory stage;
std::atomic<bool> isAttached{false};

int statOf(int fd, struct stat* status) { return static_cast<int>(sys::call(SYS_fstat, fd, sys::word(status))); }

// A file that its process may be writing, or cutting off: so it is not mapped.
class Source {
 public:
  explicit Source(int fd) : fd_(fd), window_(fd < 0 ? nullptr : static_cast<char*>(sys::pages(kWindowBytes))) {}
  ~Source() {
    if (window_ != nullptr) sys::munmap(window_, kWindowBytes);
    if (fd_ >= 0) sys::close(fd_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  static constexpr size_t kWindowBytes = 64 << 10;
  int error() const { return fd_ < 0 ? fd_ : window_ == nullptr ? -ENOMEM : 0; }
  int stat(struct stat* status) const { return statOf(fd_, status); }

  // So many bytes of it, at most kWindowBytes; null if they are not there. Valid until the next call.
  const char* at(uint64_t offset, uint64_t bytes) {
    if (offset < begin_ || offset + bytes > end_) {
      begin_ = end_ = offset;
      for (long part = 1; part > 0 && end_ - begin_ < kWindowBytes; end_ += part > 0 ? static_cast<uint64_t>(part) : 0) {
        do {
          part = sys::call(SYS_pread64, fd_, sys::word(window_ + (end_ - begin_)),
                           static_cast<long>(kWindowBytes - (end_ - begin_)), static_cast<long>(end_));
        } while (part == -EINTR);
      }
    }
    return offset + bytes <= end_ ? window_ + (offset - begin_) : nullptr;
  }

  // The header of a complete record there; its size is 0 if there is none.
  format::RecordHeader recordAt(uint64_t offset, uint64_t fileBytes) {
    format::RecordHeader header{};
    if (offset + sizeof header > fileBytes) return header;
    const char* bytes = at(offset, sizeof header);
    if (bytes == nullptr) return header;
    memcpy(&header, bytes, sizeof header);
    if (header.size < sizeof header || header.size % 8 != 0 || header.size > fileBytes - offset) header.size = 0;
    return header;
  }

 private:
  const int fd_;
  char* const window_;
  uint64_t begin_ = 0, end_ = 0;  // of the file: what is in the window
};

// Where the chain of records ends that end there at the latest.
uint64_t endOfRecords(Source& file, uint64_t bytes) {
  uint64_t at = kFileHeaderBytes;
  while (const uint32_t size = file.recordAt(at, bytes).size) at += size;
  return at < bytes ? at : bytes;
}

// Copies [*done, end). Sets `done` to where it came, also after an error.
int copyBytes(Source& from, int to, uint64_t* done, uint64_t end) {
  const FileSizeSignalBlocked blocked;
  for (int error = 0; *done < end;) {
    const uint64_t bytes = end - *done < Source::kWindowBytes ? end - *done : Source::kWindowBytes;
    const char* part = from.at(*done, bytes);
    if (part == nullptr) return -EIO;  // it was cut off meanwhile
    uint64_t written;
    error = writeRange(to, part, 0, bytes, *done, blocked, &written);
    *done += written;
    if (error != 0) return error;
  }
  return 0;
}

// Into an open file, whose end is that of a record afterwards. Sets `done` to it.
int copyRecords(Source& from, uint64_t fromBytes, int to, uint64_t* done) {
  struct stat status {};
  if (const int error = statOf(to, &status)) return error;
  const uint64_t end = endOfRecords(from, fromBytes), begin = *done;
  const auto had = static_cast<uint64_t>(status.st_size);  // it has the space for this
  const uint64_t free = freeForTrace(to);
  const bool fits = end <= had || end - had <= free;
  const uint64_t most = fits ? end : endOfRecords(from, had + free);
  int error = most > begin ? copyBytes(from, to, done, most) : 0;
  if (error == 0 && !fits) error = -kDiskReserved;
  if (error == 0) return 0;
  // What an earlier copy has written is there.
  const uint64_t whole = *done > had ? *done : had < end ? had : end;
  *done = endOfRecords(from, whole);
  if (*done < begin) *done = begin;
  if (*done <= kFileHeaderBytes) *done = 0;
  sys::ftruncate(to, *done);
  return error;
}

// That the records after `done` are missing. Returns false if there is no place for it.
bool tellMissing(Source& from, uint64_t fromBytes, int to, uint64_t done, int error, uint64_t ticks) {
  format::LossesBody losses{};
  uint64_t place = 0, events = 0, definitions = 0;
  format::RecordHeader header{};
  for (uint64_t at = kFileHeaderBytes; (header = from.recordAt(at, fromBytes)).size != 0; at += header.size) {
    const auto type = static_cast<format::Record>(header.type);
    const uint64_t bodyBytes = header.size - sizeof header;
    if (at < done && type == format::Record::kLosses && bodyBytes >= sizeof losses) {
      if (at + header.size > done) return false;
      const char* body = from.at(at + sizeof header, sizeof losses);
      if (body == nullptr) return false;
      memcpy(&losses, body, sizeof losses);
      place = at + sizeof header;
    }
    if (at < done || type == format::Record::kReserved) continue;
    definitions += type == format::Record::kEvents ? 0 : 1;
    constexpr size_t kHead = sizeof(format::BlockHeader);
    const bool hasBlock = type == format::Record::kEvents && bodyBytes >= kHead && header.size <= Source::kWindowBytes;
    const char* block = hasBlock ? from.at(at + sizeof header, bodyBytes) : nullptr;
    if (block != nullptr) {
      events += format::countEvents(reinterpret_cast<const uint64_t*>(block + kHead), (bodyBytes - kHead) / sizeof(uint64_t));
    }
  }
  if (place == 0) return false;
  const uint32_t number = -error < kDiskReserved ? static_cast<uint32_t>(-error) : 0;
  using format::LossesBody;
  format::addLosses(&losses, &LossesBody::definitions, definitions, lossCause(error), number, ticks);
  if (events > 0) format::addLosses(&losses, &LossesBody::events, events, lossCause(error), number, ticks);
  const FileSizeSignalBlocked blocked;
  uint64_t written;
  return writeRange(to, reinterpret_cast<const char*>(&losses), 0, sizeof losses, place, blocked, &written) == 0;
}

// Whether a share of the memory for files is left beyond so many bytes: one part of `parts`.
bool leaves(int fd, uint64_t parts, uint64_t bytes) {
  struct statfs system {};
  if (sys::call(SYS_fstatfs, fd, sys::word(&system)) != 0 || system.f_blocks == 0) return true;
  return availableBytes(system) >= system.f_blocks * blockBytes(system) / parts + bytes;
}

}  // namespace

bool isLackOfSpace(int error) {
  const format::LossCause cause = lossCause(error);
  return cause == format::LossCause::kDiskFull || cause == format::LossCause::kDiskReserved ||
         cause == format::LossCause::kFileTooLarge;
}

void attach(const char* rings) {
  char path[256 + sizeof kEnding];
  const size_t length = strlen(rings);
  if (length == 0 || length >= 256) return;
  memcpy(path, rings, length);
  memcpy(path + length, kEnding, sizeof kEnding);
  if (stage.open(path) == 0) isAttached.store(true, std::memory_order_release);
}

const TraceDirectory* directory() { return isAttached.load(std::memory_order_acquire) ? &stage : nullptr; }

bool hasRoom() {
  constexpr uint64_t kParts = 4;
  return leaves(stage.descriptor(), kParts, 0);
}

bool hasRoomToGrow(int fd, uint64_t bytes) {
  constexpr uint64_t kParts = 8;
  return leaves(fd, kParts, bytes);
}

namespace {

int copyFile(const TraceDirectory& from, const char* name, const TraceDirectory& to, uint64_t* done, bool tells, uint64_t ticks,
             bool* isTold) {
  *isTold = false;
  Source source(from.openFile(name, O_RDONLY));
  if (const int error = source.error()) return error;
  struct stat status {};
  if (const int error = source.stat(&status)) return error;
  const auto bytes = static_cast<uint64_t>(status.st_size);
  if (source.recordAt(kFileHeaderBytes, bytes).size == 0) return 0;  // it was never used, or is in the trace
  const int fd = to.openFile(name, O_RDWR | O_CREAT);
  if (fd < 0) return fd;
  const bool isWhole = *done == 0;
  int error = copyRecords(source, bytes, fd, done);
  if (error == 0 && isWhole) sys::call(SYS_fchmod, fd, 0600);  // there may have been no space before
  if (tells && isLackOfSpace(error)) {
    *isTold = tellMissing(source, bytes, fd, *done, error, ticks);
    if (!*isTold) {  // not even the first records are there
      sys::ftruncate(fd, 0);
      *isTold = sys::call(SYS_fchmod, fd, format::kNoSpaceMode) == 0;
    }
  }
  const int closing = sys::close(fd);  // where file servers tell what they could not write
  if (closing != 0 && closing != -EINTR && error == 0) {
    *done = 0;
    error = closing;
  }
  return error;
}

}  // namespace

int copy(const TraceDirectory& from, const char* name, const TraceDirectory& to, uint64_t* done) {
  bool isTold;
  return copyFile(from, name, to, done, false, 0, &isTold);
}

int copyWhole(const TraceDirectory& from, const char* name, const TraceDirectory& to, uint64_t ticks, bool* isTold) {
  uint64_t done = 0;  // parts of the beginning change at the end
  return copyFile(from, name, to, &done, true, ticks, isTold);
}

void empty(const TraceDirectory& directory, const char* name) {
  const int fd = directory.openFile(name, O_RDWR);
  if (fd < 0) return;
  sys::ftruncate(fd, 0);
  sys::close(fd);
}

}  // namespace parallax::definitions_stage
