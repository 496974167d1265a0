// The one place to which the agent writes words: a file named by PARALLAX_LOG, off by default.
#pragma once

#include <cstdint>

namespace parallax {

// One line into the file named by PARALLAX_LOG; nothing without it. Signal handlers may call it.
void log(const char* text);
void log(const char* text, int64_t value);

}  // namespace parallax
