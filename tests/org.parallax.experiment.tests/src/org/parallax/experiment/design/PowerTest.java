package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;
import org.junit.jupiter.api.Test;

class PowerTest {
  /** Columns: t, degrees of freedom, delta, and scipy.stats.nct.cdf(t, df, delta) of SciPy. */
  private static final double[][] NONCENTRAL = {
      {0, 5, 0, 0.5}, {1, 5, 0.5, 0.6665357026872718}, {2.5, 3, 1, 0.8241837592004869},
      {-1.5, 10, 0.7, 0.01982207930772395}, {2.2, 10, -1, 0.9978381728789844},
      {3, 1, 2, 0.5248571617336879}, {2.0, 30, 2.8, 0.21447191858579223},
      {10, 4, 5, 0.8982395306941525}, {1.96, 1000, 2.8, 0.20054274129423164},
      {40, 15, 35, 0.7158476226064869}, {-0.3, 2, -0.1, 0.43485631728566143},
      {0, 7, 1.3, 0.09680048458561032}, {2.1314, 15, 2.9, 0.2264536289040599}};

  @Test
  void theNoncentralDistributionIsThatOfOtherPrograms() {
    for (double[] row : NONCENTRAL) {
      assertEquals(row[3], NoncentralT.cumulative(row[0], row[1], row[2]), 1e-9);
    }
  }

  @Test
  void withoutNoncentralityItIsTheDistributionOfT() {
    for (double degrees : new double[] {1, 2.5, 15, 200}) {
      TDistribution t = new TDistribution(degrees);
      for (double at = -6; at <= 6; at += 0.7) {
        assertEquals(t.cumulativeProbability(at), NoncentralT.cumulative(at, degrees, 0), 1e-10);
      }
    }
    NormalDistribution normal = new NormalDistribution();
    assertEquals(normal.cumulativeProbability(-1.2),
        NoncentralT.cumulative(1.8, Double.POSITIVE_INFINITY, 3), 1e-12);
    assertThrows(IllegalArgumentException.class, () -> NoncentralT.cumulative(1, 0, 1));
  }

  /** statsmodels TTestIndPower().power(effect, n, 0.05); R's power.t.test(20, 1). */
  @Test
  void powerIsThatOfOtherPrograms() {
    assertEquals(0.7965450101336035, new Power(16, 1, 14, 0.05).toSee(1.5), 1e-9);
    assertEquals(0.7813977924664225, new Power(32, 1, 30, 0.05).toSee(1.0), 1e-9);
    assertEquals(0.39599043473105255, new Power(48, 1, 46, 0.05).toSee(0.5), 1e-9);
    assertEquals(0.5600592535808472, new Power(200, 1, 198, 0.05).toSee(0.3), 1e-9);
    assertEquals(0.8689528, new Power(40, 1, 38, 0.05).toSee(1), 1e-6);
  }

  /** A program of 0.2 s whose runs vary by 1.3 %. */
  @Test
  void whatIsSeenAtTheNoiseOfAFixedProgram() {
    Power sixteen = Power.of(Fraction.full(4).design(), 1, 1.3);
    assertEquals("16 runs: an effect of 1.8 % with power 80 % at noise 1.3 %",
        sixteen.text(0.8, "%"));
    assertEquals(0.65, sixteen.standardError(), 1e-12);
    assertEquals("64 runs: an effect of 0.93 % with power 80 % at noise 1.3 %",
        Power.of(Fraction.full(4).design(), 4, 1.3).text(0.8, "%"));
    assertEquals(4, Power.replicates(Fraction.full(4).design(), 0.94, 1.3, 0.8).getAsInt());
    assertEquals(1, Power.replicates(Fraction.full(4).design(), 1.83, 1.3, 0.8).getAsInt());
  }

  @Test
  void centrePointsDoNotCountForEffects() {
    Design design = Augmentation.withCentrePoints(Fraction.full(4).design(), 4);
    assertEquals(0.65, Power.of(design, 1, 1.3).standardError(), 1e-12);
  }

