package org.parallax.experiment.design;

import java.util.Random;
import java.util.stream.IntStream;

/** Fractions with random generators. */
final class RandomFractions {
  private RandomFractions() {
  }

  /**
   * Draws a fraction.
   *
   * @param basics its number of basic factors
   * @param most the most generators that it has; at least one
   */
  static Fraction next(Random random, int basics, int most) {
    int generated = 1 + random.nextInt(most);
    int[] others = IntStream.generate(() -> 1 + random.nextInt((1 << basics) - 1))
        .filter(column -> Integer.bitCount(column) > 1).distinct().limit(generated).toArray();
    return Fraction.of(basics + generated, IntStream.range(0, generated)
        .mapToObj(i -> new Generator(basics + i, Term.of(IntStream.range(0, basics)
            .filter(bit -> (others[i] >> bit & 1) != 0).toArray()), random.nextBoolean() ? 1 : -1))
        .toList());
  }
}
