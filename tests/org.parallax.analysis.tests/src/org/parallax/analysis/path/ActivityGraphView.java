package org.parallax.analysis.path;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jgrapht.GraphType;
import org.jgrapht.graph.AbstractGraph;
import org.jgrapht.graph.DefaultGraphType;

/**
 * Shows an activity graph to JGraphT's algorithms: a directed weighted graph whose vertices and
 * edges are the numbers of vertices and arcs. It cannot be changed and copies nothing but an index
 * of arcs by vertex. Weights are nanoseconds; exact up to 2^53.
 */
public final class ActivityGraphView extends AbstractGraph<Integer, Integer> {
  private final ActivityGraph graph;
  private final int[] outBegin;
  private final int[] outArcs;
  private final int[] inBegin;
  private final int[] inArcs;

  /** Indexes the arcs by their vertices; linear in the size of the graph. */
  public ActivityGraphView(ActivityGraph graph) {
    this.graph = graph;
    outBegin = new int[graph.vertexCount() + 1];
    inBegin = new int[graph.vertexCount() + 1];
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      outBegin[graph.from(arc) + 1]++;
      inBegin[graph.to(arc) + 1]++;
    }
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      outBegin[vertex + 1] += outBegin[vertex];
      inBegin[vertex + 1] += inBegin[vertex];
    }
    int[] out = outBegin.clone();
    int[] in = inBegin.clone();
    outArcs = new int[graph.arcCount()];
    inArcs = new int[graph.arcCount()];
    for (int arc = 0; arc < graph.arcCount(); arc++) {
      outArcs[out[graph.from(arc)]++] = arc;
      inArcs[in[graph.to(arc)]++] = arc;
    }
  }

  private static UnsupportedOperationException unmodifiable() {
    return new UnsupportedOperationException("the activity graph of a trace cannot be changed");
  }

  /** The numbers from 0 to count - 1. */
  private static Set<Integer> range(int count) {
    return new AbstractSet<>() {
      @Override
      public Iterator<Integer> iterator() {
        return IntStream.range(0, count).iterator();
      }

      @Override
      public int size() {
        return count;
      }

      @Override
      public boolean contains(Object object) {
        return object instanceof Integer number && number >= 0 && number < count;
      }
    };
  }

  private static Set<Integer> slice(int[] arcs, int begin, int end, IntPredicate which) {
    return IntStream.range(begin, end).map(i -> arcs[i]).filter(which).boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Set<Integer> vertexSet() {
    return range(graph.vertexCount());
  }

  @Override
  public Set<Integer> edgeSet() {
    return range(graph.arcCount());
  }

  @Override
  public Integer getEdgeSource(Integer edge) {
    return graph.from(edge);
  }

  @Override
  public Integer getEdgeTarget(Integer edge) {
    return graph.to(edge);
  }

  @Override
  public double getEdgeWeight(Integer edge) {
    return graph.weightNs(edge);
  }

  @Override
  public Set<Integer> outgoingEdgesOf(Integer vertex) {
    return slice(outArcs, outBegin[vertex], outBegin[vertex + 1], arc -> true);
  }

  @Override
  public Set<Integer> incomingEdgesOf(Integer vertex) {
    return slice(inArcs, inBegin[vertex], inBegin[vertex + 1], arc -> true);
  }

  @Override
  public Set<Integer> edgesOf(Integer vertex) {
    return IntStream.concat(
        IntStream.range(outBegin[vertex], outBegin[vertex + 1]).map(i -> outArcs[i]),
        IntStream.range(inBegin[vertex], inBegin[vertex + 1]).map(i -> inArcs[i]))
        .boxed().collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public int outDegreeOf(Integer vertex) {
    return outBegin[vertex + 1] - outBegin[vertex];
  }

  @Override
  public int inDegreeOf(Integer vertex) {
    return inBegin[vertex + 1] - inBegin[vertex];
  }

  @Override
  public int degreeOf(Integer vertex) {
    return inDegreeOf(vertex) + outDegreeOf(vertex);
  }

  @Override
  public Set<Integer> getAllEdges(Integer source, Integer target) {
    if (!containsVertex(source) || !containsVertex(target)) {
      return null;
    }
    return slice(
        outArcs, outBegin[source], outBegin[source + 1], arc -> graph.to(arc) == target);
  }

  @Override
  public Integer getEdge(Integer source, Integer target) {
    Set<Integer> all = getAllEdges(source, target);
    return all == null || all.isEmpty() ? null : all.iterator().next();
  }

  @Override
  public boolean containsVertex(Integer vertex) {
    return vertexSet().contains(vertex);
  }

  @Override
  public boolean containsEdge(Integer edge) {
    return edgeSet().contains(edge);
  }

  @Override
  public GraphType getType() {
    return new DefaultGraphType.Builder().directed().weighted(true).modifiable(false)
        .allowMultipleEdges(true).allowSelfLoops(false).allowCycles(false).build();
  }

  @Override
  public Supplier<Integer> getVertexSupplier() {
    return null;
  }

  @Override
  public Supplier<Integer> getEdgeSupplier() {
    return null;
  }

  @Override
  public Integer addEdge(Integer source, Integer target) {
    throw unmodifiable();
  }

  @Override
  public boolean addEdge(Integer source, Integer target, Integer edge) {
    throw unmodifiable();
  }

  @Override
  public Integer addVertex() {
    throw unmodifiable();
  }

  @Override
  public boolean addVertex(Integer vertex) {
    throw unmodifiable();
  }

  @Override
  public Integer removeEdge(Integer source, Integer target) {
    throw unmodifiable();
  }

  @Override
  public boolean removeEdge(Integer edge) {
    throw unmodifiable();
  }

  @Override
  public boolean removeVertex(Integer vertex) {
    throw unmodifiable();
  }

  @Override
  public void setEdgeWeight(Integer edge, double weight) {
    throw unmodifiable();
  }
}
