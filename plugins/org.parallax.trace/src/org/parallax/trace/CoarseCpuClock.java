package org.parallax.trace;

import java.util.Arrays;

/**
 * The CPU clock of a thread as if it advanced in ticks only: each reading is rounded down to a
 * multiple of the tick. Irvin and Miller 1993, section 5.1, show what that does to analyses.
 *
 * <p>What an event tells depends on the event alone, however a reader came to it. Costs one pass over
 * a block whenever the block changes.
 */
final class CoarseCpuClock {
  private final EventCursor events;
  private final long tickNs;
  private int block = -1;
  /** By slot of the block. */
  private final long[] lostNs = new long[EventCursor.BLOCK_POSITIONS];
  // The last reading of the exact clock, and when that was.
  private long readingNs;
  private long readAtNs;

  /** @param events a cursor of its own, which shows the clock as it was recorded */
  CoarseCpuClock(EventCursor events, long tickNs) {
    this.events = events;
    this.tickNs = tickNs;
  }

  /** Wall time less CPU time between the event at a position and the one before; can be below 0. */
  long lostNs(long position) {
    int wanted = EventCursor.block(position);
    if (wanted != block) {
      load(wanted);
    }
    return lostNs[EventCursor.slot(position)];
  }

  private void load(int wanted) {
    block = wanted;
    Arrays.fill(lostNs, 0);
    long start = EventCursor.position(wanted, 0);
    boolean any = events.seek(start) && events.block() == wanted;
    if (!any) {
      return;
    }
    long first = events.position();
    long beforeNs = events.timeNs();
    long shownNs;
    if (events.previous()) {
      beforeNs = events.timeNs();
      findReading();
      shownNs = shownNs(beforeNs);
      events.seek(first);
      beginBlock();
    } else {
      events.seek(first);
      beginBlock();
      shownNs = shownNs(beforeNs);
    }
    do {
      read();
      long timeNs = events.timeNs();
      long nowShownNs = shownNs(timeNs);
      lostNs[EventCursor.slot(events.position())] = timeNs - beforeNs - (nowShownNs - shownNs);
      beforeNs = timeNs;
      shownNs = nowShownNs;
    } while (events.next() && events.block() == wanted);
  }

  private void beginBlock() {
    readingNs = events.blockCpuNs();
    readAtNs = events.blockBaseNs();
  }

  private boolean read() {
    if (events.kind() != Kind.CPU) {
      return false;
    }
    readingNs = events.payload(0);
    readAtNs = events.timeNs();
    return true;
  }

  /** Finds the last reading in the block up to the event under the cursor, which moves. */
  private void findReading() {
    int here = events.block();
    beginBlock();
    while (!read() && events.previous() && events.block() == here) {
      // One event further back.
    }
  }

  private long shownNs(long timeNs) {
    return Math.floorDiv(readingNs + timeNs - readAtNs, tickNs) * tickNs;
  }
}
