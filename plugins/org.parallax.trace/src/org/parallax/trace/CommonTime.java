package org.parallax.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the processes of several traces on one time base, as if they were of one run.
 *
 * <p>Where traces were recorded on one machine, all its processes get the clock of the trace that
 * measured its rate over the longest time: two runs of which one talks to the other need times that
 * agree within microseconds, and each run's own rate is known only by its own length. Machines are
 * joined by CLOCK_REALTIME.
 */
public final class CommonTime {
  /** By how much the real time can be set between two runs that still share a clock. */
  private static final long MOST_STEP_NS = 10_000_000L;

  private record Key(String host, MachineClock.Source source) {}

  private record Candidate(MachineClock clock, long durationNs) {}

  private CommonTime() {}

  /**
   * Time 0 is the start of the earliest trace.
   *
   * @return copies of all processes of the traces, in the order of the traces, numbered through
   */
  public static List<ProcessTrace> of(List<Trace> traces) {
    long epochNs = traces.stream().mapToLong(Trace::epochNs).min().orElse(0);
    Map<Key, Candidate> longest = new HashMap<>();
    for (Trace trace : traces) {
      trace.clocks().forEach(clock -> longest.merge(key(clock),
          new Candidate(clock.movedBy(trace.epochNs() - epochNs), trace.durationNs()),
          CommonTime::better));
    }
    List<ProcessTrace> placed = new ArrayList<>();
    for (Trace trace : traces) {
      Map<MachineClock, MachineClock> clocks = new HashMap<>();
      boolean isCorrected = trace.processes().stream().anyMatch(ProcessTrace::isCorrected);
      trace.clocks().forEach(clock -> {
        MachineClock own = clock.movedBy(trace.epochNs() - epochNs);
        // Corrections are those of times by this clock: by another rate, they would miss their events.
        clocks.put(clock, isCorrected || clock.offsets() != null ? own : common(own, longest.get(key(clock)).clock()));
      });
      for (ProcessTrace process : trace.processes()) {
        placed.add(process.placed(placed.size(), clocks.get(process.clock())));
      }
    }
    return placed;
  }

  /** @return a copy of a process that shows everything later by this */
  public static ProcessTrace moved(ProcessTrace process, long ns) {
    return process.placed(process.index(), process.clock().movedBy(ns));
  }

  private static Key key(MachineClock clock) {
    return new Key(clock.host(), clock.source());
  }

  private static Candidate better(Candidate a, Candidate b) {
    boolean second = (b.clock.offsets() != null) != (a.clock.offsets() != null) ? b.clock.offsets() != null
        : b.clock.isMeasured() != a.clock.isMeasured() ? b.clock.isMeasured() : b.durationNs > a.durationNs;
    return second ? b : a;
  }

  /** A machine that was started anew between two runs counts its ticks anew. */
  private static MachineClock common(MachineClock own, MachineClock longest) {
    long ticks = own.referenceTicks();
    return Math.abs(longest.timeNs(ticks) - own.timeNs(ticks)) < MOST_STEP_NS ? longest : own;
  }
}
