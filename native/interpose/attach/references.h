// Interception in a program that runs: the references of loaded modules to routines are made to lead to the agent's.
//
//   module's table of references     | ... | &read of libc | ...      before, and after a detach
//                                    | ... | &read of the agent | ... while attached
//
// So are tables of functions that a module is loaded with, such as `struct operations files = {read, write}`.
//
// Of each entry the value before is kept. Entries are words, which other threads may read meanwhile: each sees the one or
// the other. Addresses of routines that the program has stored elsewhere stay as they are.
#pragma once

namespace parallax {

// All modules but the agent, libc and the dynamic linker. Later calls take over what was loaded meanwhile; nothing before
// the first.
void beginReferences();
void takeOverReferences();
// Puts back what was there before, where the agent's routine still stands. False, with nothing done, in a thread that is
// taking references over.
bool giveBackReferences();

}  // namespace parallax
