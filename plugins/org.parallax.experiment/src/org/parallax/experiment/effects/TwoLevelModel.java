package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.parallax.experiment.design.AliasString;
import org.parallax.experiment.design.AliasTable;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.SignedTerm;
import org.parallax.experiment.design.Term;

/**
 * The linear model of the trials of a two-level design: the mean, blocks, curvature when there are
 * centre points, and a column for each string of aliased terms that the design can tell from the
 * rest.
 *
 * <p>Main effects come first, so that interactions get what they leave. When a design cannot tell
 * all interactions of an order from the rest (Plackett and Burman's cannot), none of that order are
 * in the model; when it can, but trials are missing, those that lack are left out.
 */
final class TwoLevelModel {
  private static final int PURE = 3;

  private final Responses responses;
  private final List<AliasString> strings;
  private final List<AliasString> lost = new ArrayList<>();
  private final boolean complete;
  private final int blocks;
  private final boolean centre;
  private final LeastSquares squares;
  private final int first;

  /**
   * @param order the most factors of a term
   * @throws IllegalArgumentException when the design has more levels
   */
  TwoLevelModel(Responses responses, int order) {
    this.responses = responses;
    Design design = responses.design();
    if (design.levels() != 2) {
      throw new IllegalArgumentException("effects need designs with two levels; this one has "
          + design.levels());
    }
    List<AliasString> all = AliasTable.of(design, order).strings();
    List<AliasString> separable = separable(design, all);
    complete = separable.size() == all.size();
    List<double[]> columns = new ArrayList<>(frame(responses));
    blocks = blockIndices(responses).length;
    first = columns.size();
    centre = responses.observations().stream()
        .anyMatch(observation -> design.isCentre(observation.run()));
    separable.forEach(string -> columns.add(column(string.first())));
    LeastSquares every = new LeastSquares(responses.observations().size(), columns);
    List<double[]> kept = new ArrayList<>(columns.subList(0, first));
    strings = new ArrayList<>();
    for (int i = 0; i < separable.size(); i++) {
      if (every.has(first + i)) {
        strings.add(separable.get(i));
        kept.add(columns.get(first + i));
      } else {
        lost.add(separable.get(i));
      }
    }
    squares = kept.size() == columns.size() ? every
        : new LeastSquares(responses.observations().size(), kept);
  }

  /** Orders whose strings the complete design can tell from each other. */
  private static List<AliasString> separable(Design design, List<AliasString> all) {
    List<AliasString> separable = new ArrayList<>();
    List<double[]> columns = new ArrayList<>();
    columns.add(constant(design.runs()));
    int highest = all.stream().mapToInt(string -> string.lowestOrder()).max().orElse(0);
    for (int order = 1; order <= highest; order++) {
      int wanted = order;
      List<AliasString> next =
          all.stream().filter(string -> string.lowestOrder() == wanted).toList();
      next.forEach(string -> columns.add(
          Arrays.stream(design.contrast(string.first())).asDoubleStream().toArray()));
      if (order > 1 && (columns.size() > design.runs()
          || new LeastSquares(design.runs(), columns).rank() < columns.size())) {
        break;
      }
      separable.addAll(next);
    }
    return separable;
  }

  /** The mean, blocks, and curvature: the columns that are no effects. */
  static List<double[]> frame(Responses responses) {
    List<Observation> observations = responses.observations();
    List<double[]> columns = new ArrayList<>();
    columns.add(constant(observations.size()));
    int[] indices = blockIndices(responses);
    for (int b = 0; b + 1 < indices.length; b++) {
      int block = indices[b];
      int last = indices[indices.length - 1];
      columns.add(observations.stream().mapToDouble(observation ->
          observation.block() == block ? 1 : observation.block() == last ? -1 : 0).toArray());
    }
    double[] curvature = observations.stream().mapToDouble(observation ->
        responses.design().isCentre(observation.run()) ? 1 : 0).toArray();
    if (Arrays.stream(curvature).anyMatch(value -> value == 1)
        && Arrays.stream(curvature).anyMatch(value -> value == 0)) {
      columns.add(curvature);
    }
    return columns;
  }

  static int[] blockIndices(Responses responses) {
    return responses.observations().stream().mapToInt(Observation::block).sorted().distinct()
        .toArray();
  }

  static double[] constant(int size) {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** @return the contrast of a term in each observation */
  double[] column(Term term) {
    int[] contrast = responses.design().contrast(term);
    return responses.observations().stream()
        .mapToDouble(observation -> contrast[observation.run()]).toArray();
  }

  /** @return the strings that are in the model */
  List<AliasString> strings() {
    return strings;
  }

  /** @return strings that missing trials or blocks make inseparable from those before them */
  List<AliasString> lost() {
    return lost;
  }

  /** @return whether the design can tell all strings that were asked for from each other */
  boolean isComplete() {
    return complete;
  }

  LeastSquares squares() {
    return squares;
  }

  /** @return the number of blocks in time */
  int blocks() {
    return blocks;
  }

  /** @return the column of curvature, or -1 */
  int curvature() {
    return centre && first > blocks ? first - 1 : -1;
  }

  /** @return the index of the column of a string */
  int column(int string) {
    return first + string;
  }

  /** @return whether a string has interactions of three or more factors only */
  static boolean isPure(AliasString string) {
    return string.lowestOrder() >= PURE;
  }

  /** @return how the mean of the run without any treatment comes from the observations */
  double[] unperturbedWeights() {
    double[] weights = squares.weights(0);
    int[] low = IntStream.range(0, responses.design().factors()).map(i -> -1).toArray();
    for (int i = 0; i < strings.size(); i++) {
      double[] coefficient = squares.weights(column(i));
      int contrast = strings.get(i).first().contrast(low);
      for (int k = 0; k < weights.length; k++) {
        weights[k] += contrast * coefficient[k];
      }
    }
    return weights;
  }

  /** @return a string's simplest terms, all of the same order */
  static String name(AliasString string, List<String> names) {
    int order = string.lowestOrder();
    List<String> parts = new ArrayList<>();
    for (SignedTerm term : string.terms()) {
      if (term.term().order() == order) {
        parts.add(term.name(names));
      }
    }
    return String.join(" or ", parts);
  }

  /** @return the terms that are less simple, after a minus sign when the contrast is opposite */
  static List<String> aliases(AliasString string, List<String> names) {
    int order = string.lowestOrder();
    return string.terms().stream().filter(term -> term.term().order() > order)
        .map(term -> term.name(names)).toList();
  }
}
