package org.parallax.experiment.design;

import java.util.Arrays;

/**
 * Which setting each factor has in each run of an experiment, in standard order: the order of runs
 * in time is drawn later, for each replicate anew.
 *
 * @param name for people: {@code 2^(6-2) IV}
 * @param levels of each factor: 2, or more for orthogonal arrays
 * @param settings runs x factors. With two levels -1 or +1, and 0 at centre points; else 0 to
 *     {@code levels} - 1
 * @param blocks the block of each run, from 0
 */
public record Design(String name, int levels, int[][] settings, int[] blocks) {
  /**
   * @throws IllegalArgumentException when a setting is none of the levels, runs have different
   *     numbers of factors, or there is not one block for each run
   */
  public Design {
    if (blocks.length != settings.length) {
      throw new IllegalArgumentException("there must be one block for each run");
    }
    for (int[] run : settings) {
      if (run.length != settings[0].length) {
        throw new IllegalArgumentException("all runs must have the same factors");
      }
      if (!Arrays.stream(run).allMatch(setting -> levels == 2 ? Math.abs(setting) <= 1
          : setting >= 0 && setting < levels)) {
        throw new IllegalArgumentException("a setting is none of the levels");
      }
    }
  }

  /** A design in one block. */
  public Design(String name, int levels, int[][] settings) {
    this(name, levels, settings, new int[settings.length]);
  }

  /** @return the number of runs of one replicate */
  public int runs() {
    return settings.length;
  }

  /** @return the number of factors; 0 when there are no runs */
  public int factors() {
    return settings.length == 0 ? 0 : settings[0].length;
  }

  /** @return whether all factors are at their centre in a run */
  public boolean isCentre(int run) {
    return levels == 2 && Arrays.stream(settings[run]).allMatch(setting -> setting == 0);
  }

  /** @return the contrast of a term in each run; two-level designs only */
  public int[] contrast(Term term) {
    return Arrays.stream(settings).mapToInt(term::contrast).toArray();
  }
}
