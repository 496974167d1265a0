#include "tools/attach/safe_point.h"

#include <sys/ptrace.h>

#include <algorithm>
#include <cstring>

namespace parallax::attach {
namespace {

// Not to be entered again, or holding a lock while they call code of the program or wait.
constexpr const char* kAvoided[] = {
    "malloc", "free", "calloc", "realloc", "reallocarray", "memalign", "aligned_alloc", "posix_memalign", "valloc",
    "pvalloc", "malloc_trim", "malloc_stats", "malloc_info", "mallinfo", "mallinfo2", "mallopt", "malloc_usable_size",
    "fork", "_Fork", "vfork", "__libc_fork", "posix_spawn", "posix_spawnp", "exit", "quick_exit",
    "on_exit", "__cxa_atexit", "__cxa_finalize", "__register_atfork", "pthread_create", "pthread_exit",
    "pthread_getattr_np", "dl_iterate_phdr", "_dl_find_object", "dlopen", "dlmopen", "dlclose", "dlsym", "dlvsym",
    "dladdr", "dladdr1", "dlinfo", "dlerror", "execve", "execv", "execvp", "execvpe", "fexecve", "setenv", "putenv",
    "unsetenv", "clearenv", "pthread_key_create", "pthread_key_delete", "setuid", "setgid", "setresuid", "setresgid",
};

// mov $15, %rax; syscall
constexpr uint8_t kRestorer[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
constexpr uint8_t kTrap = 0xcc;

bool isLoader(const std::string& name) {
  return name.compare(0, 8, "ld-linux") == 0 || name.compare(0, 5, "ld-2.") == 0 || name.compare(0, 5, "ld.so") == 0;
}

// Of Linux 5.13: what is registered for restartable sequences.
struct RestartableArea {
  uint64_t address;
  uint32_t bytes, signature, flags, pad;
};
constexpr auto kGetRestartable = static_cast<__ptrace_request>(0x420f);

struct RestartableSequence {
  uint32_t version, flags;
  uint64_t start, bytes, abort;
};

// The kernel would not abort a sequence that is left and entered again behind its back.
bool isInRestartableSequence(const Target& target, pid_t thread, uint64_t pc) {
  RestartableArea area{};
  if (ptrace(kGetRestartable, thread, sizeof area, &area) < static_cast<long>(sizeof area) || area.address == 0) return false;
  constexpr uint64_t kSequenceAt = 8;
  uint64_t at = 0;
  RestartableSequence sequence{};
  if (!target.read(area.address + kSequenceAt, &at) || at == 0 || !target.read(at, &sequence)) return false;
  return pc - sequence.start < sequence.bytes;
}

}  // namespace

SafePoints::SafePoints(Target* target) : target_(target) {
  for (const Module& module : target->modules()) {
    const std::string name = module.name();
    if (isLoader(name) || name.find("malloc") != std::string::npos) {
      avoided_.insert(avoided_.end(), module.code.begin(), module.code.end());
    } else if (!module.code.empty()) {
      avoidFunctions(module);
    }
    if (name.compare(0, 5, "libc.") == 0 || name.compare(0, 5, "libc-") == 0) searchCode(module);
  }
  std::sort(avoided_.begin(), avoided_.end(), [](const Range& a, const Range& b) { return a.low < b.low; });
}

void SafePoints::avoidFunctions(const Module& module) {
  for (const char* name : kAvoided) {
    const Symbol found = module.find(*target_, name);
    if (found.address != 0 && found.bytes != 0) avoided_.push_back(found.range());
  }
}

void SafePoints::searchCode(const Module& libc) {
  for (const Range& part : libc.code) {
    std::vector<uint8_t> bytes(part.high - part.low);
    if (!target_->read(part.low, bytes.data(), bytes.size())) continue;
    const auto trap = std::find(bytes.begin(), bytes.end(), kTrap);
    if (trap_ == 0 && trap != bytes.end()) trap_ = part.low + static_cast<uint64_t>(trap - bytes.begin());
    for (auto at = bytes.begin();; ++at) {
      at = std::search(at, bytes.end(), std::begin(kRestorer), std::end(kRestorer));
      if (at == bytes.end()) break;
      restorers_.push_back(part.low + static_cast<uint64_t>(at - bytes.begin()));
    }
  }
}

bool SafePoints::isAvoided(uint64_t address) const {
  // Ranges of aliases are the same, those of functions apart.
  auto after = std::upper_bound(avoided_.begin(), avoided_.end(), address,
                                [](uint64_t value, const Range& range) { return value < range.low; });
  return after != avoided_.begin() && (after - 1)->contains(address);
}

// Whether a call stands before it: call rel32, or call by a register or memory, of 2 to 7 bytes.
bool SafePoints::isReturnAddress(uint64_t address) const {
  constexpr size_t kMost = 7;
  uint8_t before[kMost];
  if (!target_->read(address - kMost, before, sizeof before)) return true;
  if (before[kMost - 5] == 0xe8) return true;
  for (size_t length = 2; length <= kMost; length++) {
    const uint8_t* at = before + kMost - length;
    if (at[0] == 0xff && (at[1] >> 3 & 7) == 2) return true;
  }
  return false;
}

bool SafePoints::isStackSafe(uint64_t stackPointer) const {
  constexpr uint64_t kMostBytes = 16 << 20;
  Range stack = target_->mappingOf(stackPointer);
  if (!stack.contains(stackPointer)) {
    target_->readMappings();
    stack = target_->mappingOf(stackPointer);
  }
  if (!stack.contains(stackPointer) || stack.high - stackPointer > kMostBytes) return false;
  const uint64_t from = stackPointer & ~uint64_t{7};
  std::vector<uint64_t> words((stack.high - from) / sizeof(uint64_t));
  if (!target_->read(from, words.data(), words.size() * sizeof words[0])) return false;
  for (const uint64_t word : words) {
    if (std::find(restorers_.begin(), restorers_.end(), word) != restorers_.end()) return false;
    if (isAvoided(word) && isReturnAddress(word)) return false;
  }
  return true;
}

bool SafePoints::isSafe(pid_t thread, const user_regs_struct& registers) const {
  return !isAvoided(registers.rip) && !isInRestartableSequence(*target_, thread, registers.rip) &&
         isStackSafe(registers.rsp);
}

}  // namespace parallax::attach
