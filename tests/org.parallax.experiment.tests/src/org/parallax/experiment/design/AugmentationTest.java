package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AugmentationTest {
  /** Whatever the generators: a foldover frees main effects from two-factor interactions. */
  @Test
  void aFoldoverOfThreeIsFour() {
    long seed = 1961;
    Random random = new Random(seed);
    int three = 0;
    for (int round = 0; round < 60; round++) {
      Fraction fraction = RandomFractions.next(random, 4, 8);
      three += fraction.resolution().getAsInt() == 3 ? 1 : 0;
      AliasTable table =
          AliasTable.of(Augmentation.foldover(fraction.design(), round % 2 == 0), 2);
      assertTrue(IntStream.range(0, fraction.factors()).allMatch(i -> table.clear(Term.of(i))),
          "seed " + seed + " round " + round);
    }
    assertTrue(three > 20, "the fractions are of resolution III in most rounds");
  }

  @Test
  void aFoldoverOfOneFactorFreesItAndItsInteractions() {
    Design design = Fraction.ofColumns(3, MinimumAberration.columns(3, 7)).design();
    AliasTable table = AliasTable.of(Augmentation.foldover(design, 2, true), 2);
    assertTrue(table.clear(Term.of(2)));
    assertTrue(IntStream.of(0, 1, 3, 4, 5, 6).allMatch(i -> table.clear(Term.of(i, 2))));
    assertTrue(IntStream.of(0, 1, 3, 4, 5, 6).noneMatch(i -> table.clear(Term.of(i))));
  }

  @Test
  void theMirrorImageCanHaveBlocksOfItsOwn() {
    Design design = Augmentation.foldover(
        Augmentation.foldover(Fraction.full(2).design(), true), true);
    assertEquals("[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]",
        Arrays.toString(design.blocks()));
  }

  @Test
  void centrePointsAreInAllBlocksAndNoEffectsAreInThem() {
    Design design = Augmentation.withCentrePoints(
        Blocking.of(Fraction.full(3), 2).design(), 2);
    assertEquals(12, design.runs());
    assertArrayEquals(new int[] {0, 0, 1, 1}, Arrays.copyOfRange(design.blocks(), 8, 12));
    assertTrue(IntStream.range(8, 12).allMatch(design::isCentre));
    AliasTable table = AliasTable.of(design, 3);
    assertEquals(7, table.strings().size());
    assertTrue(table.orthogonal());
    assertTrue(table.clear(Term.of(1)));
  }

  @Test
  void moreThanTwoLevelsAreRefused() {
    assertThrows(DesignException.class,
        () -> Augmentation.foldover(OrthogonalArray.of(4, 3), false));
    assertThrows(DesignException.class,
        () -> Augmentation.withCentrePoints(OrthogonalArray.of(4, 3), 2));
  }
}
