// The directory of live pages, and the name of this process's in it.
#pragma once

#include "transport/trace_directory.h"

namespace parallax::live {

extern TraceDirectory files;
extern char fileName[48];

}  // namespace parallax::live
