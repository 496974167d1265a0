package org.parallax.analysis.waits;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.parallax.analysis.internal.PackedLongs;
import org.parallax.analysis.replay.WaitState;

/**
 * When a thread waited, in what and in which call: waits that follow each other and do not overlap.
 * Those of a part of the time are found without looking at the others. Some 8 bytes for each wait.
 */
public final class ThreadStops {
  private static final int STATE_BITS = 6;

  private final PackedLongs begins;
  private final PackedLongs lengths;
  /** Of each wait its state, and the number of its path. */
  private final PackedLongs states;
  private long endNs = Long.MIN_VALUE;

  ThreadStops() {
    this(new PackedLongs(), new PackedLongs(), new PackedLongs());
  }

  private ThreadStops(PackedLongs begins, PackedLongs lengths, PackedLongs states) {
    this.begins = begins;
    this.lengths = lengths;
    this.states = states;
  }

  /** @param path call path of the call */
  void add(WaitState state, int path, long beginNs, long untilNs) {
    long begin = Math.max(beginNs, endNs);
    if (untilNs <= begin) {
      return;
    }
    begins.add(begin);
    lengths.add(untilNs - begin);
    states.add(path << STATE_BITS | state.ordinal());
    endNs = untilNs;
  }

  /** Writes it so that {@link #read} gets it back. */
  public void write(DataOutputStream out) throws IOException {
    begins.write(out);
    lengths.write(out);
    states.write(out);
  }

  /**
   * @param in stays as it is
   * @throws java.nio.BufferUnderflowException if it is cut
   * @throws IllegalArgumentException if it is something else
   */
  public static ThreadStops read(ByteBuffer in) {
    ThreadStops stops = new ThreadStops(PackedLongs.read(in), PackedLongs.read(in), PackedLongs.read(in));
    if (stops.begins.size() != stops.count() || stops.states.size() != stops.count()) {
      throw new IllegalArgumentException("waits do not fit to each other");
    }
    return stops;
  }

  /** @return how many waits there are */
  public long count() {
    return lengths.size();
  }

  /** @return the last wait that begins at the time or before it, 0 if none does */
  public long at(long timeNs) {
    return Math.max(0, begins.firstAtLeast(timeNs + 1) - 1);
  }

  public long beginNs(long wait) {
    return begins.get(wait);
  }

  public long lengthNs(long wait) {
    return lengths.get(wait);
  }

  public WaitState state(long wait) {
    return WaitState.at((int) states.get(wait) & (1 << STATE_BITS) - 1);
  }

  /** @return the call path of the call in which it waited, 0 outside of calls */
  public int path(long wait) {
    return (int) states.get(wait) >>> STATE_BITS;
  }
}
