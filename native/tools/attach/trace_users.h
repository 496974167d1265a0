// Who writes into a trace.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace parallax::attach {

// The processes that have the directory open, as each has that is recorded into it, also before its first event. Without
// those that may not be looked at.
std::vector<pid_t> usersOf(const std::string& directory);

}  // namespace parallax::attach
