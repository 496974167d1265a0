#include "transport/file_cache.h"

#include <errno.h>

#include <cstddef>

#include "base/file_size_signal.h"
#include "base/sys.h"

namespace parallax {

void fillCache(int fd, uint64_t offset, uint64_t sizeBytes) {
  static char zeros[64 << 10];  // not const: it takes no space in the file
  const FileSizeSignalBlocked blocked;
  for (uint64_t done = 0; done < sizeBytes; done += sizeof zeros) {
    const uint64_t left = sizeBytes - done;
    const size_t part = left < sizeof zeros ? static_cast<size_t>(left) : sizeof zeros;
    const long written = sys::pwrite(fd, zeros, part, offset + done);
    if (written == -EFBIG) blocked.take();
    if (written < 0) return;
  }
}

}  // namespace parallax
