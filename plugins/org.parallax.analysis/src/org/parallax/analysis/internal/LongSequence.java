package org.parallax.analysis.internal;

/** Values of type {@code long}, numbered from 0. */
public interface LongSequence {
  /** @return the value at an index from 0 to {@code size() - 1} */
  long get(long index);

  /** @return how many values there are */
  long size();

  /**
   * Binary search in increasing values.
   *
   * @return the index of the first value that is at least {@code value}; {@code size()} if none
   */
  default long firstAtLeast(long value) {
    long low = 0;
    long high = size();
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (get(middle) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
