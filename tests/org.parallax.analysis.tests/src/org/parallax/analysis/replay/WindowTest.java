package org.parallax.analysis.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Windows of one interval and of several, against counting nanosecond by nanosecond. */
class WindowTest {
  @Test
  void intervalsThatTouchAreOne() {
    Window window = Window.union(new long[][] {{30, 40}, {0, 10}, {10, 12}, {35, 50}, {31, 32}});
    assertEquals(2, window.count());
    assertEquals(0, window.beginNs());
    assertEquals(12, window.endNs(0));
    assertEquals(30, window.beginNs(1));
    assertEquals(50, window.endNs());
    assertTrue(window.contains(12));
    assertFalse(window.contains(13));
    assertTrue(window.contains(30));
    assertFalse(window.contains(51));
    assertEquals(2 + 5, window.overlapNs(10, 35));
    assertEquals(1, Window.union(new long[][] {{5, 9}, {3, 6}}).count());
  }

  @Test
  void anIntervalIsDividedWithoutRest() {
    for (long seed = 1; seed <= 2_000; seed++) {
      Random random = new Random(seed);
      long from = random.nextInt(50);
      long to = from + random.nextInt(50);
      long lost = random.nextInt(60);
      long[][] intervals = new long[1 + random.nextInt(5)][];
      boolean[] inside = new boolean[120];
      for (int i = 0; i < intervals.length; i++) {
        int begin = random.nextInt(100);
        intervals[i] = new long[] {begin, begin + random.nextInt(20)};
        Arrays.fill(inside, begin, (int) intervals[i][1], true);
      }
      Window window = Window.union(intervals);
      long overlap = 0;
      for (int ns = (int) from; ns < to; ns++) {
        overlap += inside[ns] ? 1 : 0;
      }
      assertEquals(overlap, window.overlapNs(from, to), "seed " + seed);
      int cut = random.nextInt(100);
      long cpu = window.cpuNs(from, to, lost);
      assertTrue(cpu >= 0 && cpu <= overlap, "seed " + seed);
      long parts = new Window(Long.MIN_VALUE, cut).cpuNs(from, to, lost)
          + new Window(cut, Long.MAX_VALUE).cpuNs(from, to, lost);
      assertEquals(Math.max(0, to - from - lost), parts, "seed " + seed);
      assertEquals(Math.max(0, to - from - lost), Window.ALL.cpuNs(from, to, lost), "seed " + seed);
    }
  }
}
