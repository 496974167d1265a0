#include "base/shared_mapping.h"

#include "base/maps.h"

namespace parallax {

bool findSharedMapping(uint64_t address, SharedMapping* found) {
  Mappings mappings;
  for (Mapping mapping; mappings.next(&mapping);) {
    if (address < mapping.low || address >= mapping.high) continue;
    *found = {mapping.device, mapping.inode, mapping.offset + (address - mapping.low)};
    return mapping.shared && mapping.inode != 0;
  }
  return false;
}

}  // namespace parallax
