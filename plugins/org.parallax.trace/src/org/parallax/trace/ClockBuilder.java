package org.parallax.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Derives the clock of one machine from the clock pairs of its processes. */
final class ClockBuilder {
  /** Below this, the reading of two clocks one after the other disturbs the rate too much. */
  private static final long MIN_MEASURED_NS = 10_000_000L;
  /** A rate further from the calibration than this comes from damage, not from the clock. */
  private static final double MAX_DEVIATION = 0.01;
  private static final double MIN_HZ = 1e3;
  private static final double MAX_HZ = 1e12;
  private static final long NS_PER_SECOND = 1_000_000_000L;

  private final String host;
  private final MachineClock.Source source;
  private final List<Definitions> processes = new ArrayList<>();
  private final List<EventFile> files = new ArrayList<>();
  private final List<String> warnings;

  ClockBuilder(String host, MachineClock.Source source, List<String> warnings) {
    this.host = host;
    this.source = source;
    this.warnings = warnings;
  }

  void add(Definitions process, List<EventFile> eventFiles) {
    processes.add(process);
    files.addAll(eventFiles);
  }

  /** The clock, giving nanoseconds of {@code CLOCK_REALTIME}. */
  MachineClock build() {
    Definitions.ProcessRecord earliest = processes.stream().map(p -> p.process)
        .min(Comparator.comparingLong(Definitions.ProcessRecord::monotonicNs)).orElseThrow();
    if (source == MachineClock.Source.MONOTONIC) {
      return clock(earliest, true, 1, 1);
    }
    Definitions.ClockPair first = new Definitions.ClockPair(earliest.startTicks(),
        earliest.monotonicNs());
    Definitions.ClockPair last = lastPair(first);
    long ticks = last.ticks() - first.ticks();
    long elapsedNs = last.monotonicNs() - first.monotonicNs();
    long tickHz = earliest.tickHz();
    boolean calibrated = tickHz >= MIN_HZ && tickHz <= MAX_HZ;
    if (ticks > 0 && elapsedNs >= MIN_MEASURED_NS) {
      double hz = (double) ticks * NS_PER_SECOND / elapsedNs;
      double deviation = calibrated ? Math.abs(hz / tickHz - 1) : 0;
      if (deviation <= MAX_DEVIATION && hz >= MIN_HZ && hz <= MAX_HZ) {
        return clock(earliest, true, ticks, elapsedNs);
      }
      warnings.add(String.format("the clock of %s ran at %.6g Hz during the run, but the "
          + "calibration before the run measured %.6g Hz; times use the calibration, and can be "
          + "wrong by the difference",
          host, hz, (double) tickHz));
    }
    if (calibrated) {
      return clock(earliest, false, tickHz, NS_PER_SECOND);
    }
    warnings.add("the clock rate of " + host + " is unknown (tick rate " + tickHz
        + " Hz): ticks are shown as nanoseconds");
    return clock(earliest, false, 1, 1);
  }

  private MachineClock clock(Definitions.ProcessRecord reference, boolean measured, long ticks,
      long elapsedNs) {
    return MachineClock.of(host, source, measured, ticks, elapsedNs, reference.startTicks(),
        reference.realtimeNs(), reference.monotonicNs());
  }

  /** The latest pair; a block's header counts only when its checksum is right. */
  private Definitions.ClockPair lastPair(Definitions.ClockPair first) {
    Definitions.ClockPair last = first;
    for (Definitions process : processes) {
      last = later(last, new Definitions.ClockPair(process.process.startTicks(),
          process.process.monotonicNs()));
      for (Definitions.ClockPair pair : process.clockSyncs) {
        last = later(last, pair);
      }
      if (process.end != null) {
        last = later(last, new Definitions.ClockPair(process.end.ticks(),
            process.end.monotonicNs()));
      }
    }
    List<EventFile> latestFirst = new ArrayList<>(files);
    latestFirst.removeIf(file -> file.blockCount() == 0);
    latestFirst.sort(Comparator.comparingLong(
        (EventFile file) -> file.baseTicks(file.blockCount() - 1)).reversed());
    for (EventFile file : latestFirst) {
      int block = file.blockCount() - 1;
      if (file.baseTicks(block) <= last.ticks()) {
        break;
      }
      if (file.usedSlots(block) > 0) {
        return new Definitions.ClockPair(file.baseTicks(block), file.monotonicNs(block));
      }
    }
    return last;
  }

  private static Definitions.ClockPair later(Definitions.ClockPair a, Definitions.ClockPair b) {
    return b.ticks() > a.ticks() ? b : a;
  }
}
