#include "base/shared_mapping.h"

#include <cstring>

#include "base/scratch.h"
#include "base/sys.h"

namespace parallax {
namespace {

// A number in hex or, with base 10, in decimal; moves past it and the character after it.
uint64_t number(const char*& at, int base = 16) {
  uint64_t value = 0;
  for (;; at++) {
    const int digit = *at >= '0' && *at <= '9' ? *at - '0'
                      : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10 : 99;
    if (digit >= base) break;
    value = value * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit);
  }
  if (*at != '\0') at++;
  return value;
}

// Whether a line of /proc/self/maps, "low-high rwxs offset major:minor inode path", is that of
// `address`. Then `mapping` is of it; its inode is 0 when it is not shared.
bool isMappingOf(uint64_t address, const char* line, SharedMapping* mapping) {
  const uint64_t low = number(line), high = number(line);
  if (address < low || address >= high) return false;
  const bool shared = strlen(line) > 5 && line[3] == 's';
  line = strchr(line, ' ');
  if (line == nullptr) return false;
  line++;
  mapping->offset = number(line) + (address - low);
  mapping->device = number(line) << 32;
  mapping->device |= number(line);
  mapping->inode = shared ? number(line, 10) : 0;
  return true;
}

}  // namespace

bool findSharedMapping(uint64_t address, SharedMapping* mapping) {
  const Scratch scratch;
  if (!scratch) return false;
  const int fd = sys::openat(AT_FDCWD, "/proc/self/maps", O_RDONLY);
  if (fd < 0) return false;
  char* const text = scratch.bytes();
  constexpr size_t kMost = Scratch::kBytes - 1;  // a longer line is cut: what is looked for ends before
  size_t size = 0;
  bool found = false;
  for (;;) {
    const long part = sys::read(fd, text + size, kMost - size);
    if (part <= 0) break;
    size += static_cast<size_t>(part);
    text[size] = '\0';
    char* line = text;
    for (char* end; !found && (end = strchr(line, '\n')) != nullptr; line = end + 1) {
      *end = '\0';
      found = isMappingOf(address, line, mapping);
    }
    if (found) break;
    size = static_cast<size_t>(text + size - line);
    memmove(text, line, size);
    if (size == kMost) size = 0;  // in the middle of a path: what follows is no line
  }
  sys::close(fd);
  return found && mapping->inode != 0;
}

}  // namespace parallax
