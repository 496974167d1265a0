// The directory into which a process writes its files.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace parallax {

// No descriptor of a file stays open: a program may close descriptors it does not know, as
// daemons do, and use their numbers again. One of the directory is kept high for programs that
// change their root or lose the right to walk the path; it is checked at each use.
class TraceDirectory {
 public:
  // `path` must be absolute and is copied. Returns 0 or -errno.
  int open(const char* path);
  // Gives the descriptor back. From then on no file can be opened, also not by the path.
  void close();
  // Opens a file in it, but no symbolic link, and returns a descriptor or -errno; a file that it makes
  // is the user's alone. Signal handlers may call it.
  int openFile(const char* name, int flags) const;
  // Opens a file that all processes of the run write, and makes it if need be; one that another user
  // owns, who could cut it off under the mapping, is an error. Signal handlers may call it.
  int openShared(const char* name) const;
  const char* path() const { return path_; }
  int descriptor() const { return descriptor_; }
  // Whether this is the directory's own descriptor, and not one that the program has put there.
  bool isDescriptor(int fd) const { return fd == descriptor_ && descriptorIsOurs(); }

 private:
  bool descriptorIsOurs() const;
  int openOnce(const char* name, int flags) const;

  char path_[4096] = {};
  int descriptor_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace parallax
