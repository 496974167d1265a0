package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.distribution.continuous.FDistribution;
import org.parallax.experiment.design.AliasString;

/**
 * The analysis of variance: what of the squares of the responses' deviations each source takes.
 *
 * @param sums how squares are shared where sources overlap
 * @param total the squares of the deviations from the mean, on one degree less than observations
 */
public record Anova(Sums sums, List<Source> sources, Noise noise, double total, int degrees) {
  /** How squares are shared. */
  public enum Sums {
    /** The design is balanced: nothing is to be shared. */
    ORTHOGONAL("sequential and marginal agree: the design is balanced"),
    /** Each source takes from what those before it leave; together they are the total. */
    SEQUENTIAL("sequential: each takes from what those above it leave"),
    /** Each source takes from what all others leave. */
    MARGINAL("marginal: each takes from what all others leave");

    private final String text;

    Sums(String text) {
      this.text = text;
    }

    /** @return in words */
    public String text() {
      return text;
    }
  }

  /** What a source is. */
  public enum Kind {
    BLOCKS, CURVATURE, FACTOR, INTERACTION, LACK_OF_FIT, PURE_ERROR, RESIDUAL
  }

  /**
   * A line of the analysis.
   *
   * @param f its mean square over the noise's; NaN where there is none
   * @param p the probability of such a ratio if the source does nothing; NaN where there is none
   */
  public record Source(String name, Kind kind, double squares, int degrees, double meanSquare,
      double f, double p) {}

  /** Columns of the model that belong together. */
  private record Group(String name, Kind kind, List<double[]> columns) {}

  /**
   * Analyses an experiment with any number of levels; with more than two, factors alone.
   *
   * @param wanted how to share squares when the design is not balanced
   */
  public static Anova of(Responses responses, Options options, Sums wanted) {
    Noise noise = new NoiseEstimate(responses).best(options.source());
    List<Group> groups = groups(responses, options, noise);
    double[] values = responses.values();
    LeastSquares all = model(values.length, groups, null);
    List<Source> sequential = new ArrayList<>();
    List<Source> marginal = new ArrayList<>();
    int column = 1;
    boolean independent =
        all.rank() == 1 + groups.stream().mapToInt(group -> group.columns.size()).sum();
    for (Group group : groups) {
      double squares = 0;
      int degrees = 0;
      for (int i = 0; i < group.columns.size(); i++, column++) {
        if (all.has(column)) {
          squares += all.sequentialSquares(column, values);
          degrees++;
        }
      }
      if (degrees == 0) {
        continue;
      }
      sequential.add(source(group, squares, degrees, noise));
      if (independent && group.columns.size() == 1) {
        double[] weights = all.weights(column - 1);
        marginal.add(source(group, Math.pow(LeastSquares.dot(weights, values), 2)
            / LeastSquares.dot(weights, weights), 1, noise));
        continue;
      }
      LeastSquares rest = model(values.length, groups, group);
      int alone = all.rank() - rest.rank();
      if (alone > 0) {
        marginal.add(source(group, Math.max(0,
            rest.residualSquares(values) - all.residualSquares(values)), alone, noise));
      }
    }
    Sums sums = agree(sequential, marginal) ? Sums.ORTHOGONAL
        : wanted == Sums.MARGINAL ? Sums.MARGINAL : Sums.SEQUENTIAL;
    List<Source> sources =
        new ArrayList<>(sums == Sums.MARGINAL ? marginal : sequential);
    rest(responses, all, values, noise, sources);
    LeastSquares mean = new LeastSquares(values.length,
        List.of(TwoLevelModel.constant(values.length)));
    return new Anova(sums, List.copyOf(sources), noise, mean.residualSquares(values),
        values.length - 1);
  }

  private static List<Group> groups(Responses responses, Options options, Noise noise) {
    List<Group> groups = new ArrayList<>();
    List<double[]> frame = TwoLevelModel.frame(responses);
    int blocks = TwoLevelModel.blockIndices(responses).length;
    if (blocks > 1) {
      groups.add(new Group("blocks", Kind.BLOCKS, frame.subList(1, blocks)));
    }
    if (frame.size() > blocks) {
      groups.add(new Group("curvature", Kind.CURVATURE, frame.subList(blocks, frame.size())));
    }
    if (responses.design().levels() == 2) {
      TwoLevelModel model = new TwoLevelModel(responses, options.order());
      for (AliasString string : model.strings()) {
        if (noise.source() != Noise.Source.PURE_STRINGS || !TwoLevelModel.isPure(string)) {
          groups.add(new Group(TwoLevelModel.name(string, responses.factors()),
              string.lowestOrder() == 1 ? Kind.FACTOR : Kind.INTERACTION,
              List.of(model.column(string.first()))));
        }
      }
    } else {
      for (int factor = 0; factor < responses.design().factors(); factor++) {
        groups.add(new Group(responses.factors().get(factor), Kind.FACTOR,
            LevelColumns.of(responses, factor)));
      }
    }
    return groups;
  }

  private static LeastSquares model(int observations, List<Group> groups, Group without) {
    List<double[]> columns = new ArrayList<>();
    columns.add(TwoLevelModel.constant(observations));
    groups.stream().filter(group -> group != without).forEach(group ->
        columns.addAll(group.columns));
    return new LeastSquares(observations, columns);
  }

  private static boolean agree(List<Source> sequential, List<Source> marginal) {
    double largest = sequential.stream().mapToDouble(Source::squares).max().orElse(0);
    if (sequential.size() != marginal.size()) {
      return false;
    }
    for (int i = 0; i < sequential.size(); i++) {
      if (Math.abs(sequential.get(i).squares - marginal.get(i).squares) > 1e-9 * largest) {
        return false;
      }
    }
    return true;
  }

  /** What the sources leave: lack of fit and pure error, if these can be told. */
  private static void rest(Responses responses, LeastSquares model, double[] values, Noise noise,
      List<Source> sources) {
    double squares = model.residualSquares(values);
    int degrees = model.degreesOfFreedom();
    if (noise.source() != Noise.Source.REPLICATES) {
      if (degrees > 0) {
        sources.add(error("residual", Kind.RESIDUAL, squares, degrees));
      }
      return;
    }
    LeastSquares saturated = NoiseEstimate.saturated(responses);
    double pure = saturated.residualSquares(values);
    int lacking = degrees - saturated.degreesOfFreedom();
    if (lacking > 0) {
      sources.add(source(new Group("lack of fit", Kind.LACK_OF_FIT, List.of()),
          Math.max(0, squares - pure), lacking, noise));
    }
    sources.add(error("pure error", Kind.PURE_ERROR, pure, saturated.degreesOfFreedom()));
  }

  private static Source error(String name, Kind kind, double squares, int degrees) {
    return new Source(name, kind, squares, degrees, squares / degrees, Double.NaN, Double.NaN);
  }

  private static Source source(Group group, double squares, int degrees, Noise noise) {
    double meanSquare = squares / degrees;
    double f = squares == 0 ? 0 : meanSquare / (noise.deviation() * noise.deviation());
    double p = Double.isNaN(f) || !noise.isKnown() ? Double.NaN : Double.isInfinite(f) ? 0
        : 1 - new FDistribution(degrees, noise.degreesOfFreedom()).cumulativeProbability(f);
    return new Source(group.name, group.kind, squares, degrees, meanSquare, f, p);
  }

  /** @return the line of a source by name, or null */
  public Source source(String name) {
    return sources.stream().filter(source -> source.name.equals(name)).findFirst().orElse(null);
  }
}
