package org.parallax.analysis.time;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.parallax.analysis.replay.PathReader;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * What threads did over time: the wall time of each procedure in each bin, which belongs to call
 * paths as {@link PathReader} tells.
 */
public final class ActivityBins {
  private final TimeBins bins;
  private final Map<Integer, long[]> procedures = new HashMap<>();

  public ActivityBins(TimeBins bins) {
    this.bins = bins;
  }

  /** @return of each procedure its time in each bin */
  public Map<Integer, long[]> procedures() {
    return procedures;
  }

  private long[] of(int procedure) {
    return procedures.computeIfAbsent(procedure, id -> new long[bins.count()]);
  }

  private void add(long fromNs, long toNs, int procedure) {
    if (toNs > fromNs) {
      spread(fromNs, toNs, of(procedure));
    }
  }

  private void spread(long fromNs, long toNs, long[] times) {
    for (int bin = bins.bin(fromNs); bin < bins.count() && bins.border(bin) < toNs; bin++) {
      times[bin] += bins.insideNs(bin, fromNs, toNs);
    }
  }

  /**
   * Adds a thread, whose events are read once.
   *
   * @param leaf the procedure at the end of a call path; of path 0 that of time of which no sample tells
   */
  public void add(ThreadTrace thread, IntUnaryOperator leaf, Progress progress) {
    PathReader reader = new PathReader(thread, progress);
    while (reader.next()) {
      long split = reader.wallSplitNs();
      add(reader.fromNs(), split, leaf.applyAsInt(0));
      add(split, reader.offCpuNs(), leaf.applyAsInt(reader.path()));
      add(reader.offCpuNs(), reader.preemptedNs(), leaf.applyAsInt(reader.offCpuPath()));
      add(reader.preemptedNs(), reader.timeNs(), leaf.applyAsInt(reader.preemptedPath()));
    }
  }
}
