// The origin of memory that processes share.
#pragma once

#include <cstdint>

namespace parallax {

// The same in all processes of the host, independent of the address at which they map it.
struct SharedMapping {
  uint64_t device;
  uint64_t inode;
  uint64_t offset;  // of the address in the file
};

// Finds the shared mapping (MAP_SHARED, System V) that holds `address`; false when it is private.
// Reads /proc/self/maps: some 10 us. Signal handlers may call it.
bool findSharedMapping(uint64_t address, SharedMapping* mapping);

}  // namespace parallax
