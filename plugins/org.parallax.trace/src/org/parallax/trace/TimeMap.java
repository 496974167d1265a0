package org.parallax.trace;

import java.util.Arrays;

/**
 * A correction of times: piecewise linear between knots, and never decreasing. Before the first knot
 * and after the last one, times move by as much as these knots do.
 *
 * <p>Immutable. A lookup takes the logarithm of the number of knots; a reader that goes through times
 * in order keeps the {@link #piece} and takes constant time.
 */
public final class TimeMap {
  private final long[] fromNs;
  private final long[] toNs;

  private TimeMap(long[] fromNs, long[] toNs) {
    this.fromNs = fromNs;
    this.toNs = toNs;
  }

  /**
   * Makes a map of at least one knot.
   *
   * @param fromNs increasing
   * @param toNs not decreasing, as many
   * @throws IllegalArgumentException if that does not hold
   */
  public static TimeMap of(long[] fromNs, long[] toNs) {
    boolean sound = fromNs.length == toNs.length && fromNs.length > 0;
    for (int i = 1; sound && i < fromNs.length; i++) {
      sound = fromNs[i] > fromNs[i - 1] && toNs[i] >= toNs[i - 1];
    }
    if (!sound) {
      throw new IllegalArgumentException("the knots of a correction of times are not in order");
    }
    return new TimeMap(fromNs.clone(), toNs.clone());
  }

  /** @return the number of knots */
  public int knots() {
    return fromNs.length;
  }

  /** @return the time that a knot moves */
  public long fromNs(int knot) {
    return fromNs[knot];
  }

  /** @return where a knot moves it */
  public long toNs(int knot) {
    return toNs[knot];
  }

  /** @return the corrected time */
  public long at(long ns) {
    return at(ns, piece(ns, -1));
  }

  /**
   * @param hint a piece at which the search begins, such as that of the time before
   * @return the last knot at or before a time; -1 if it is before all
   */
  int piece(long ns, int hint) {
    int last = fromNs.length - 1;
    boolean after = hint < 0 || fromNs[hint] <= ns;
    if (after && (hint == last || fromNs[hint + 1] > ns)) {
      return hint;
    }
    if (after && hint + 1 < last && fromNs[hint + 1] <= ns && fromNs[hint + 2] > ns) {
      return hint + 1;
    }
    int found = Arrays.binarySearch(fromNs, ns);
    return found >= 0 ? found : -found - 2;
  }

  /** @return the corrected time, by the piece that it is in */
  long at(long ns, int piece) {
    if (piece < 0) {
      return ns + (toNs[0] - fromNs[0]);
    }
    long passedNs = ns - fromNs[piece];
    if (piece == fromNs.length - 1) {
      return toNs[piece] + passedNs;
    }
    long width = fromNs[piece + 1] - fromNs[piece];
    long growth = toNs[piece + 1] - toNs[piece];
    // The change is small and so exact, where passed times of months are not as a double.
    long changeNs = (long) Math.floor(passedNs * ((double) (growth - width) / width));
    return toNs[piece] + Math.max(0, Math.min(growth, passedNs + changeNs));
  }

  /** @return the first time whose correction is not before this */
  public long inverse(long ns) {
    int above = 0;
    int high = toNs.length;
    while (above < high) {
      int middle = (above + high) >>> 1;
      if (toNs[middle] < ns) {
        above = middle + 1;
      } else {
        high = middle;
      }
    }
    if (above == 0) {
      return ns - (toNs[0] - fromNs[0]);
    }
    int piece = above - 1;
    long restNs = ns - toNs[piece];
    if (above == toNs.length) {
      return fromNs[piece] + restNs;
    }
    double widthOfOne = (double) (fromNs[above] - fromNs[piece]) / (toNs[above] - toNs[piece]);
    long found = Math.min(fromNs[above], fromNs[piece] + (long) Math.ceil(restNs * widthOfOne));
    while (at(found) < ns) {
      found++;
    }
    while (at(found - 1) >= ns) {
      found--;
    }
    return found;
  }

  /** @return both corrections, one after the other; right within a few nanoseconds */
  public TimeMap then(TimeMap next) {
    long[] all = Arrays.copyOf(fromNs, fromNs.length + next.fromNs.length);
    for (int i = 0; i < next.fromNs.length; i++) {
      all[fromNs.length + i] = inverse(next.fromNs[i]);
    }
    Arrays.sort(all);
    int count = 0;
    for (long ns : all) {
      if (count == 0 || all[count - 1] != ns) {
        all[count++] = ns;
      }
    }
    long[] from = Arrays.copyOf(all, count);
    return new TimeMap(from, Arrays.stream(from).map(ns -> next.at(at(ns))).toArray());
  }

  /** @return the same correction on a time base that shows everything later by this */
  public TimeMap movedBy(long ns) {
    return ns == 0 ? this : new TimeMap(Arrays.stream(fromNs).map(each -> each + ns).toArray(),
        Arrays.stream(toNs).map(each -> each + ns).toArray());
  }

  /** @return the largest move of a time, forward or backward */
  public long largestMoveNs() {
    long largest = 0;
    for (int i = 0; i < fromNs.length; i++) {
      largest = Math.max(largest, Math.abs(toNs[i] - fromNs[i]));
    }
    return largest;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TimeMap map && Arrays.equals(fromNs, map.fromNs) && Arrays.equals(toNs, map.toNs);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(fromNs) + Arrays.hashCode(toNs);
  }
}
