package org.parallax.ui.charts;

import java.awt.geom.Rectangle2D;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.parallax.analysis.CallTree;
import org.parallax.analysis.CallTree.Node;
import org.parallax.analysis.graph.Weight;

/**
 * Where the frames of a flame graph are (Gregg 2016): a row for each depth, callees within the width of
 * their caller. The frame that is zoomed to has all the width, as have those that lead to it. What is
 * narrower than a pixel has no frame of its own. Immutable; all methods can be called from any thread.
 *
 * <p>Cost: what is painted is linear in the frames that are at least a pixel wide and their callees.
 *
 * @param zoom the frame that has all of the width
 * @param rowHeight in points
 * @param offset by how much it is scrolled, in points
 * @param upwards whether callees are above their callers
 */
public record FlameLayout(CallTree tree, Weight weight, Node zoom, int width, int height,
    int rowHeight, int offset, boolean upwards) {
  private static final double LEAST = 1;

  /** Is told of frames. */
  public interface Visitor {
    /** @param node null for callees that are narrower than a pixel each, together */
    void frame(Node node, double x, double y, double frameWidth);
  }

  private record Placed(Node node, double x, double frameWidth, int row) {}

  /** Visits the frames in sight, callers before what they call. */
  public void visit(Visitor visitor) {
    walk(visitor, true);
  }

  /** @return how many rows have frames, in sight or not */
  public int rows() {
    return walk((node, x, y, frameWidth) -> { }, false);
  }

  private int walk(Visitor visitor, boolean onlyInSight) {
    int rows = 0;
    for (Node node : ancestors()) {
      visitor.frame(node, 0, y(rows++), width);
    }
    Deque<Placed> next = new ArrayDeque<>();
    next.push(new Placed(zoom, 0, width, rows));
    while (!next.isEmpty()) {
      Placed placed = next.pop();
      rows = Math.max(rows, placed.row + 1);
      if (!onlyInSight || isInSight(placed.row)) {
        visitor.frame(placed.node, placed.x, y(placed.row), placed.frameWidth);
      } else if (isBeyond(placed.row)) {
        continue;
      }
      addCallees(placed, next, visitor, onlyInSight);
    }
    return rows;
  }

  private void addCallees(Placed placed, Deque<Placed> next, Visitor visitor, boolean onlyInSight) {
    double perNs = perNs();
    double x = placed.x;
    double narrow = 0;
    int row = placed.row + 1;
    boolean isInSight = !onlyInSight || isInSight(row);
    for (Node callee : placed.node.callees()) {
      double wide = callee.inclusiveNs(weight) * perNs;
      if (wide >= LEAST) {
        if (narrow >= LEAST && isInSight) {
          visitor.frame(null, x - narrow, y(row), narrow);
        }
        narrow = 0;
        next.push(new Placed(callee, x, wide, row));
      } else {
        narrow += wide;
      }
      x += wide;
    }
    if (narrow >= LEAST && isInSight) {
      visitor.frame(null, x - narrow, y(row), narrow);
    }
  }

  private double perNs() {
    return (double) width / Math.max(1, zoom.inclusiveNs(weight));
  }

  private List<Node> ancestors() {
    List<Node> above = new ArrayList<>();
    for (Node node = zoom.caller(); node != null; node = node.caller()) {
      above.add(node);
    }
    Collections.reverse(above);
    return above;
  }

  private double y(int row) {
    return upwards ? height - (row + 1) * rowHeight + offset : row * rowHeight - offset;
  }

  private boolean isInSight(int row) {
    return y(row) + rowHeight > 0 && y(row) < height;
  }

  /** Whether neither a row nor those of callees are in sight. */
  private boolean isBeyond(int row) {
    return upwards ? y(row) + rowHeight <= 0 : y(row) >= height;
  }

  private int row(double y) {
    return (int) Math.floor((upwards ? height + offset - y : y + offset) / rowHeight);
  }

  /** @return the frame at a position; null where there is none */
  public Node at(double x, double y) {
    if (x < 0 || x >= width) {
      return null;
    }
    int row = row(y);
    List<Node> above = ancestors();
    if (row < 0) {
      return null;
    }
    if (row < above.size()) {
      return above.get(row);
    }
    Node node = zoom;
    double left = 0;
    for (int depth = above.size(); depth < row; depth++) {
      Node found = null;
      for (Node callee : node.callees()) {
        double wide = callee.inclusiveNs(weight) * perNs();
        if (x >= left && x < left + wide) {
          found = wide >= LEAST ? callee : null;
          break;
        }
        left += wide;
      }
      if (found == null) {
        return null;
      }
      node = found;
    }
    return node;
  }

  /** @return where a frame is; null if it is outside of what is zoomed to */
  public Rectangle2D.Double bounds(Node node) {
    List<Node> above = ancestors();
    int row = above.indexOf(node);
    if (row >= 0) {
      return new Rectangle2D.Double(0, y(row), width, rowHeight);
    }
    double x = 0;
    int depth = above.size();
    for (Node each = node; each != zoom; each = each.caller()) {
      if (each.caller() == null) {
        return null;
      }
      for (Node sibling : each.caller().callees()) {
        if (sibling == each) {
          break;
        }
        x += sibling.inclusiveNs(weight) * perNs();
      }
      depth++;
    }
    return new Rectangle2D.Double(x, y(depth), node.inclusiveNs(weight) * perNs(), rowHeight);
  }
}
