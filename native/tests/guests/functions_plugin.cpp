// A library with instrumented functions.
extern "C" __attribute__((visibility("default"), noinline)) void plugged() { asm volatile(""); }
