#include "transport/definitions_stage.h"

#include <errno.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>

#include "base/sys.h"
#include "base/text.h"
#include "format/format.h"
#include "transport/file_write.h"
#include "transport/trace_space.h"

namespace parallax::definitions_stage {
namespace {

constexpr uint64_t kFileHeaderBytes = 16;

// Constant-initialised: usable before any constructor.
TraceDirectory stage;
std::atomic<bool> isAttached{false};

// Where the chain of records ends. A size is a multiple of 8; 0 is none.
uint64_t endOfRecords(const char* file, uint64_t bytes) {
  uint64_t at = kFileHeaderBytes;
  while (at + sizeof(format::RecordHeader) <= bytes) {
    const uint32_t size = __atomic_load_n(reinterpret_cast<const uint32_t*>(file + at), __ATOMIC_ACQUIRE);
    if (size < sizeof(format::RecordHeader) || size % 8 != 0 || size > bytes - at) break;
    at += size;
  }
  return at < bytes ? at : bytes;
}

// Whether a share of the memory for files is left beyond so many bytes: one part of `parts`.
bool leaves(int fd, uint64_t parts, uint64_t bytes) {
  struct statfs system {};
  if (sys::call(SYS_fstatfs, fd, sys::word(&system)) != 0 || system.f_blocks == 0) return true;
  return availableBytes(system) >= system.f_blocks * blockBytes(system) / parts + bytes;
}

}  // namespace

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

int copy(const TraceDirectory& from, const char* name, const TraceDirectory& to, uint64_t* done) {
  const int source = from.openFile(name, O_RDWR);
  if (source < 0) return source;
  struct stat status {};
  const long found = sys::call(SYS_fstat, source, sys::word(&status));
  const auto bytes = static_cast<uint64_t>(status.st_size);
  void* memory = found == 0 && bytes > kFileHeaderBytes ? sys::mmap(bytes, PROT_READ, MAP_SHARED, source) : nullptr;
  sys::close(source);
  if (found != 0) return static_cast<int>(found);
  if (bytes <= kFileHeaderBytes) return 0;  // it was never used, or is in the trace
  if (memory == nullptr) return -ENOMEM;
  const auto* file = static_cast<const char*>(memory);
  const uint64_t end = endOfRecords(file, bytes);
  int error = 0;
  if (end > *done) {
    const int fd = to.openFile(name, O_RDWR | O_CREAT);
    const FileSizeSignalBlocked blocked;
    uint64_t written;
    error = fd < 0 ? fd : writeRange(fd, file, *done, end, 0, blocked, &written);
    const int closing = fd < 0 ? 0 : sys::close(fd);  // where file servers tell what they could not write
    if (error == 0) error = closing;
    if (error == 0) *done = end;
  }
  sys::munmap(memory, bytes);
  return error;
}

void empty(const TraceDirectory& directory, const char* name) {
  const int fd = directory.openFile(name, O_RDWR);
  if (fd < 0) return;
  sys::ftruncate(fd, 0);
  sys::close(fd);
}

}  // namespace parallax::definitions_stage
