#include "transport/file_cache.h"

#include <cstddef>

#include "base/sys.h"

namespace parallax {

void fillCache(int fd, uint64_t offset, uint64_t sizeBytes) {
  static char zeros[64 << 10];  // not const: it takes no space in the file
  for (uint64_t done = 0; done < sizeBytes; done += sizeof zeros) {
    const uint64_t left = sizeBytes - done;
    const size_t part = left < sizeof zeros ? static_cast<size_t>(left) : sizeof zeros;
    if (sys::pwrite(fd, zeros, part, offset + done) < 0) return;
  }
}

}  // namespace parallax
