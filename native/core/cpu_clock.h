// CPU time of the calling thread at the price of a load.
#pragma once

#include <cstdint>

#include "format/format.h"

namespace parallax {

// Watches a word that changes when the thread loses the processor. While it is unchanged its CPU
// time has advanced like the wall clock; only when it has changed is the clock of the thread
// read, by a system call some hundred times as dear. Zeroed memory is a clock that is not open.
//
// Switch mark: the kernel clears the `rseq_cs` pointer of glibc's restartable sequences (2.35)
// when the thread has been switched out, or a signal came, and the address where it goes on lies
// outside the sequence pointed to. Ours is empty, so that all do. It needs no right and no
// descriptor, and switches cost no more than before.
//
// Perf page: the `lock` word of the page of a perf event changes at every timer tick and context
// switch, at the price of 0.5 to 1 us for each switch.
//
// Where there is neither, changed() is always false, and the caller reads the clock at the ends
// of waits.
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
