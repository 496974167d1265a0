// What the commands of studies and their benchmarks say, and the statuses with which they end.
#pragma once

#include <string>
#include <vector>

namespace parallax::bench {

// Wrong use of `parallax COMMAND`. Returns the exit status.
int wrongUse(const std::string& command, const std::string& text);

// After getopt_long: 0, or wrong use if there are arguments that are no options, or no folder for the measurements.
int checkRest(const std::string& command, int argc, char** argv, const std::string& folder);

// Why nothing was measured. Returns the exit status.
int endWithout(const std::string& failure);

// Keeps a chart in a file, and says where.
void writeChart(const std::string& path, const std::string& svg);

// The last lines of what a study prints: the runs that failed, and how to go on after an interrupt. Returns the exit status:
// 0 if all is measured, else 1; after an interrupt Interruptible::kStatus.
int endOfStudy(const std::vector<std::string>& failedRuns, bool isComplete);

}  // namespace parallax::bench
