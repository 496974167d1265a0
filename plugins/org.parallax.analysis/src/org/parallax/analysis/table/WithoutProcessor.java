package org.parallax.analysis.table;

import org.parallax.trace.ProcessTrace;
import org.parallax.trace.ProcessTrace.CpuClock;

/** The column of the time in which threads had no processor: wall time minus CPU time. */
public final class WithoutProcessor {
  public static final String KEY = "noProcessor";
  public static final Column COLUMN = new Column(KEY, "no processor", Unit.NANOSECONDS);

  private WithoutProcessor() {
  }

  /** @return whether the CPU time of a process is known */
  public static boolean isKnown(ProcessTrace process) {
    CpuClock clock = process.cpuClock();
    return clock != null && clock != CpuClock.NONE;
  }

  /**
   * The value of a row.
   *
   * @param isKnown whether the CPU time of all processes in the row is known
   * @return empty if it is not
   */
  public static Object of(long wallNs, long cpuNs, boolean isKnown) {
    return isKnown ? (Object) Math.max(0, wallNs - cpuNs) : "";
  }
}
