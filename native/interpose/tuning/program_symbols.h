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

// Whether all of it is mapped in this way.
bool isExecutable(const void* address);
bool isWritable(const void* address, uint64_t sizeBytes);

}  // namespace parallax::tuning
