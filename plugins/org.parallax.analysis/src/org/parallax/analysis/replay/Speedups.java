package org.parallax.analysis.replay;

import java.util.Map;
import org.parallax.trace.ProcessTrace;

/**
 * How much of its time work and interactions would take if parts of a program were faster or slower.
 *
 * @param work for each process the share of its time that work on each of its call paths would take;
 *     processes that are missing keep theirs
 * @param arcs the share that what remains after the wait of an interaction of a kind would take
 */
public record Speedups(Map<ProcessTrace, double[]> work, Map<ArcKind, Double> arcs) {
  /** Nothing changes. */
  public static final Speedups NONE = new Speedups(Map.of(), Map.of());
}
