package org.parallax.cdt;

import java.util.Arrays;

/** The lines of a text, of which CDT knows offsets. */
final class Lines {
  /** Where each line but the first begins. */
  private final int[] begins;

  Lines(String text) {
    int[] found = new int[64];
    int count = 0;
    for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
      found[count++] = at + 1;
    }
    begins = Arrays.copyOf(found, count);
  }

  /** The line that has a character, from 1. */
  int of(int offset) {
    int index = Arrays.binarySearch(begins, offset);
    return index >= 0 ? index + 2 : -index;
  }
}
