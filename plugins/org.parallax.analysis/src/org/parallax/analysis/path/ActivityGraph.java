package org.parallax.analysis.path;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.LongList;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplayListener;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * The program activity graph of one application, all of it: a directed acyclic graph whose vertices
 * are the events at which threads interact, and whose arcs are work, waits, messages and the like
 * (Irvin and Miller 1993, section 4.3).
 *
 * <p>{@link CriticalPath} does not need it and holds far less in memory; this is for analyses of
 * single arcs and for tests. About 60 bytes for each arc.
 *
 * <p>Vertex 0 is the begin of all threads. Arcs are numbered so that every arc into a vertex comes
 * before every arc out of it.
 */
public final class ActivityGraph {
  private final LongList vertices = new LongList();
  private final IntList arcFrom = new IntList();
  private final IntList arcTo = new IntList();
  private final IntList arcKind = new IntList();
  private final LongList arcWeight = new LongList();
  /** The threads in which paths begin and end, by their index. */
  private final BitSet active = new BitSet();
  private List<String> warnings = List.of();
  private static final ArcKind[] KINDS = ArcKind.values();

  private ActivityGraph() {
    vertices.add(Reference.NONE);
  }

  /**
   * Builds the graph of some processes, taken for one application.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static ActivityGraph of(
      List<ProcessTrace> processes, ReplaySetup setup, Progress progress) {
    ActivityGraph graph = new ActivityGraph();
    Replay replay = Replay.of(processes, setup, progress, graph.new Builder());
    for (ThreadRecord record : replay.threads()) {
      graph.active.set(record.index(), setup.isActive(record.process()));
    }
    graph.warnings = replay.warnings();
    return graph;
  }

  /** @return the number of vertices; they are numbered from 0 */
  public int vertexCount() {
    return (int) vertices.size();
  }

  /** @return the number of arcs; they are numbered from 0 */
  public int arcCount() {
    return (int) arcFrom.size();
  }

  /** @return the vertex from which an arc goes */
  public int from(int arc) {
    return arcFrom.get(arc);
  }

  /** @return the vertex to which an arc goes */
  public int to(int arc) {
    return arcTo.get(arc);
  }

  public ArcKind kind(int arc) {
    return KINDS[arcKind.get(arc)];
  }

  /** @return nanoseconds, not negative */
  public long weightNs(int arc) {
    return arcWeight.get(arc);
  }

  /** @return index in the replay of the vertex's thread, or -1 where it belongs to none */
  public int thread(int vertex) {
    return vertices.get(vertex) < 0 ? -1 : Reference.thread(vertices.get(vertex));
  }

  /** @return true if paths can begin and end at the vertex's thread */
  boolean isActive(int vertex) {
    return thread(vertex) >= 0 && active.get(thread(vertex));
  }

  /** @return what a person must know of how far the graph can be trusted */
  public List<String> warnings() {
    return warnings;
  }

  /** @return position of the vertex's event in its thread, or -1 where it is no event */
  public long position(int vertex) {
    return vertices.get(vertex) < 0 ? -1 : Reference.position(vertices.get(vertex));
  }

  /**
   * Longest paths from the begin to all vertices, where paths can begin; linear in the number of arcs.
   *
   * @return for each vertex the length in nanoseconds, -1 for one that cannot be reached
   */
  public long[] longestPathsNs() {
    long[] longest = new long[vertexCount()];
    Arrays.fill(longest, -1);
    longest[0] = 0;
    for (int arc = 0; arc < arcCount(); arc++) {
      long through = longest[from(arc)];
      boolean begins = from(arc) != 0 || isActive(to(arc));
      if (through >= 0 && begins) {
        longest[to(arc)] = Math.max(longest[to(arc)], through + weightNs(arc));
      } else if (kind(arc).isBegin() && isActive(to(arc))) {
        longest[to(arc)] = Math.max(longest[to(arc)], 0);
      }
    }
    return longest;
  }

  /** Makes vertices and arcs of what a replay tells. */
  private final class Builder implements ReplayListener {
    private record Collective(long key, long sequence) {}

    private record Hub(Collective collective, int from, int to) {}

    private final Map<Long, Integer> byReference = new HashMap<>();
    private final Map<Collective, Map<Integer, Integer>> contributions = new HashMap<>();
    private final Map<Hub, Integer> hubs = new HashMap<>();

    private int vertex(long reference) {
      if (reference == Reference.NONE) {
        return 0;
      }
      return byReference.computeIfAbsent(reference, r -> {
        vertices.add(r);
        return vertexCount() - 1;
      });
    }

    private void add(ArcKind kind, int from, int to, long weightNs) {
      arcFrom.add(from);
      arcTo.add(to);
      arcKind.add(kind.ordinal());
      arcWeight.add(weightNs);
    }

    @Override
    public void arc(ArcKind kind, long from, long to, long weightNs) {
      add(kind, vertex(from), vertex(to), weightNs);
    }

    @Override
    public void contribution(long key, long sequence, int rank, long from) {
      Map<Integer, Integer> ranks =
          contributions.computeIfAbsent(new Collective(key, sequence), k -> new HashMap<>());
      ranks.putIfAbsent(rank < 0 ? ranks.size() : rank, vertex(from));
    }

    /** Arcs of all to all go through one vertex in the middle, which is no event. */
    @Override
    public void groupArcs(ArcKind kind, long key, long sequence, int from, int to, long target,
        long weightNs) {
      if (from >= to) {
        return;
      }
      Collective collective = new Collective(key, sequence);
      int hub = hubs.computeIfAbsent(new Hub(collective, from, to), h -> {
        vertices.add(Reference.NONE);
        int made = vertexCount() - 1;
        contributions.getOrDefault(collective, Map.of()).forEach((rank, vertex) -> {
          if (rank >= from && rank < to) {
            add(kind, vertex, made, 0);
          }
        });
        return made;
      });
      add(kind, hub, vertex(target), weightNs);
    }
  }
}
