// Helpers for tests of runs whose events another process writes.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "transport/ring_file.h"

namespace parallax::tests {

// The child of this name; -1 when there is none.
inline pid_t childNamed(pid_t parent, const std::string& wanted) {
  std::ifstream children("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  for (pid_t pid; children >> pid;) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm") >> std::ws, name);
    if (name == wanted) return pid;
  }
  return -1;
}
// The same, once it is there.
inline pid_t awaitChild(pid_t parent, const std::string& wanted) {
  pid_t child = -1;
  for (int i = 0; i < 20000 && child < 0; i++, usleep(500)) child = childNamed(parent, wanted);
  return child;
}
inline pid_t writerOf(pid_t recorder) { return childNamed(recorder, "parallax-writer"); }

// The same, once it has begun. A process that none of these tests can mean, rather than -1, which means all of them.
inline pid_t awaitWriter(pid_t recorder) {
  pid_t writer = -1;
  for (int i = 0; i < 50000 && writer < 0; i++) {
    writer = writerOf(recorder);
    if (writer < 0) usleep(200);
  }
  EXPECT_GT(writer, 0);
  return writer > 0 ? writer : std::numeric_limits<pid_t>::max();
}

// Files and directories in memory of a run.
inline std::vector<std::filesystem::directory_entry> entriesOf(pid_t recorder) {
  const std::string beginning = "parallax-rings-" + std::to_string(geteuid()) + "-" + std::to_string(recorder) + "-";
  std::vector<std::filesystem::directory_entry> found;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
    if (entry.path().filename().string().compare(0, beginning.size(), beginning) == 0) found.push_back(entry);
  }
  return found;
}
inline size_t filesOf(pid_t recorder) { return entriesOf(recorder).size(); }
inline std::vector<std::string> ringFilesOf(pid_t recorder) {
  std::vector<std::string> paths;
  for (const auto& entry : entriesOf(recorder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path().string());
  }
  return paths;
}

inline bool runs(pid_t pid) {
  std::string text;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), text);
  const size_t name = text.rfind(')');
  return name != std::string::npos && text.compare(name, 3, ") Z") != 0;
}

inline void awaitEnd(pid_t pid) {
  for (int i = 0; i < 20000 && runs(pid); i++) usleep(1000);
  EXPECT_FALSE(runs(pid));
}

// How long threads of the run wait for a writer that does nothing.
inline void shortenPatience(pid_t recorder, uint32_t ms) {
  for (const std::string& path : ringFilesOf(recorder)) {
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    EXPECT_EQ(static_cast<ssize_t>(sizeof ms),
              pwrite(fd, &ms, sizeof ms, offsetof(event_rings::Control, patienceMs)));
    close(fd);
  }
}

}  // namespace parallax::tests
