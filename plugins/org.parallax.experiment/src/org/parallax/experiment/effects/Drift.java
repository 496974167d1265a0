package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Whether responses change with time, whatever the settings.
 *
 * @param slope from one trial to the next, within blocks
 * @param p of the slope
 * @param lag correlation of what the effects, the blocks and the slope leave, one trial after the
 *     other
 * @param lagP the chance of as much correlation when trials do not depend on those before
 * @param trials of the longest block
 */
public record Drift(double slope, double p, double lag, double lagP, int trials) {
  /** The chance to warn of each where there is none. */
  private static final double LIMIT = 0.01;
  private static final int LEAST_DEGREES = 4;

  /** @return empty when there are too few trials to tell */
  static Optional<Drift> of(Effects effects) {
    Responses responses = effects.responses();
    double[] values = responses.values();
    List<double[]> columns = new ArrayList<>(Residuals.columns(effects));
    double[] time = responses.observations().stream()
        .mapToDouble(Observation::position).toArray();
    columns.add(time);
    LeastSquares squares = new LeastSquares(values.length, columns);
    int degrees = squares.degreesOfFreedom();
    if (degrees < LEAST_DEGREES || !squares.has(columns.size() - 1)) {
      return Optional.empty();
    }
    double[] weights = squares.weights(columns.size() - 1);
    double deviation = Math.sqrt(squares.residualSquares(values) / degrees);
    if (responses.isRounding(deviation)) {
      return Optional.empty();
    }
    double slope = LeastSquares.dot(weights, values);
    Noise noise = new Noise(Noise.Source.RESIDUAL, deviation, degrees);
    double[] residuals = squares.residuals(values);
    int longest = Arrays.stream(TwoLevelModel.blockIndices(responses)).map(block ->
        (int) responses.observations().stream().filter(o -> o.block() == block).count())
        .max().orElseThrow();
    return Optional.of(new Drift(slope, noise.probability(
        slope / (deviation * Math.sqrt(LeastSquares.dot(weights, weights)))), lag(residuals),
        lagP(residuals, effects.options().seed()), longest));
  }

  private static double lag(double[] residuals) {
    double sum = 0;
    for (int i = 1; i < residuals.length; i++) {
      sum += residuals[i - 1] * residuals[i];
    }
    double squares = LeastSquares.dot(residuals, residuals);
    return squares == 0 ? 0 : sum / squares;
  }

  private static double lagP(double[] residuals, long seed) {
    double observed = lag(residuals);
    int[] counts = new int[2];
    double[] shuffled = new double[residuals.length];
    new Permutations(new int[residuals.length], seed).forEach(order -> {
      for (int i = 0; i < order.length; i++) {
        shuffled[order[i]] = residuals[i];
      }
      counts[0]++;
      counts[1] += lag(shuffled) >= observed - 1e-12 ? 1 : 0;
    });
    return (double) counts[1] / counts[0];
  }

  /** @return whether the trend is more than noise */
  public boolean isTrend() {
    return p < LIMIT;
  }

  /** @return whether trials depend on those before them */
  public boolean isCorrelated() {
    return lagP < LIMIT;
  }
}
