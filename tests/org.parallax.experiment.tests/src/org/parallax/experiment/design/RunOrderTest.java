package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunOrderTest {
  @Test
  void numbersAreThoseOfSplitMix64() {
    // The state with which a replicate starts is the first number of the seed's own sequence.
    for (long seed : new long[] {0, 1, -7, 1992}) {
      SplittableRandom oracle = new SplittableRandom(new SplittableRandom(seed).nextLong());
      RunOrder order = new RunOrder(seed, 0);
      for (int i = 0; i < 20; i++) {
        assertEquals(oracle.nextLong(), order.next(), "seed " + seed);
      }
    }
  }

  @Test
  void anOrderFollowsFromItsSeed() {
    Design design = Fraction.full(3).design();
    assertEquals("[1, 6, 4, 3, 5, 7, 2, 0]", text(design, 1992, 0), "as in every version");
    assertEquals(text(design, 1992, 3), text(design, 1992, 3));
    assertNotEquals(text(design, 1992, 0), text(design, 1992, 1), "fresh in each replicate");
    assertNotEquals(text(design, 1993, 0), text(design, 1992, 1));
  }

  private static String text(Design design, long seed, int replicate) {
    return Arrays.toString(RunOrder.of(design, seed, replicate).get(0));
  }

  @Test
  void blocksStayTogetherAndEveryRunIsMadeOnce() {
    Design design = Augmentation.withCentrePoints(
        Blocking.of(Fraction.full(4), 4).design(), 1);
    boolean blocksMoved = false;
    for (int replicate = 0; replicate < 50; replicate++) {
      List<int[]> order = RunOrder.of(design, 7, replicate);
      assertEquals(4, order.size());
      blocksMoved |= design.blocks()[order.get(0)[0]] != 0;
      for (int[] block : order) {
        assertEquals(1, IntStream.of(block).map(run -> design.blocks()[run]).distinct().count());
      }
      assertTrue(Arrays.equals(IntStream.range(0, 20).toArray(),
          order.stream().flatMapToInt(Arrays::stream).sorted().toArray()));
    }
    assertTrue(blocksMoved);
  }

  /** Each of the 24 orders of four about equally often: chi squared with 23 degrees of freedom. */
  @Test
  void allOrdersAreEquallyLikely() {
    Design design = Fraction.full(2).design();
    Map<String, Integer> counts = new TreeMap<>();
    int draws = 24_000;
    for (int replicate = 0; replicate < draws; replicate++) {
      counts.merge(text(design, 5, replicate), 1, Integer::sum);
    }
    assertEquals(24, counts.size());
    double chiSquared = counts.values().stream()
        .mapToDouble(count -> (count - draws / 24.) * (count - draws / 24.) / (draws / 24.)).sum();
    assertTrue(chiSquared < 49.7, "chi squared " + chiSquared + ", 99.9 %: 49.7");
  }
}
