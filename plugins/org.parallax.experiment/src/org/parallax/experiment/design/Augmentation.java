package org.parallax.experiment.design;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs that are added to a two-level design: a foldover, or centre points. */
public final class Augmentation {
  private Augmentation() {
  }

  /**
   * The design and its mirror image with all settings opposite, which frees main effects from
   * two-factor interactions: resolution III becomes IV (Box, Hunter, Hunter, section 12.3).
   *
   * @param ownBlocks whether the mirror image is made in blocks of its own, as when it follows an
   *     experiment that is done
   * @throws DesignException when the design has more than two levels
   */
  public static Design foldover(Design design, boolean ownBlocks) {
    return folded(design, IntStream.range(0, design.factors()).toArray(),
        design.name() + " folded over", ownBlocks);
  }

  /**
   * The design and its image with one factor opposite, which frees that factor and all interactions
   * with it.
   *
   * @throws DesignException when the design has more than two levels
   */
  public static Design foldover(Design design, int factor, boolean ownBlocks) {
    return folded(design, new int[] {factor}, design.name() + " folded over factor " + (factor + 1),
        ownBlocks);
  }

  private static Design folded(Design design, int[] opposite, String name, boolean ownBlocks) {
    requireTwoLevels(design, "folded over");
    int[][] image = Arrays.stream(design.settings()).map(run -> {
      int[] other = run.clone();
      IntStream.of(opposite).forEach(i -> other[i] = -run[i]);
      return other;
    }).toArray(int[][]::new);
    int blocks = ownBlocks ? blocks(design) : 0;
    return new Design(name, 2,
        Stream.concat(Arrays.stream(design.settings()), Arrays.stream(image)).toArray(int[][]::new),
        IntStream.concat(Arrays.stream(design.blocks()),
            Arrays.stream(design.blocks()).map(block -> block + blocks)).toArray());
  }

  /**
   * Runs with all factors halfway, which tell curvature, and noise without replicates of all runs.
   *
   * @param count of runs that are added to each block
   * @throws DesignException when the design has more than two levels
   */
  public static Design withCentrePoints(Design design, int count) {
    requireTwoLevels(design, "extended by centre points");
    int added = count * blocks(design);
    int[][] settings = Arrays.copyOf(design.settings(), design.runs() + added);
    int[] blocks = Arrays.copyOf(design.blocks(), design.runs() + added);
    for (int i = 0; i < added; i++) {
      settings[design.runs() + i] = new int[design.factors()];
      blocks[design.runs() + i] = i / count;
    }
    return new Design(design.name() + " + " + added + " centre points", 2, settings, blocks);
  }

  private static int blocks(Design design) {
    return 1 + Arrays.stream(design.blocks()).max().orElse(0);
  }

  private static void requireTwoLevels(Design design, String what) {
    if (design.levels() != 2) {
      throw new DesignException("only a design with two levels can be " + what + "; "
          + design.name() + " has " + design.levels());
    }
  }
}
