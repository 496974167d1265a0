package org.parallax.tuning.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BeforeAfterTest {
  private static final int TRIALS = 4000;

  /** How a series of costs behaves: dependence of a value on the one before, change in a period, share of periods with a pause. */
  private record Noise(double deviation, double dependence, double trend, double pauses) {
    double share(double factor) {
      Random random = new Random(11);
      int passed = 0;
      for (int i = 0; i < TRIALS; i++) {
        double[] costs = new double[BeforeAfter.BEFORE + BeforeAfter.MOST_WAITED + BeforeAfter.MORE_AFTER];
        double state = random.nextGaussian() / Math.sqrt(1 - dependence * dependence);
        for (int k = 0; k < costs.length; k++) {
          state = dependence * state + random.nextGaussian();
          costs[k] = Math.exp(deviation * state + trend * k) * (random.nextDouble() < pauses ? 2 : 1);
        }
        // The action waits while the cost falls by itself.
        int waited = 0;
        double[] before = Arrays.copyOf(costs, BeforeAfter.BEFORE);
        while (waited < BeforeAfter.MOST_WAITED && BeforeAfter.falls(before)) {
          waited++;
          before = Arrays.copyOfRange(costs, waited, waited + BeforeAfter.BEFORE);
        }
        int acted = waited + BeforeAfter.BEFORE;
        double[] after = Arrays.stream(costs, acted, acted + BeforeAfter.MORE_AFTER).map(cost -> cost * factor).toArray();
        Gain gain = BeforeAfter.gain(before, Arrays.copyOf(after, BeforeAfter.AFTER), 0.0);
        if (BeforeAfter.isOpen(gain, 0.0)) {
          gain = BeforeAfter.gain(before, after, 0.0);
        }
        passed += gain.helps() ? 1 : 0;
      }
      return passed / (double) TRIALS;
    }
  }

  private static double share(double dependence, double trend, double factor) {
    return new Noise(0.03, dependence, trend, 0).share(factor);
  }

  /** Below 1 %, with noise that depends on itself up to 0.5 and trends of up to 2 % in a period. */
  @Test
  void noiseAndTrendsHardlyPass() {
    assertBelow(0.001, share(0, 0, 1));
    assertBelow(0.01, share(0.5, 0, 1));
    assertBelow(0.01, share(0.2, -0.005, 1));
    assertBelow(0.01, share(0.2, -0.02, 1));
  }

  /** Pauses of the program make periods twice as long; they hide no effect, and are none. */
  @Test
  void pausesHideNoEffect() {
    assertBelow(0.01, new Noise(0.05, 0, 0, 0.05).share(1));
    assertBelow(0.01, new Noise(0.05, 0.5, 0, 0.05).share(1));
    assertBelow(0.01, new Noise(0.05, 0.2, -0.005, 0.05).share(1));
    assertBelow(0.01, new Noise(0.05, 0, 0, 0.2).share(1));
    double passed = new Noise(0.05, 0, 0, 0.05).share(0.75);
    assertTrue(passed > 0.9, "25 % in noise of 5 % with pauses: " + passed);
  }

  private static void assertBelow(double most, double passed) {
    assertTrue(passed < most, "passed: " + passed);
  }

  @Test
  void whatFallsByItselfIsSeen() {
    Random random = new Random(3);
    int constant = 0;
    int falling = 0;
    for (int i = 0; i < TRIALS; i++) {
      double[] costs = new double[BeforeAfter.BEFORE];
      double[] less = new double[BeforeAfter.BEFORE];
      for (int k = 0; k < costs.length; k++) {
        costs[k] = Math.exp(0.03 * random.nextGaussian());
        less[k] = costs[k] * Math.exp(-0.01 * k);
      }
      constant += BeforeAfter.falls(costs) ? 1 : 0;
      falling += BeforeAfter.falls(less) ? 1 : 0;
    }
    assertTrue(constant < 0.25 * TRIALS, "noise: " + constant);
    assertTrue(falling > 0.99 * TRIALS, "1 % in a period: " + falling);
  }

  @Test
  void effectsPass() {
    double passed = share(0, 0, 0.7);
    assertTrue(passed > 0.95, "30 % in noise of 3 %: " + passed);
  }

  /** What twelve periods after the action leave open, 36 often decide: without them, 52 % pass here. */
  @Test
  void smallEffectsPassWithMorePeriods() {
    double passed = new Noise(0.1, 0.2, 0, 0).share(0.76);
    assertTrue(passed > 0.7, "24 % in noise of 10 %: " + passed);
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
