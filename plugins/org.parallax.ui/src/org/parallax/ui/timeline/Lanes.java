package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.ProgramThread;

/**
 * The rows of a timeline: a lane for each thread, and a line above those of a process that has
 * several.
 *
 * @param rows from top to bottom
 * @param rowOfThread of each thread of the timeline its row, -1 for those without
 */
record Lanes(List<Lane> rows, int[] rowOfThread) {
  /**
   * A row.
   *
   * @param thread its index in the timeline; -1 for the line of a process
   * @param isInProcess whether a line of its process is above it
   */
  record Lane(String name, ProgramThread model, int thread, boolean isInProcess) {
    boolean isThread() {
      return thread >= 0;
    }
  }

  /** @param threads those that are wanted; null for all */
  static Lanes of(ApplicationAnalysis analysis, ProgramTimeline timeline, List<ProgramThread> threads) {
    Set<ProgramThread> wanted = threads == null ? null : new HashSet<>(threads);
    Map<ProgramProcess, List<Lane>> processes = new LinkedHashMap<>();
    for (int i = 0; i < timeline.threads().size(); i++) {
      ThreadRecord record = timeline.threads().get(i);
      ProgramThread model = analysis.thread(record);
      if (wanted == null || wanted.contains(model)) {
        processes.computeIfAbsent(model.getProcess(), each -> new ArrayList<>())
            .add(new Lane(model.getName(), model, i, true));
      }
    }
    List<Lane> rows = new ArrayList<>();
    processes.forEach((process, lanes) -> {
      if (lanes.size() == 1) {
        Lane only = lanes.get(0);
        rows.add(new Lane(process.getName(), only.model, only.thread, false));
      } else {
        rows.add(new Lane(process.getName(), null, -1, false));
        rows.addAll(lanes);
      }
    });
    int[] rowOfThread = new int[timeline.threads().size()];
    java.util.Arrays.fill(rowOfThread, -1);
    IntStream.range(0, rows.size()).filter(row -> rows.get(row).isThread())
        .forEach(row -> rowOfThread[rows.get(row).thread] = row);
    return new Lanes(List.copyOf(rows), rowOfThread);
  }

  /** The threads of some rows. */
  int[] threads(int fromRow, int toRow) {
    return IntStream.range(Math.max(0, fromRow), Math.min(rows.size(), toRow))
        .map(row -> rows.get(row).thread).filter(thread -> thread >= 0).toArray();
  }

  int[] threads() {
    return threads(0, rows.size());
  }
}
