#include "core/cpu_clock.h"

#include <atomic>
#include <cstring>

#include "base/machine_facts.h"
#include "base/perf_event.h"
#include "base/settings.h"
#include "base/switch_mark.h"
#include "core/glibc.h"
#include "core/agent.h"

namespace parallax {
namespace {

constexpr size_t kPageBytes = 4096;

// Of the calling thread; null when it is not registered for restartable sequences.
uint64_t* markedWord() {
  static std::atomic<intptr_t> offset{0};
  static std::atomic<bool> known{false};
  if (!known.load(std::memory_order_acquire)) {
    const bool right = glibc::holds(glibc::Assumption::kSequenceMark);
    const auto* areaOffset = static_cast<const ptrdiff_t*>(nextSymbol("__rseq_offset"));
    const auto* areaBytes = static_cast<const unsigned*>(nextSymbol("__rseq_size"));
    if (right && areaOffset != nullptr && areaBytes != nullptr && *areaBytes >= switch_mark::kAreaBytes) {
      offset.store(*areaOffset, std::memory_order_relaxed);
    }
    known.store(true, std::memory_order_release);
  }
  return switch_mark::word(offset.load(std::memory_order_relaxed));
}

enum class Wanted { kAny, kMark, kPerf, kThread };
Wanted wanted() {
  const std::string_view text = setting(Setting::kCpuClock);
  if (text == "mark") return Wanted::kMark;
  if (text == "perf") return Wanted::kPerf;
  if (text == "thread") return Wanted::kThread;
  return Wanted::kAny;
}

// Of this process, found out once.
std::atomic<bool> decided{false};
std::atomic<bool> useMark{false};
std::atomic<bool> usePerf{false};

// What `record` has seen under this kernel need not be looked for by each process: it takes a sleep, and
// on a busy machine the processor with it.
bool knownToMarkWaits() {
  utsname names{};
  sys::call(SYS_uname, sys::word(&names));
  return machine::has(setting(Setting::kMachine), names, machine::kSwitchMark);
}

void decide() {
  if (decided.load(std::memory_order_acquire)) return;
  const Wanted choice = wanted();
  uint64_t* word = markedWord();
  if (word != nullptr && (choice == Wanted::kAny || choice == Wanted::kMark)) {
    useMark.store(knownToMarkWaits() || switch_mark::marksWaits(word), std::memory_order_relaxed);
  }
  usePerf.store(choice == Wanted::kAny || choice == Wanted::kPerf, std::memory_order_relaxed);
  decided.store(true, std::memory_order_release);
}

}  // namespace

bool CpuClock::open() {
  decide();
  if (useMark.load(std::memory_order_relaxed) && openSwitchMark()) return true;
  return usePerf.load(std::memory_order_relaxed) && openPerfPage();
}

bool CpuClock::openSwitchMark() {
  watched_ = markedWord();
  if (watched_ == nullptr) return false;
  expected_ = switch_mark::value();
  __atomic_store_n(watched_, expected_, __ATOMIC_RELAXED);
  return true;
}

bool CpuClock::openPerfPage() {
  const int fd = sys::openPerfEvent(sys::taskClock());
  if (fd < 0) return false;
  page_ = sys::mmap(kPageBytes, PROT_READ, MAP_SHARED, fd);
  sys::close(fd);  // the mapping keeps the event
  if (page_ == nullptr) return false;
  sys::madvise(page_, kPageBytes, MADV_DONTFORK);
  // Read together with `index`, which stays 0 for events that no counter counts.
  constexpr size_t kLockOffset = offsetof(perf_event_mmap_page, lock);
  static_assert(kLockOffset % sizeof(uint64_t) == 0);
  watched_ = reinterpret_cast<uint64_t*>(static_cast<char*>(page_) + kLockOffset);
  expected_ = ~uint64_t{0};
  return true;
}

void CpuClock::close() {
  if (page_ != nullptr) {
    sys::munmap(page_, kPageBytes);
  } else if (watched_ != nullptr) {
    __atomic_store_n(watched_, uint64_t{0}, __ATOMIC_RELAXED);
  }
  page_ = nullptr;
  watched_ = nullptr;
}

uint64_t CpuClock::readNs() { return sys::clockNs(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace parallax
