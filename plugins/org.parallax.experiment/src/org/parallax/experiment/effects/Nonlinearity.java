package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.distribution.continuous.FDistribution;

/**
 * Whether the response follows a factor in proportion: what a delay does when it is longer, and
 * whether the means of several levels lie on a line.
 */
public final class Nonlinearity {
  /**
   * A factor in two experiments with different delays.
   *
   * @param first effect for each unit of the delay in the first experiment
   * @param p the probability of such a difference if both are the same
   * @param corrected p, corrected for the number of factors
   */
  public record Delay(String factor, double first, double second, double t, double p,
      double corrected) {}

  /**
   * A factor with several levels.
   *
   * @param slope of the response from one level to the next
   * @param f of what the line leaves of the factor's squares
   * @param p the probability of as much if the response follows a line
   * @param corrected p, corrected for the number of factors
   */
  public record Shape(int factor, double slope, double f, double p, double corrected) {}

  private Nonlinearity() {}

  /**
   * Compares experiments on the same program.
   *
   * @param firstDelays of the factors of the first experiment at +, in any unit
   * @return of the factors that both have, in the order of the first; probabilities are NaN when
   *     the noise of one is not known
   */
  public static List<Delay> compare(Effects first, double[] firstDelays, Effects second,
      double[] secondDelays) {
    List<Delay> delays = new ArrayList<>();
    for (int i = 0; i < firstDelays.length; i++) {
      String name = first.responses().factors().get(i);
      int other = second.responses().factors().indexOf(name);
      if (other < 0 || first.effect(i).isEmpty() || second.effect(other).isEmpty()) {
        continue;
      }
      Effect a = first.effect(i).get();
      Effect b = second.effect(other).get();
      double error = Math.hypot(a.standardError() / firstDelays[i],
          b.standardError() / secondDelays[other]);
      double t = (a.estimate() / firstDelays[i] - b.estimate() / secondDelays[other]) / error;
      delays.add(new Delay(name, a.estimate() / firstDelays[i],
          b.estimate() / secondDelays[other], t, p(first, second, a.standardError()
          / firstDelays[i], b.standardError() / secondDelays[other], t), Double.NaN));
    }
    double[] corrected =
        Correction.HOLM.of(delays.stream().mapToDouble(Delay::p).toArray());
    List<Delay> all = new ArrayList<>();
    for (int i = 0; i < corrected.length; i++) {
      Delay delay = delays.get(i);
      all.add(new Delay(delay.factor, delay.first, delay.second, delay.t, delay.p,
          corrected[i]));
    }
    return all;
  }

  /** Welch's degrees of freedom: the two experiments need not be equally noisy. */
  private static double p(Effects first, Effects second, double errorA, double errorB, double t) {
    if (!first.noise().isKnown() || !second.noise().isKnown()) {
      return Double.NaN;
    }
    double a = errorA * errorA;
    double b = errorB * errorB;
    double degrees = (a + b) * (a + b) / (a * a / first.noise().degreesOfFreedom()
        + b * b / second.noise().degreesOfFreedom());
    return new Noise(Noise.Source.REPLICATES, 1, degrees).probability(t);
  }

  /** @return the factors of a design with more than two levels; empty with two */
  public static List<Shape> shapes(Responses responses, Options options) {
    int levels = responses.design().levels();
    Noise noise = new NoiseEstimate(responses).best(options.source());
    if (levels == 2) {
      return List.of();
    }
    double[] values = responses.values();
    List<Shape> shapes = new ArrayList<>();
    for (int factor = 0; factor < responses.design().factors(); factor++) {
      int own = factor;
      List<double[]> columns = new ArrayList<>(TwoLevelModel.frame(responses));
      int frame = columns.size();
      columns.add(responses.observations().stream().mapToDouble(observation ->
          responses.design().settings()[observation.run()][own] - (levels - 1) / 2.0).toArray());
      columns.addAll(LevelColumns.of(responses, factor));
      LeastSquares squares = new LeastSquares(values.length, columns);
      double curved = 0;
      int degrees = 0;
      for (int column = frame + 1; column < columns.size(); column++) {
        if (squares.has(column)) {
          curved += squares.sequentialSquares(column, values);
          degrees++;
        }
      }
      double slope = LeastSquares.dot(new LeastSquares(values.length,
          columns.subList(0, frame + 1)).weights(frame), values);
      double f = degrees == 0 ? Double.NaN
          : curved / degrees / (noise.deviation() * noise.deviation());
      shapes.add(new Shape(factor, slope, f, Double.isNaN(f) ? Double.NaN
          : 1 - new FDistribution(degrees, noise.degreesOfFreedom()).cumulativeProbability(f),
          Double.NaN));
    }
    double[] corrected =
        Correction.HOLM.of(shapes.stream().mapToDouble(Shape::p).toArray());
    List<Shape> all = new ArrayList<>();
    for (int i = 0; i < corrected.length; i++) {
      Shape shape = shapes.get(i);
      all.add(new Shape(shape.factor, shape.slope, shape.f, shape.p, corrected[i]));
    }
    return all;
  }
}
