// Programs that print figures, run with and without the agent, for benchmarks of adapters.
#pragma once

#include <map>
#include <string>

namespace parallax::bench {

using Figures = std::map<std::string, double>;

// The directory of this program, where the others are.
std::string buildDirectory();

// Runs a command and reads its lines `NAME NUMBER`; no figures when it fails.
Figures figuresOf(const std::string& command);
// The same under parallax-record, which writes its trace there.
Figures figuresRecorded(const std::string& command, const std::string& trace);

void printHeading(const std::string& title);
// What the clock costs (`rdtsc`), plain.
void printClock(const Figures& plain);
// A figure of both runs, and what was added in units of what the clock costs.
void printRow(const char* what, const char* figure, const Figures& plain, const Figures& traced);

}  // namespace parallax::bench
