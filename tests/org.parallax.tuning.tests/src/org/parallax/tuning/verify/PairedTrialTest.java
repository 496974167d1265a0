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
    double of14 = share(14, 0, 1);
    assertTrue(of8 > 0.004 && of8 < 0.0100 + 0.003, "8 pairs: " + of8);
    assertTrue(of12 > 0.004 && of12 < 0.0100 + 0.003, "12 pairs: " + of12);
    assertTrue(of14 > 0.004 && of14 < 0.0100 + 0.003, "14 pairs: " + of14);
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

  /** A row of the table of docs/tuning.md: noise of 20 % that depends on itself, a tenth of the periods about twice as long, a gain of 30 %. */
  @Test
  void fourteenPairsBearMoreNoise() {
    assertEquals(0.48, passedInNoise(8), 0.05);
    assertEquals(0.75, passedInNoise(14), 0.05);
  }

  private static double passedInNoise(int pairs) {
    Random random = new Random(19);
    int trials = 4000;
    int passed = 0;
    for (int i = 0; i < trials; i++) {
      PairedTrial trial = new PairedTrial(pairs, 0.02, random);
      double[] state = new double[1];
      while (!trial.isComplete() && !trial.isHopeless()) {
        double first = period(random, state);
        double second = period(random, state);
        trial.add(trial.isNewFirst() ? second : first, 0.7 * (trial.isNewFirst() ? first : second));
        trial.draw();
      }
      passed += trial.gain().helps() ? 1 : 0;
    }
    return passed / (double) trials;
  }

  private static double period(Random random, double[] state) {
    state[0] = 0.5 * state[0] + Math.sqrt(0.75) * 0.2 * random.nextGaussian();
    return Math.exp(state[0]) * (random.nextInt(10) == 0 ? Math.pow(2, 0.5 + random.nextDouble()) : 1);
  }

  /** With 14 pairs one may be spoilt, whatever its size; 8 allow only the smallest one to be. */
  @Test
  void aNoisyPairSpoilsNoLongTrial() {
    for (int pairs : new int[] {8, 14}) {
      PairedTrial trial = new PairedTrial(pairs, 0.02, new Random(1));
      while (!trial.isComplete() && !trial.isHopeless()) {
        trial.add(100, trial.made() == 4 ? 300 : 80 + trial.made());
      }
      assertEquals(pairs == 14, trial.gain().helps(), pairs + " pairs");
    }
  }

  /** What is worse is not made for long, though a long trial could still pass. */
  @Test
  void threePairsWithoutABetterOneEndALongTrial() {
    PairedTrial trial = new PairedTrial(14, 0.02, new Random(1));
    trial.add(100, 99);
    trial.add(100, 150);
    assertFalse(trial.isHopeless());
    trial.add(100, 100);
    assertTrue(trial.isHopeless());
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
