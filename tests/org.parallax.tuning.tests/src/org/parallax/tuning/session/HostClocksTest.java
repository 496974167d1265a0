package org.parallax.tuning.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HostClocksTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  /** A host joins an hour after the first, with a clock that begins then and is 300 ppm fast; lines of both are delayed. */
  @Test
  void hostsThatJoinLaterHaveTheTimeOfTheSession() {
    HostClocks clocks = new HostClocks();
    Random random = new Random(5);
    long last = 0;
    for (long i = 0; i < 3000; i++) {
      long trueNs = 3600 * SECOND + i * 200 * MS;
      // The clock of this process began 7 s after that of the first host.
      assertEquals(trueNs - 3 * MS, clocks.align("h0", trueNs - 3 * MS, trueNs - 7 * SECOND + delay(random)));
      long hereNs = trueNs - 7 * SECOND + MS + delay(random);
      long aligned = clocks.align("h1", (long) (i * 200 * MS * 1.0003), hereNs);
      assertTrue(aligned <= clocks.now(hereNs) && aligned >= last, "line " + i);
      assertTrue(i < 20 || Math.abs(aligned - trueNs) < 25 * MS, "line " + i + " is off by " + (aligned - trueNs) + " ns");
      last = aligned;
    }
  }

  private static long delay(Random random) {
    return (long) (10 * MS * -Math.log(1 - random.nextDouble()));
  }

  @Test
  void eachHostHasItsOwnClock() {
    HostClocks clocks = new HostClocks();
    assertEquals(1_000_000, clocks.align("h0", 1_000_000, 100));
    assertEquals(1_000_100, clocks.now(200));
    assertEquals(1_000_100, clocks.align("h1", 5, 200));
    assertEquals(1_000_150, clocks.align("h1", 55, 300));
    // Its monitor is started again.
    clocks.forget("h1");
    assertEquals(1_000_300, clocks.align("h1", 1, 400));
  }
}
