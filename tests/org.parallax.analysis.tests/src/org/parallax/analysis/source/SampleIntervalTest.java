package org.parallax.analysis.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** How often the true time is in the interval, and what the ends are. */
class SampleIntervalTest {
  private static final long PERIOD_NS = 10_000_000;

  @Test
  void endsAreThoseOfWilson() {
    // 10 of 100: 5.52 % to 17.44 % (Newcombe 1998 has the formula).
    SampleInterval interval = SampleInterval.of(10 * PERIOD_NS, 10, 100);
    assertEquals(5.523 * PERIOD_NS, interval.lowNs(), 0.01 * PERIOD_NS);
    assertEquals(17.437 * PERIOD_NS, interval.highNs(), 0.01 * PERIOD_NS);
    SampleInterval all = SampleInterval.of(100 * PERIOD_NS, 100, 100);
    assertEquals(100 * PERIOD_NS, all.highNs());
    assertEquals(96.3 * PERIOD_NS, all.lowNs(), 0.1 * PERIOD_NS);
    assertEquals(new SampleInterval(77, 77), SampleInterval.of(77, 0, 100));
    assertEquals(new SampleInterval(0, 0), SampleInterval.of(0, 0, 0));
  }

  @Test
  void fewSamplesAreUncertain() {
    for (int samples = 1; samples < 20; samples++) {
      long ns = samples * PERIOD_NS;
      assertEquals(samples < 8, SampleInterval.of(ns, samples, 100_000).isUncertain(ns),
          samples + " samples");
    }
    assertFalse(SampleInterval.of(5, 0, 100).isUncertain(5), "measured");
    assertTrue(SampleInterval.of(3 * PERIOD_NS, 3, 3).isUncertain(3 * PERIOD_NS));
    assertFalse(SampleInterval.of(4 * PERIOD_NS, 4, 4).isUncertain(4 * PERIOD_NS), "all of four");
  }

  @Test
  void theTruthIsInsideInNineteenOfTwentyRuns() {
    long seed = 20261127;
    Random random = new Random(seed);
    for (double share : new double[] {0.002, 0.02, 0.3, 0.9}) {
      int runs = 4000;
      int inside = 0;
      int hit = 0;
      int all = 1000;
      for (int run = 0; run < runs; run++) {
        int hits = 0;
        for (int i = 0; i < all; i++) {
          hits += random.nextDouble() < share ? 1 : 0;
        }
        SampleInterval interval = SampleInterval.of(hits * PERIOD_NS, hits, all);
        double truth = share * all * PERIOD_NS;
        // A line without any sample has no row.
        hit += hits > 0 ? 1 : 0;
        inside += hits > 0 && interval.lowNs() <= truth && truth <= interval.highNs() ? 1 : 0;
      }
      double covered = share < 0.01 ? 0.91 : 0.93;
      assertTrue(inside > covered * hit, inside + " of " + hit + " at " + share + ", seed " + seed);
    }
  }
}
