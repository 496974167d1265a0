package org.parallax.ui.timeline;

/**
 * The part of the time that is in sight.
 *
 * @param endNs after {@code beginNs}
 */
record TimeWindow(long beginNs, long endNs) {
  /** Nothing shorter can be looked at. */
  static final long LEAST_NS = 20;

  long lengthNs() {
    return endNs - beginNs;
  }

  /**
   * The same moment in the same place, with another scale.
   *
   * @param factor of the length
   */
  TimeWindow zoomed(double factor, long aroundNs) {
    double length = Math.max(LEAST_NS, lengthNs() * factor);
    double before = (aroundNs - beginNs) / (double) lengthNs();
    long begin = Math.round(aroundNs - before * length);
    return new TimeWindow(begin, begin + Math.round(length));
  }

  /** Moved by a share of its length. */
  TimeWindow moved(double share) {
    long by = Math.round(lengthNs() * share);
    return new TimeWindow(beginNs + by, endNs + by);
  }

  /** Moved to later times. */
  TimeWindow later(long byNs) {
    return byNs == 0 ? this : new TimeWindow(beginNs + byNs, endNs + byNs);
  }

  /** The nearest one that shows nothing but this part of the time. */
  TimeWindow within(TimeWindow all) {
    long length = Math.min(all.lengthNs(), Math.max(LEAST_NS, lengthNs()));
    long begin = Math.max(all.beginNs, Math.min(all.endNs - length, beginNs));
    return new TimeWindow(begin, begin + length);
  }

  /** The time at a place in so much width. */
  long timeAt(int x, int width) {
    return beginNs + Math.round(x / (double) Math.max(1, width) * lengthNs());
  }

  /** Where a time is in so much width; it may be outside. */
  double place(long timeNs, int width) {
    return (timeNs - beginNs) / (double) lengthNs() * width;
  }
}
