package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;

/**
 * One response of the trials of an experiment.
 *
 * @param factors the names of the design's factors
 * @param response what was measured: {@code elapsed}, ...
 * @param unit of the values: nanoseconds, or a number
 * @param observations in the order of their positions; runs may have unequal numbers of them, even
 *     none, and those of runs with the same settings are all of the first of these
 * @param unperturbed values of separate trials without any treatment; those of the design's run
 *     that has all factors at - need not be repeated here
 */
public record Responses(Design design, List<String> factors, String response, Unit unit,
    List<Observation> observations, List<Double> unperturbed) {
  /**
   * @throws IllegalArgumentException when there are no observations, one is of no run of the design
   *     or not a number, or there is not one name for each factor
   */
  public Responses {
    if (observations.isEmpty()) {
      throw new IllegalArgumentException("there are no trials to analyse");
    }
    if (factors.size() != design.factors()) {
      throw new IllegalArgumentException("the design has " + design.factors() + " factors, but "
          + factors.size() + " have names");
    }
    for (Observation observation : observations) {
      if (observation.run() < 0 || observation.run() >= design.runs()) {
        throw new IllegalArgumentException("the design has " + design.runs() + " runs, but a trial"
            + " is of run " + (observation.run() + 1));
      }
      if (!Double.isFinite(observation.value())) {
        throw new IllegalArgumentException("the response of run " + (observation.run() + 1)
            + ", replicate " + (observation.replicate() + 1) + " is not a number");
      }
    }
    int[] alike = alike(design);
    observations = observations.stream().map(old -> new Observation(alike[old.run()],
        old.replicate(), old.block(), old.position(), old.value()))
        .sorted(Comparator.comparingInt(Observation::position)).toList();
    unperturbed = List.copyOf(unperturbed);
    factors = List.copyOf(factors);
  }

  /** For each run the first one with the same settings: centre points are replicates, say. */
  private static int[] alike(Design design) {
    Map<List<Integer>, Integer> first = new HashMap<>();
    return IntStream.range(0, design.runs()).map(run -> {
      Integer known = first.putIfAbsent(
          Arrays.stream(design.settings()[run]).boxed().toList(), run);
      return known == null ? run : known;
    }).toArray();
  }

  /** @return the values, in time */
  public double[] values() {
    return observations.stream().mapToDouble(Observation::value).toArray();
  }

  /** @return the values of one run, in time; empty when it has none */
  public double[] values(int run) {
    return observations.stream().filter(observation -> observation.run() == run)
        .mapToDouble(Observation::value).toArray();
  }

  /** @return whether a difference of values is nothing but rounding */
  boolean isRounding(double difference) {
    return Math.abs(difference) <= 1e-12 * observations.stream()
        .mapToDouble(observation -> Math.abs(observation.value())).max().orElseThrow();
  }

  /** @return the same trials with other values, in time */
  Responses with(double[] values) {
    List<Observation> changed = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      Observation old = observations.get(i);
      changed.add(new Observation(old.run(), old.replicate(), old.block(), old.position(),
          values[i]));
    }
    return new Responses(design, factors, response, unit, changed, unperturbed);
  }

  /** @return the run that has all factors of a two-level design at -, or -1 */
  public int unperturbedRun() {
    for (int run = 0; run < design.runs(); run++) {
      int low = design.levels() == 2 ? -1 : 0;
      if (Arrays.stream(design.settings()[run]).allMatch(setting -> setting == low)) {
        return run;
      }
    }
    return -1;
  }
}
