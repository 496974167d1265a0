package org.parallax.analysis.calls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Where the frames of a flame graph are (Gregg 2016), in nanoseconds from its left border and in rows
 * from its base: a row for each depth, callees side by side within the width of their caller. Frames
 * that are too narrow to be seen are left out. Immutable; all methods can be called from any thread.
 *
 * <p>Cost: linear in the frames that are wide enough and their callees. No recursion: call paths can be
 * thousands of calls deep.
 *
 * @param base the frame that has all of the width
 * @param leastNs the least width of a frame
 * @param <N> what a frame stands for
 */
public record FlameFrames<N>(Tree<N> tree, N base, double leastNs) {
  /** What calls what. */
  public interface Tree<N> {
    /** @return in the order in which they are shown */
    Iterable<N> callees(N node);

    /** @return the width of the frame, in nanoseconds: at least the sum of those of its callees */
    long ns(N node);
  }

  /** Is told of frames. */
  public interface Visitor<N> {
    /** @param node null for callees next to each other that are too narrow each, together */
    void frame(N node, long fromNs, long ns, int row);
  }

  private record Placed<N>(N node, long fromNs, int row) {}

  /**
   * Visits frames, callers before what they call.
   *
   * @param lastRow from which on callees are not visited; the base is row 0
   */
  public void visit(int lastRow, Visitor<N> visitor) {
    Deque<Placed<N>> next = new ArrayDeque<>();
    next.push(new Placed<>(base, 0, 0));
    while (!next.isEmpty()) {
      Placed<N> placed = next.pop();
      visitor.frame(placed.node, placed.fromNs, tree.ns(placed.node), placed.row);
      if (placed.row < lastRow) {
        visitCallees(placed, next, visitor);
      }
    }
  }

  private void visitCallees(Placed<N> caller, Deque<Placed<N>> next, Visitor<N> visitor) {
    List<Placed<N>> wide = new ArrayList<>();
    int row = caller.row + 1;
    long atNs = caller.fromNs;
    long narrowNs = 0;
    for (N callee : tree.callees(caller.node)) {
      long ns = tree.ns(callee);
      if (ns >= leastNs) {
        visitNarrow(atNs, narrowNs, row, visitor);
        narrowNs = 0;
        wide.add(new Placed<>(callee, atNs, row));
      } else {
        narrowNs += ns;
      }
      atNs += ns;
    }
    visitNarrow(atNs, narrowNs, row, visitor);
    for (int i = wide.size() - 1; i >= 0; i--) {
      next.push(wide.get(i));
    }
  }

  private void visitNarrow(long endNs, long narrowNs, int row, Visitor<N> visitor) {
    if (narrowNs > 0 && narrowNs >= leastNs) {
      visitor.frame(null, endNs - narrowNs, narrowNs, row);
    }
  }

  /**
   * @param ns from the left border, within the width of the base
   * @return the frame there; null where there is none that is wide enough
   */
  public N at(double ns, int row) {
    N node = row < 0 ? null : base;
    double leftNs = 0;
    for (int depth = 0; depth < row && node != null; depth++) {
      N found = null;
      for (N callee : tree.callees(node)) {
        long wideNs = tree.ns(callee);
        if (ns >= leftNs && ns < leftNs + wideNs) {
          found = wideNs >= leastNs ? callee : null;
          break;
        }
        leftNs += wideNs;
      }
      node = found;
    }
    return node;
  }
}
