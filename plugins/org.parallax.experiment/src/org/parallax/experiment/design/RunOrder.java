package org.parallax.experiment.design;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Draws the order of runs in time (Lyon, Snelick, Kacker 1992, section 2.1, steps 2 and 3): each
 * replicate has a fresh one, in which blocks come in random order and runs in random order within
 * them. An order follows from its seed, on every machine and with every version of Java: numbers
 * are those of SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators,
 * 2014), and each replicate starts from a number that the seed's own sequence gives it; the shuffle
 * is that of Fisher and Yates, from the last place to the second.
 */
public final class RunOrder {
  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private long state;

  /**
   * Starts the numbers of a replicate.
   *
   * @param seed of the experiment
   * @param replicate from 0
   */
  public RunOrder(long seed, int replicate) {
    state = mixed(seed + (replicate + 1) * GAMMA);
  }

  /**
   * The runs of one replicate.
   *
   * @return for each block in the order of time: its runs in the order of time
   */
  public static List<int[]> of(Design design, long seed, int replicate) {
    int[] blocks = design.blocks();
    RunOrder order = new RunOrder(seed, replicate);
    int[] numbers = order.shuffled(Arrays.stream(blocks).distinct().sorted().toArray());
    return IntStream.of(numbers).mapToObj(block -> order.shuffled(
        IntStream.range(0, blocks.length).filter(run -> blocks[run] == block).toArray())).toList();
  }

  /** @return the values in random order; the array that was given stays as it is */
  public int[] shuffled(int[] values) {
    int[] shuffled = values.clone();
    for (int last = shuffled.length - 1; last > 0; last--) {
      int other = below(last + 1);
      int value = shuffled[last];
      shuffled[last] = shuffled[other];
      shuffled[other] = value;
    }
    return shuffled;
  }

  /** A number from 0 to bound - 1, all equally likely: what would favour some is drawn anew. */
  private int below(int bound) {
    while (true) {
      long number = next() >>> 1;
      long value = number % bound;
      if (number - value + (bound - 1) >= 0) {
        return (int) value;
      }
    }
  }

  long next() {
    state += GAMMA;
    return mixed(state);
  }

  private static long mixed(long value) {
    long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
