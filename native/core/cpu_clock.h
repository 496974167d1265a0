// CPU time of the calling thread at the price of a load.
#pragma once

#include <cstdint>

#include "format/format.h"

namespace parallax {

// Watches a word that changes when the thread loses the processor. While the word is unchanged, the
// CPU time of the thread advances like wall time. Only after a change is the thread's clock read,
// by a system call that costs about a hundred times as much. Zeroed memory is a clock that is not
// open.
//
// Switch mark: the kernel clears the `rseq_cs` pointer of glibc's restartable sequences (2.35) if
// the thread was switched out or received a signal, and continues at an address outside of the
// sequence. Our sequence is empty, so every address is outside. The switch mark needs no privilege
// and no descriptor, and does not make switches slower.
//
// Perf page: the `lock` word of the page of a perf event changes at every timer tick and context
// switch, at the price of 0.5 to 1 us for each switch.
//
// If neither is available, changed() is always false, and the caller reads the clock at the ends of
// waits.
class CpuClock {
 public:
  // For the calling thread: the best of what it can have. Returns whether there is a word.
  // PARALLAX_CPU_CLOCK=mark, perf or thread chooses.
  bool open();
  bool openPerfPage();
  void close();
  bool isOpen() const { return watched_ != nullptr; }
  format::CpuClock kind() const {
    if (page_ != nullptr) return format::CpuClock::kPerfPage;
    return isOpen() ? format::CpuClock::kSwitchMark : format::CpuClock::kThreadClock;
  }

  // Whether the thread may have lost the processor since the last call that returned true.
  bool changed() {
    if (watched_ == nullptr) return false;
    const uint64_t now = __atomic_load_n(watched_, __ATOMIC_RELAXED);
    if (__builtin_expect(now == expected_, true)) return false;
    expectAgain(now);
    return true;
  }

  // The same, and changed() stays true; true if nothing is known.
  bool mayHaveChanged() const {
    return watched_ == nullptr || __atomic_load_n(watched_, __ATOMIC_RELAXED) != expected_;
  }

  // The clock itself, in nanoseconds.
  static uint64_t readNs();

 private:
  bool openSwitchMark();
  void expectAgain(uint64_t now) {
    if (page_ != nullptr) {
      expected_ = now;
    } else {
      __atomic_store_n(watched_, expected_, __ATOMIC_RELAXED);
    }
  }

  uint64_t* watched_;
  uint64_t expected_;
  void* page_;
};

}  // namespace parallax
