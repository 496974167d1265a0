package org.parallax.tuning.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BeforeAfterTest {
  private static final int TRIALS = 4000;

  /** @param dependence of a value on the one before; @param trend by which share it changes in a period */
  private static double share(double dependence, double trend, double factor) {
    Random random = new Random(11);
    int passed = 0;
    for (int i = 0; i < TRIALS; i++) {
      double[][] sides = new double[2][BeforeAfter.PERIODS];
      double state = random.nextGaussian() / Math.sqrt(1 - dependence * dependence);
      for (int k = 0; k < 2 * BeforeAfter.PERIODS; k++) {
        state = dependence * state + random.nextGaussian();
        sides[k / BeforeAfter.PERIODS][k % BeforeAfter.PERIODS] =
            Math.exp(0.03 * state + trend * k) * (k >= BeforeAfter.PERIODS ? factor : 1);
      }
      passed += BeforeAfter.gain(sides[0], sides[1], 0.0).helps() ? 1 : 0;
    }
    return passed / (double) TRIALS;
  }

  /** Below 1 %, with noise that depends on itself up to 0.5 and trends of up to 2 % in a period. */
  @Test
  void noiseAndTrendsHardlyPass() {
    assertBelow(0.001, share(0, 0, 1));
    assertBelow(0.01, share(0.5, 0, 1));
    assertBelow(0.01, share(0.2, -0.005, 1));
    assertBelow(0.01, share(0.2, -0.02, 1));
  }

  private static void assertBelow(double most, double passed) {
    assertTrue(passed < most, "passed: " + passed);
  }

  @Test
  void effectsPass() {
    double passed = share(0, 0, 0.7);
    assertTrue(passed > 0.95, "30 % in noise of 3 %: " + passed);
  }

  @Test
  void theGainIsThatOfTheMeans() {
    double[] before = {10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10, 11};
    double[] after = {5, 5.5, 5, 5.5, 5, 5.5, 5, 5.5, 5, 5.5, 5, 5.5};
    Gain gain = BeforeAfter.gain(before, after, 0.02);
    assertEquals(0.5, gain.share(), 1e-9);
    assertTrue(gain.helps() && gain.low() < 0.5 && gain.high() > 0.5, gain.toString());
  }
}
