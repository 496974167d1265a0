package org.parallax.tuning.formula;

import java.util.Map;
import java.util.Set;

/**
 * The names that a formula may use.
 *
 * @param points measure points, and whether their sizes are measured by classes
 * @param values names that have values of their own
 */
public record Names(Map<String, Boolean> points, Set<String> values) {
}
