// What Open MPI wants of its environment in tests and benchmarks.
#pragma once

#include <stdlib.h>

namespace parallax {

// Lets Open MPI start more processes than there are processors, and as root: Open MPI 4, and the PRRTE of
// Open MPI 5. MPICH knows none of these variables. The same as allow_open_mpi in scripts/setup.sh.
inline void allowOpenMpi() {
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                           "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"}) {
    setenv(name, "1", 1);
  }
}

}  // namespace parallax
