// When other threads and processes sleep, for programs whose events must come in a known order however busy the
// machine is.
#pragma once

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

namespace parallax::tests {

// Whether the kernel says that a thread of a process sleeps, or has ended. By system calls that no adapter records.
inline bool isAsleep(int process, int thread) {
  const std::string path =
      "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat";
  const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), O_RDONLY));
  if (fd < 0) return true;
  char text[256];
  const long length = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  if (length <= 0) return true;
  text[length] = '\0';
  const char* name = strrchr(text, ')');
  return name == nullptr || (name[1] == ' ' && name[2] == 'S');
}

// Waits until a thread sleeps in the call that it makes next. Several looks: on its way it can sleep for a moment,
// where memory is mapped for instance.
inline void awaitAsleep(int process, int thread) {
  constexpr int kLooks = 10;
  for (int looks = 0; looks < kLooks; looks++) {
    usleep(1000);
    if (!isAsleep(process, thread)) looks = -1;
  }
}

// Waits until the calling thread is the only one of its process, those that nobody joins included.
inline void awaitAlone() {
  for (;; usleep(1000)) {
    const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY));
    char text[4096];
    const long length = syscall(SYS_read, fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    if (length <= 0) return;
    text[length] = '\0';
    const char* threads = strstr(text, "\nThreads:\t");
    if (threads == nullptr || strncmp(threads + 10, "1\n", 2) == 0) return;
  }
}

}  // namespace parallax::tests
