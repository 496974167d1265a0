package org.parallax.experiment.effects;

import java.util.Comparator;
import java.util.stream.IntStream;

/** How the probabilities of many tests are made larger, for by chance alone some would be small. */
public enum Correction {
  /** Each test on its own. */
  NONE("none"),
  /** The chance that any of the tests is wrong (Holm 1979). */
  HOLM("Holm"),
  /** The share of wrong ones among those that are found (Benjamini, Hochberg 1995). */
  BENJAMINI_HOCHBERG("Benjamini-Hochberg");

  private final String text;

  Correction(String text) {
    this.text = text;
  }

  /** @return its name, for people */
  public String text() {
    return text;
  }

  /**
   * @param p probabilities; those that are not known are NaN, stay so and do not count
   * @return the corrected probabilities, in the same order
   */
  public double[] of(double[] p) {
    double[] corrected = p.clone();
    if (this == NONE) {
      return corrected;
    }
    Integer[] rising = IntStream.range(0, p.length).filter(i -> !Double.isNaN(p[i])).boxed()
        .sorted(Comparator.comparingDouble(i -> p[i])).toArray(Integer[]::new);
    int tests = rising.length;
    if (this == HOLM) {
      double largest = 0;
      for (int i = 0; i < tests; i++) {
        largest = Math.max(largest, Math.min(1, (tests - i) * p[rising[i]]));
        corrected[rising[i]] = largest;
      }
    } else {
      double least = 1;
      for (int i = tests - 1; i >= 0; i--) {
        least = Math.min(least, p[rising[i]] * tests / (i + 1));
        corrected[rising[i]] = least;
      }
    }
    return corrected;
  }
}
