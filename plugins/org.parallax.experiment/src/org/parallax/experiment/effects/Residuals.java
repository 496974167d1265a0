package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.stat.descriptive.moment.Skewness;

/**
 * Whether what the effects leave looks like normal noise.
 *
 * @param skewness 0 for normal noise
 * @param skewnessP the chance of as much, if the noise is normal
 * @param outlier the index of the observation that is farthest off
 * @param outlierT by how many standard deviations of the others
 * @param outlierP the chance that any is as far off, if the noise is normal
 */
public record Residuals(double skewness, double skewnessP, int outlier, double outlierT,
    double outlierP) {
  private static final double LIMIT = 0.01;
  private static final int LEAST_DEGREES = 8;

  /**
   * The columns of what is taken from the observations: blocks, and the effects that may be more
   * than noise. With all differences between runs, two replicates would always leave opposites.
   */
  static List<double[]> columns(Effects effects) {
    Responses responses = effects.responses();
    TwoLevelModel model = new TwoLevelModel(responses, effects.options().order());
    List<double[]> columns = new ArrayList<>(TwoLevelModel.frame(responses));
    boolean replicated = effects.noise().source() == Noise.Source.REPLICATES;
    double margin = effects.lenth() == null || replicated ? Double.POSITIVE_INFINITY
        : effects.lenth().marginOfError();
    for (int i = 0; i < model.strings().size(); i++) {
      Effect effect = effects.effects().get(i);
      boolean active = effect.verdict() != Verdict.NONE && effect.verdict() != Verdict.UNKNOWN;
      if (active || Math.abs(effect.estimate()) > margin) {
        columns.add(model.column(effect.term()));
      }
    }
    return columns;
  }

  /** @return empty when there are too few trials to tell */
  static Optional<Residuals> of(Effects effects) {
    double[] values = effects.responses().values();
    LeastSquares squares = new LeastSquares(values.length, columns(effects));
    int degrees = squares.degreesOfFreedom();
    double[] residuals = squares.residuals(values);
    double sum = LeastSquares.dot(residuals, residuals);
    if (degrees < LEAST_DEGREES || effects.responses().isRounding(Math.sqrt(sum))) {
      return Optional.empty();
    }
    double skewness = new Skewness().evaluate(residuals);
    double error = Math.sqrt(6.0 * (degrees - 2) / (degrees + 1) / (degrees + 3));
    int farthest = 0;
    double largest = 0;
    for (int i = 0; i < residuals.length; i++) {
      double free = 1 - squares.leverage(i);
      double own = free < 1e-9 ? 0 : residuals[i] * residuals[i] / free;
      double t = Math.sqrt(own / Math.max(1e-300, (sum - own) / (degrees - 1)));
      if (t > largest) {
        largest = t;
        farthest = i;
      }
    }
    double p = new Noise(Noise.Source.RESIDUAL, 1, degrees - 1).probability(largest);
    return Optional.of(new Residuals(skewness,
        2 * new NormalDistribution().cumulativeProbability(-Math.abs(skewness) / error),
        farthest, largest, Math.min(1, p * residuals.length)));
  }

  /** @return whether the noise is not normal */
  public boolean isSkewed() {
    return skewnessP < LIMIT;
  }

  /** @return whether one observation does not belong to the others */
  public boolean hasOutlier() {
    return outlierP < LIMIT;
  }
}
