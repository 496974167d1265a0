#include "base/maps.h"

#include <cstring>

#include "base/sys.h"
#include "base/text.h"

namespace parallax {
namespace {

// Takes one character from the front.
bool take(std::string_view* text, char c) {
  if (text->empty() || text->front() != c) return false;
  text->remove_prefix(1);
  return true;
}

}  // namespace

// "low-high rwxs offset major:minor inode path"
bool parseMapping(const char* line, Mapping* mapping) {
  constexpr size_t kRightsBytes = sizeof "rwxs" - 1;
  const char* slash = strchr(line, '/');
  std::string_view rest = line;
  if (!readNumber(&rest, 16, &mapping->low) || !take(&rest, '-') ||
      !readNumber(&rest, 16, &mapping->high) || !take(&rest, ' ') || rest.size() < kRightsBytes) {
    return false;
  }
  mapping->shared = rest[kRightsBytes - 1] == 's';
  rest.remove_prefix(kRightsBytes);
  uint64_t major, minor;
  if (!take(&rest, ' ') || !readNumber(&rest, 16, &mapping->offset) || !take(&rest, ' ') ||
      !readNumber(&rest, 16, &major) || !take(&rest, ':') || !readNumber(&rest, 16, &minor) ||
      !take(&rest, ' ') || !readNumber(&rest, 10, &mapping->inode)) {
    return false;
  }
  mapping->device = major << 32 | minor;
  mapping->path = slash;
  return true;
}

Mappings::Mappings(const char* file) {
  if (text_) fd_ = sys::openat(AT_FDCWD, file, O_RDONLY);
}

Mappings::~Mappings() {
  if (isOpen()) sys::close(fd_);
}

// Ends with a NUL; null: there are no more.
char* Mappings::nextLine() {
  if (!isOpen()) return nullptr;
  constexpr size_t kMost = Scratch::kBytes - 1;
  char* const text = text_.bytes();
  for (;;) {
    char* const line = text + begin_;
    if (void* newline = memchr(line, '\n', end_ - begin_)) {
      *static_cast<char*>(newline) = '\0';
      begin_ = static_cast<size_t>(static_cast<char*>(newline) + 1 - text);
      if (!skips_) return line;
      skips_ = false;
      continue;
    }
    if (skips_) begin_ = end_;
    if (begin_ == 0 && end_ == kMost) {
      text[end_] = '\0';
      begin_ = end_;
      skips_ = true;
      return text;
    }
    memmove(text, text + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const long part = sys::read(fd_, text + end_, kMost - end_);
    if (part <= 0) return nullptr;
    end_ += static_cast<size_t>(part);
  }
}

bool Mappings::next(Mapping* mapping) {
  while (char* line = nextLine()) {
    if (parseMapping(line, mapping)) return true;
  }
  return false;
}

}  // namespace parallax
