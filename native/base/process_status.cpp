#include "base/process_status.h"

#include <fcntl.h>

#include <cstring>
#include <string_view>

#include "base/scratch.h"
#include "base/sys.h"
#include "base/text.h"

namespace parallax {
namespace {

// The number after a line's name. False where there is no such line.
bool numberOf(const char* text, const char* line, uint64_t* number) {
  const char* found = strstr(text, line);
  if (found == nullptr) return false;
  std::string_view rest = found + strlen(line);
  return readNumber(&rest, 10, number);
}

}  // namespace

ProcessStatus readProcessStatus() {
  ProcessStatus status;
  const Scratch scratch;
  if (!scratch) return status;
  const int fd = sys::openat(AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return status;
  const long size = sys::read(fd, scratch.bytes(), Scratch::kBytes - 1);
  sys::close(fd);
  scratch.bytes()[size > 0 ? size : 0] = '\0';
  uint64_t filters;
  if (numberOf(scratch.bytes(), "\nSeccomp_filters:\t", &filters)) {
    status.filters = static_cast<int>(filters);
  }
  numberOf(scratch.bytes(), "\nTracerPid:\t", &status.tracer);
  return status;
}

}  // namespace parallax
