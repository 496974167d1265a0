package org.parallax.analysis.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** Call trees, their inversion and their differences, against sums over samples. */
class CallTreeTest {
  private static final String[] NAMES = {"a", "b", "c", "d"};

  @TempDir Path directory;

  /** Samples 10 ns apart, each on a random path; repeated names are recursion. */
  private Path random(String name, long seed, Map<List<String>, Long> paths) {
    Random random = new Random(seed);
    TraceBuilder trace = new TraceBuilder(directory.resolve(name));
    var process = trace.process("host", "/opt/program");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    int samples = 200;
    for (int i = 1; i <= samples; i++) {
      List<String> path = new ArrayList<>(List.of("main"));
      for (int depth = random.nextInt(7); depth > 0; depth--) {
        path.add(NAMES[random.nextInt(NAMES.length)]);
      }
      paths.merge(path, 10L, Long::sum);
      thread.sample(10L * i, String.join("/", path));
    }
    thread.threadEnd(10L * samples);
    process.exit(10L * samples, 0);
    return trace.write();
  }

  private static CallTree tree(Trace trace) {
    return CallTree.of(
        new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0)), null,
        Progress.NONE);
  }

  private static Map<String, Long> inclusive(CallTree tree) {
    Map<String, Long> found = new TreeMap<>();
    tree.nodes().forEach(node -> found.put(node.path(), node.inclusiveNs(Weight.WALL)));
    return found;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void bothTreesAreSumsOverTheSamples(long seed) throws Exception {
    Map<List<String>, Long> paths = new HashMap<>();
    Map<String, Long> down = new TreeMap<>();
    Map<String, Long> up = new TreeMap<>();
    try (Trace trace = Trace.open(random("run", seed, paths))) {
      paths.forEach((path, ns) -> {
        List<String> reversed = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
          down.merge(String.join(";", path.subList(0, i + 1)), ns, Long::sum);
          reversed.add(path.get(path.size() - 1 - i));
          up.merge(String.join(";", reversed), ns, Long::sum);
        }
      });
      CallTree tree = tree(trace);
      assertEquals(down, inclusive(tree));
      CallTree inverted = tree.inverted();
      assertEquals(up, inclusive(inverted));
      for (CallTree each : List.of(tree, inverted)) {
        assertEquals(2000, each.totalNs(Weight.WALL));
        assertEquals(2000,
            each.nodes().stream().mapToLong(node -> node.timeNs(Weight.WALL)).sum());
        assertEquals(200, each.nodes().stream().mapToLong(Node::samples).sum());
        assertEquals(200, each.root().inclusiveSamples());
      }
      long onB = paths.entrySet().stream().filter(path -> path.getKey().contains("b"))
          .mapToLong(Map.Entry::getValue).sum();
      assertEquals(onB, tree.timeOnNs(node -> node.name().equals("b"), Weight.WALL));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void differencesAreThoseOfTheSums(long seed) throws Exception {
    Map<List<String>, Long> before = new HashMap<>();
    Map<List<String>, Long> after = new HashMap<>();
    try (Trace base = Trace.open(random("base", seed, before));
        Trace now = Trace.open(random("now", seed + 100, after))) {
      CallTree baseTree = tree(base);
      CallTree tree = tree(now);
      var procedures = new ProcedureMatching(
          SessionBuilder.of(base).getApplications(), SessionBuilder.of(now).getApplications());
      var difference =
          new CallTreeDifference(tree, baseTree, procedures, Weight.WALL, false);
      Map<String, Long> expected = inclusive(baseTree);
      for (Node node : tree.nodes()) {
        long was = expected.getOrDefault(node.path(), 0L);
        assertEquals(was, difference.baseNs(node), node.path());
        assertEquals(node.inclusiveNs(Weight.WALL) - was, difference.changeNs(node));
      }
      long gone = before.entrySet().stream().filter(path ->
          !inclusive(tree).containsKey(String.join(";", path.getKey())))
          .mapToLong(Map.Entry::getValue).sum();
      assertEquals(gone, difference.goneNs());
      assertTrue(gone > 0, "the runs differ");
    }
  }

  @Test
  void normalizedDifferencesAreOfShares() throws Exception {
    List<CallTree> trees = new ArrayList<>();
    List<Trace> traces = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      // The second takes twice as long, and of that b has a half instead of a tenth.
      long end = 100L + 100 * run;
      long border = run == 0 ? 90 : 100;
      TraceBuilder trace = new TraceBuilder(directory.resolve("run" + run));
      var process = trace.process("host", "/opt/program");
      process.thread(0).threadBegin(0, -1).sample(border, "main/a").sample(end, "main/b")
          .threadEnd(end);
      process.exit(end, 0);
      traces.add(Trace.open(trace.write()));
      trees.add(tree(traces.get(run)));
    }
    var same = new ProcedureMatching(List.of(), List.of());
    Node main = trees.get(1).root().callees().get(0);
    Node b = main.callees().stream().filter(node -> node.name().equals("b")).findFirst().get();
    var absolute = new CallTreeDifference(trees.get(1), trees.get(0), same, Weight.WALL, false);
    assertEquals(100, absolute.changeNs(main));
    assertEquals(90, absolute.changeNs(b));
    var shares = new CallTreeDifference(trees.get(1), trees.get(0), same, Weight.WALL, true);
    assertEquals(0, shares.changeNs(main));
    assertEquals(80, shares.changeNs(b));
    assertEquals(0.4, shares.change(b));
    assertSame(Weight.WALL, shares.weight());
    traces.forEach(Trace::close);
  }

  /** In main, so long in the program's step and in that of a library, and what that calls. */
  private Trace twoOfOneName(String name, long ownNs, long otherNs) throws Exception {
    TraceBuilder trace = new TraceBuilder(directory.resolve(name));
    var process = trace.process("host", "/opt/program").library("/lib/libmesh.so");
    long end = ownNs + otherNs;
    process.thread(0).threadBegin(0, -1).sample(ownNs, "main/step/a")
        .sample(end, "main/libmesh.so:step/a").threadEnd(end);
    process.exit(end, 0);
    return Trace.open(trace.write());
  }

  @Test
  void functionsOfOneNameInSeveralFilesAreFoundByTheirFiles() throws Exception {
    try (Trace base = twoOfOneName("base", 50, 200); Trace now = twoOfOneName("now", 80, 150)) {
      CallTree tree = tree(now);
      var difference = new CallTreeDifference(tree, tree(base), new ProcedureMatching(
          SessionBuilder.of(base).getApplications(), SessionBuilder.of(now).getApplications()),
          Weight.WALL, false);
      Map<String, List<Long>> found = new TreeMap<>();
      for (Node step : tree.root().callees().get(0).callees()) {
        found.put(step.procedure().getFile(), List.of((long) difference.changeNs(step),
            (long) difference.changeNs(step.callees().get(0))));
      }
      assertEquals(Map.of("/src/program.c", List.of(30L, 30L),
          "/src/libmesh.so.c", List.of(-50L, -50L)), found);
      assertEquals(0, difference.goneNs());
      // Nothing tells them apart without a list of procedures: the pairs are of one place.
      var byName = new CallTreeDifference(tree, tree(base),
          new ProcedureMatching(List.of(), List.of()), Weight.WALL, false);
      double sum = tree.root().callees().get(0).callees().stream().mapToDouble(byName::baseNs).sum();
      assertEquals(250, sum);
      assertTrue(tree.root().callees().get(0).callees().stream()
          .allMatch(step -> byName.baseNs(step) > 0));
    }
  }
}
