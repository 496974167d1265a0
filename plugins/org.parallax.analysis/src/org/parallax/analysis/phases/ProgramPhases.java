package org.parallax.analysis.phases;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.Window;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Region;
import org.parallax.trace.ThreadTrace;

/**
 * The phases that the program itself names, with {@code parallax_phase_begin} and
 * {@code parallax_phase_end}. One that has not ended lasts as long as its thread.
 */
public final class ProgramPhases {
  private static final int PROGRESS_EVENTS = 1 << 20;

  /** Of one name: the intervals of all threads, and of each occurrence the first begin and last end. */
  private static final class Named {
    final List<long[]> intervals = new ArrayList<>();
    final List<long[]> occurrences = new ArrayList<>();

    void add(int occurrence, long[] interval) {
      intervals.add(interval);
      while (occurrences.size() <= occurrence) {
        occurrences.add(interval.clone());
      }
      long[] hull = occurrences.get(occurrence);
      hull[0] = Math.min(hull[0], interval[0]);
      hull[1] = Math.max(hull[1], interval[1]);
    }
  }

  private record Open(String name, int occurrence, long beginNs) {}

  private final Map<String, Named> phases = new LinkedHashMap<>();

  private ProgramPhases() {}

  /**
   * Finds the phases of the threads below a node. Reads all events of processes that have phases,
   * and nothing of others.
   *
   * @param node null for all threads
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static ProgramPhases of(ApplicationAnalysis analysis, TreeNode node, Progress progress) {
    ProgramPhases found = new ProgramPhases();
    Scope scope = new Scope(analysis, node);
    List<ThreadTrace> threads = new ArrayList<>();
    for (ProcessTrace process : analysis.workload().processes()) {
      if (hasPhases(process)) {
        process.threads().stream().filter(thread -> thread.slotCount() > 0
            && scope.has(analysis.workload().thread(process, thread.id()))).forEach(threads::add);
      }
    }
    progress.begin("Searching for phases",
        threads.stream().mapToLong(ThreadTrace::slotCount).sum());
    threads.forEach(thread -> found.read(thread, progress));
    return found;
  }

  private static boolean hasPhases(ProcessTrace process) {
    for (int id = 1; id < process.regionCount(); id++) {
      Region region = process.region(id);
      if (region != null && region.group() == Region.Group.PHASE) {
        return true;
      }
    }
    return false;
  }

  private void read(ThreadTrace thread, Progress progress) {
    EventCursor cursor = thread.cursor();
    Map<String, Integer> counts = new LinkedHashMap<>();
    List<Open> open = new ArrayList<>();
    long count = 0;
    while (cursor.next()) {
      int kind = cursor.kind();
      if (kind == Kind.PHASE_BEGIN || kind == Kind.PHASE_END) {
        Region region = thread.process().region(cursor.operand());
        String name = region == null ? "" : region.name();
        if (kind == Kind.PHASE_BEGIN) {
          open.add(new Open(name, counts.merge(name, 1, Integer::sum) - 1, cursor.timeNs()));
        } else {
          end(open, name, cursor.timeNs());
        }
      }
      if (++count % PROGRESS_EVENTS == 0) {
        progress.worked(PROGRESS_EVENTS);
        progress.check();
      }
    }
    for (Open phase : open) {
      add(phase, thread.endNs());
    }
  }

  private void end(List<Open> open, String name, long timeNs) {
    for (int i = open.size() - 1; i >= 0; i--) {
      if (open.get(i).name.equals(name)) {
        add(open.remove(i), timeNs);
        return;
      }
    }
  }

  private void add(Open phase, long endNs) {
    phases.computeIfAbsent(phase.name, name -> new Named())
        .add(phase.occurrence, new long[] {phase.beginNs, endNs});
  }

  /** @return the names */
  public List<String> names() {
    return List.copyOf(phases.keySet());
  }

  /** @return how often a thread was in the phase, the thread that was so most often */
  public int occurrences(String name) {
    return phases.get(name).occurrences.size();
  }

  /** @return every moment at which any of the threads is in the phase of the name */
  public Window window(String name) {
    return Window.union(phases.get(name).intervals.toArray(long[][]::new));
  }

  /**
   * @param occurrence from 1 to {@link #occurrences}
   * @return from where the first thread begins this occurrence to where the last one ends it
   */
  public Window window(String name, int occurrence) {
    long[] hull = phases.get(name).occurrences.get(occurrence - 1);
    return new Window(hull[0], hull[1]);
  }
}
