// What libc's stdio reads, writes and closes.
#pragma once

namespace parallax {

// From here on it is seen as if the program had called read, write and close. Once in a process,
// before main. False, and does nothing, where libc is not made as expected.
bool interceptStdio();
// Undoes it.
void releaseStdio();

}  // namespace parallax
