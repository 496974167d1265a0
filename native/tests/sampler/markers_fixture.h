// What the tests of markers share: two unwinders, one of which marks, and calls at a depth.
#pragma once

#include <gtest/gtest.h>

#include <alloca.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sampler/unwinder.h"

#define NOINLINE __attribute__((noinline, noclone))
#define CAPTURE(start)                                                                 \
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\tmov %%rbx, %3" \
               : "=&r"((start).pc), "=&r"((start).rsp), "=&r"((start).rbp), "=&r"((start).rbx))

namespace parallax::tests {

constexpr size_t kMostFrames = Unwinder::kMaxFrames;

extern volatile long sink;

// What a recursion returns, lest the compiler make a loop of it.
inline long opaque(long value) {
  asm volatile("" : "+r"(value));
  return value;
}

// Of this thread: one that marks, and one that looks at each frame every time.
struct Unwinders {
  Unwinder* marking;
  Unwinder* plain;
};
Unwinders& unwinders();
inline uint64_t markersPut() { return unwinders().marking->counts().marked; }

// An intercepted call: both must find the same path.
void callHere();
// The same for a routine whose frame is known: the walk begins at its caller.
void callRoutine();
extern long walksCompared;  // in such calls

// Frames of an unwinder that is not ours, without those of stubs.
struct Backtrace {
  std::vector<uint64_t> pcs;
};
_Unwind_Reason_Code onFrame(_Unwind_Context* context, void* backtrace);

// The runtime's unwinder, glibc's backtrace and the tables must agree.
void compareUnwinders();

// Calls `inner` at `depth`, with an intercepted call there and on the way back.
template <class Inner>
NOINLINE long descend(int depth, Inner&& inner) {
  if (depth <= 0) {
    callHere();
    inner();
    return 1;
  }
  volatile char* space = static_cast<char*>(alloca(static_cast<size_t>(8 + depth % 5 * 16)));
  space[0] = static_cast<char>(depth);
  long result = depth % 2 == 0 ? descend(depth - 1, inner) + 1 : descend(depth - 1, inner) + 2;
  if (depth % 37 == 0) callHere();
  sink = space[0];
  return result;
}

// With few markers, and with one for every frame.
class Markers : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override;
};

}  // namespace parallax::tests
