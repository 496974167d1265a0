package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class OrthogonalArrayTest {
  /** Lyon, Snelick, Kacker 1992, Table IV: delays 0, 7, 14, 21, 28 in trials 1, 7, 16 and 25. */
  @Test
  void theRingsSearchHasThePrintedTrials() {
    Design design = OrthogonalArray.of(6, 5);
    int[][] printed = {{1, 0, 0, 0, 0, 0, 0}, {7, 7, 7, 14, 21, 28, 0}, {16, 21, 0, 21, 7, 28, 14},
        {25, 28, 28, 21, 14, 7, 0}};
    for (int[] trial : printed) {
      int[] delays = new int[7];
      delays[0] = trial[0];
      for (int i = 0; i < 6; i++) {
        delays[i + 1] = 7 * design.settings()[trial[0] - 1][i];
      }
      assertArrayEquals(trial, delays);
    }
    assertEquals("OA25(5^6)", design.name());
  }

  @Test
  void arraysHaveStrengthTwo() {
    for (int[] size : new int[][] {{3, 4, 9}, {3, 13, 27}, {4, 5, 16}, {5, 6, 25}, {4, 21, 64},
        {3, 40, 81}, {7, 8, 49}, {8, 9, 64}, {9, 10, 81}}) {
      Design design = OrthogonalArray.of(size[1], size[0]);
      assertEquals(size[2], design.runs());
      assertEquals(2, OrthogonalArray.strength(design, size[1] > 13 ? 2 : 3), design.name());
    }
  }

  @Test
  void strengthIsCounted() {
    assertEquals(3, OrthogonalArray.strength(
        Fraction.of(List.of(new Generator(3, Term.of(0, 1, 2), 1)), Letters.names(4)).design(), 4));
    assertEquals(4, OrthogonalArray.strength(Fraction.full(4).design(), 9));
    Design design = OrthogonalArray.of(6, 5);
    design.settings()[7][3] = (design.settings()[7][3] + 1) % 5;
    assertEquals(0, OrthogonalArray.strength(design, 2));
    assertEquals(1, OrthogonalArray.strength(
        new Design("", 2, new int[][] {{-1, -1}, {1, 1}, {1, 1}, {-1, -1}}), 2));
  }

  @Test
  void whatIsNotThereIsSaidWithWhatIs() {
    assertEquals("orthogonal arrays exist for 3, 4, 5, 7, 8 and 9 levels, not for 6",
        assertThrows(DesignException.class, () -> OrthogonalArray.of(4, 6)).getMessage());
    assertEquals("200 factors of 5 levels take over 1024 runs; 625 runs allow 156",
        assertThrows(DesignException.class, () -> OrthogonalArray.of(200, 5)).getMessage());
  }
}
