#include "sampler/debugger.h"

#include <fcntl.h>

#include <cstring>
#include <string_view>

#include "base/scratch.h"
#include "base/sys.h"
#include "base/text.h"

namespace parallax::sampler {
namespace {

// The file begins with what is asked for.
void readStart(const char* path, char* text, size_t capacity) {
  text[0] = '\0';
  const int fd = sys::openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const long size = sys::read(fd, text, capacity - 1);
  text[size > 0 ? size : 0] = '\0';
  sys::close(fd);
}

}  // namespace

bool isDebugged() {
  const Scratch scratch;
  if (!scratch) return false;
  char* const status = scratch.bytes();
  readStart("/proc/self/status", status, Scratch::kBytes);
  constexpr char kTracer[] = "\nTracerPid:\t";
  const char* tracer = strstr(status, kTracer);
  std::string_view rest = tracer != nullptr ? tracer + strlen(kTracer) : "";
  uint64_t pid = 0;
  if (!readNumber(&rest, 10, &pid) || pid == 0) return false;
  char path[64];
  size_t at = appendText(path, 0, sizeof path, "/proc/");
  at = appendNumber(path, at, sizeof path, static_cast<int64_t>(pid));
  at = appendText(path, at, sizeof path, "/comm");
  path[at] = '\0';
  char name[32];
  readStart(path, name, sizeof name);
  return strncmp(name, "gdb", 3) == 0 || strncmp(name, "lldb", 4) == 0;
}

}  // namespace parallax::sampler
