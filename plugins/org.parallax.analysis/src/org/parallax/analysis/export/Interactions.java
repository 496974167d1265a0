package org.parallax.analysis.export;

import java.util.List;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.path.ActivityGraph;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Progress;

/** The arcs of the activity graph from one thread to another, with their times. */
public final class Interactions {
  /** Is told of interactions. */
  public interface Visitor {
    /** @param kind as critical path profiles call it */
    void interaction(String kind, ProgramThread from, long fromNs, ProgramThread to, long toNs);
  }

  private Interactions() {}

  /**
   * Builds the graph, about 60 bytes for each arc. Collectives and barriers are left out: all of their
   * participants wait for all.
   *
   * @param node in which both threads must be; null for all
   */
  public static void of(
      ApplicationAnalysis analysis, TreeNode node, Visitor visitor, Progress progress) {
    Scope scope = new Scope(analysis, node);
    List<ThreadRecord> records = analysis.replay(progress).threads();
    ActivityGraph graph =
        ActivityGraph.of(analysis.workload().processes(), analysis.setup(Weight.WALL), progress);
    EventCursor[] cursors = new EventCursor[records.size()];
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      int from = graph.thread(graph.from(arc));
      int to = graph.thread(graph.to(arc));
      if (from < 0 || to < 0 || from == to || graph.kind(arc) == ArcKind.WORK
          || !scope.has(records.get(from)) || !scope.has(records.get(to))) {
        continue;
      }
      long fromNs = timeNs(cursors, records.get(from), graph.position(graph.from(arc)));
      long toNs = timeNs(cursors, records.get(to), graph.position(graph.to(arc)));
      if (analysis.window().contains(fromNs) && analysis.window().contains(toNs)) {
        visitor.interaction(graph.kind(arc).label(), analysis.thread(records.get(from)), fromNs,
            analysis.thread(records.get(to)), toNs);
      }
    }
  }

  private static long timeNs(EventCursor[] cursors, ThreadRecord record, long position) {
    if (cursors[record.index()] == null) {
      cursors[record.index()] = record.thread().cursor();
    }
    cursors[record.index()].seek(position);
    return cursors[record.index()].timeNs();
  }
}
