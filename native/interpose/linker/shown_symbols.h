// What the program sees of the agent's symbols: as much as it would see of a library's without the
// agent. The agent defines the routines of MPI, PVM and OpenMP in every process, and those of all
// versions. A program can tell whether a routine is there by dlsym or by a weak reference, and it
// asks the library for a routine past the agent by dlsym with the library's handle.
#pragma once

namespace parallax {

// Looks at the modules that were loaded since the last call, and makes their weak references null
// that nothing but the agent satisfies.
void clearUnmetReferences();

}  // namespace parallax
