package org.parallax.experiment.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.hipparchus.distribution.discrete.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.Term;

/**
 * What the methods promise, in 200 experiments each whose truth is planted. The limits are those
 * that chance passes once in a thousand.
 */
class SimulationTest {
  private static final int EXPERIMENTS = 200;
  private static final long SEED = 4859;
  private static final Map<Term, Double> TRUTH = Map.of(Term.of(0), 6.0, Term.of(1), -3.0,
      Term.of(0, 1), 2.0, Term.of(2), 1.0);

  private static Design design(String name) {
    return switch (name) {
      case "full" -> Planted.full(3);
      case "sixteen" -> Planted.full(4);
      case "fraction" -> Planted.fraction();
      default -> Planted.burman(6);
    };
  }

  /** Fails when a rate is larger than promised by more than chance. */
  private static void atMost(double rate, int count, String what) {
    int limit = new BinomialDistribution(EXPERIMENTS, rate).inverseCumulativeProbability(0.999);
    assertTrue(count <= limit, what + ": " + count + " of " + EXPERIMENTS + ", more than " + limit
        + "; seed " + SEED);
  }

  @ParameterizedTest
  @CsvSource({
      "full, 3, 0, NORMAL", "full, 3, 0, MEASURED", "full, 3, 3, NORMAL", "full, 3, 3, MEASURED",
      "fraction, 2, 0, NORMAL", "fraction, 2, 0, MEASURED", "fraction, 1, 0, NORMAL",
      "fraction, 1, 0, MEASURED", "burman, 2, 0, NORMAL", "burman, 2, 0, MEASURED",
      "sixteen, 1, 0, NORMAL", "sixteen, 1, 0, MEASURED"})
  void intervalsHaveTheTruthAndNothingIsFoundWhereNothingIs(String name, int replicates,
      int missing, Planted.Shape shape) {
    Design design = design(name);
    Map<Term, Double> truth = name.equals("burman")
        ? Map.of(Term.of(0), 6.0, Term.of(1), -3.0) : TRUTH;
    int missed = 0;
    int percentMissed = 0;
    int wrong = 0;
    double all = 0;
    double covered = 0;
    double falseShare = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
      Planted planted = new Planted(SEED + i, design, truth, shape);
      Responses responses = planted.responses(replicates, 0, missing);
      Effects effects = Effects.of(responses, Options.of(design.factors()));
      // One effect of each experiment: those of one experiment share their error.
      int chosen = new Random(SEED - i).nextInt(design.factors());
      boolean anyWrong = false;
      int found = 0;
      int foundWrong = 0;
      for (Effect effect : effects.effects()) {
        if (effect.forNoise()) {
          continue;
        }
        double true1 = planted.truth(effect);
        all++;
        covered += effect.interval().contains(true1) ? 1 : 0;
        anyWrong |= true1 == 0 && effect.verdict().isMarked();
        found += effect.benjaminiHochberg() <= 0.05 ? 1 : 0;
        foundWrong += effect.benjaminiHochberg() <= 0.05 && true1 == 0 ? 1 : 0;
        if (effect.term().equals(Term.of(chosen))) {
          missed += effect.interval().contains(true1) ? 0 : 1;
          int base = responses.unperturbedRun();
          if (missing == 0 && effects.baseline().trials() > 0) {
            double percent = 100 * true1 / (planted.mean(base) + (replicates - 1));
            percentMissed += effect.percentInterval().contains(percent) ? 0 : 1;
          }
        }
      }
      wrong += anyWrong ? 1 : 0;
      falseShare += found == 0 ? 0 : (double) foundWrong / found;
    }
    atMost(0.05, missed, "intervals without the truth");
    atMost(0.05, percentMissed, "intervals of percentages without the truth");
    atMost(0.05, wrong, "experiments in which a wrong effect survives Holm's correction");
    assertEquals(0.95, covered / all, 0.02, "of all intervals");
    assertTrue(falseShare / EXPERIMENTS < 0.05, "wrong ones of those that are found: "
        + falseShare / EXPERIMENTS);
  }

  @ParameterizedTest
  @EnumSource(Planted.Shape.class)
  void robustMethodsKeepTheirPromises(Planted.Shape shape) {
    int wrong = 0;
    int byNothing = 0;
    double all = 0;
    double covered = 0;
    double truths = 0;
    double byRanks = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
      Planted planted = new Planted(SEED + i, Planted.full(3), TRUTH, shape);
      Robust robust =
          Robust.of(Effects.of(planted.responses(3, 0), Options.of(3)));
      boolean anyWrong = false;
      for (Robust.RobustEffect effect : robust.effects()) {
        double truth = planted.truth(effect.classic());
        all++;
        covered += effect.interval().contains(truth) ? 1 : 0;
        if (truth == 0) {
          truths++;
          byRanks += effect.rankP() < 0.05 ? 1 : 0;
          anyWrong |= effect.permutationP() < 0.05;
        }
      }
      wrong += anyWrong ? 1 : 0;
      Planted nothing = new Planted(SEED + i, Planted.full(3), Map.of(), shape);
      byNothing += Robust.of(Effects.of(nothing.responses(2, 0), Options.of(3))).effects().stream()
          .anyMatch(effect -> effect.permutationP() <= 0.05) ? 1 : 0;
    }
    atMost(0.05, wrong, "experiments in which permutation finds a wrong effect");
    atMost(0.05, byNothing, "experiments without effects in which permutation finds one");
    assertEquals(0.95, covered / all, 0.025, "of bootstrap intervals");
    assertEquals(0.05, byRanks / truths, 0.025, "of rank tests of no effect");
  }

  private static int count(Predicate<Integer> experiment) {
    int count = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
      count += experiment.test(i) ? 1 : 0;
    }
    return count;
  }

  @ParameterizedTest
  @EnumSource(Planted.Shape.class)
  void driftIsSeenWhenItIsThere(Planted.Shape shape) {
    // 5 standard deviations within each block of 16 trials.
    int seen = count(i -> drift(i, shape, 0.3).isTrend());
    assertTrue(seen >= 190, "drift is missed: " + seen);
    atMost(0.01, count(i -> drift(i, shape, 0).isTrend()), "drift where there is none");
  }

  private static Drift drift(int i, Planted.Shape shape, double drift) {
    Planted planted = new Planted(SEED + i, Planted.fraction(), TRUTH, shape);
    return Drift.of(Effects.of(planted.responses(2, drift), Options.of(6))).orElseThrow();
  }

  @Test
  void skewedNoiseIsSeen() {
    int seen = count(i -> residuals(i, true).isSkewed());
    assertTrue(seen >= 170, "skewness is missed: " + seen);
    atMost(0.01, count(i -> residuals(i, false).isSkewed()), "skewness where there is none");
    atMost(0.01, count(i -> residuals(i, false).hasOutlier()), "outliers where there are none");
  }

  private static Residuals residuals(int i, boolean skewed) {
    Planted planted = new Planted(SEED + i, Planted.fraction(), TRUTH, Planted.Shape.NORMAL);
    Responses responses = planted.responses(3, 0);
    double[] values = responses.values();
    for (int k = 0; k < values.length; k++) {
      double noise = Math.exp(planted.random.nextGaussian());
      values[k] = skewed ? planted.mean(responses.observations().get(k).run()) + noise : values[k];
    }
    return Residuals.of(Effects.of(responses.with(values), Options.of(6))).orElseThrow();
  }

  @Test
  void aCorrelationOfTrialsIsSeen() {
    int seen = count(i -> {
      Planted planted = new Planted(SEED + i, Planted.fraction(), TRUTH, Planted.Shape.NORMAL);
      Responses responses = planted.responses(6, 0);
      double[] values = responses.values();
      double last = 0;
      for (int k = 0; k < values.length; k++) {
        last = 0.9 * last + planted.random.nextGaussian();
        values[k] += 2 * last;
      }
      return Drift.of(Effects.of(responses.with(values), Options.of(6))).orElseThrow()
          .isCorrelated();
    });
    assertTrue(seen >= 180, "correlation is missed: " + seen);
    atMost(0.01, count(i -> drift(i, Planted.Shape.NORMAL, 0).isCorrelated()),
        "correlation where there is none");
  }

  @ParameterizedTest
  @EnumSource(Planted.Shape.class)
  void maskingIsSeenWhenItIsThere(Planted.Shape shape) {
    // Where factor 3 is at +, the others do nothing: that halves their effects.
    Map<Term, Double> masked = Map.of(Term.of(3), 30.0, Term.of(0), 4.0, Term.of(0, 3), -4.0,
        Term.of(1), 3.0, Term.of(1, 3), -3.0, Term.of(2), 3.0, Term.of(2, 3), -3.0);
    assertTrue(count(i -> masking(i, shape, masked)) >= 198, "masking is missed");
    Map<Term, Double> additive = Map.of(Term.of(3), 30.0, Term.of(0), 4.0, Term.of(1), 3.0);
    atMost(0.01, count(i -> masking(i, shape, additive)), "masking where factors just add up");
    atMost(0.01, count(i -> masking(i, shape, Map.of(Term.of(3), 30.0))),
        "masking of nothing");
  }

  private static boolean masking(int i, Planted.Shape shape, Map<Term, Double> truth) {
    Planted planted = new Planted(SEED + i, Planted.fraction(), truth, shape);
    Masking masking =
        Masking.of(Effects.of(planted.responses(2, 0), Options.of(6))).orElse(null);
    if (masking != null) {
      assertEquals(3, masking.factor());
      assertEquals(-1, masking.level());
    }
    return masking != null;
  }

  /** An effect of the size that is called detectable is found in 80 of 100 experiments. */
  @Test
  void detectableEffectsAreFoundAtTheStatedRate() {
    Sensitivity sensitivity = Sensitivity.of(Effects.of(
        new Planted(SEED, Planted.full(4), Map.of(), Planted.Shape.NORMAL).responses(3, 0),
        Options.of(4)));
    // In units of the true noise, which is 1.
    double detectable = sensitivity.detectable() / sensitivity.deviation();
    int found = count(i -> Effects.of(new Planted(SEED + i, Planted.full(4),
        Map.of(Term.of(2), detectable), Planted.Shape.NORMAL).responses(3, 0), Options.of(4))
        .effect(2).orElseThrow().p() <= 0.05);
    BinomialDistribution promised = new BinomialDistribution(EXPERIMENTS, 0.8);
    assertTrue(found >= promised.inverseCumulativeProbability(0.001)
        && found <= promised.inverseCumulativeProbability(0.999), found + " of 200");
    assertEquals(3, sensitivity.replicates(sensitivity.detectable() * 1.02).orElseThrow());
  }
}
