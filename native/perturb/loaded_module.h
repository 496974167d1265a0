// A module as it is loaded in this process.
#pragma once

#include <link.h>

#include <cstdint>

#include "sampler/modules.h"

namespace parallax::perturb {

struct LoadedModule {
  uint64_t bias = 0;
  uint64_t start = 0, end = 0;          // of its pages
  uint64_t codeStart = 0, codeEnd = 0;  // of the pages of its executable segment
  int codeProtection = 0;
  bool trapsFollowed = false;
  bool holdsCode(uint64_t address, uint64_t bytes) const {
    return address >= codeStart && address <= codeEnd && codeEnd - address >= bytes;
  }
};

LoadedModule loadedModuleOf(const dl_phdr_info& info, const ModuleImage& image);
// Whether it is the module of this build id (in hex), or, where that is empty, of the file `path`: then
// the image must have its own path (completeImage).
bool isModule(const ModuleImage& image, const char* buildId, const char* path);

}  // namespace parallax::perturb
