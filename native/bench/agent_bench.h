// Benchmarks of the agent: one program that runs itself again under parallax-record for what
// needs interposition.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/event_costs.h"

namespace parallax::bench {

using costs::leastNs;
using costs::meanNs;
using costs::nowNs;

// Prints the cost of clocks and of events written by the core itself into a scratch trace.
int benchEvents(uint64_t calls);
// Does nothing but what its compiler adds.
void hookedFunction();
// Prints what an Enter and a Leave cost with and without their call path, as lines NAME NUMBER.
int benchPairs(uint64_t calls);

// Prints what live tuning costs: of routines of the core, inside of benchEvents(); and of locks in a process that is tuned and not
// recorded, which is this program again, with `--tuned HOW SIZE GATE`.
void benchMeasured(uint64_t calls);
int benchTuned(const std::string& scratch, const std::string& agent, const std::string& program, const char* size);

// Prints what samples cost. `run` runs this program again at a sample rate; benchWork() is what it
// does then, and writes its CPU time to a file.
using RunSampled = std::function<int(const char* hz, const std::vector<std::string>& arguments)>;
int benchSamples(uint64_t steps, int rounds, const std::string& result, const RunSampled& run);
int benchWork(uint64_t steps, const char* result);

}  // namespace parallax::bench
