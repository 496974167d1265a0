#include "transport/definitions_stage.h"

#include <errno.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>

#include "base/sys.h"
#include "base/text.h"
#include "format/format.h"
#include "transport/file_size_signal.h"

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

int writeAll(int fd, const char* bytes, uint64_t count) {
  const FileSizeSignalBlocked blocked;
  for (uint64_t done = 0; done < count;) {
    const long part = sys::pwrite(fd, bytes + done, count - done, done);
    if (part == -EINTR) continue;
    if (part == -EFBIG) blocked.take();
    if (part <= 0) return part == 0 ? -ENOSPC : static_cast<int>(part);
    done += static_cast<uint64_t>(part);
  }
  return 0;
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

int copy(const TraceDirectory& from, const char* name, const TraceDirectory& to) {
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
  const int fd = to.openFile(name, O_RDWR | O_CREAT);
  const int error = fd < 0 ? fd : writeAll(fd, file, endOfRecords(file, bytes));
  if (fd >= 0) sys::close(fd);
  sys::munmap(memory, bytes);
  return error;
}

}  // namespace parallax::definitions_stage
