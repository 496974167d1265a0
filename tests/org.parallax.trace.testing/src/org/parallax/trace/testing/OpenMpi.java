package org.parallax.trace.testing;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What Open MPI wants of its environment in tests. */
public final class OpenMpi {
  /**
   * Lets it start more processes than there are processors, and as root: Open MPI 4, and the PRRTE of
   * Open MPI 5. MPICH knows none of these variables. The same as allow_open_mpi in scripts/setup.sh.
   */
  public static final Map<String, String> VARIABLES = Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1",
      "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", "PRTE_ALLOW_RUN_AS_ROOT", "1",
      "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1", "OMPI_MCA_rmaps_base_oversubscribe", "1",
      "PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");

  private OpenMpi() {
  }

  /** The variables as words {@code NAME=VALUE}, in the order of their names. */
  public static List<String> words() {
    return VARIABLES.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).sorted().toList();
  }

  /** The variables as a launch has them: a line {@code NAME=VALUE} each, the last without an end. */
  public static String lines() {
    return words().stream().collect(Collectors.joining("\n"));
  }
}
