#pragma once

#include <cstdint>

namespace parallax::perturb {

// Calls the function of an InsertedCall. All registers of the thread must be saved (parallaxKeepState).
void runInsertedCall(void* call);

// What stands at an address that may be gone; 0 if it is.
struct Word {
  const volatile uint64_t* at;
  uint64_t value;
};
// Reads a Word, under the same condition.
void readWord(void* word);

}  // namespace parallax::perturb
