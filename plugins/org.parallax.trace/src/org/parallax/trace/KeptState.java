package org.parallax.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a thread did before the first of its events that are kept, as far as those need it: the thread was recorded
 * with {@code --keep-last}, and the space of its earlier events was given back.
 */
public final class KeptState {
  /** What an item tells; the numbers are those of FORMAT.md. */
  public enum What {
    NONE,
    /** A call that is open: the path; when it began, an earlier CPU time of the thread, and when that was. */
    CALL,
    /** A phase that is open: the region. */
    PHASE,
    /** Messages that were sent: the communicator; peer and tag, how many. */
    SENDS,
    /** Messages that were received, in the same way. */
    RECEIVES,
    /** Messages that were received by receives posted after one that is still open: the same, and its request. */
    OVERTAKING,
    /** A receive that is posted: the communicator; peer and tag, request. */
    POSTED,
    /** A collective that is posted: the communicator; op and root, sent and received bytes, sequence. */
    COLLECTIVE,
    /** Epochs of a window: the window; op and rank, how many. */
    EPOCHS;

    private static final What[] VALUES = values();

    static What of(long number) {
      return number >= 0 && number < VALUES.length ? VALUES[(int) number] : NONE;
    }
  }

  /**
   * One thing that is told.
   *
   * @param operand a call path, region, communicator or window
   * @param values what {@link What} says of them; there can be more, and missing ones are left out
   */
  public record Item(What what, int operand, List<Long> values) {
    /** @return a value, 0 where it is missing */
    public long value(int index) {
      return index < values.size() ? values.get(index) : 0;
    }
  }

  private final long ticks;
  private final int pausePath;
  private final List<Item> items = new ArrayList<>();

  KeptState(long ticks, int pausePath) {
    this.ticks = ticks;
    this.pausePath = pausePath;
  }

  void add(What what, int operand, List<Long> values) {
    items.add(new Item(what, operand, List.copyOf(values)));
  }

  /** Of the machine's clock: from then on, all events of the thread are there. */
  long ticks() {
    return ticks;
  }

  /** The call path that stands for the time before. */
  int pausePath() {
    return pausePath;
  }

  /** What is told, in the order of the trace: open calls with the outermost first, receives in the order of posting. */
  public List<Item> items() {
    return Collections.unmodifiableList(items);
  }
}
