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

  private CallSlices() {}

  private record Open(int procedure, long beginNs) {}

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
    Scope scope = new Scope(analysis, node);
    for (ThreadRecord record : analysis.replay(progress).threads()) {
      if (scope.has(record)) {
        new Slices(analysis, record, visitor).read(progress);
      }
    }
  }

  private static final class Slices {
    private final ApplicationAnalysis analysis;
    private final ThreadRecord record;
    private final Visitor visitor;
    private final Deque<Open> open = new ArrayDeque<>();
    private long lastNs;

    Slices(ApplicationAnalysis analysis, ThreadRecord record, Visitor visitor) {
      this.analysis = analysis;
      this.record = record;
      this.visitor = visitor;
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
        Iterator<Open> outermost = open.descendingIterator();
        while (same < frames.length && outermost.hasNext()
            && outermost.next().procedure == frames[same]) {
          same++;
        }
      }
      close(same);
      for (int i = same; i < frames.length; i++) {
        open.push(new Open(frames[i], beginNs));
      }
      lastNs = endNs;
    }

    private void close(int depth) {
      while (open.size() > depth) {
        Open ended = open.pop();
        visitor.slice(analysis.thread(record), ended.beginNs, lastNs,
            analysis.procedures().get(ended.procedure).name());
      }
    }
  }
}
