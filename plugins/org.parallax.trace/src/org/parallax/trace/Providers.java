package org.parallax.trace;

import java.util.Arrays;

/** Whose data a participant of a collective receives, as its event tells it after the sequence. */
public final class Providers {
  /** The payload slot with the form. */
  static final int FORM = 4;
  private static final int RUNS = 1;
  private static final int BITS = 2;
  private static final int UNKNOWN = 3;
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

  /**
   * @param slots from that of the form
   * @return false if they name ranks that are not below the size, or if their form is none
   */
  static boolean isSound(long[] slots, int size) {
    for (int i = 1; i < slots.length; i++) {
      long end = slots[0] == RUNS ? (slots[i] >>> COUNT_BITS) + (slots[i] & COUNT_MASK)
          : (i - 1) * (long) RANKS_PER_SLOT + Long.SIZE - Long.numberOfLeadingZeros(slots[i]);
      boolean isEmpty = slots[0] == RUNS ? (slots[i] & COUNT_MASK) == 0 : slots[i] == 0;
      if (!isEmpty && end > size || isEmpty && slots[0] == RUNS) {
        return false;
      }
    }
    return slots[0] == RUNS || slots[0] == BITS || slots[0] == UNKNOWN;
  }

  private static int[] withRoom(int[] ranks, int count) {
    return count < ranks.length ? ranks : Arrays.copyOf(ranks, 2 * count);
  }
}
