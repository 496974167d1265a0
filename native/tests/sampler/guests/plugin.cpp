// A module to be loaded and unloaded.
extern "C" __attribute__((visibility("default"), noinline)) double pluginWork(int steps) {
  volatile double x = 1;
  for (int i = 0; i < steps; ++i) x = x * 1.0000001 + 0.1;
  return x;
}
// Returns `depth` by so many calls, the innermost of which calls `inner`.
extern "C" __attribute__((visibility("default"), noinline)) int pluginCall(int depth, void (*inner)()) {
  if (depth > 0) {
    int result = pluginCall(depth - 1, inner);
    asm volatile("" : "+r"(result));
    return result + 1;
  }
  inner();
  return 0;
}
