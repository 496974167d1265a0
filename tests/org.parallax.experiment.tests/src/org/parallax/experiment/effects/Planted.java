package org.parallax.experiment.effects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.Term;

/** Experiments whose truth is known: a linear function of the settings, and noise. */
final class Planted {
  /** How the noise is distributed; its standard deviation is 1. */
  enum Shape {
    NORMAL {
      @Override
      double[] noise(Random random, int size) {
        return random.doubles(size).map(unused -> random.nextGaussian()).toArray();
      }
    },
    /** As of programs that run alone on a machine: skewed, each a little like the one before. */
    MEASURED {
      @Override
      double[] noise(Random random, int size) {
        double[] noise = new double[size];
        double last = 0;
        for (int i = 0; i < size; i++) {
          double skewed = -Math.log(1 - random.nextDouble()) - Math.log(1 - random.nextDouble())
              - Math.log(1 - random.nextDouble());
          last = 0.15 * last + Math.sqrt(1 - 0.15 * 0.15) * (skewed - 3) / Math.sqrt(3);
          noise[i] = last;
        }
        return noise;
      }
    };

    abstract double[] noise(Random random, int size);
  }

  static final double MEAN = 100;

  final Random random;
  private final Design design;
  /** Full effects, mean(+) - mean(-). */
  private final Map<Term, Double> truth;
  private final Shape shape;

  Planted(long seed, Design design, Map<Term, Double> truth, Shape shape) {
    random = new Random(seed);
    this.design = design;
    this.truth = truth;
    this.shape = shape;
  }

  double mean(int run) {
    double value = MEAN;
    for (Map.Entry<Term, Double> effect : truth.entrySet()) {
      value += effect.getValue() / 2 * effect.getKey().contrast(design.settings()[run]);
    }
    return value;
  }

  /** What an effect's string should be estimated as. */
  double truth(Effect effect) {
    return effect.string().terms().stream()
        .mapToDouble(term -> term.sign() * truth.getOrDefault(term.term(), 0.0)).sum();
  }

  /** Replicates are blocks that differ, each in an order of its own. */
  Responses responses(int replicates, double drift) {
    return responses(replicates, drift, 0);
  }

  /** @param missing so many trials, drawn at random, are left out */
  Responses responses(int replicates, double drift, int missing) {
    List<int[]> order = new ArrayList<>();
    for (int replicate = 0; replicate < replicates; replicate++) {
      List<Integer> runs = new ArrayList<>(IntStream.range(0, design.runs()).boxed().toList());
      Collections.shuffle(runs, random);
      for (int run : runs) {
        order.add(new int[] {run, replicate});
      }
    }
    double[] noise = shape.noise(random, order.size());
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < noise.length; i++) {
      int[] at = order.get(i);
      observations.add(new Observation(at[0], at[1], at[1], i,
          mean(at[0]) + 2 * at[1] + drift * i + noise[i]));
    }
    for (int i = 0; i < missing; i++) {
      observations.remove(random.nextInt(observations.size()));
    }
    return new Responses(design, names(design.factors()), "elapsed", Unit.NUMBER, observations,
        List.of());
  }

  static List<String> names(int factors) {
    return IntStream.range(0, factors).mapToObj(i -> String.valueOf((char) ('a' + i))).toList();
  }

  static Design full(int factors) {
    int[][] settings = new int[1 << factors][factors];
    for (int run = 0; run < settings.length; run++) {
      for (int factor = 0; factor < factors; factor++) {
        settings[run][factor] = (run >> factor & 1) == 1 ? 1 : -1;
      }
    }
    return new Design("2^" + factors, 2, settings);
  }

  /** The design of the paper's Table II. */
  static Design fraction() {
    return Paper.tableII().design();
  }

  /** Twelve runs. */
  static Design burman(int factors) {
    int[] first = {1, 1, -1, 1, 1, 1, -1, -1, -1, 1, -1};
    int[][] settings = new int[12][factors];
    Arrays.fill(settings[11], -1);
    for (int run = 0; run < 11; run++) {
      for (int factor = 0; factor < factors; factor++) {
        settings[run][factor] = first[(factor + 11 - run) % 11];
      }
    }
    return new Design("PB12", 2, settings);
  }
}
