package org.parallax.analysis.timeline;

import java.util.ArrayList;
import java.util.List;
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
    for (int column = 0; column < columns; column++) {
      long middle = StateColumns.beginNs(fromNs, toNs, 2 * columns, 2 * column + 1);
      long segment = path.segmentAt(middle);
      if (segment == path.count() || segment == 0 && path.beginNs(0) > middle) {
        continue;
      }
      long from = StateColumns.beginNs(fromNs, toNs, columns, column);
      long to = StateColumns.beginNs(fromNs, toNs, columns, column + 1);
      Piece last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
      if (last != null && last.thread == path.thread(segment) && last.endNs == from) {
        pieces.set(pieces.size() - 1, new Piece(last.thread, last.beginNs, to, last.kind));
      } else {
        pieces.add(new Piece(path.thread(segment), from, to, null));
      }
    }
    return new PathPieces(pieces, end - begin, true);
  }
}
