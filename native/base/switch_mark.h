// The mark by which a thread learns that it has lost the processor: the pointer to a restartable
// sequence (linux/rseq.h), which the kernel clears then. See cpu_clock.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax::switch_mark {

// What a kernel must know of glibc's area of a thread.
inline constexpr size_t kAreaBytes = 16;

// The marked word of the calling thread, whose area is at this offset from its thread pointer. Null
// when the offset is 0, or the thread is not registered.
uint64_t* word(intptr_t areaOffset);
// Whether glibc registered this area of the calling thread with our signature. The kernel ends a thread whose
// sequence has another one. True if the kernel does not say.
bool mayHaveSignature(intptr_t areaOffset, size_t areaBytes);
// What is stored in it.
uint64_t value();
// Whether this kernel clears it when the thread waits, found out by a short sleep. It is 0 afterwards.
bool marksWaits(uint64_t* word);

}  // namespace parallax::switch_mark
