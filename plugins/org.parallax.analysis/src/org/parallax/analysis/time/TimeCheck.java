package org.parallax.analysis.time;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.replay.Weight;
import org.parallax.trace.Finding;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;

/**
 * Checks of every thread that its sampled time, its time in calls and the rest add up to its time,
 * and that this is what its CPU clock showed.
 */
public final class TimeCheck {
  /** Losses of 2 us are not told, and clocks are read one after the other. */
  private static final long TOLERANCE_NS = 10_000;
  /** By how much a kernel slews CLOCK_MONOTONIC at most; CPU clocks are not slewed. */
  private static final double MOST_SLEW = 500e-6;

  private TimeCheck() {}

  /** Reads all events once. */
  public static List<Finding> of(Trace trace, Progress progress) {
    List<Finding> findings = new ArrayList<>();
    for (ProcessTrace process : trace.processes()) {
      for (ThreadTrace thread : process.threads()) {
        if (thread.slotCount() > 0 && !thread.isRuntimeThread()) {
          SampleIntervals intervals = SampleIntervals.of(thread, progress);
          checkWall(thread, intervals, findings);
          if (process.cpuClock() != ProcessTrace.CpuClock.NONE && thread.lostCount() == 0
              && thread.missingBlockCount() == 0) {
            checkCpu(thread, intervals, process.cpuClock(), findings);
          }
        }
      }
    }
    return findings;
  }

  private static void checkWall(
      ThreadTrace thread, SampleIntervals intervals, List<Finding> findings) {
    long existed = thread.endNs() - thread.beginNs();
    if (intervals.sumNs(Weight.WALL) != existed) {
      findings.add(new Finding(Finding.Severity.ERROR, "", -1, -1, thread + ": it existed for "
          + existed + " ns, but its parts add up to " + intervals.sumNs(Weight.WALL) + " ns",
          "The sampled time does not represent the thread", ""));
    }
  }

  private static void checkCpu(ThreadTrace thread, SampleIntervals intervals,
      ProcessTrace.CpuClock clock, List<Finding> findings) {
    long derived = intervals.sumNs(Weight.CPU);
    long difference = Math.abs(derived - intervals.measuredCpuNs());
    if (difference > TOLERANCE_NS + MOST_SLEW * intervals.totalNs(Weight.WALL)) {
      findings.add(new Finding(clock == ProcessTrace.CpuClock.THREAD_CLOCK ? Finding.Severity.INFO
          : Finding.Severity.WARNING, "", -1, -1, thread
          + ": its CPU clock showed " + intervals.measuredCpuNs() + " ns, but its events add up to "
          + derived + " ns", "CPU times of this thread are wrong by the difference", ""));
    }
  }
}
