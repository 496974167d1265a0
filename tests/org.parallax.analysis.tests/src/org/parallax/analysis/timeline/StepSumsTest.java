package org.parallax.analysis.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against sums of single steps. */
class StepSumsTest {
  private static final int STATES = 300;

  private static long[][] steps(Random random, int count) {
    long[][] steps = new long[count][STATES];
    for (long[] step : steps) {
      for (int i = random.nextInt(6); i > 0; i--) {
        step[random.nextInt(STATES)] = random.nextLong() >>> 8 + random.nextInt(56);
      }
    }
    return steps;
  }

  private static StepSums sums(long[][] steps) {
    StepSums sums = new StepSums();
    StateTimes times = new StateTimes(STATES);
    for (long[] step : steps) {
      for (int state = 0; state < STATES; state++) {
        times.add(state, step[state]);
      }
      sums.add(times);
      assertEquals(0, times.totalNs());
    }
    return sums;
  }

  private static void assertSame(long[][] steps, StepSums sums, int shift, Random random, String what) {
    assertEquals(steps.length, sums.size(), what);
    for (int round = 0; round < 30; round++) {
      int from = random.nextInt(steps.length + 1);
      int to = from + random.nextInt(steps.length + 1 - from);
      StateTimes found = new StateTimes(STATES);
      sums.addRange(found, from, to);
      for (int state = 0; state < STATES; state++) {
        long expected = 0;
        for (int step = from; step < to; step++) {
          expected += steps[step][state];
        }
        assertEquals(expected, found.ns((state + shift) % STATES), what + ", steps " + from + " to " + to);
      }
    }
  }

  @Test
  void sumsOfManyStepsAreThoseOfEach() throws IOException {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      long[][] steps = steps(random, random.nextInt(seed % 10 == 0 ? 600 : 40));
      StepSums sums = sums(steps);
      assertSame(steps, sums, 0, random, "seed " + seed);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      sums.write(new DataOutputStream(bytes), STATES, state -> 1_000 + state);
      ByteBuffer in = ByteBuffer.wrap(bytes.toByteArray());
      // States can have other numbers when they are read.
      StepSums read = StepSums.read(in, path -> (path - 1_000 + 7) % STATES);
      assertEquals(0, in.remaining());
      assertSame(steps, read, 7, random, "read, seed " + seed);
      for (int length = 0; length < bytes.size(); length += 1 + bytes.size() / 50) {
        ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(bytes.toByteArray(), length));
        assertThrows(RuntimeException.class, () -> StepSums.read(cut, path -> 0));
      }
    }
  }
}