  @Test
  void powerRisesWithEffectRunsAndCertainty() {
    long seed = 1989;
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      int runs = 4 << random.nextInt(5);
      double degrees = 1 + random.nextInt(60);
      double noise = 0.1 + random.nextDouble();
      double effect = 3 * random.nextDouble();
      String seeded = "seed " + seed + " round " + round;
      double power = new Power(runs, noise, degrees, 0.05).toSee(effect);
      assertTrue(power >= 0.05 - 1e-9 && power <= 1, seeded);
      assertTrue(new Power(runs, noise, degrees, 0.05).toSee(effect + 0.1) >= power - 1e-9, seeded);
      assertTrue(new Power(2 * runs, noise, degrees, 0.05).toSee(effect) >= power - 1e-9, seeded);
      assertTrue(new Power(runs, noise, degrees + 5, 0.05).toSee(effect) >= power - 1e-9, seeded);
      assertTrue(new Power(runs, noise, degrees, 0.1).toSee(effect) >= power - 1e-9, seeded);
      double wanted = 0.1 + 0.85 * random.nextDouble();
      Power some = new Power(runs, noise, degrees, 0.05);
      assertEquals(wanted, some.toSee(some.smallestEffect(wanted)), 1e-6, seeded);
    }
  }

  @Test
  void replicatesAreTheFewestThatSeeTheEffect() {
    Design design = Fraction.full(3).design();
    for (double effect : new double[] {0.1, 0.3, 0.9, 2.5}) {
      int replicates = Power.replicates(design, effect, 1, 0.8).getAsInt();
      assertTrue(Power.of(design, replicates, 1).toSee(effect) >= 0.8);
      assertTrue(replicates == 1 || Power.of(design, replicates - 1, 1).toSee(effect) < 0.8);
    }
    assertTrue(Power.replicates(design, 1e-4, 1, 0.8).isEmpty(), "hopeless");
    assertEquals(1, Power.replicates(design, 0.1, 0, 0.8).getAsInt(), "no noise");
  }

  /** Experiments drawn with normal noise, tested as the effects are: replicates as blocks. */
  @Test
  void simulatedExperimentsSeeTheEffectAsOften() {
    long seed = 1992;
    Random random = new Random(seed);
    Design design = Fraction.full(3).design();
    int replicates = 3;
    double effect = 1.2;
    Power power = Power.of(design, replicates, 1);
    double critical = new TDistribution(power.degreesOfFreedom())
        .inverseCumulativeProbability(0.975);
    int experiments = 4000;
    int seen = 0;
    for (int experiment = 0; experiment < experiments; experiment++) {
      double[][] responses = new double[replicates][8];
      for (int replicate = 0; replicate < replicates; replicate++) {
        double block = random.nextGaussian() * 5;
        for (int run = 0; run < 8; run++) {
          responses[replicate][run] = block + effect / 2 * design.settings()[run][0]
              + random.nextGaussian();
        }
      }
      seen += significant(responses, design, critical) ? 1 : 0;
    }
    double rate = (double) seen / experiments;
    double expected = power.toSee(effect);
    assertEquals(expected, rate, 4 * Math.sqrt(expected * (1 - expected) / experiments),
        "seed " + seed);
  }

  private static boolean significant(double[][] responses, Design design, double critical) {
    int replicates = responses.length;
    double[] means = new double[replicates];
    double[] runs = new double[8];
    double contrast = 0;
    for (int replicate = 0; replicate < replicates; replicate++) {
      for (int run = 0; run < 8; run++) {
        means[replicate] += responses[replicate][run] / 8;
        runs[run] += responses[replicate][run] / replicates;
        contrast += design.settings()[run][0] * responses[replicate][run] / (4 * replicates);
      }
    }
    double grand = IntStream.range(0, 8).mapToDouble(run -> runs[run] / 8).sum();
    double squares = 0;
    for (int replicate = 0; replicate < replicates; replicate++) {
      for (int run = 0; run < 8; run++) {
        double rest = responses[replicate][run] - means[replicate] - runs[run] + grand;
        squares += rest * rest;
      }
    }
    double noise = Math.sqrt(squares / (7 * (replicates - 1)));
    return Math.abs(contrast) / (2 * noise / Math.sqrt(8 * replicates)) > critical;
  }

  @Test
  void wrongUseIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Power(1, 1, 5, 0.05));
    assertThrows(IllegalArgumentException.class, () -> new Power(8, -1, 5, 0.05));
    assertThrows(IllegalArgumentException.class, () -> new Power(8, Double.NaN, 5, 0.05));
    assertThrows(IllegalArgumentException.class,
        () -> new Power(8, 1, 5, 0.05).smallestEffect(0.05));
  }
}
