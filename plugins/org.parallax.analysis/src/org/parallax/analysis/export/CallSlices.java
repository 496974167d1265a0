package org.parallax.analysis.export;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.time.CallIntervals;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/** What threads do when, as slices of procedures one within the other. */
public final class CallSlices {
  /** Is told of slices; inner ones before those around them. */
  public interface Visitor {
    void slice(ProgramThread thread, long beginNs, long endNs, String procedure);
  }

  /** Is told of the begins and ends of slices, in the order of time within a thread. */
  public interface Steps {
    /** @param procedure as {@link org.parallax.model.program.Procedures} numbers it */
    void begin(ProgramThread thread, long ns, int procedure);

    void end(ProgramThread thread, long ns, int procedure);
  }

  private CallSlices() {}

  /** @return the threads in scope, in the order of their processes */
  public static List<ProgramThread> threads(
      ApplicationAnalysis analysis, TreeNode node, Progress progress) {
    Scope scope = new Scope(analysis, node);
    return analysis.replay(progress).threads().stream().filter(scope::has)
        .map(analysis::thread).toList();
  }

  /**
   * Reads all threads in scope. A procedure that is on the call paths of two intervals that touch is
   * taken for one call of it, as samples do not tell.
   *
   * @param node to which it is limited; null for all
   */
  public static void slices(
      ApplicationAnalysis analysis, TreeNode node, Visitor visitor, Progress progress) {
    Deque<Long> begins = new ArrayDeque<>();
    steps(analysis, node, new Steps() {
      @Override
      public void begin(ProgramThread thread, long ns, int procedure) {
        begins.push(ns);
      }

      @Override
      public void end(ProgramThread thread, long ns, int procedure) {
        visitor.slice(thread, begins.pop(), ns, analysis.procedures().get(procedure).name());
      }
    }, progress);
  }

  /** As {@link #slices}, but told of each slice when it begins and when it ends. Threads come one after the other. */
  public static void steps(ApplicationAnalysis analysis, TreeNode node, Steps steps, Progress progress) {
    Scope scope = new Scope(analysis, node);
    for (ThreadRecord record : analysis.replay(progress).threads()) {
      if (scope.has(record)) {
        new Slices(analysis, record, steps).read(progress);
      }
    }
  }

  private static final class Slices {
    private final ApplicationAnalysis analysis;
    private final ThreadRecord record;
    private final Steps steps;
    private final Deque<Integer> open = new ArrayDeque<>();
    private long lastNs;

    Slices(ApplicationAnalysis analysis, ThreadRecord record, Steps steps) {
      this.analysis = analysis;
      this.record = record;
      this.steps = steps;
    }

    void read(Progress progress) {
      CallIntervals.read(record.thread(), analysis.window(), this::interval, progress);
      close(0);
    }

    private void interval(long beginNs, long endNs, int path) {
      int[] frames = path == 0 ? new int[] {Procedures.NOT_SAMPLED}
          : analysis.procedures().frames(record.process().index(), path);
      int same = 0;
      if (beginNs == lastNs) {
        Iterator<Integer> outermost = open.descendingIterator();
        while (same < frames.length && outermost.hasNext()
            && outermost.next() == frames[same]) {
          same++;
        }
      }
      close(same);
      for (int i = same; i < frames.length; i++) {
        open.push(frames[i]);
        steps.begin(analysis.thread(record), beginNs, frames[i]);
      }
      lastNs = endNs;
    }

    private void close(int depth) {
      while (open.size() > depth) {
        steps.end(analysis.thread(record), lastNs, open.pop());
      }
    }
  }
}
