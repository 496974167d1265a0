#include "agent/cpu_clock.h"

#include <atomic>
#include <cstring>

#include "agent/agent.h"
#include "agent/perf_event.h"
#include "agent/settings.h"

namespace parallax {
namespace {

constexpr size_t kPageBytes = 4096;

// ------------------------------------------------- restartable sequences (linux/rseq.h)

// The part of `struct rseq` that is used; older headers have none.
struct ThreadArea {
  uint32_t cpuIdStart;
  int32_t cpuId;       // negative: the thread is not registered
  uint64_t sequence;   // rseq_cs
};

struct alignas(32) Sequence {
  uint32_t version;
  uint32_t flags;
  uint64_t startIp;
  uint64_t lengthBytes;
  uint64_t abortIp;
};

// The kernel wants this word, glibc's for the architecture, before the address to go to at an
// abort. Nobody ever goes there: no address lies in a sequence of no bytes.
struct {
  uint32_t signature = 0x53053053;
  uint32_t target = 0;
} const abortTarget;

Sequence emptySequence;

ThreadArea* threadArea() {
  static std::atomic<intptr_t> offset{0};
  static std::atomic<bool> known{false};
  if (!known.load(std::memory_order_acquire)) {
    const auto* areaOffset = static_cast<const ptrdiff_t*>(nextSymbol("__rseq_offset"));
    const auto* areaBytes = static_cast<const unsigned*>(nextSymbol("__rseq_size"));
    if (areaOffset != nullptr && areaBytes != nullptr && *areaBytes >= sizeof(ThreadArea)) {
      offset.store(*areaOffset, std::memory_order_relaxed);
    }
    known.store(true, std::memory_order_release);
  }
  const intptr_t distance = offset.load(std::memory_order_relaxed);
  if (distance == 0) return nullptr;
  auto* area = reinterpret_cast<ThreadArea*>(static_cast<char*>(__builtin_thread_pointer()) +
                                             distance);
  return __atomic_load_n(&area->cpuId, __ATOMIC_RELAXED) >= 0 ? area : nullptr;
}

// Kernels could leave the mark alone when a thread loses the processor inside a system call,
// where no sequence may be.
bool marksWaits(ThreadArea* area) {
  const auto mark = reinterpret_cast<uintptr_t>(&emptySequence);
  constexpr int kTries = 3;  // a sleep of a nanosecond may be over before it begins
  for (int i = 0; i < kTries; i++) {
    __atomic_store_n(&area->sequence, mark, __ATOMIC_RELAXED);
    timespec moment{0, 1};
    sys::call(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, sys::word(&moment), 0);
    if (__atomic_load_n(&area->sequence, __ATOMIC_RELAXED) == 0) return true;
  }
  __atomic_store_n(&area->sequence, uint64_t{0}, __ATOMIC_RELAXED);
  return false;
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

void decide() {
  if (decided.load(std::memory_order_acquire)) return;
  const Wanted choice = wanted();
  ThreadArea* area = threadArea();
  if (area != nullptr && (choice == Wanted::kAny || choice == Wanted::kMark)) {
    emptySequence.abortIp = reinterpret_cast<uintptr_t>(&abortTarget.target);
    useMark.store(marksWaits(area), std::memory_order_relaxed);
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
  ThreadArea* area = threadArea();
  if (area == nullptr) return false;
  watched_ = &area->sequence;
  expected_ = reinterpret_cast<uintptr_t>(&emptySequence);
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
