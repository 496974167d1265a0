package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hipparchus.distribution.continuous.NormalDistribution;

/** What the plots of an experiment show, as numbers. */
public final class Plots {
  /**
   * A point of a half-normal plot (Daniel 1959): effects that are noise lie on a line through zero.
   *
   * @param absolute the effect without its sign
   * @param quantile where it would be, in standard deviations, were all effects noise
   */
  public record HalfNormal(Effect effect, double absolute, double quantile) {}

  /**
   * A bar of a Pareto plot.
   *
   * @param absolute the effect without its sign
   * @param limit beyond which a single effect is believed; NaN when the noise is not known
   */
  public record Bar(Effect effect, double absolute, double limit) {}

  /** The mean response at both levels of two factors, all else alike; NaN where there is none. */
  public record Interaction(int first, int second, double bothLow, double firstHigh,
      double secondHigh, double bothHigh) {}

  /**
   * A trial in time.
   *
   * @param residual what the means of its run and its block leave of the value
   */
  public record Point(int position, int block, int run, double value, double residual) {}

  private Plots() {}

  /** @return the effects from the smallest to the largest */
  public static List<HalfNormal> halfNormal(Effects effects) {
    List<Effect> rising = new ArrayList<>(effects.effects());
    rising.sort(Comparator.comparingDouble(effect -> Math.abs(effect.estimate())));
    NormalDistribution normal = new NormalDistribution();
    List<HalfNormal> points = new ArrayList<>();
    for (int i = 0; i < rising.size(); i++) {
      points.add(new HalfNormal(rising.get(i), Math.abs(rising.get(i).estimate()),
          normal.inverseCumulativeProbability(0.5 + 0.5 * (i + 0.5) / rising.size())));
    }
    return points;
  }

  /** @return the effects from the largest to the smallest */
  public static List<Bar> pareto(Effects effects) {
    double quantile = effects.noise().quantile(effects.options().confidence());
    return effects.effects().stream()
        .map(effect -> new Bar(effect, Math.abs(effect.estimate()),
            quantile * effect.standardError()))
        .sorted(Comparator.comparingDouble(bar -> -bar.absolute)).toList();
  }

  /** @return the mean responses at the levels of each factor, any number of levels */
  public static List<Ranking.Level> mainEffects(Responses responses, Options options) {
    Noise noise = new NoiseEstimate(responses).best(options.source());
    return Ranking.levels(responses, noise, options.confidence());
  }

  /** @return the mean responses of each pair of factors of a two-level design */
  public static List<Interaction> interactions(Responses responses) {
    List<Interaction> pairs = new ArrayList<>();
    for (int a = 0; a < responses.design().factors(); a++) {
      for (int b = a + 1; b < responses.design().factors(); b++) {
        pairs.add(new Interaction(a, b, mean(responses, a, -1, b, -1),
            mean(responses, a, 1, b, -1), mean(responses, a, -1, b, 1),
            mean(responses, a, 1, b, 1)));
      }
    }
    return pairs;
  }

  private static double mean(Responses responses, int a, int atA, int b, int atB) {
    int[][] settings = responses.design().settings();
    return responses.observations().stream().filter(observation ->
        settings[observation.run()][a] == atA && settings[observation.run()][b] == atB)
        .mapToDouble(Observation::value).average().orElse(Double.NaN);
  }

  /** @return the trials in time; residuals are zero where each run has one trial */
  public static List<Point> runOrder(Responses responses) {
    double[] residuals = NoiseEstimate.saturated(responses).residuals(responses.values());
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < residuals.length; i++) {
      Observation observation = responses.observations().get(i);
      points.add(new Point(observation.position(), observation.block(), observation.run(),
          observation.value(), residuals[i]));
    }
    return points;
  }
}
