// The entries of a directory of /proc that are numbers: threads, descriptors.
#pragma once

#include <dirent.h>

#include "base/scratch.h"
#include "base/sys.h"
#include "base/text.h"

namespace parallax {

// Calls f(number) for each. Entries that come or go meanwhile may be missing.
template <class F>
void forEachNumber(const char* directory, F f) {
  const Scratch scratch;
  const int fd = scratch ? sys::openat(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY) : -1;
  if (fd < 0) return;
  for (long size; (size = sys::call(SYS_getdents64, fd, sys::word(scratch.bytes()), Scratch::kBytes)) > 0;) {
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(scratch.bytes() + at);
      at += entry->d_reclen;
      uint64_t number = 0;
      std::string_view name(entry->d_name);
      if (readNumber(&name, 10, &number) && number != static_cast<uint64_t>(fd)) f(static_cast<int>(number));
    }
  }
  sys::close(fd);
}

}  // namespace parallax
