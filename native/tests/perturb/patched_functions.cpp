// As compilers make functions, with the mark of indirect calls.
#include <stdexcept>

extern "C" {

__attribute__((noinline, noclone)) long patched_compiled(long a, long b) {
  volatile long kept = a;
  return 3 * kept + b;
}

__attribute__((noinline, noclone)) long patched_throws(long a, long b) {
  if (a > 1000) throw std::runtime_error("too large");
  return 3 * a + b;
}

// The upper halves of its arguments' registers are not defined.
__attribute__((noinline, noclone)) int patched_int(int a, int b) { return a < b ? a : b; }

__attribute__((noinline, noclone)) long patched_other(long a, long b) { return -(a + b); }

// Called by inserted calls.
long patchedTotal = 0;
__attribute__((noinline, noclone)) void patched_add(long a) { patchedTotal += a; }

// Comes in place of patched_frame and calls it.
long patched_frame(long a, long b);
__attribute__((noinline, noclone)) long patched_wrapper(long a, long b) {
  const long result = patched_frame(a, b);
  return result + 1000000;
}
}
