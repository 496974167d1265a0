package org.parallax.analysis.replay;

import java.util.Set;
import org.parallax.trace.ProcessTrace;

/**
 * How a replay weighs what it finds.
 *
 * @param window outside of which nothing weighs anything
 * @param active the processes from which paths begin, or null for all. Paths of the others weigh
 *     nothing until one from here reaches them: active and passive diffusion (Irvin and Miller
 *     1993, section 4.3.2)
 * @param speedups what would take another time than it took
 */
public record ReplaySetup(
    Weight weight, Window window, Set<ProcessTrace> active, Speedups speedups) {
  /** As it was. */
  public ReplaySetup(Weight weight, Window window, Set<ProcessTrace> active) {
    this(weight, window, active, Speedups.NONE);
  }

  /** All of the processes, all of the run. */
  public static ReplaySetup of(Weight weight) {
    return new ReplaySetup(weight, Window.ALL, null);
  }

  /** The same, with parts that take another time. */
  public ReplaySetup with(Speedups changed) {
    return new ReplaySetup(weight, window, active, changed);
  }

  /** @return whether paths can begin in the process */
  public boolean isActive(ProcessTrace process) {
    return active == null || active.contains(process);
  }
}
