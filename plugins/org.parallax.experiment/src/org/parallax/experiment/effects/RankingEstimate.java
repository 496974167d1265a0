package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hipparchus.stat.StatUtils;

/** Compares the settings of an experiment with the unperturbed program. */
final class RankingEstimate {
  private final Responses responses;
  private final Options options;
  private final double[] values;
  private final Noise noise;
  private final int[] runs;
  /** How the mean of each run comes from the observations. */
  private final double[][] weights;
  private final int unperturbedRun;

  RankingEstimate(Responses responses, Options options) {
    this.responses = responses;
    this.options = options;
    values = responses.values();
    runs = responses.observations().stream().mapToInt(Observation::run).distinct().sorted()
        .toArray();
    noise = noise();
    LeastSquares saturated = NoiseEstimate.saturated(responses);
    weights = new double[runs.length][];
    for (int i = 0; i < runs.length; i++) {
      weights[i] = saturated.weights(i);
    }
    int low = responses.unperturbedRun();
    unperturbedRun = responses.unperturbed().isEmpty() ? Arrays.binarySearch(runs, low) : -1;
  }

  private Noise noise() {
    Noise replicates = new NoiseEstimate(responses).best(Noise.Source.REPLICATES);
    int trials = responses.unperturbed().size();
    if (replicates.isKnown() || trials < 3) {
      return replicates;
    }
    double deviation = Math.sqrt(StatUtils.variance(
        responses.unperturbed().stream().mapToDouble(Double::doubleValue).toArray()));
    return new Noise(Noise.Source.UNPERTURBED, deviation, trials - 1);
  }

  Ranking ranking(Ranking.By by) {
    Baseline baseline = baseline();
    double[] p = new double[runs.length];
    double[] errors = new double[runs.length];
    for (int i = 0; i < runs.length; i++) {
      double own = LeastSquares.dot(weights[i], weights[i]);
      double base = baseline == null ? Double.NaN
          : Math.pow(baseline.standardError() / noise.deviation(), 2);
      errors[i] = noise.deviation() * Math.sqrt(own + base - 2 * covariance(i));
      p[i] = baseline == null || i == unperturbedRun ? Double.NaN
          : noise.probability((mean(i) - baseline.value()) / errors[i]);
    }
    double[] corrected = options.correction().of(p);
    List<Ranking.Setting> settings = new ArrayList<>();
    for (int i = 0; i < runs.length; i++) {
      settings.add(setting(i, baseline, p[i], corrected[i]));
    }
    settings.sort(Ranking.order(by));
    return new Ranking(responses, options, List.copyOf(settings),
        Ranking.levels(responses, noise, options.confidence()), noise, baseline);
  }

  private double covariance(int i) {
    return unperturbedRun < 0 ? 0 : LeastSquares.dot(weights[i], weights[unperturbedRun]);
  }

  private double mean(int i) {
    return LeastSquares.dot(weights[i], values);
  }

  private Ranking.Setting setting(int i, Baseline baseline, double p, double corrected) {
    double[] own = responses.values(runs[i]);
    double mean = mean(i);
    double quantile = noise.quantile(options.confidence());
    double error = noise.deviation() * Math.sqrt(LeastSquares.dot(weights[i], weights[i]));
    Interval interval = noise.isKnown()
        ? new Interval(mean - quantile * error, mean + quantile * error) : null;
    double gain = baseline == null ? Double.NaN : 100 * (1 - mean / baseline.value());
    Interval gains = null;
    if (baseline != null && noise.isKnown() && i != unperturbedRun) {
      double variance = noise.deviation() * noise.deviation();
      Interval ratio = Ratio.of(mean, baseline.value(), error * error, covariance(i) * variance,
          baseline.standardError() * baseline.standardError(), quantile);
      gains = ratio == null ? null
          : new Interval(100 * (1 - ratio.high()), 100 * (1 - ratio.low()));
    }
    double limit = 1 - options.confidence();
    Verdict verdict = Double.isNaN(p) ? noise.isKnown() ? Verdict.NONE : Verdict.UNKNOWN
        : p > limit ? Verdict.NONE : corrected > limit ? Verdict.UNSURE
        : gain > 0 ? Verdict.FASTER : Verdict.SLOWER;
    return new Ranking.Setting(runs[i], responses.design().settings()[runs[i]].clone(),
        own.length, mean, StatUtils.percentile(own, 50), interval, gain, gains, p, corrected,
        verdict);
  }

  private Baseline baseline() {
    int separate = responses.unperturbed().size();
    Baseline baseline = null;
    if (separate > 0) {
      baseline = new Baseline(responses.unperturbed().stream().mapToDouble(Double::doubleValue)
          .average().orElseThrow(), noise.deviation() / Math.sqrt(separate), separate,
          Baseline.TRIALS);
    } else if (unperturbedRun >= 0) {
      double[] own = weights[unperturbedRun];
      baseline = new Baseline(mean(unperturbedRun),
          noise.deviation() * Math.sqrt(LeastSquares.dot(own, own)),
          responses.values(runs[unperturbedRun]).length, Baseline.RUN);
    }
    return baseline == null || baseline.value() <= 0 ? null : baseline;
  }
}
