package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds out how much the observations vary by themselves. */
final class NoiseEstimate {
  /** With fewer, quantiles of t are so large that nothing is ever found. */
  private static final int LEAST_DEGREES = 2;
  /** A pseudo standard error of fewer effects has less than 2 degrees of freedom. */
  private static final int LEAST_EFFECTS = 6;
  private static final int MANY_TERMS = 5000;

  private final Responses responses;
  private final double[] values;

  NoiseEstimate(Responses responses) {
    this.responses = responses;
    values = responses.values();
  }

  /**
   * The best estimate that there is.
   *
   * @param wanted where it must come from; null for any
   * @return unknown when there are too few trials
   */
  Noise best(Noise.Source wanted) {
    for (Noise.Source source : Noise.Source.values()) {
      if (wanted == null || wanted == source) {
        Noise noise = of(source);
        if (noise.isKnown()) {
          return noise;
        }
      }
    }
    return Noise.UNKNOWN;
  }

  private Noise of(Noise.Source source) {
    if (responses.design().levels() > 2) {
      return switch (source) {
        case REPLICATES -> fromResidual(source, saturated(responses));
        case RESIDUAL -> fromResidual(source, LevelColumns.model(responses));
        default -> Noise.UNKNOWN;
      };
    }
    return switch (source) {
      case REPLICATES -> fromResidual(source, saturated(responses));
      case PURE_STRINGS -> model().isComplete() ? fromResidual(source, model().squares())
          : Noise.UNKNOWN;
      case RESIDUAL -> model().isComplete() ? Noise.UNKNOWN
          : fromResidual(source, model().squares());
      case LENTH -> fromEffects();
      case UNPERTURBED, NONE -> Noise.UNKNOWN;
    };
  }

  private TwoLevelModel model() {
    return new TwoLevelModel(responses, 2);
  }

  private Noise fromResidual(Noise.Source source, LeastSquares model) {
    int degrees = model.degreesOfFreedom();
    return degrees < LEAST_DEGREES ? Noise.UNKNOWN : new Noise(source,
        notRounding(Math.sqrt(model.residualSquares(values) / degrees)), degrees);
  }

  /** Counts, say, can be the same each time. */
  private double notRounding(double deviation) {
    return responses.isRounding(deviation) ? 0 : deviation;
  }

  /** Every run has a mean of its own, and blocks differ by a constant. */
  static LeastSquares saturated(Responses responses) {
    return new LeastSquares(responses.observations().size(), saturatedColumns(responses));
  }

  /** @return a column for each run that has trials, then those of blocks */
  static List<double[]> saturatedColumns(Responses responses) {
    List<double[]> columns = new ArrayList<>();
    for (int run = 0; run < responses.design().runs(); run++) {
      int own = run;
      double[] column = responses.observations().stream()
          .mapToDouble(observation -> observation.run() == own ? 1 : 0).toArray();
      if (Arrays.stream(column).anyMatch(value -> value != 0)) {
        columns.add(column);
      }
    }
    columns.addAll(TwoLevelModel.frame(responses)
        .subList(1, TwoLevelModel.blockIndices(responses).length));
    return columns;
  }

  /** @return the values, differences between blocks taken out as far as they can be told */
  static double[] withoutBlocks(Responses responses) {
    double[] values = responses.values();
    double[] adjusted = values.clone();
    List<double[]> columns = saturatedColumns(responses);
    LeastSquares squares = new LeastSquares(values.length, columns);
    int blocks = TwoLevelModel.blockIndices(responses).length;
    for (int column = columns.size() - blocks + 1; column < columns.size(); column++) {
      if (squares.has(column)) {
        double shift = LeastSquares.dot(squares.weights(column), values);
        for (int i = 0; i < adjusted.length; i++) {
          adjusted[i] -= shift * columns.get(column)[i];
        }
      }
    }
    return adjusted;
  }

  private Noise fromEffects() {
    double[] contrasts = standardized();
    if (contrasts.length < LEAST_EFFECTS) {
      return Noise.UNKNOWN;
    }
    Lenth estimate = Lenth.of(contrasts, 0.95);
    return new Noise(Noise.Source.LENTH, notRounding(estimate.pseudoStandardError()),
        estimate.degreesOfFreedom());
  }

  /** Lenth's estimate in the scale of effects, or null when there are too few of them. */
  Lenth lenth(double confidence, double standardErrorOfUnitNoise) {
    double[] contrasts = standardized();
    if (contrasts.length < LEAST_EFFECTS) {
      return null;
    }
    return Lenth.of(Arrays.stream(contrasts)
        .map(contrast -> contrast * standardErrorOfUnitNoise).toArray(), confidence);
  }

  /** As many effects as the trials can tell from each other, over what each varies by. */
  private double[] standardized() {
    int factors = responses.design().factors();
    TwoLevelModel model = new TwoLevelModel(responses, 1);
    double terms = factors;
    for (int order = 2; order <= factors && model.squares().degreesOfFreedom() > 0; order++) {
      terms *= (factors - order + 1.0) / order;
      if (terms > MANY_TERMS) {
        break;
      }
      TwoLevelModel next = new TwoLevelModel(responses, order);
      if (!next.isComplete()) {
        break;
      }
      model = next;
    }
    double[] contrasts = new double[model.strings().size()];
    for (int i = 0; i < contrasts.length; i++) {
      double[] weights = model.squares().weights(model.column(i));
      contrasts[i] = LeastSquares.dot(weights, values)
          / Math.sqrt(LeastSquares.dot(weights, weights));
    }
    return contrasts;
  }
}
