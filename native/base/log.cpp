#include "base/log.h"

#include "base/file_size_signal.h"
#include "base/settings.h"
#include "base/sys.h"
#include "base/text.h"

namespace parallax {
namespace {

void writeLine(const char* text, const int64_t* value) {
  const std::string_view path = setting(Setting::kLog);
  if (path.empty()) return;
  char line[512];
  constexpr size_t kCapacity = sizeof line - 1;
  size_t at = appendText(line, 0, kCapacity, "parallax agent [");
  at = appendNumber(line, at, kCapacity, sys::gettid());
  at = appendText(line, at, kCapacity, "]: ");
  at = appendText(line, at, kCapacity, text);
  if (value != nullptr) {
    at = appendText(line, at, kCapacity, " ");
    at = appendNumber(line, at, kCapacity, *value);
  }
  line[at++] = '\n';
  const int fd = sys::openat(AT_FDCWD, path.data(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) return;
  withoutFileSizeSignal([&] { return sys::write(fd, line, at); });  // one write: lines of several processes do not mix
  sys::close(fd);
}

}  // namespace

void log(const char* text) { writeLine(text, nullptr); }
void log(const char* text, int64_t value) { writeLine(text, &value); }

}  // namespace parallax
