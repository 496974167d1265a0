// Compiled with -finstrument-functions.
#include "bench/agent_bench.h"

namespace parallax::bench {

void hookedFunction() { __asm__ volatile("" ::: "memory"); }

}  // namespace parallax::bench
