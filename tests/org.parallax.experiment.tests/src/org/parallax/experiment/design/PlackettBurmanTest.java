package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlackettBurmanTest {
  /** The generators of Plackett and Burman, 1946, table of N = 12, 20 and 24. */
  @Test
  void generatorsAreThoseOfThePaper() {
    assertEquals("++-+++---+-", GoldenDesigns.rows(PlackettBurman.of(11, 12)).get(0));
    assertEquals("++--++++-+-+----++-", GoldenDesigns.rows(PlackettBurman.of(19, 20)).get(0));
    assertEquals("+++++-+-++--++--+-+----", GoldenDesigns.rows(PlackettBurman.of(23, 24)).get(0));
  }

  @Test
  void allSizesAreOrthogonalAndBalanced() {
    int sizes = 0;
    for (int runs = 4; runs <= 132; runs += 4) {
      if (PlackettBurman.exists(runs)) {
        Design design = PlackettBurman.of(runs - 1, runs);
        assertEquals(runs, design.runs());
        AliasTable table = AliasTable.of(design, 1);
        assertEquals(runs - 1, table.strings().size());
        assertTrue(table.orthogonal(), runs + " runs");
        assertTrue(IntStream.range(0, runs - 1)
            .allMatch(i -> table.correlation(Term.MEAN, Term.of(i)) == 0), runs + " runs");
        sizes++;
      }
    }
    assertEquals(31, sizes, "all multiples of four to 132 but 92 and 116");
    assertFalse(PlackettBurman.exists(92));
    assertFalse(PlackettBurman.exists(116));
  }

  @Test
  void screeningHoldsUpTo128Factors() {
    assertEquals(68, PlackettBurman.fewestRuns(64).getAsInt());
    assertEquals(128, PlackettBurman.fewestRuns(127).getAsInt());
    assertEquals(132, PlackettBurman.fewestRuns(128).getAsInt());
    assertEquals(96, PlackettBurman.fewestRuns(90).getAsInt(), "92 is left out");
    assertTrue(PlackettBurman.fewestRuns(300).isEmpty());
  }

  /** With 12 runs each main effect holds a third of every interaction of two others. */
  @Test
  void twelveRunsAreAliasedInPart() {
    AliasTable table = AliasTable.of(PlackettBurman.of(11, 12), 2);
    assertEquals(66, table.strings().size(), "nothing is aliased wholly");
    List<AliasTable.PartialAlias> partial = table.partialAliasesOf(Term.of(0));
    assertEquals(45, partial.size());
    assertTrue(partial.stream().allMatch(alias -> alias.term().order() == 2
        && !alias.term().contains(0) && Math.abs(Math.abs(alias.correlation()) - 1 / 3.) < 1e-12));
    assertTrue(table.clear(Term.of(0), 1));
    assertFalse(table.clear(Term.of(0), 2));
    assertFalse(table.orthogonal());
  }

  @Test
  void foldedOverMainEffectsAreClear() {
    Design folded = Augmentation.foldover(PlackettBurman.of(11, 12), false);
    AliasTable table = AliasTable.of(folded, 2);
    assertTrue(IntStream.range(0, 11).allMatch(i -> table.clear(Term.of(i))));
  }

  @Test
  void whatIsNotThereIsSaidWithWhatIs() {
    assertEquals("a Plackett-Burman design with 12 runs allows 11 factors, not 14; the next larger "
        + "design has 16 runs",
        assertThrows(DesignException.class, () -> PlackettBurman.of(14, 12)).getMessage());
    assertEquals("there is no Plackett-Burman design with 92 runs; available are 12, 20, 24, 96, "
        + "100, 104 and others",
        assertThrows(DesignException.class, () -> PlackettBurman.of(90, 92)).getMessage());
  }
}
