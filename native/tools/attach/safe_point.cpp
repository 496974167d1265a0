#include "tools/attach/safe_point.h"

#include <sys/ptrace.h>

#include <algorithm>
#include <cstring>

namespace parallax::attach {
namespace {

// Of malloc.c of libc, which is one object file: what is not exported of it stands between them and before the first.
constexpr const char* kAllocator[] = {
    "malloc", "free", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc",
    "malloc_trim", "malloc_stats", "malloc_info", "mallinfo", "mallinfo2", "mallopt", "malloc_usable_size",
};
// Neither are these to be entered again, or they hold a lock while they call code of the program or wait.
constexpr const char* kAvoided[] = {
    "reallocarray", "fork", "_Fork", "vfork", "__libc_fork", "posix_spawn", "posix_spawnp", "exit", "quick_exit",
    "on_exit", "__cxa_atexit", "__cxa_finalize", "__register_atfork", "pthread_create", "pthread_exit",
    "pthread_getattr_np", "dl_iterate_phdr", "_dl_find_object", "dlopen", "dlmopen", "dlclose", "dlsym", "dlvsym",
    "dladdr", "dladdr1", "dlinfo", "dlerror", "execve", "execv", "execvp", "execvpe", "fexecve", "setenv", "putenv",
    "unsetenv", "clearenv", "pthread_key_create", "pthread_key_delete", "setuid", "setgid", "setresuid", "setresgid",
};

// Such a file is much smaller. Where another order was made of libc, the exported functions alone are avoided.
constexpr uint64_t kMostAllocatorBytes = 256 << 10;

// mov $15, %rax; syscall
constexpr uint8_t kRestorer[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
constexpr uint8_t kTrap = 0xcc;

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

// The kernel would not abort a sequence that is left and entered again behind its back. A thread that has no area yet,
// where all get one, is just starting.
bool isInRestartableSequence(const Target& target, pid_t thread, uint64_t pc, bool allHaveAreas) {
  RestartableArea area{};
  if (ptrace(kGetRestartable, thread, sizeof area, &area) < static_cast<long>(sizeof area)) return false;
  if (area.address == 0) return allHaveAreas;
  constexpr uint64_t kSequenceAt = 8;
  uint64_t at = 0;
  RestartableSequence sequence{};
  if (!target.read(area.address + kSequenceAt, &at) || at == 0 || !target.read(at, &sequence)) return false;
  return pc - sequence.start < sequence.bytes;
}

}  // namespace

SafePoints::SafePoints(Target* target) : target_(target), callers_(target->pid()) {
  for (const Module& module : target->modules()) {
    const std::string name = module.name();
    uint32_t areaBytes = 0;
    const uint64_t sizeAt = module.isLoader() ? module.find(*target, "__rseq_size").address : 0;
    if (sizeAt != 0 && target->read(sizeAt, &areaBytes) && areaBytes != 0) hasSequences_ = true;
    if (module.isLoader() || name.find("malloc") != std::string::npos) {
      avoided_.insert(avoided_.end(), module.code.begin(), module.code.end());
    } else if (!module.code.empty()) {
      avoidFunctions(module);
    }
    if (module.isLibc()) {
      avoidAllocator(module);
      searchCode(module);
    }
  }
  std::sort(avoided_.begin(), avoided_.end(), [](const Range& a, const Range& b) { return a.low < b.low; });
  // What overlaps becomes one.
  size_t last = 0;
  for (size_t i = 1; i < avoided_.size(); i++) {
    if (avoided_[i].low <= avoided_[last].high) {
      avoided_[last].high = std::max(avoided_[last].high, avoided_[i].high);
    } else {
      avoided_[++last] = avoided_[i];
    }
  }
  if (!avoided_.empty()) avoided_.resize(last + 1);
}

void SafePoints::avoidFunctions(const Module& module) {
  const auto avoid = [&](const char* name) {
    const Symbol found = module.find(*target_, name);
    if (found.address != 0 && found.bytes != 0) avoided_.push_back(found.range());
  };
  for (const char* name : kAllocator) avoid(name);
  for (const char* name : kAvoided) avoid(name);
}

// From the end of the exported function before the allocator to the begin of the next one behind it: a jump from an
// exported function leaves no return address into it (aligned_alloc of glibc 2.36), and a thread that ends gives memory
// back without a call of one.
void SafePoints::avoidAllocator(const Module& libc) {
  Range inner{~uint64_t{0}, 0};
  for (const char* name : kAllocator) {
    const Symbol found = libc.find(*target_, name);
    if (found.address == 0) continue;
    inner = {std::min(inner.low, found.address), std::max(inner.high, found.address + found.bytes)};
  }
  if (inner.low >= inner.high || inner.high - inner.low > kMostAllocatorBytes) return;
  constexpr uint64_t kPossible = kMostAllocatorBytes / 2;
  Range outer{inner.low - kPossible, inner.high + kPossible};
  for (const Symbol& other : libc.functions(*target_)) {
    if (inner.contains(other.address) || other.bytes == 0) continue;
    const Range range = other.range();
    // A relic of old versions in the middle of malloc.c is too short to matter.
    constexpr uint64_t kRelicBytes = 64;
    if (range.high <= inner.low && other.bytes > kRelicBytes) outer.low = std::max(outer.low, range.high);
    if (range.low >= inner.high) outer.high = std::min(outer.high, range.low);
  }
  avoided_.push_back(outer);
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
    // A call can be the last instruction of a function.
    if (isAvoided(word - 1) && isReturnAddress(word)) return false;
  }
  return true;
}

bool SafePoints::areCallersSafe(pid_t thread) {
  std::vector<uint64_t> pcs;
  if (!callers_.of(thread, &pcs)) return false;
  return std::none_of(pcs.begin(), pcs.end(), [this](uint64_t pc) {
    return isAvoided(pc) || std::any_of(restorers_.begin(), restorers_.end(),
                                        [pc](uint64_t restorer) { return pc == restorer || pc + 1 == restorer; });
  });
}

bool SafePoints::isSafe(pid_t thread, const user_regs_struct& registers) {
  return !isAvoided(registers.rip) && !isInRestartableSequence(*target_, thread, registers.rip, hasSequences_) &&
         (isStackSafe(registers.rsp) || areCallersSafe(thread));
}

}  // namespace parallax::attach
