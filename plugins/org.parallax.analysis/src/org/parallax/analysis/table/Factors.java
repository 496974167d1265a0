package org.parallax.analysis.table;

import java.util.Map;

/** The efficiency factors as rows of a table: each stands below the one that it is a factor of. */
public final class Factors {
  /** How deep each factor stands below the global one. */
  private static final Map<String, Integer> DEPTHS = Map.ofEntries(
      Map.entry("Parallel efficiency", 1), Map.entry("Load balance", 2),
      Map.entry("Communication efficiency", 2), Map.entry("Serialization efficiency", 3),
      Map.entry("Transfer efficiency", 3), Map.entry("Computation scaling", 1),
      Map.entry("Process load balance", 1), Map.entry("Process communication efficiency", 1),
      Map.entry("Thread load balance", 1), Map.entry("Thread communication efficiency", 1));

  private Factors() {}

  /** @return how far a row's name is to be moved in, as a part of one above it */
  public static int depth(String row) {
    return DEPTHS.getOrDefault(row, 0);
  }
}
