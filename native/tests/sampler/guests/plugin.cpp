// A module to be loaded and unloaded.
extern "C" __attribute__((visibility("default"), noinline)) double pluginWork(int steps) {
  volatile double x = 1;
  for (int i = 0; i < steps; ++i) x = x * 1.0000001 + 0.1;
  return x;
}
