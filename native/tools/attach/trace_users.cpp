#include "tools/attach/trace_users.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

namespace parallax::attach {
namespace {

namespace fs = std::filesystem;

// Calls f(path) for the entries of a directory of /proc that are numbers, until it returns true. Whether it did.
template <class F>
bool anyNumbered(const std::string& directory, F f) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.find_first_not_of("0123456789") == std::string::npos && f(entry->path().string())) return true;
  }
  return false;
}

bool isSame(const std::string& path, const struct stat& wanted) {
  struct stat open{};
  return stat(path.c_str(), &open) == 0 && open.st_dev == wanted.st_dev && open.st_ino == wanted.st_ino;
}

}  // namespace

std::vector<pid_t> usersOf(const std::string& directory) {
  std::vector<pid_t> users;
  struct stat wanted{};
  if (stat(directory.c_str(), &wanted) != 0) return users;
  anyNumbered("/proc", [&](const std::string& process) {
    if (anyNumbered(process + "/fd", [&](const std::string& descriptor) { return isSame(descriptor, wanted); })) {
      users.push_back(atoi(process.c_str() + sizeof "/proc"));
    }
    return false;
  });
  return users;
}

}  // namespace parallax::attach
