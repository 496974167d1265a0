// The modules of this process, as the loader tells of them: the program, its shared libraries
// and the kernel's vdso.
#pragma once

#include <climits>
#include <cstdint>
#include <link.h>

#include "sampler/cfi.h"

namespace parallax {

constexpr size_t kMaxBuildIdBytes = 32;

struct ModuleImage {
  uint64_t bias = 0;
  uint64_t start = 0;  // the pages of all segments
  uint64_t end = 0;
  char buildId[2 * kMaxBuildIdBytes + 1] = "";  // hex, empty when it has none
  char path[PATH_MAX] = "";                     // absolute, as far as can be found out
  bool go = false;                              // made by the Go compiler
  ByteRange ehFrameHeader;   // empty when it has none
  ByteRange ehFrameSegment;  // the readable segment that holds .eh_frame
  ByteRange ehFrame;         // the section; its end may be that of the segment
};

// Fills the image from what dl_iterate_phdr gives, but for the path and, in modules without
// .eh_frame_hdr, for the section: see completeImage. Returns whether it holds any code.
bool readImage(const dl_phdr_info& info, ModuleImage* image);

// Finds out the path, and from the file on disk the .eh_frame section where memory alone does
// not tell. `name` is dl_phdr_info::dlpi_name, `main` whether it is the program itself.
void completeImage(const dl_phdr_info& info, const char* name, bool main, ModuleImage* image);

}  // namespace parallax
