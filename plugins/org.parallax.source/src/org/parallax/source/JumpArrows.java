package org.parallax.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.swt.graphics.GC;
import org.parallax.analysis.source.Disassembly.Line;

/** The jumps within a list of instructions, as arrows beside it: short ones inside, long ones outside. */
final class JumpArrows {
  /** Further ones would make the column wider than the instructions. */
  static final int MOST_LANES = 6;
  private static final int LANE_PIXELS = 6;
  private static final int HEAD_PIXELS = 4;

  /** @param lane from 0, next to the instructions */
  record Arrow(int from, int to, int lane) {
    int first() {
      return Math.min(from, to);
    }

    int last() {
      return Math.max(from, to);
    }
  }

  private final List<Arrow> arrows;

  private JumpArrows(List<Arrow> arrows) {
    this.arrows = arrows;
  }

  /** The jumps to labels; those that find no lane are left out, their labels tell of them. */
  static JumpArrows of(List<Line> lines) {
    Map<String, Integer> labels = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).label().isEmpty()) {
        labels.put(lines.get(i).label(), i);
      }
    }
    List<Arrow> jumps = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Integer to = lines.get(i).instruction().hasTarget() ? labels.get(lines.get(i).target()) : null;
      if (to != null) {
        jumps.add(new Arrow(i, to, 0));
      }
    }
    jumps.sort(Comparator.comparingInt(each -> each.last() - each.first()));
    List<Arrow> placed = new ArrayList<>();
    for (Arrow jump : jumps) {
      for (int lane = 0; lane < MOST_LANES; lane++) {
        int tried = lane;
        // Arrows to the same place can share the line.
        if (placed.stream().noneMatch(other -> other.lane == tried && other.to != jump.to
            && other.first() <= jump.last() && jump.first() <= other.last())) {
          placed.add(new Arrow(jump.from, jump.to, lane));
          break;
        }
      }
    }
    return new JumpArrows(placed);
  }

  List<Arrow> arrows() {
    return arrows;
  }

  static int width() {
    return MOST_LANES * LANE_PIXELS + HEAD_PIXELS + 4;
  }

  /** Draws what of the arrows is in a row of the list, up to the right edge. */
  void paint(GC gc, int row, int x, int y, int height) {
    int right = x + width();
    int middle = y + height / 2;
    for (Arrow arrow : arrows) {
      if (row < arrow.first() || row > arrow.last()) {
        continue;
      }
      int at = right - HEAD_PIXELS - 2 - (arrow.lane + 1) * LANE_PIXELS + LANE_PIXELS / 2;
      gc.drawLine(at, row == arrow.first() ? middle : y, at,
          row == arrow.last() ? middle : y + height);
      if (row == arrow.from || row == arrow.to) {
        gc.drawLine(at, middle, right - 2, middle);
      }
      if (row == arrow.to) {
        gc.drawLine(right - 2, middle, right - 2 - HEAD_PIXELS, middle - HEAD_PIXELS + 1);
        gc.drawLine(right - 2, middle, right - 2 - HEAD_PIXELS, middle + HEAD_PIXELS - 1);
      }
    }
  }
}
