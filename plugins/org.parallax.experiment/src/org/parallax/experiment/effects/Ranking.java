package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hipparchus.stat.StatUtils;

/**
 * The settings of an experiment by their responses, the least first, without any model of the
 * factors: a search (Lyon, Snelick, Kacker 1992, Table IV). Works with any number of levels.
 *
 * @param settings the runs that have trials
 * @param levels what each factor's levels respond on average
 * @param noise from replicates, else from repeated trials without treatments
 * @param baseline the program without treatments; null when it was not run
 */
public record Ranking(Responses responses, Options options, List<Setting> settings,
    List<Level> levels, Noise noise, Baseline baseline) {

  /**
   * A run of the design.
   *
   * @param mean of its trials, differences between blocks taken out
   * @param interval of the mean; null when the noise is not known
   * @param gain by how many percent the mean is below the unperturbed program's; NaN when that is
   *     not known
   * @param gainInterval by Fieller; null when there are no bounds
   * @param p the probability of such a gain if there is none; NaN when it is not known
   * @param corrected p, corrected for the number of settings that are compared
   * @param verdict against the unperturbed program, by the corrected probability
   */
  public record Setting(int run, int[] settings, int trials, double mean, double median,
      Interval interval, double gain, Interval gainInterval, double p, double corrected,
      Verdict verdict) {}

  /**
   * A level of a factor.
   *
   * @param interval of the mean; null when the noise is not known
   */
  public record Level(int factor, int level, int trials, double mean, double median,
      Interval interval) {}

  /** What settings are ordered by. */
  public enum By { MEAN, MEDIAN }

  /** Ranks the settings of an experiment. */
  public static Ranking of(Responses responses, Options options, By by) {
    return new RankingEstimate(responses, options).ranking(by);
  }

  /** @return the setting with the least response */
  public Setting best() {
    return settings.get(0);
  }

  static Comparator<Setting> order(By by) {
    return Comparator.comparingDouble(by == By.MEAN ? Setting::mean : Setting::median);
  }

  /** What the trials at each level of each factor respond. */
  static List<Level> levels(Responses responses, Noise noise, double confidence) {
    List<Level> levels = new ArrayList<>();
    for (int factor = 0; factor < responses.design().factors(); factor++) {
      int own = factor;
      for (int level : responses.observations().stream().mapToInt(observation ->
          responses.design().settings()[observation.run()][own]).sorted().distinct().toArray()) {
        double[] values = responses.observations().stream().filter(observation ->
            responses.design().settings()[observation.run()][own] == level)
            .mapToDouble(Observation::value).toArray();
        double mean = StatUtils.mean(values);
        double reach = noise.quantile(confidence) * noise.deviation() / Math.sqrt(values.length);
        levels.add(new Level(factor, level, values.length, mean,
            StatUtils.percentile(values, 50),
            noise.isKnown() ? new Interval(mean - reach, mean + reach) : null));
      }
    }
    return levels;
  }
}
