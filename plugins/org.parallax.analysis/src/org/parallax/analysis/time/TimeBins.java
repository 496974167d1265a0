package org.parallax.analysis.time;

import java.util.Arrays;
import org.parallax.analysis.replay.ThreadMetrics;
import org.parallax.analysis.replay.WaitLog;
import org.parallax.analysis.replay.Window;

/**
 * A part of the time divided into bins of equal width, to the nanosecond, and the window within it
 * that counts. What bins say adds up to what the window says: a moment is in one bin, the last
 * bin's end in the last one, and time at the border of two bins is divided.
 */
public final class TimeBins {
  private final Window window;
  private final long beginNs;
  private final long widthNs;
  private final int count;
  /** When metrics must be known; increasing. */
  private final long[] moments;
  /** Of each part of a bin that is in the window: the bin, and indices of moments. */
  private final int[] partBins;
  private final int[] timeFrom;
  private final int[] timeTo;
  private final int[] countFrom;
  private final int[] countTo;

  /**
   * @param beginNs where the first bin begins, if the window does not begin later
   * @param endNs where the last bin ends, if the window does not end earlier; not before the begin
   * @param count how many bins; fewer are made of so many nanoseconds only
   */
  public TimeBins(Window window, long beginNs, long endNs, int count) {
    this(window, beginNs, endNs, count, 0);
  }

  /** @param spanNs how long all bins last together whatever the end; 0 for up to it */
  public TimeBins(Window window, long beginNs, long endNs, int count, long spanNs) {
    this.window = window;
    this.beginNs = Math.min(endNs, Math.max(beginNs, window.beginNs()));
    widthNs = spanNs > 0 ? spanNs
        : Math.max(this.beginNs, Math.min(endNs, window.endNs())) - this.beginNs;
    this.count = (int) Math.max(1, Math.min(count, widthNs));
    int most = this.count + 2 * window.count();
    long[][] parts = new long[most][];
    int used = 0;
    int bin = 0;
    for (int i = 0; i < window.count(); i++) {
      while (bin > 0 && border(bin) > window.beginNs(i)) {
        bin--;
      }
      for (; bin < this.count && border(bin) <= window.endNs(i); bin++) {
        long last = bin == this.count - 1 ? 1 : 0;
        long from = Math.max(border(bin), window.beginNs(i));
        long to = Math.min(border(bin + 1), window.endNs(i));
        long momentEnd = Math.min(border(bin + 1) + last, plusOne(window.endNs(i)));
        if (from < momentEnd) {
          parts = used == parts.length ? Arrays.copyOf(parts, 2 * used) : parts;
          parts[used++] = new long[] {bin, from, Math.max(from, to), momentEnd};
        }
      }
    }
    long[][] made = Arrays.copyOf(parts, used);
    moments = Arrays.stream(made).flatMapToLong(part -> Arrays.stream(part, 1, 4)).sorted()
        .distinct().toArray();
    partBins = Arrays.stream(made).mapToInt(part -> (int) part[0]).toArray();
    timeFrom = indices(made, 1);
    timeTo = indices(made, 2);
    countFrom = timeFrom;
    countTo = indices(made, 3);
  }

  private static long plusOne(long ns) {
    return ns == Long.MAX_VALUE ? ns : ns + 1;
  }

  private int[] indices(long[][] parts, int field) {
    return Arrays.stream(parts).mapToInt(part -> Arrays.binarySearch(moments, part[field]))
        .toArray();
  }

  /** @return how long all of them last together */
  public long spanNs() {
    return widthNs;
  }

  /** @return how many there are, at least one */
  public int count() {
    return count;
  }

  /** @return where a bin begins, or, for that after the last one, where all end */
  public long border(int bin) {
    return beginNs + widthNs / count * bin + widthNs % count * bin / count;
  }

  /** @return how much of a bin is in the window */
  public long insideNs(int bin) {
    return insideNs(bin, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** @return how much of a bin is in the window and in an interval */
  public long insideNs(int bin, long fromNs, long toNs) {
    return window.overlapNs(Math.max(fromNs, border(bin)), Math.min(toNs, border(bin + 1)));
  }

  /** @return the moments at which {@link #times} and {@link #counts} want to know a metric */
  public long[] moments() {
    return moments;
  }

  /** @return the time in each bin, from that up to each of the moments */
  public long[] times(long[] upTo) {
    return differences(upTo, timeFrom, timeTo);
  }

  /** @return the number in each bin, from those before each of the moments */
  public long[] counts(long[] before) {
    return differences(before, countFrom, countTo);
  }

  private long[] differences(long[] at, int[] from, int[] to) {
    long[] bins = new long[count];
    for (int part = 0; part < partBins.length; part++) {
      bins[partBins[part]] += at[to[part]] - at[from[part]];
    }
    return bins;
  }

  /** @return the bin of a moment, the nearest for moments outside */
  public int bin(long timeNs) {
    if (timeNs <= beginNs) {
      return 0;
    }
    int bin = (int) Math.min(count - 1, (double) (timeNs - beginNs) / widthNs * count);
    while (bin > 0 && border(bin) > timeNs) {
      bin--;
    }
    while (bin < count - 1 && border(bin + 1) <= timeNs) {
      bin++;
    }
    return bin;
  }

  /** @return whether a moment counts, and in what bin; -1 if not */
  public int binInside(long timeNs) {
    return window.contains(timeNs) && timeNs >= beginNs && timeNs <= beginNs + widthNs
        ? bin(timeNs) : -1;
  }

  /** Adds the waits of a thread to the bins. */
  public void addWaits(WaitLog log, ThreadMetrics[] bins) {
    log.visit(beginNs, beginNs + widthNs, (kind, from, to) -> {
      if (to <= beginNs || from >= beginNs + widthNs) {
        return;
      }
      for (int bin = bin(from); bin < count && border(bin) < to; bin++) {
        bins[bin].addWait(kind, insideNs(bin, from, to));
      }
    });
  }
}
