package org.parallax.ui.timeline;

import java.awt.FontMetrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.parallax.model.program.ProgramThread;

/**
 * The rows of a timeline: a lane for each thread, and a line above those of a group, which is a lane of
 * all of them while it is folded.
 *
 * @param rows from top to bottom
 * @param rowOfThread of each thread of the timeline its row, -1 for those without
 * @param filtered how many threads are left out by a filter
 */
record Lanes(List<Lane> rows, int[] rowOfThread, int filtered) {
  /** Names with so many letters less than the longest one are not wider. */
  private static final int NARROWER = 4;

  /**
   * A row.
   *
   * @param model of a lane of one thread; null for a group
   * @param threads that it shows, by their index in the timeline; none for a group that is unfolded
   * @param group the key of a group, which is the same in all runs; null for a thread
   * @param depth how many groups it is in
   */
  record Lane(String name, ProgramThread model, List<Integer> threads, String group, int depth) {
    boolean isThread() {
      return model != null;
    }

    boolean isFolded() {
      return group != null && !threads.isEmpty();
    }

    /** The thread of a lane that has only one. */
    int thread() {
      return threads.get(0);
    }
  }

  /** @param threads how many the timeline has */
  static Lanes of(List<Lane> rows, int threads, int filtered) {
    int[] rowOfThread = new int[threads];
    Arrays.fill(rowOfThread, -1);
    for (int row = 0; row < rows.size(); row++) {
      for (int thread : rows.get(row).threads()) {
        rowOfThread[thread] = row;
      }
    }
    return new Lanes(List.copyOf(rows), rowOfThread, filtered);
  }

  /** The threads of some rows. */
  int[] threads(int fromRow, int toRow) {
    return IntStream.range(fromRow, toRow)
        .flatMap(row -> rows.get(row).threads().stream().mapToInt(Integer::intValue)).toArray();
  }

  /** The threads of a lane, or those of all lanes of a group. */
  int[] threadsOf(int row) {
    int end = row + 1;
    while (rows.get(row).group() != null && end < rows.size()
        && rows.get(end).depth() > rows.get(row).depth()) {
      end++;
    }
    return threads(row, end);
  }

  int[] threads() {
    return threads(0, rows.size());
  }

  /** How many threads are shown. */
  int threadCount() {
    return rows.stream().mapToInt(row -> row.threads().size()).sum();
  }

  /** The keys of all groups. */
  List<String> groups() {
    List<String> keys = new ArrayList<>();
    rows.stream().filter(row -> row.group() != null).forEach(row -> keys.add(row.group()));
    return keys;
  }

  /** The room that the names need, in points. */
  int nameWidth(FontMetrics font) {
    int longest = 0;
    for (Lane lane : rows) {
      longest = Math.max(longest, letters(lane));
    }
    int width = 0;
    for (Lane lane : rows) {
      if (letters(lane) > longest - NARROWER) {
        width = Math.max(width, font.stringWidth(lane.name()) + indent(lane));
      }
    }
    return width;
  }

  private static int letters(Lane lane) {
    return lane.name().length() + 2 * lane.depth() + (lane.group() == null ? 0 : 2);
  }

  /** How far a name is moved to the right, with the room for the mark of a group. */
  static int indent(Lane lane) {
    return 2 * TimelineLayout.MARGIN * lane.depth() + (lane.group() == null ? 0 : LaneNames.MARK);
  }
}
