package org.parallax.analysis.reports;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.path.ActivityGraph;
import org.parallax.analysis.replay.CallNesting;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.waits.ActivityWalker;
import org.parallax.model.program.Procedures;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/**
 * What single arcs of the activity graph do, such as {@code MPI_Recv in exchange}: of work, the call path
 * that takes most of it; of other arcs, the call that they end. Cost: the events under an arc.
 */
final class ArcPlaces {
  private final ApplicationAnalysis analysis;
  private final ActivityGraph graph;
  private final Map<Integer, ActivityWalker> walkers = new HashMap<>();

  ArcPlaces(ApplicationAnalysis analysis, ActivityGraph graph) {
    this.analysis = analysis;
    this.graph = graph;
  }

  /** @return the routine, and the program's own function that called it; empty if nothing tells */
  String text(int arc) {
    int to = graph.thread(graph.to(arc));
    if (to < 0) {
      return "";
    }
    ThreadRecord record = analysis.threads().get(to);
    int from = graph.thread(graph.from(arc));
    EventCursor cursor = record.thread().cursor();
    cursor.seek(graph.position(graph.to(arc)));
    int path = cursor.kind() == Kind.LEAVE && from != to ? cursor.operand() : 0;
    if (from == to || from < 0) {
      long endNs = cursor.timeNs();
      long beginNs = record.thread().beginNs();
      if (from >= 0) {
        cursor.seek(graph.position(graph.from(arc)));
        beginNs = cursor.timeNs();
      }
      path = mostOf(record, graph.position(graph.to(arc)), beginNs, endNs);
    }
    return path == 0 ? "" : operation(record, path);
  }

  private int mostOf(ThreadRecord record, long position, long beginNs, long endNs) {
    Map<Integer, Long> times = new HashMap<>();
    ActivityWalker walker = walkers.computeIfAbsent(record.index(), index -> new ActivityWalker(
        record, CallNesting.enclosing(record.process())));
    walker.start(position, endNs);
    walker.back(beginNs, (path, fromNs, toNs) -> times.merge(path, toNs - fromNs, Long::sum));
    int most = 0;
    long mostNs = 0;
    for (Map.Entry<Integer, Long> each : times.entrySet()) {
      if (each.getKey() > 0 && (each.getValue() > mostNs
          || each.getValue() == mostNs && each.getKey() < most)) {
        most = each.getKey();
        mostNs = each.getValue();
      }
    }
    return most;
  }

  private String operation(ThreadRecord record, int path) {
    Procedures procedures = analysis.procedures();
    int process = record.process().index();
    int leaf = procedures.leaf(process, path);
    int own = procedures.own(process, path);
    return procedures.get(leaf).name() + (own == Procedures.NONE || own == leaf ? ""
        : " in " + procedures.get(own).name());
  }
}
