// Functions and variables of the program that actions name.
#pragma once

#include <cstdint>

#include "live/live_page.h"

namespace parallax::tuning {

struct ProgramSymbol {
  void* address = nullptr;
  uint64_t sizeBytes = 0;  // 0: not known
};

// By the name of the action, in the objects that it names by `module`, or all; or at its address. Calls nothing that allocates.
ProgramSymbol findSymbol(const live::Action& action);

// A loaded object, as long as it stays loaded; all zeros for memory outside of objects.
struct LoadedObject {
  uintptr_t bias;
  const void* headers;
  uint64_t pathHash;
};
LoadedObject objectAt(const void* address);
// Whether what holds the address now is what held it then. An object that was unloaded and loaded again at the same place cannot be
// told from itself: for this, look after each unloading.
bool isStillThere(const LoadedObject& then, const void* address);

// Whether all of it is mapped in this way.
bool isExecutable(const void* address);
bool isWritable(const void* address, uint64_t sizeBytes);

}  // namespace parallax::tuning
