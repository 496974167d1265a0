package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TermTest {
  @Test
  void aFactorTimesItselfIsNothing() {
    assertEquals(Term.of(0, 3), Term.of(1, 0).times(Term.of(3, 1)));
    assertEquals(Term.MEAN, Term.of(127).times(Term.of(127)));
  }

  @Test
  void theContrastOfAProductIsTheProductOfContrasts() {
    long seed = 1992;
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int[] settings = random.ints(8, 0, 2).map(bit -> 2 * bit - 1).toArray();
      Term a = Term.of(random.ints(random.nextInt(8), 0, 8).toArray());
      Term b = Term.of(random.ints(random.nextInt(8), 0, 8).toArray());
      assertEquals(a.contrast(settings) * b.contrast(settings), a.times(b).contrast(settings),
          a + " " + b + ", seed " + seed);
    }
  }

  @Test
  void allTermsUpToAnOrderComeByOrder() {
    assertEquals("[[0], [1], [2], [0, 1], [0, 2], [1, 2]]", Term.all(3, 2).toString());
    assertEquals(8 + 28 + 56, Term.all(8, 3).size());
    assertEquals(Term.all(5, 5), Term.all(5, 5).stream().sorted().toList());
    assertEquals(List.of(), Term.all(0, 3));
  }

  @Test
  void namesAreThoseOfItsFactors() {
    assertEquals("push&swap", Term.of(2, 1).name(List.of("s_lock", "push", "swap")));
    assertEquals("mean", Term.MEAN.name(List.of()));
    assertThrows(IllegalArgumentException.class, () -> Term.of(-1));
  }

  @Test
  void aDesignRefusesWhatIsNoLevel() {
    assertThrows(IllegalArgumentException.class, () -> new Design("", 2, new int[][] {{2}}));
    assertThrows(IllegalArgumentException.class, () -> new Design("", 3, new int[][] {{-1}}));
    assertThrows(IllegalArgumentException.class,
        () -> new Design("", 2, new int[][] {{1}, {1, -1}}));
    Design design = new Design("", 2, new int[][] {{1, -1}, {0, 0}, {-1, -1}});
    assertArrayEquals(new int[] {-1, 0, 1}, design.contrast(Term.of(0, 1)));
  }
}
