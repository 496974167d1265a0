package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.List;
import org.parallax.experiment.design.AliasString;

/** Estimates the effects of a two-level experiment. */
final class EffectsEstimate {
  private final Responses responses;
  private final Options options;
  private final double[] values;
  private final TwoLevelModel model;
  private final Noise noise;
  private final NoiseEstimate noiseEstimate;
  private Baseline baseline;
  /** How the baseline comes from the observations; null when it comes from other trials. */
  private double[] baselineWeights;

  EffectsEstimate(Responses responses, Options options) {
    this.responses = responses;
    this.options = options;
    values = responses.values();
    model = new TwoLevelModel(responses, options.order());
    noiseEstimate = new NoiseEstimate(responses);
    noise = noiseEstimate.best(options.source());
    baseline();
  }

  Effects effects() {
    List<AliasString> strings = model.strings();
    double[][] weights = new double[strings.size()][];
    double[] p = new double[strings.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = times(2, model.squares().weights(model.column(i)));
      p[i] = forNoise(strings.get(i)) ? Double.NaN
          : noise.probability(t(estimate(weights[i]), error(weights[i])));
    }
    double[] holm = Correction.HOLM.of(p);
    double[] benjaminiHochberg = Correction.BENJAMINI_HOCHBERG.of(p);
    double[] decisive = options.correction().of(p);
    List<Effect> effects = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      effects.add(effect(strings.get(i), weights[i], p[i], holm[i], benjaminiHochberg[i],
          decisive[i]));
    }
    double[] mean = model.squares().weights(0);
    List<String> lost = model.lost().stream()
        .map(string -> TwoLevelModel.name(string, responses.factors())).toList();
    return new Effects(responses, options, LeastSquares.dot(mean, values), error(mean),
        List.copyOf(effects), noise, lenth(weights), baseline, curvature(), model.blocks(), lost,
        model.isComplete());
  }

  private Effect effect(AliasString string, double[] weights, double p, double holm,
      double benjaminiHochberg, double decisive) {
    double estimate = estimate(weights);
    double error = error(weights);
    double quantile = noise.quantile(options.confidence());
    Interval interval = noise.isKnown()
        ? new Interval(estimate - quantile * error, estimate + quantile * error) : null;
    return new Effect(string,
        TwoLevelModel.name(string, responses.factors()),
        TwoLevelModel.aliases(string, responses.factors()), estimate, error, t(estimate, error), p,
        holm, benjaminiHochberg, interval,
        baseline == null ? Double.NaN : 100 * estimate / baseline.value(),
        percentInterval(weights, quantile), forNoise(string),
        verdict(estimate, p, decisive));
  }

  private Verdict verdict(double estimate, double p, double decisive) {
    double limit = 1 - options.confidence();
    if (Double.isNaN(p)) {
      return noise.isKnown() ? Verdict.NONE : Verdict.UNKNOWN;
    }
    if (p > limit) {
      return Verdict.NONE;
    }
    if (decisive > limit) {
      return Verdict.UNSURE;
    }
    return estimate < 0 ? Verdict.FASTER : Verdict.SLOWER;
  }

  private Interval percentInterval(double[] weights, double quantile) {
    if (baseline == null || !noise.isKnown()) {
      return null;
    }
    double variance = noise.deviation() * noise.deviation();
    double covariance =
        baselineWeights == null ? 0 : LeastSquares.dot(weights, baselineWeights) * variance;
    Interval ratio = Ratio.of(LeastSquares.dot(weights, values), baseline.value(),
        error(weights) * error(weights), covariance,
        baseline.standardError() * baseline.standardError(), quantile);
    return ratio == null ? null : new Interval(100 * ratio.low(), 100 * ratio.high());
  }

  private double estimate(double[] weights) {
    double estimate = LeastSquares.dot(weights, values);
    return responses.isRounding(estimate) ? 0 : estimate;
  }

  private static double t(double estimate, double error) {
    return estimate == 0 && error == 0 ? 0 : estimate / error;
  }

  private boolean forNoise(AliasString string) {
    return noise.source() == Noise.Source.PURE_STRINGS && TwoLevelModel.isPure(string);
  }

  /** Of a sum of the observations with weights. */
  private double error(double[] weights) {
    return noise.deviation() * Math.sqrt(LeastSquares.dot(weights, weights));
  }

  private Lenth lenth(double[][] weights) {
    return weights.length == 0 ? null : noiseEstimate.lenth(options.confidence(),
        Math.sqrt(LeastSquares.dot(weights[0], weights[0])));
  }

  private Effects.Contrast curvature() {
    if (model.curvature() < 0 || !model.squares().has(model.curvature())) {
      return null;
    }
    double[] weights = model.squares().weights(model.curvature());
    double estimate = estimate(weights);
    double t = t(estimate, error(weights));
    return new Effects.Contrast(estimate, error(weights), t, noise.probability(t));
  }

  /** Trials of the program as it is, else the design's run without treatments, else the model. */
  private void baseline() {
    int run = responses.unperturbedRun();
    double[] own = run < 0 ? new double[0] : responses.values(run);
    int separate = responses.unperturbed().size();
    if (separate > 0) {
      double sum = responses.unperturbed().stream().mapToDouble(Double::doubleValue).sum();
      baseline = new Baseline(sum / separate, noise.deviation() / Math.sqrt(separate), separate,
          Baseline.TRIALS);
    } else if (own.length > 0) {
      baselineWeights = responses.observations().stream().mapToDouble(observation ->
          observation.run() == run ? 1.0 / own.length : 0).toArray();
      baseline = new Baseline(LeastSquares.dot(baselineWeights, values), error(baselineWeights),
          own.length, Baseline.RUN);
    } else if (!model.strings().isEmpty()) {
      baselineWeights = model.unperturbedWeights();
      baseline = new Baseline(LeastSquares.dot(baselineWeights, values), error(baselineWeights), 0,
          Baseline.MODEL);
    }
    if (baseline != null && !(baseline.value() > 0)) {
      baseline = null;
    }
  }

  private static double[] times(double factor, double[] weights) {
    double[] product = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      product[i] = factor * weights[i];
    }
    return product;
  }
}
