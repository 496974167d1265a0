#include "core/outcomes.h"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <cstring>

#include "base/file_size_signal.h"
#include "base/scratch.h"
#include "base/sys.h"
#include "base/text.h"
#include "core/clock.h"

namespace parallax {
namespace {

constexpr uint64_t kMostBytes = 1 << 20;  // of the file; what comes then is not told

uint64_t sizeOf(int fd) {
  struct stat status;
  return sys::call(SYS_fstat, fd, sys::word(&status)) == 0 ? static_cast<uint64_t>(status.st_size)
                                                           : kMostBytes;
}

constexpr struct {
  ProgramFit fit;
  const char* word;
} kWords[] = {{ProgramFit::kStatic, "static"}, {ProgramFit::kOtherLibc, "libc"},
              {ProgramFit::kOtherMachine, "machine"},
              {ProgramFit::kOutOfReach, "reach"}, {ProgramFit::kGainsRights, "rights"}};

// Whether the file has the line, which ends with a newline.
bool hasLine(int fd, uint64_t bytes, const char* line, size_t length) {
  if (bytes < length) return false;
  auto* text = static_cast<char*>(sys::mmap(bytes, PROT_READ, MAP_SHARED, fd));
  if (text == nullptr) return false;
  bool found = false;
  for (uint64_t at = 0; at + length <= bytes && !found;) {
    found = memcmp(text + at, line, length) == 0;
    while (at < bytes && text[at] != '\n') at++;
    at++;
  }
  sys::munmap(text, bytes);
  return found;
}

}  // namespace

int openOutcomes(const char* directory) {
  const Scratch path;
  utsname names{};
  if (!path || sys::call(SYS_uname, sys::word(&names)) != 0) return -1;
  constexpr size_t kCapacity = Scratch::kBytes - 1;
  size_t at = appendText(path.bytes(), 0, kCapacity, directory);
  at = appendText(path.bytes(), at, kCapacity, "/");
  at = appendHost(path.bytes(), at, kCapacity, names.nodename);
  at = appendText(path.bytes(), at, kCapacity, ".outcomes");
  path.bytes()[at] = '\0';
  return sys::openat(AT_FDCWD, path.bytes(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
}

const char* reasonOfWord(const char* word) {
  for (const auto& known : kWords) {
    if (strcmp(known.word, word) == 0) return reasonOf(known.fit);
  }
  return "cannot be recorded";
}

void appendEnd(int fd, int pid, int status) {
  if (sizeOf(fd) >= kMostBytes) return;
  char line[96];
  size_t at = appendText(line, 0, sizeof line, "end\t");
  at = appendNumber(line, at, sizeof line, pid);
  at = appendText(line, at, sizeof line, "\t");
  at = appendNumber(line, at, sizeof line, status);
  at = appendText(line, at, sizeof line, "\t");
  at = appendNumber(line, at, sizeof line, static_cast<int64_t>(readClockNs(CLOCK_MONOTONIC)));
  at = appendText(line, at, sizeof line, "\n");
  withoutFileSizeSignal([&] { return sys::write(fd, line, at); });  // one write: lines of several processes do not mix
}

void appendUnrecorded(int fd, ProgramFit fit, const char* path) {
  const Scratch line;
  if (!line) return;
  char* const text = line.bytes();
  constexpr size_t kCapacity = Scratch::kBytes - 1;
  size_t at = appendText(text, 0, kCapacity, "unrecorded\t");
  for (const auto& known : kWords) {
    if (known.fit == fit) at = appendText(text, at, kCapacity, known.word);
  }
  at = appendText(text, at, kCapacity, "\t");
  const size_t begin = at;
  if (path[0] != '/' &&
      sys::call(SYS_getcwd, sys::word(text + at), static_cast<long>(kCapacity - at)) > 0) {
    at += strlen(text + at);
    at = appendText(text, at, kCapacity, "/");
    if (path[0] == '.' && path[1] == '/') path += 2;
  }
  at = appendText(text, at, kCapacity, path);
  for (size_t i = begin; i < at; i++) {
    if (static_cast<unsigned char>(text[i]) < ' ') text[i] = '?';
  }
  text[at++] = '\n';
  const uint64_t bytes = sizeOf(fd);
  if (bytes >= kMostBytes || hasLine(fd, bytes, text, at)) return;
  withoutFileSizeSignal([&] { return sys::write(fd, text, at); });
}

}  // namespace parallax
