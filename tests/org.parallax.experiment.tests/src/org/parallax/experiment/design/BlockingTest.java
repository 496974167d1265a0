package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockingTest {
  private static List<Term> inBlocks(Design design, int order) {
    return AliasTable.of(design, order).strings().stream().filter(AliasString::inBlocks)
        .flatMap(string -> string.terms().stream()).map(SignedTerm::term).sorted().toList();
  }

  /** Box, Hunter, Hunter, table of blocks of full factorials; what FrF2 prints of its blocks. */
  @Test
  void theHighestInteractionsAreTakenUp() {
    assertEquals(List.of(Term.of(0, 1, 2)), inBlocks(Blocking.of(Fraction.full(3), 2).design(), 3));
    assertEquals(List.of(Term.of(0, 1, 2, 3)),
        inBlocks(Blocking.of(Fraction.full(4), 2).design(), 4));
    assertEquals(1, inBlocks(Blocking.of(Fraction.full(4), 4).design(), 2).size());
    List<String> names = Letters.names(7);
    Fraction fraction = Fraction.of(Generator.parse("F=ABC,G=ABD", names), names);
    assertEquals(List.of(), inBlocks(Blocking.of(fraction, 4).design(), 2), "FrF2(32,7,blocks=4)");
    assertEquals(List.of(), inBlocks(Blocking.of(best(6, 7), 4).design(), 2),
        "FrF2(64,7,blocks=4)");
  }

  private static Fraction best(int basics, int factors) {
    return Fraction.ofColumns(basics, MinimumAberration.columns(basics, factors));
  }

  /** All pairs of generators: none confounds fewer two-factor interactions. */
  @Test
  void asFewTwoFactorInteractionsAsPossibleAreTakenUp() {
    long seed = 1997;
    Random random = new Random(seed);
    for (int round = 0; round < 15; round++) {
      Fraction fraction = RandomFractions.next(random, 4, 3);
      List<Term> taken = inBlocks(Blocking.of(fraction, 4).design(), 2);
      assertTrue(taken.stream().allMatch(term -> term.order() == 2), "seed " + seed);
      long least = Long.MAX_VALUE;
      for (int a = 1; a < 16; a++) {
        for (int b = 1; b < a; b++) {
          int[] group = {a, b, a ^ b};
          if (IntStream.range(0, fraction.factors())
              .noneMatch(i -> IntStream.of(group).anyMatch(g -> g == fraction.column(i)))) {
            least = Math.min(least, Term.all(fraction.factors(), 2).stream()
                .filter(term -> term.order() == 2).mapToInt(term ->
                    fraction.column(term.factors()[0]) ^ fraction.column(term.factors()[1]))
                .filter(column -> IntStream.of(group).anyMatch(g -> g == column)).count());
          }
        }
      }
      assertEquals(least, taken.size(), "seed " + seed + " round " + round);
    }
  }

  @Test
  void blocksAreOfOneSizeAndBalanced() {
    Blocking blocking = Blocking.of(best(6, 12), 8);
    Design design = blocking.design();
    for (int block = 0; block < 8; block++) {
      int own = block;
      assertEquals(8, Arrays.stream(design.blocks()).filter(b -> b == own).count());
      for (int i = 0; i < 12; i++) {
        int factor = i;
        assertEquals(0, IntStream.range(0, design.runs()).filter(run -> design.blocks()[run] == own)
            .map(run -> design.settings()[run][factor]).sum());
      }
    }
    assertEquals(3, blocking.generators().size());
    for (int i = 0; i < 3; i++) {
      int bit = i;
      int[] contrast = design.contrast(blocking.generators().get(i));
      assertTrue(IntStream.range(0, design.runs()).allMatch(
          run -> (contrast[run] > 0) == ((design.blocks()[run] >> bit & 1) != 0)));
    }
  }

  @Test
  void whatCannotBeInBlocksIsSaid() {
    assertEquals("16 runs can be divided into 2, 4, 8 and so on up to 8 blocks, not into 3",
        assertThrows(DesignException.class, () -> Blocking.of(Fraction.full(4), 3)).getMessage());
    assertEquals("2^(15-11) III of 15 factors cannot be divided into 2 blocks: differences between "
        + "blocks could not be separated from main effects; use the replicates as blocks, or take "
        + "32 runs",
        assertThrows(DesignException.class, () -> Blocking.of(best(4, 15), 2)).getMessage());
  }
}
