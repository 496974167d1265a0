#include "sampler/trap_masks.h"

#include <csignal>
#include <cstring>

#include "base/directory_numbers.h"
#include "base/scratch.h"
#include "base/sys.h"
#include "base/text.h"

// Of the module that this is in: its own handlers execute no code that is changed.
extern "C" const char __ehdr_start[] __attribute__((visibility("hidden")));
extern "C" const char _end[] __attribute__((visibility("hidden")));

namespace parallax::sampler {
namespace {

constexpr uint64_t kTrap = uint64_t{1} << (SIGTRAP - 1);

bool threadBlocks(int tid) {
  char path[64] = {};
  size_t at = appendText(path, 0, sizeof path - 1, "/proc/self/task/");
  at = appendNumber(path, at, sizeof path - 1, tid);
  appendText(path, at, sizeof path - 1, "/status");
  const Scratch scratch;
  const int fd = scratch ? sys::openat(AT_FDCWD, path, O_RDONLY) : -1;
  if (fd < 0) return false;  // has ended
  const long size = sys::read(fd, scratch.bytes(), Scratch::kBytes - 1);
  sys::close(fd);
  scratch.bytes()[size > 0 ? size : 0] = '\0';
  const char* line = strstr(scratch.bytes(), "\nSigBlk:\t");
  uint64_t blocked = 0;
  if (line == nullptr) return false;
  std::string_view rest = line + strlen("\nSigBlk:\t");
  return readNumber(&rest, 16, &blocked) && (blocked & kTrap) != 0;
}

bool handlerBlocks(int number) {
  struct {
    uint64_t handler, flags, restorer, mask;
  } action{};
  if (sys::call(SYS_rt_sigaction, number, 0, sys::word(&action), sizeof action.mask) != 0) return false;
  if (action.handler == reinterpret_cast<uint64_t>(SIG_DFL) ||
      action.handler == reinterpret_cast<uint64_t>(SIG_IGN)) {
    return false;
  }
  const auto start = reinterpret_cast<uint64_t>(__ehdr_start), end = reinterpret_cast<uint64_t>(_end);
  return (action.mask & kTrap) != 0 && (action.handler < start || action.handler >= end);
}

}  // namespace

const char* whoBlocksTraps() {
  constexpr int kSignals = 64;
  for (int number = 1; number <= kSignals; number++) {
    if (handlerBlocks(number)) return "a signal handler of the program blocks SIGTRAP while it runs";
  }
  bool blocks = false;
  forEachNumber("/proc/self/task", [&](int tid) { blocks = blocks || threadBlocks(tid); });
  return blocks ? "a thread of the program blocks SIGTRAP" : nullptr;
}

}  // namespace parallax::sampler
