// The trace of a process that belongs to another user than the recorder, who is root then.
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/record.h"

namespace parallax::record {
namespace {

// Those of whom the kernel takes this process for when it uses files. Without a change, they are told only.
uid_t fileUser() { return static_cast<uid_t>(setfsuid(static_cast<uid_t>(-1))); }
gid_t fileGroup() { return static_cast<gid_t>(setfsgid(static_cast<gid_t>(-1))); }

// What a person is told; docs/troubleshooting.md has each.
std::string fail(const std::string& text) { return text; }

// The directory that this process has just made. Who owns the one above it may have put a link, or another one, in its place.
std::string giveAway(const std::string& directory, uint32_t user, uint32_t group) {
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status {};
  bool isGiven = fd >= 0 && fstat(fd, &status) == 0;
  if (isGiven && (status.st_uid != geteuid() || (status.st_mode & 07777) != 0700)) {
    isGiven = false;
    errno = EEXIST;
  }
  isGiven = isGiven && fchown(fd, user, group) == 0;
  const int error = errno;
  if (fd >= 0) close(fd);
  return isGiven ? "" : strerror(error);
}

}  // namespace

std::string useFilesAs(uint32_t user, uint32_t group, const std::string& directory) {
  if (const std::string why = giveAway(directory, user, group); !why.empty()) {
    return fail(directory + " cannot be given to the user of the process: " + why);
  }
  setfsgid(group);
  setfsuid(user);
  errno = EPERM;
  const int fd = fileUser() == user && fileGroup() == group ? open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (fd >= 0) {
    close(fd);
    return "";
  }
  const std::string why = strerror(errno);
  useFilesAsOneself();
  return fail("the user of the process cannot use " + directory + ": " + why + "; choose another directory with -o");
}

void useFilesAsOneself() {
  setfsuid(geteuid());
  setfsgid(getegid());
}

bool becomeFileUser() {
  const uid_t user = fileUser();
  const gid_t group = fileGroup();
  if (user == geteuid() && group == getegid()) return true;
  if (setgroups(0, nullptr) != 0 && errno != EPERM) return false;
  return setresgid(group, group, group) == 0 && setresuid(user, user, user) == 0;
}

}  // namespace parallax::record
