package org.parallax.ui.charts;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.parallax.analysis.calls.CallTree;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.calls.FlameFrames;
import org.parallax.analysis.replay.Weight;

/**
 * Where the {@link FlameFrames frames} of a call tree are on the screen. The frame that is zoomed to has
 * all the width, as have those that lead to it. What is narrower than a pixel has no frame of its own.
 * Immutable; all methods can be called from any thread.
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

  private static FlameFrames.Tree<Node> tree(Weight weight) {
    return new FlameFrames.Tree<>() {
      @Override
      public List<Node> callees(Node node) {
        return node.callees();
      }

      @Override
      public long ns(Node node) {
        return node.inclusiveNs(weight);
      }
    };
  }

  /** Of the frame that is zoomed to and those that it calls. */
  private FlameFrames<Node> frames() {
    return new FlameFrames<>(tree(weight), zoom, LEAST / perNs());
  }

  /** Visits the frames in sight, callers before what they call. */
  public void visit(Visitor visitor) {
    List<Node> above = ancestors();
    for (int row = 0; row < above.size(); row++) {
      visitor.frame(above.get(row), 0, y(row), width);
    }
    int inSight = (int) Math.ceil((double) (height + offset) / rowHeight);
    double perNs = perNs();
    frames().visit(inSight - 1 - above.size(), (node, fromNs, ns, depth) -> {
      int row = above.size() + depth;
      if (isInSight(row)) {
        visitor.frame(node, fromNs * perNs, y(row), node == zoom ? width : ns * perNs);
      }
    });
  }

  /** @return how many rows have frames, in sight or not */
  public int rows() {
    int[] rows = {0};
    frames().visit(Integer.MAX_VALUE,
        (node, fromNs, ns, depth) -> rows[0] = Math.max(rows[0], node == null ? 0 : depth + 1));
    return ancestors().size() + rows[0];
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
    return row < above.size() ? above.get(row) : frames().at(x / perNs(), row - above.size());
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
