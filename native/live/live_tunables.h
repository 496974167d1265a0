// Variables that the program declares as tunable (parallax/parallax.h).
#pragma once

#include <cstdint>

#include "live/live_page.h"

namespace parallax::live {

// A variable of the program. Its values as in Tunable.
struct DeclaredTunable {
  std::atomic<bool> isWhole;
  char name[sizeof(Tunable::name)];
  ValueType type;
  std::atomic<void*> address;
  uint64_t least, most;
};

// Declares a variable, or a declared one at another address. False: its limits are in the wrong order, or there is no room for it.
// Signal handlers may call it.
bool declare(const char* name, ValueType type, void* address, uint64_t least, uint64_t most);
// The variable of that name, or null.
DeclaredTunable* findTunable(const char* name);
// Whether the value is within the limits.
bool isWithin(const DeclaredTunable& variable, uint64_t value);
// The page has it from then on.
void tellTunable(const DeclaredTunable& variable, uint64_t value);

// All of them, into a new page.
void writeTunables(const Page& page);

// A variable of a type, as a word, and back.
uint64_t loadValue(const void* address, ValueType type);
void storeValue(void* address, ValueType type, uint64_t value);

}  // namespace parallax::live
