package org.parallax.tuning.live;

import java.util.ArrayList;
import java.util.List;

/** How fast the visits of a measure point arrive: in bins of equal length, the last minutes only. */
public final class Rates {
  /** A bin of 0.5 s makes two minutes. */
  private static final int MOST = 240;
  private static final double NS_PER_SECOND = 1e9;

  /**
   * Visits and bytes in a second, over a part of the time.
   *
   * @param fromNs its begin, since the start of the session
   * @param toNs its end
   * @param visits in a second
   * @param bytes in a second
   */
  public record Rate(long fromNs, long toNs, double visits, double bytes) {
  }

  private final long binNs;
  private final double[] visits = new double[MOST];
  private final double[] bytes = new double[MOST];
  /** The bins that count are below this one, and not before {@link #first}. */
  private long end;
  private long first = -1;

  Rates(long binNs) {
    this.binNs = binNs;
  }

  /** Adds what has arrived evenly over a time. */
  void add(long fromNs, long toNs, double moreVisits, double moreBytes) {
    long from = Math.max(0, Math.min(fromNs, toNs - 1));
    long last = Math.max(0, (toNs - 1) / binNs);
    advance(last + 1);
    if (first < 0) {
      first = from / binNs;
    }
    double length = Math.max(1, toNs - from);
    for (long bin = Math.max(from / binNs, end - MOST); bin <= last; bin++) {
      double share = (Math.min(toNs, (bin + 1) * binNs) - Math.max(from, bin * binNs)) / length;
      visits[(int) (bin % MOST)] += share * moreVisits;
      bytes[(int) (bin % MOST)] += share * moreBytes;
    }
  }

  private void advance(long to) {
    for (long bin = Math.max(end, to - MOST); bin < to; bin++) {
      visits[(int) (bin % MOST)] = 0;
      bytes[(int) (bin % MOST)] = 0;
    }
    end = Math.max(end, to);
  }

  /** @return the rates of the bins that are over by then; the last ones are 0 when nothing arrives any more */
  List<Rate> until(long nowNs) {
    long over = nowNs / binNs;
    advance(over);
    List<Rate> rates = new ArrayList<>();
    for (long bin = Math.max(Math.max(0, first), end - MOST); first >= 0 && bin < over; bin++) {
      rates.add(new Rate(bin * binNs, (bin + 1) * binNs, visits[(int) (bin % MOST)] * NS_PER_SECOND / binNs,
          bytes[(int) (bin % MOST)] * NS_PER_SECOND / binNs));
    }
    return rates;
  }
}
