// The communicators and teams of threads of all processes, as an archive defines them.
#pragma once

#include <vector>

#include "tools/otf2/export.h"
#include "tools/otf2/export_process.h"

namespace parallax::otf2 {

// Defines the ranks of MPI and their communicators, and gives these to the processes. The locations are known.
void exportCommunicators(std::vector<ProcessExport>* processes, ExportNames* names, ExportCounts* counts);

// Defines the threads of each process that has several.
void exportTeams(std::vector<ProcessExport>* processes, ExportNames* names);

}  // namespace parallax::otf2
