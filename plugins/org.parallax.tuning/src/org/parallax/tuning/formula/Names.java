package org.parallax.tuning.formula;

import java.util.Map;
import java.util.Set;

/**
 * The names that a formula may use.
 *
 * @param points measure points, and whether their sizes are measured by classes
 * @param values names that have values of their own
 * @param own names that have a value for each process
 */
public record Names(Map<String, Boolean> points, Set<String> values, Set<String> own) {
  /** Without names that have a value for each process. */
  public Names(Map<String, Boolean> points, Set<String> values) {
    this(points, values, Set.of());
  }
}
