package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.FontMetrics;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lanes of any number and height: each is drawn once, and is found where it was drawn. */
class TimelineLayoutTest {
  private static final FontMetrics FONT = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB)
      .createGraphics().getFontMetrics();

  private static Lanes lanes(int count) {
    List<Lanes.Lane> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(new Lanes.Lane("lane " + i, null, List.of(i), "lane " + i, 0));
    }
    return Lanes.of(rows, count, 0);
  }

  private static TimelineLayout layout(int lanes, LaneHeight height, int points) {
    return TimelineLayout.of(lanes(lanes), List.of(), FONT, height, 0, 1000, points, false);
  }

  @Test
  void eachLaneIsInOneBandAndIsFoundThere() {
    Random random = new Random(4);
    for (int round = 0; round < 400; round++) {
      int rows = 1 + random.nextInt(random.nextBoolean() ? 20 : 5000);
      LaneHeight height = switch (random.nextInt(4)) {
        case 0 -> LaneHeight.FIT;
        case 1 -> LaneHeight.READABLE;
        default -> new LaneHeight(Math.exp(random.nextDouble() * 8 - 4));
      };
      TimelineLayout layout = layout(rows, height, 100 + random.nextInt(1000));
      int scroll = random.nextInt(layout.mostScroll() + 1);
      String what = rows + " lanes of " + layout.rowHeight() + " scrolled by " + scroll;
      int next = layout.firstRow(scroll);
      int last = Integer.MIN_VALUE;
      for (TimelineLayout.Band band : layout.bands(scroll)) {
        assertEquals(next, band.fromRow(), what);
        assertTrue(band.toRow() > band.fromRow() && band.top() >= last, what);
        assertTrue(band.isOneLane() || layout.rowHeight() < 1, what);
        next = band.toRow();
        last = band.top() + band.height();
        int middle = band.top() + band.height() / 2;
        if (middle >= layout.plot().y && middle < layout.plot().y + layout.plot().height) {
          assertEquals(band.fromRow(), layout.rowAt(middle, scroll), what);
        }
      }
      assertEquals(layout.endRow(scroll), next, what);
      assertTrue(scroll < layout.mostScroll() || next == rows, what + ": the last lane is in sight");
      assertTrue(last <= layout.plot().y + layout.plot().height + layout.rowHeight() + 1, what);
    }
  }

  @Test
  void allLanesFitWhateverTheirNumber() {
    for (int rows : new int[] {0, 1, 3, 64, 333, 1024, 10_000}) {
      TimelineLayout layout = layout(rows, LaneHeight.FIT, 500);
      assertEquals(0, layout.mostScroll(), rows + " lanes");
      assertEquals(rows, layout.endRow(0));
      assertTrue(layout.plot().height <= layout.space());
    }
  }

  @Test
  void readableLanesHaveRoomForTheirNames() {
    TimelineLayout layout = layout(1024, LaneHeight.READABLE, 500);
    assertTrue(layout.rowHeight() > layout.fontHeight());
    assertTrue(layout.mostScroll() > 0);
    // Never lower than needed to show all of them, and not higher than some lines of text.
    assertEquals(layout(10, LaneHeight.FIT, 500).rowHeight(),
        layout(10, new LaneHeight(0.01), 500).rowHeight());
    assertTrue(layout(10, new LaneHeight(1e6), 500).rowHeight() < 500);
  }
}
