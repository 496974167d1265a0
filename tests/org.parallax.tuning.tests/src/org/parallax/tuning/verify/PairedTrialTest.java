package org.parallax.tuning.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PairedTrialTest {
  private static final int TRIALS = 10_000;

  /** Noise of many kinds: it depends on itself, is skewed, drifts, and has steps and outliers. */
  private static final class Noise {
    private final Random random;
    private final double trend;
    private double state;
    private double level = 1;

    Noise(Random random) {
      this.random = random;
      this.trend = 1 + 0.02 * random.nextGaussian();
    }

    double next() {
      state = 0.7 * state + 0.1 * random.nextGaussian();
      level *= trend * (random.nextInt(20) == 0 ? 1.5 : 1);
      return level * Math.exp(state) * (random.nextInt(10) == 0 ? 3 : 1);
    }
  }

  private static boolean helps(Random random, Noise noise, int pairs, double margin, double factor) {
    PairedTrial trial = new PairedTrial(pairs, margin, random);
    while (!trial.isComplete() && !trial.isHopeless()) {
      boolean newFirst = trial.isNewFirst();
      double first = noise.next() * (newFirst ? factor : 1);
      double second = noise.next() * (newFirst ? 1 : factor);
      trial.add(newFirst ? second : first, newFirst ? first : second);
      trial.draw();
    }
    return trial.gain().helps();
  }

  private static double share(int pairs, double margin, double factor) {
    Random random = new Random(7);
    int passed = 0;
    for (int i = 0; i < TRIALS; i++) {
      passed += helps(random, new Noise(random), pairs, margin, factor) ? 1 : 0;
    }
    return passed / (double) TRIALS;
  }

  /** The promise: at most 1 % of actions without effect pass, whatever the noise. With 8 pairs 2 of 256 orders do. */
  @Test
  void noisePassesInOnePercentAtMost() {
    double of8 = share(8, 0, 1);
    double of12 = share(12, 0, 1);
    assertTrue(of8 > 0.004 && of8 < 0.0100 + 0.003, "8 pairs: " + of8);
    assertTrue(of12 > 0.004 && of12 < 0.0100 + 0.003, "12 pairs: " + of12);
    assertTrue(share(8, 0.02, 1) <= of8, "a margin makes it harder");
  }

  @Test
  void effectsPass() {
    Random random = new Random(3);
    int passed = 0;
    for (int i = 0; i < 1000; i++) {
      PairedTrial trial = new PairedTrial(8, 0.02, random);
      while (!trial.isComplete() && !trial.isHopeless()) {
        trial.isNewFirst();
        trial.add(Math.exp(0.03 * random.nextGaussian()), 0.85 * Math.exp(0.03 * random.nextGaussian()));
      }
      passed += trial.gain().helps() ? 1 : 0;
    }
    assertTrue(passed > 980, "15 % of gain in noise of 3 %: " + passed + " of 1000");
  }

  /** The sums of ranks of 4 signs: 0 1 2 3 3 4 4 5 5 6 6 7 7 8 9 10. */
  @Test
  void theDistributionIsExact() {
    assertEquals(1 / 16.0, PairedTrial.probability(0, 4), 1e-12);
    assertEquals(5 / 16.0, PairedTrial.probability(3, 4), 1e-12);
    assertEquals(1, PairedTrial.probability(10, 4), 1e-12);
  }

  @Test
  void theGainHasItsInterval() {
    PairedTrial trial = new PairedTrial(8, 0.02, new Random(1));
    for (int i = 0; i < 8; i++) {
      assertFalse(trial.isComplete());
      trial.add(100, 80 + i);
    }
    Gain gain = trial.gain();
    assertTrue(gain.helps(), gain.toString());
    assertEquals(0.165, gain.share(), 0.002);
    assertTrue(gain.low() < gain.share() && gain.high() > gain.share() && gain.low() > 0.13 && gain.high() < 0.2, gain.toString());
    assertEquals(1 / 256.0, gain.probability(), 1e-12);
  }

  /** A gain below the margin is no gain. */
  @Test
  void theMarginCounts() {
    PairedTrial trial = new PairedTrial(8, 0.05, new Random(1));
    for (int i = 0; i < 8 && !trial.isHopeless(); i++) {
      trial.add(100, 96 + i * 0.01);
    }
    assertFalse(trial.gain().helps());
    assertTrue(trial.made() < 8, "it ends early: " + trial.made());
  }
}
