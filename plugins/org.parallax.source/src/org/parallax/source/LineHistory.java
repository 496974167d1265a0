package org.parallax.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.compare.rangedifferencer.IRangeComparator;
import org.eclipse.compare.rangedifferencer.RangeDifference;
import org.eclipse.compare.rangedifferencer.RangeDifferencer;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.IDocumentExtension4;

/**
 * The texts that a file had while an editor showed it: as it was opened, and after each save. A run was
 * compiled from one of them, so its lines are found in the text as it is now by comparing the two. Used
 * on the UI thread; what it returns may be used on any.
 */
final class LineHistory {
  /** Of more texts than this, the first and the last ones are kept. */
  private static final int MOST = 16;
  private final List<Version> versions = new ArrayList<>();

  private record Version(long sinceMs, long stamp, String text) {}

  /** A number for each line, without the blanks at its ends, as formatters change these. */
  private static int[] lines(String text) {
    return text.lines().mapToInt(line -> line.strip().hashCode()).toArray();
  }

  private static long stampOf(IDocument document) {
    return ((IDocumentExtension4) document).getModificationStamp();
  }

  /** Forgets what was; a document shows the file now. */
  void begin(IDocument document) {
    versions.clear();
    add(document, Long.MIN_VALUE);
  }

  /** The text of the document is in the file from now on. */
  void saved(IDocument document) {
    if (versions.get(versions.size() - 1).stamp() != stampOf(document)) {
      add(document, System.currentTimeMillis());
    }
  }

  private void add(IDocument document, long sinceMs) {
    versions.add(new Version(sinceMs, stampOf(document), document.get()));
    if (versions.size() > MOST) {
      versions.remove(1);
    }
  }

  /** What a run was compiled from, and the text as it is now. */
  Moves since(long runMs, IDocument document) {
    Version compiled = versions.get(0);
    for (Version each : versions) {
      compiled = each.sinceMs() <= runMs ? each : compiled;
    }
    long stamp = stampOf(document);
    return new Moves(stamp, compiled.text(), stamp == compiled.stamp() ? null : document.get());
  }

  /**
   * Which line of a text became which one of a later text.
   *
   * @param stamp of the later text
   * @param before the earlier text
   * @param after null for the same text
   */
  record Moves(long stamp, String before, String after) {
    /** No text is another. */
    static final Moves NONE = new Moves(0, "", null);

    /**
     * For each line of the earlier text, from 0, where it is in the later one; -1 for what is gone.
     * Lines that were changed stay where they stand among the others. Null if no line has moved.
     */
    int[] compute() {
      if (after == null) {
        return null;
      }
      int[] then = lines(before);
      int[] now = lines(after);
      int[] moves = new int[then.length];
      Arrays.fill(moves, -1);
      int old = 0;
      int shift = 0;
      for (RangeDifference each :
          RangeDifferencer.findDifferences(new Lines(then), new Lines(now))) {
        for (; old < each.leftStart(); old++) {
          moves[old] = old + shift;
        }
        for (int i = 0; i < Math.min(each.leftLength(), each.rightLength()); i++) {
          moves[old + i] = each.rightStart() + i;
        }
        old = each.leftEnd();
        shift = each.rightEnd() - each.leftEnd();
      }
      for (; old < then.length; old++) {
        moves[old] = old + shift;
      }
      return moves;
    }

    /** Whether the text has not been edited since then. */
    boolean isOf(IDocument document) {
      return document != null && stampOf(document) == stamp;
    }
  }

  /** What is compared. */
  private record Lines(int[] numbers) implements IRangeComparator {
    @Override
    public int getRangeCount() {
      return numbers.length;
    }

    @Override
    public boolean rangesEqual(int index, IRangeComparator other, int otherIndex) {
      return numbers[index] == ((Lines) other).numbers[otherIndex];
    }

    @Override
    public boolean skipRangeComparison(int length, int most, IRangeComparator other) {
      return false;
    }
  }
}
