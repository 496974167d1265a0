package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.stat.StatUtils;
import org.hipparchus.stat.descriptive.moment.Skewness;
import org.hipparchus.stat.ranking.NaturalRanking;

/** Estimates effects by permutation, bootstrap, medians and ranks. */
final class RobustEstimate {
  private static final int RESAMPLES = 2_000;
  /** With fewer, a bootstrap has too few residuals to draw from. */
  private static final int LEAST_RESIDUALS = 8;
  private static final int LEAST_FOR_MEDIANS = 3;
  /** Steps of the permutation test stop here: what comes after is larger still. */
  private static final double HOPELESS = 0.5;

  private final Effects effects;
  private final Responses responses;
  private final double[] values;
  private final TwoLevelModel model;
  /** How each effect comes from the observations. */
  private final double[][] weights;

  RobustEstimate(Effects effects) {
    this.effects = effects;
    responses = effects.responses();
    values = responses.values();
    model = new TwoLevelModel(responses, effects.options().order());
    weights = new double[effects.effects().size()][];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = Arrays.stream(model.squares().weights(model.column(i))).map(w -> 2 * w)
          .toArray();
    }
  }

  Robust robust() {
    Permutations permutations =
        new Permutations(Permutations.blocks(responses), effects.options().seed());
    double[] permutationP = permutationP(permutations);
    double[] medians = medians();
    double[] rankP = rankP();
    double[] residuals = residuals();
    Interval[] intervals = residuals == null ? new Interval[weights.length]
        : bootstrap(residuals);
    List<Robust.RobustEffect> all = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      all.add(new Robust.RobustEffect(effects.effects().get(i), medians[i], permutationP[i],
          intervals[i], rankP[i]));
    }
    return new Robust(List.copyOf(all), permutations.isExact(), residuals == null
        ? "none: fewer than " + LEAST_RESIDUALS + " degrees of freedom of noise"
        : "BCa, expanded for few residuals, of " + RESAMPLES + " resamples");
  }

  /**
   * From the largest effect to the smallest: what the larger ones and the blocks leave is exchanged
   * within blocks, and the largest of the remaining effects of that compared with the observed one
   * (Loughin, Noble 1997, A Permutation Test for Effects in an Unreplicated Factorial Design).
   */
  private double[] permutationP(Permutations permutations) {
    double[][] units = Arrays.stream(weights).map(RobustEstimate::unit).toArray(double[][]::new);
    double[] observed = Arrays.stream(units).mapToDouble(unit ->
        Math.abs(LeastSquares.dot(unit, values))).toArray();
    int[] order = IntStream.range(0, units.length).boxed()
        .sorted(Comparator.comparingDouble(i -> -observed[i])).mapToInt(i -> i).toArray();
    List<double[]> columns = new ArrayList<>(TwoLevelModel.frame(responses));
    double[] p = new double[units.length];
    double largest = 0;
    int free = values.length - model.blocks();
    for (int step = 0; step < order.length; step++) {
      if (largest < HOPELESS) {
        LeastSquares reduced = new LeastSquares(values.length, columns);
        int left = reduced.degreesOfFreedom();
        if (left < 2 || effects.effects().get(order[step]).estimate() == 0) {
          largest = 1;
        } else {
          double[] residuals = reduced.residuals(values);
          double scale = Math.sqrt((double) free / left);
          int[] rest = Arrays.copyOfRange(order, step, order.length);
          largest = Math.max(largest, share(permutations, residuals, units, rest,
              observed[order[step]] / scale * (1 - 1e-9)));
        }
      }
      p[order[step]] = largest;
      columns.add(model.column(model.strings().get(order[step]).first()));
    }
    return p;
  }

  /** Of the orders, those in which an effect is at least as large as the limit. */
  private static double share(Permutations permutations, double[] residuals, double[][] units,
      int[] rest, double limit) {
    int[] counts = new int[2];
    double[] shuffled = new double[residuals.length];
    permutations.forEach(order -> {
      for (int i = 0; i < order.length; i++) {
        shuffled[order[i]] = residuals[i];
      }
      counts[0]++;
      for (int effect : rest) {
        if (Math.abs(LeastSquares.dot(units[effect], shuffled)) >= limit) {
          counts[1]++;
          break;
        }
      }
    });
    return Math.max(1, counts[1]) / (double) counts[0];
  }

  private static double[] unit(double[] weights) {
    double length = Math.sqrt(LeastSquares.dot(weights, weights));
    return Arrays.stream(weights).map(weight -> weight / length).toArray();
  }

  /** The effects of the runs' medians, differences between blocks taken out. */
  private double[] medians() {
    double[] medians = new double[weights.length];
    Arrays.fill(medians, Double.NaN);
    List<Observation> middle = new ArrayList<>();
    double[] adjusted = NoiseEstimate.withoutBlocks(responses);
    for (int run = 0; run < responses.design().runs(); run++) {
      int own = run;
      double[] of = IntStream.range(0, values.length)
          .filter(i -> responses.observations().get(i).run() == own)
          .mapToDouble(i -> adjusted[i]).toArray();
      if (of.length > 0 && of.length < LEAST_FOR_MEDIANS) {
        return medians;
      }
      if (of.length > 0) {
        middle.add(new Observation(run, 0, 0, run, StatUtils.percentile(of, 50)));
      }
    }
    Responses only = new Responses(responses.design(), responses.factors(), responses.response(),
        responses.unit(), middle, List.of());
    TwoLevelModel small = new TwoLevelModel(only, effects.options().order());
    for (int i = 0; i < weights.length; i++) {
      int at = small.strings().indexOf(model.strings().get(i));
      if (at >= 0) {
        medians[i] = 2 * LeastSquares.dot(small.squares().weights(small.column(at)),
            only.values());
      }
    }
    return medians;
  }

  /** Ranks of each effect and what the whole model leaves, analysed by the same model. */
  private double[] rankP() {
    double[] p = new double[weights.length];
    Arrays.fill(p, Double.NaN);
    List<double[]> columns = new ArrayList<>(TwoLevelModel.frame(responses));
    int[] column = new int[weights.length];
    for (int i = 0; i < weights.length; i++) {
      column[i] = effects.effects().get(i).forNoise() ? -1 : columns.size();
      if (column[i] >= 0) {
        columns.add(model.column(model.strings().get(i).first()));
      }
    }
    LeastSquares squares = new LeastSquares(values.length, columns);
    int degrees = squares.degreesOfFreedom();
    if (degrees < 2) {
      return p;
    }
    double[] residuals = squares.residuals(values);
    double scale = Math.sqrt(LeastSquares.dot(residuals, residuals) / degrees);
    if (responses.isRounding(scale)) {
      return p;
    }
    for (int i = 0; i < weights.length; i++) {
      if (column[i] < 0) {
        continue;
      }
      double[] own = squares.weights(column[i]);
      double coefficient = LeastSquares.dot(own, values);
      double[] aligned = new double[values.length];
      for (int k = 0; k < aligned.length; k++) {
        // Equal but for rounding is equal.
        aligned[k] = Math.rint((residuals[k] + coefficient * columns.get(column[i])[k])
            / scale * 1e8);
      }
      double[] ranks = new NaturalRanking().rank(aligned);
      double deviation = Math.sqrt(squares.residualSquares(ranks) / degrees);
      double t = LeastSquares.dot(own, ranks)
          / (deviation * Math.sqrt(LeastSquares.dot(own, own)));
      p[i] = new Noise(Noise.Source.RESIDUAL, deviation, degrees).probability(t);
    }
    return p;
  }

  /** What the model of the noise leaves, as large as the noise; null when that is too little. */
  private double[] residuals() {
    LeastSquares squares = switch (effects.noise().source()) {
      case REPLICATES -> NoiseEstimate.saturated(responses);
      case PURE_STRINGS, RESIDUAL -> new TwoLevelModel(responses, 2).squares();
      default -> null;
    };
    if (squares == null || squares.degreesOfFreedom() < LEAST_RESIDUALS
        || effects.noise().deviation() == 0) {
      return null;
    }
    double scale = Math.sqrt((double) values.length / squares.degreesOfFreedom());
    return Arrays.stream(squares.residuals(values)).map(value -> value * scale).toArray();
  }

  /**
   * Bias-corrected and accelerated intervals (Efron 1987); residuals of all runs are alike. With
   * the quantile of t instead of the normal one they are as wide for few residuals as they should
   * be (Hesterberg 2015, What Teachers Should Know about the Bootstrap, section 5.3).
   */
  private Interval[] bootstrap(double[] residuals) {
    Random random = new Random(effects.options().seed());
    double[][] drawn = new double[weights.length][RESAMPLES];
    double[] sample = new double[residuals.length];
    for (int round = 0; round < RESAMPLES; round++) {
      for (int i = 0; i < sample.length; i++) {
        sample[i] = residuals[random.nextInt(residuals.length)];
      }
      for (int i = 0; i < weights.length; i++) {
        drawn[i][round] = LeastSquares.dot(weights[i], sample);
      }
    }
    Interval[] intervals = new Interval[weights.length];
    for (int i = 0; i < weights.length; i++) {
      intervals[i] = accelerated(drawn[i], effects.effects().get(i).estimate());
    }
    return intervals;
  }

  private Interval accelerated(double[] errors, double estimate) {
    NormalDistribution normal = new NormalDistribution();
    double below = Arrays.stream(errors).filter(error -> error < 0).count() + 0.5;
    double bias = normal.inverseCumulativeProbability(below / (errors.length + 1));
    // An effect is a sum, of which the acceleration is a sixth of the skewness.
    double acceleration = new Skewness().evaluate(errors) / 6;
    double quantile = effects.noise().quantile(effects.options().confidence());
    double[] shares = new double[2];
    for (int side = 0; side < 2; side++) {
      double z = bias + (side == 0 ? -quantile : quantile);
      shares[side] = normal.cumulativeProbability(bias + z / (1 - acceleration * z));
    }
    return new Interval(estimate + StatUtils.percentile(errors, 100 * shares[0]),
        estimate + StatUtils.percentile(errors, 100 * shares[1]));
  }
}
