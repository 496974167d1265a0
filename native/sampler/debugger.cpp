#include "sampler/debugger.h"

#include <fcntl.h>

#include <cstring>

#include "base/sys.h"
#include "base/text.h"

namespace parallax::sampler {

bool isDebugger(uint64_t tracer) {
  if (tracer == 0) return false;
  char path[64];
  size_t at = appendText(path, 0, sizeof path, "/proc/");
  at = appendNumber(path, at, sizeof path, static_cast<int64_t>(tracer));
  at = appendText(path, at, sizeof path, "/comm");
  path[at] = '\0';
  const int fd = sys::openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char name[32] = "";
  sys::read(fd, name, sizeof name - 1);
  sys::close(fd);
  return strncmp(name, "gdb", 3) == 0 || strncmp(name, "lldb", 4) == 0;
}

}  // namespace parallax::sampler
