package org.parallax.trace;

import java.util.Arrays;

/** Whose data a participant of a collective receives, as its event tells it after the sequence. */
public final class Providers {
  private static final int FORM = 4;
  private static final int RUNS = 1;
  private static final int BITS = 2;
  private static final int RANKS_PER_SLOT = 63;
  private static final int COUNT_BITS = 31;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private Providers() {
  }

  /**
   * Returns ranks of the communicator, of an intercommunicator those of the remote group. Linear in their number.
   *
   * @param cursor stands at a Collective or CollectivePost
   * @param size of the group of the ranks; what is not below it is left out
   * @return empty if the event says that they are not known, null if it says nothing of them
   */
  public static int[] of(EventCursor cursor, int size) {
    int slots = cursor.payload(FORM) == 0 ? 0 : cursor.payloadCount();
    if (slots == 0) {
      return null;
    }
    int form = (int) cursor.payload(FORM);
    int[] ranks = new int[Math.min(size, 8)];
    int count = 0;
    for (int slot = FORM + 1; slot < slots && count < size; slot++) {
      long value = cursor.payload(slot);
      if (form == RUNS) {
        long first = value >>> COUNT_BITS;
        long end = Math.min(size, first + (value & COUNT_MASK));
        for (long rank = first; rank < end && count < size; rank++) {
          ranks = withRoom(ranks, count);
          ranks[count++] = (int) rank;
        }
      } else if (form == BITS) {
        for (long bits = value; bits != 0; bits &= bits - 1) {
          int rank = (slot - FORM - 1) * RANKS_PER_SLOT + Long.numberOfTrailingZeros(bits);
          if (rank < size && count < size) {
            ranks = withRoom(ranks, count);
            ranks[count++] = rank;
          }
        }
      }
    }
    return Arrays.copyOf(ranks, count);
  }

  private static int[] withRoom(int[] ranks, int count) {
    return count < ranks.length ? ranks : Arrays.copyOf(ranks, 2 * count);
  }
}
