package org.parallax.analysis.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.parallax.analysis.path.PathSegments;
import org.parallax.analysis.replay.ArcKind;

/**
 * The critical path in a part of the time.
 *
 * @param pieces in the order of time
 * @param count how many there are in the trace
 * @param isThinned whether pieces stand for others beside them
 */
public record PathPieces(List<Piece> pieces, long count, boolean isThinned) {
  /**
   * A part of the path on one thread.
   *
   * @param thread its index
   * @param kind how the path came to it from the piece before: WORK if it begins there, null where it
   *     came through others that are left out
   */
  public record Piece(int thread, long beginNs, long endNs, ArcKind kind) {}

  /**
   * The path in a part of the time, with as many pieces as columns at most.
   *
   * <p>Where there are more segments, the one at the middle of each column stands for all in it. Pieces that
   * follow each other on the path keep their times, so that arcs of several columns are seen. Cost: O(columns *
   * log segments).
   */
  static PathPieces of(PathSegments path, long fromNs, long toNs, int columns) {
    long first = path.segmentAt(fromNs);
    // With the one before the first, from which an arc comes, and the one after the last.
    long begin = Math.max(0, first - 1);
    long end = Math.min(path.count(), path.segmentAt(toNs) + 1);
    List<Piece> pieces = new ArrayList<>();
    if (end - begin <= columns) {
      for (long i = begin; i < end; i++) {
        pieces.add(new Piece(path.thread(i), path.beginNs(i), path.endNs(i), path.kind(i)));
      }
      return new PathPieces(pieces, end - begin, false);
    }
    long before = -1;
    for (int column = 0; column < columns; column++) {
      long middle = StateColumns.beginNs(fromNs, toNs, 2 * columns, 2 * column + 1);
      long from = StateColumns.beginNs(fromNs, toNs, columns, column);
      long to = StateColumns.beginNs(fromNs, toNs, columns, column + 1);
      long segment = path.segmentAt(middle);
      if (segment == path.count() || path.beginNs(segment) >= Math.max(to, middle + 1)) {
        // An arc passes over all of the column, or the path is not there.
        continue;
      }
      Piece last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
      if (last != null && segment == before) {
        pieces.set(pieces.size() - 1, new Piece(last.thread, last.beginNs, to, last.kind));
      } else if (last != null && segment == before + 1) {
        pieces.set(pieces.size() - 1, new Piece(last.thread, last.beginNs,
            Math.max(last.beginNs, path.endNs(before)), last.kind));
        pieces.add(new Piece(path.thread(segment), Math.min(to, path.beginNs(segment)), to,
            path.kind(segment)));
      } else {
        pieces.add(new Piece(path.thread(segment), from, to, null));
      }
      before = segment;
    }
    return new PathPieces(pieces, end - begin, true);
  }

  /**
   * The pieces to which the path comes from another thread, or over an arc, from the piece before. Where there are
   * more than can be drawn, or where they are too near to each other, those are chosen around which most time passes:
   * both pieces and the arc. Cost: O(pieces * log pieces).
   *
   * @param most how many are wanted
   * @param apartNs the least time between the middles of two of them
   * @param shown the threads that can be seen
   * @return indices of {@link #pieces}, ascending
   */
  public int[] arcs(int most, long apartNs, IntPredicate shown) {
    List<Integer> longest = IntStream.range(1, pieces.size()).filter(i -> isArc(i)
        && shown.test(pieces.get(i - 1).thread) && shown.test(pieces.get(i).thread)).boxed()
        .sorted(Comparator.comparingLong(i -> pieces.get(i - 1).beginNs - pieces.get(i).endNs)).toList();
    TreeMap<Long, Integer> chosen = new TreeMap<>();
    for (int arc : longest) {
      if (chosen.size() == most) {
        break;
      }
      long middle = middleNs(arc);
      if (chosen.subMap(middle - apartNs, false, middle + apartNs, false).isEmpty()) {
        chosen.put(middle, arc);
      }
    }
    return chosen.values().stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  /** When the path is half way on an arc. */
  private long middleNs(int arc) {
    return (pieces.get(arc - 1).endNs + pieces.get(arc).beginNs) / 2;
  }

  private boolean isArc(int piece) {
    ArcKind kind = pieces.get(piece).kind;
    return kind == null ? pieces.get(piece).thread != pieces.get(piece - 1).thread
        : kind != ArcKind.WORK;
  }
}
