package org.parallax.analysis.timeline;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.parallax.analysis.internal.PackedLongs;

/**
 * How long a thread was in which state, of each of the steps of an index, and of each {@value #FAN} steps together, each
 * {@value #FAN} of these, and so on: what a sum of many steps costs depends on their logarithm. Some 5 bytes for each
 * state of a step.
 */
final class StepSums {
  private static final int FAN = 4;
  private static final int SEVEN = 0x7f;

  /** Where the states of each step begin: their numbers and times, seven bits in a byte, the lowest first. */
  private final PackedLongs firsts;
  private byte[] bytes;
  private int used;
  /** The state that is meant by a number in the bytes; null if each means itself. */
  private final int[] meanings;
  private StepSums coarse;

  StepSums() {
    this(new PackedLongs(), new byte[64], 0, null);
    firsts.add(0);
  }

  private StepSums(PackedLongs firsts, byte[] bytes, int used, int[] meanings) {
    this.firsts = firsts;
    this.bytes = bytes;
    this.used = used;
    this.meanings = meanings;
  }

  /** Appends a step; what it is given is empty afterwards. */
  void add(StateTimes step) {
    for (int state : step.states()) {
      put(state);
      put(step.ns(state));
    }
    firsts.add(used);
    step.clear();
    if (size() % FAN == 0) {
      addRange(step, size() - FAN, size());
      coarse = coarse == null ? new StepSums() : coarse;
      coarse.add(step);
    }
  }

  private void put(long value) {
    if (bytes.length - used < Long.BYTES + 2) {
      bytes = Arrays.copyOf(bytes, Math.addExact(bytes.length, bytes.length));
    }
    long rest = value;
    for (; rest > SEVEN; rest >>>= 7) {
      bytes[used++] = (byte) (rest | SEVEN + 1);
    }
    bytes[used++] = (byte) rest;
  }

  /** @return how many steps there are */
  int size() {
    return (int) firsts.size() - 1;
  }

  /** Adds the time of a step, or a share of it. */
  void addTo(StateTimes sums, int step, double share) {
    int end = (int) firsts.get(step + 1);
    for (int at = (int) firsts.get(step); at < end;) {
      int state = 0;
      for (int shift = 0; ; shift += 7) {
        byte next = bytes[at++];
        state |= (next & SEVEN) << shift;
        if (next >= 0) {
          break;
        }
      }
      long ns = 0;
      for (int shift = 0; ; shift += 7) {
        byte next = bytes[at++];
        ns |= (long) (next & SEVEN) << shift;
        if (next >= 0) {
          break;
        }
      }
      sums.add(meanings == null ? state : meanings[state], share == 1 ? ns : Math.round(ns * share));
    }
  }

  /** Adds the time of steps. */
  void addRange(StateTimes sums, int fromStep, int toStep) {
    int from = fromStep;
    int to = toStep;
    int begin = (from + FAN - 1) / FAN;
    int end = to / FAN;
    if (coarse != null && begin < end && to - from > FAN) {
      coarse.addRange(sums, begin, end);
      for (int step = end * FAN; step < to; step++) {
        addTo(sums, step, 1);
      }
      to = begin * FAN;
    }
    for (; from < to; from++) {
      addTo(sums, from, 1);
    }
  }

  // ---------------------------------------------------------------- on disk

  /** @return true if it was not read from a file */
  boolean isMade() {
    return meanings == null;
  }

  /**
   * Writes it so that {@link #read} gets it back; not what was read.
   *
   * @param states how many there are
   * @param paths of a state, a call path by which its number is found again
   */
  void write(DataOutputStream out, int states, IntUnaryOperator paths) throws IOException {
    out.writeInt(states);
    for (int state = 0; state < states; state++) {
      out.writeInt(paths.applyAsInt(state));
    }
    for (StepSums level = this; level != null; level = level.coarse) {
      level.firsts.write(out);
      out.writeInt(level.used);
      out.write(level.bytes, 0, level.used);
    }
  }

  /**
   * @param states finds the state of a path that was written
   * @throws java.nio.BufferUnderflowException if it is cut
   * @throws IllegalArgumentException if it is something else
   */
  static StepSums read(ByteBuffer in, IntUnaryOperator states) {
    int count = in.getInt();
    require(count >= 0 && count <= in.remaining() / Integer.BYTES);
    int[] meanings = new int[count];
    Arrays.setAll(meanings, i -> states.applyAsInt(in.getInt()));
    StepSums first = readLevel(in, meanings);
    StepSums level = first;
    for (int steps = first.size() / FAN; steps > 0; steps /= FAN) {
      level.coarse = readLevel(in, meanings);
      level = level.coarse;
      require(level.size() == steps);
    }
    return first;
  }

  private static StepSums readLevel(ByteBuffer in, int[] meanings) {
    PackedLongs firsts = PackedLongs.read(in);
    int used = in.getInt();
    require(used >= 0 && used <= in.remaining() && firsts.size() > 0 && firsts.get(firsts.size() - 1) == used);
    byte[] bytes = new byte[used];
    in.get(bytes);
    return new StepSums(firsts, bytes, used, meanings);
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("sums do not fit to each other");
    }
  }
}
