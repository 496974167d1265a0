package org.parallax.ui.timeline;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import org.parallax.analysis.timeline.PathPieces;

/**
 * The critical path as lines over the lanes: a bar in the lane where it is, and a line to the lane to which it goes
 * next. States stay readable below it: bars are as thin as low lanes need, and lines that are near to each other are
 * thin and few.
 */
final class PathLines {
  private static final int POINTS_OF_AN_ARC = 8;
  private static final int LEAST_ARCS = 40;
  private static final int MOST_ARCS = 120;
  /** Nearer lines would cover what is between them. */
  private static final int LEAST_APART = 5;
  /** Lines with nothing else of the path as near as this are as wide as bars. */
  private static final int APART_IF_WIDE = 24;
  private static final int WIDEST = 3;
  /** The part of a lane that a bar may cover. */
  private static final double PART_OF_A_LANE = 0.16;

  private final PathPieces path;
  private final TimelineScene scene;
  private final TimelineLayout layout;
  private final int scroll;
  private final int[] rows;
  /** The pieces to which lines from other lanes lead. */
  private final int[] arcs;
  private final int barWidth;

  PathLines(PathPieces path, TimelineScene scene, TimelineLayout layout, int scroll) {
    this.path = path;
    this.scene = scene;
    this.layout = layout;
    this.scroll = scroll;
    rows = scene.lanes().rowOfThread();
    int width = layout.plot().width;
    long apartNs = Math.max(1, Math.round(scene.window().lengthNs() * (double) LEAST_APART / width));
    arcs = path.arcs(Math.min(MOST_ARCS, Math.max(LEAST_ARCS, width / POINTS_OF_AN_ARC)), apartNs,
        thread -> rows[thread] >= 0);
    barWidth = (int) Math.max(1, Math.min(WIDEST, Math.round(layout.rowHeight() * PART_OF_A_LANE)));
  }

  int[] arcs() {
    return arcs;
  }

  /**
   * Draws the lines.
   *
   * @param edge of bars and of lines that stand alone, which sets them off from states of any colour
   */
  void draw(Graphics2D graphics, Color edge, Color color) {
    int edges = barWidth == 1 ? 0 : 2;
    if (edges > 0) {
      graphics.setPaint(edge);
      bars(graphics, barWidth + edges);
    }
    graphics.setPaint(edge);
    for (int i = 0; i < arcs.length; i++) {
      if (isAlone(i)) {
        arc(graphics, arcs[i], barWidth + 2);
      }
    }
    graphics.setPaint(color);
    bars(graphics, barWidth);
    for (int i = 0; i < arcs.length; i++) {
      arc(graphics, arcs[i], isAlone(i) ? barWidth : 1);
    }
    graphics.setStroke(new BasicStroke(1));
  }

  private int x(long timeNs) {
    return layout.pixel(scene.window(), timeNs);
  }

  private int y(int piece) {
    return layout.middle(rows[path.pieces().get(piece).thread()], scroll);
  }

  private void bars(Graphics2D graphics, int width) {
    for (int i = 0; i < path.pieces().size(); i++) {
      PathPieces.Piece piece = path.pieces().get(i);
      if (rows[piece.thread()] >= 0) {
        int x = x(piece.beginNs());
        graphics.fillRect(x, y(i) - width / 2, Math.max(1, x(piece.endNs()) - x), width);
      }
    }
  }

  private void arc(Graphics2D graphics, int arc, int width) {
    graphics.setStroke(new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
    graphics.drawLine(x(path.pieces().get(arc - 1).endNs()), y(arc - 1),
        x(path.pieces().get(arc).beginNs()), y(arc));
  }

  /** Whether no other line is near to a line, or it goes far and covers little of a lane. */
  private boolean isAlone(int index) {
    int begin = x(path.pieces().get(arcs[index] - 1).endNs());
    int end = x(path.pieces().get(arcs[index]).beginNs());
    return end - begin >= APART_IF_WIDE || (index == 0 || begin - x(path.pieces().get(arcs[index - 1]).beginNs()) >= APART_IF_WIDE)
        && (index + 1 == arcs.length
            || x(path.pieces().get(arcs[index + 1] - 1).endNs()) - end >= APART_IF_WIDE);
  }
}
