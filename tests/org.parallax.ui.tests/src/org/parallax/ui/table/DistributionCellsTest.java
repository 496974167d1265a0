package org.parallax.ui.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.eclipse.swt.graphics.Rectangle;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Distribution;

/** The bars of a distribution stand at the same places in all rows, whatever their heights. */
class DistributionCellsTest {
  private static final Rectangle CELL = new Rectangle(100, 40, 90, 22);

  @Test
  void barsOfAPartStandBelowEachOther() {
    for (int index = 0; index < 16; index++) {
      Rectangle full = DistributionCells.bar(CELL, 16, index, 1);
      Rectangle half = DistributionCells.bar(CELL, 16, index, 0.5);
      Rectangle none = DistributionCells.bar(CELL, 16, index, 0);
      assertEquals(full.x, half.x);
      assertEquals(full.width, half.width);
      assertTrue(none.x >= full.x && none.x + none.width <= full.x + full.width, none + " in " + full);
      assertEquals(full.y + full.height, half.y + half.height, "they stand on one line");
      assertTrue(full.height > half.height && half.height > none.height);
      assertEquals(full, full.intersection(CELL));
      if (index > 0) {
        Rectangle before = DistributionCells.bar(CELL, 16, index - 1, 1);
        assertEquals(before.x + before.width, full.x);
      }
    }
  }

  @Test
  void theTextTellsTheHeights() {
    assertArrayEquals(new double[] {0.25, 0, 1}, Distribution.heights(Distribution.bars(new long[] {1, 0, 6})));
    assertArrayEquals(new double[0], Distribution.heights(""));
  }
}
