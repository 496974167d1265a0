// The switch mark tells a thread that it has lost the processor: it is the pointer to a restartable
// sequence (linux/rseq.h), which the kernel then clears. See cpu_clock.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parallax::switch_mark {

// The least size of glibc's area of a thread that the kernel must know.
inline constexpr size_t kAreaBytes = 16;

// The mark of the calling thread, whose area is at this offset from its thread pointer. Null if the
// offset is 0 or the thread is not registered.
uint64_t* word(intptr_t areaOffset);
// Whether glibc registered this area of the calling thread with our signature. The kernel kills a
// thread whose sequence has another signature. True if the kernel does not say.
bool mayHaveSignature(intptr_t areaOffset, size_t areaBytes);
// What is stored in it.
uint64_t value();
// Whether this kernel clears the mark when the thread waits; tested by a short sleep. The mark is 0
// afterwards.
bool marksWaits(uint64_t* word);

}  // namespace parallax::switch_mark
