package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.stat.StatUtils;
import org.parallax.experiment.design.Design;

/**
 * One factor so strong that the others vanish beside it: where it is set, the responses hardly
 * differ any more (the paper's {@code swap}).
 *
 * @param factor the strong one
 * @param spread standard deviation of the responses where the factor leaves room for the others
 * @param maskedSpread where it does not
 * @param level at which it leaves room: -1 or +1
 * @param p the probability of spreads that differ as much, if they are alike
 * @param half the effects of the other factors, from the trials at that level alone
 */
public record Masking(int factor, double spread, double maskedSpread, int level, double p,
    Effects half) {
  /** The chance to see masking where there is none. */
  private static final double LIMIT = 0.01;
  private static final double LEAST_RATIO = 2;

  /**
   * Looks whether the strongest factor masks others: its effect must be at least twice that of any
   * other factor, and the spread less than half as large where it makes the response larger.
   *
   * @return empty when it does not, or when there are too few trials to tell
   */
  static Optional<Masking> of(Effects effects) {
    List<Effect> main = effects.effects().stream().filter(effect -> effect.term().order() == 1)
        .sorted(Comparator.comparingDouble(effect -> -Math.abs(effect.estimate()))).toList();
    if (main.size() < 2
        || Math.abs(main.get(0).estimate()) < 2 * Math.abs(main.get(1).estimate())) {
      return Optional.empty();
    }
    int factor = main.get(0).term().factors()[0];
    int room = main.get(0).estimate() > 0 ? -1 : 1;
    Responses responses = effects.responses();
    double[] values = NoiseEstimate.withoutBlocks(responses);
    double[] free = at(responses, values, factor, room);
    double[] masked = at(responses, values, factor, -room);
    if (free.length < 4 || masked.length < 4) {
      return Optional.empty();
    }
    double ratio = StatUtils.variance(free) / StatUtils.variance(masked);
    double p = Double.isNaN(ratio) ? 1 : Double.isInfinite(ratio) ? 0
        : 1 - new FDistribution(free.length - 1, masked.length - 1).cumulativeProbability(ratio);
    if (p > LIMIT || ratio < LEAST_RATIO * LEAST_RATIO) {
      return Optional.empty();
    }
    return Optional.of(new Masking(factor,
        Math.sqrt(StatUtils.variance(free)), Math.sqrt(StatUtils.variance(masked)), room, p,
        Effects.of(half(responses, factor, room), effects.options().withSource(null))));
  }

  private static double[] at(Responses responses, double[] values, int factor, int level) {
    return IntStream.range(0, values.length).filter(i -> responses.design()
        .settings()[responses.observations().get(i).run()][factor] == level)
        .mapToDouble(i -> values[i]).toArray();
  }

  /** The trials in which a factor has a level, and the design of the other factors there. */
  static Responses half(Responses responses, int factor, int level) {
    Design design = responses.design();
    int[] runs = IntStream.range(0, design.runs())
        .filter(run -> design.settings()[run][factor] == level).toArray();
    int[] others = IntStream.range(0, design.factors()).filter(i -> i != factor).toArray();
    int[][] settings = new int[runs.length][];
    int[] blocks = new int[runs.length];
    int[] place = new int[design.runs()];
    for (int i = 0; i < runs.length; i++) {
      int[] run = design.settings()[runs[i]];
      settings[i] = IntStream.of(others).map(other -> run[other]).toArray();
      blocks[i] = design.blocks()[runs[i]];
      place[runs[i]] = i;
    }
    List<Observation> observations = new ArrayList<>();
    for (Observation old : responses.observations()) {
      if (design.settings()[old.run()][factor] == level) {
        observations.add(new Observation(place[old.run()], old.replicate(), old.block(),
            old.position(), old.value()));
      }
    }
    List<String> names = IntStream.of(others).mapToObj(responses.factors()::get).toList();
    return new Responses(new Design(design.name() + " with "
        + responses.factors().get(factor) + " at " + (level < 0 ? "-" : "+"), 2, settings, blocks),
        names, responses.response(), responses.unit(), observations,
        level < 0 ? responses.unperturbed() : List.of());
  }
}
