package org.parallax.model.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

class ProgramTreeTest {
  @TempDir Path directory;

  private Trace trace;
  private LoadedSession session;

  /** A job over two machines and a threaded server on the first of them. */
  @BeforeEach
  void open() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory);
    builder.process("node1", "/opt/ring").mpi(7, 0, 2).thread(0)
        .sample(100, "main/solve").enter(200, "main/MPI_Barrier").leave(300);
    builder.process("node2", "/opt/ring").mpi(7, 1, 2).thread(0).sample(100, "main/solve");
    TracedProcess server = builder.process("node1", "/opt/server");
    server.thread(0).sample(100, "main/accept");
    server.thread(1, 0, "reader").sample(100, "serve/read").enter(150, "serve/pthread_mutex_lock")
        .leave(160);
    server.thread(2, 0, "writer").sample(100, "serve/write");
    trace = Trace.open(builder.write());
    session = SessionBuilder.of(trace);
  }

  @AfterEach
  void close() {
    trace.close();
  }

  private static List<String> names(List<TreeNode> nodes) {
    return nodes.stream().map(TreeNode::name).toList();
  }

  private static TreeNode find(TreeNode node, String... names) {
    for (String name : names) {
      node = node.children().stream().filter(each -> each.name().equals(name)).findFirst()
          .orElseThrow();
    }
    return node;
  }

  private static void collect(TreeNode node, List<TreeNode> all) {
    all.add(node);
    node.children().forEach(child -> collect(child, all));
  }

  @Test
  void logicalTreeHasOnlyItsApplication() {
    Application ring = session.getApplications().get(0);
    TreeNode tree = ProgramTree.logical(ring);
    assertEquals("ring", tree.name());
    assertEquals(Level.APPLICATION, tree.level());
    assertEquals(List.of("node1", "node2"), names(tree.children()));
    assertEquals(List.of("ring[0]"), names(find(tree, "node1").children()));
    assertEquals(2, tree.threads().size());
    assertEquals(1, find(tree, "node1").threads().size());
    assertEquals(Optional.of(ring), tree.application());
    TreeNode thread = find(tree, "node1", "ring[0]").children().get(0);
    assertEquals(Level.THREAD, thread.level());
    assertEquals(List.of("main", "solve", "MPI_Barrier"), names(thread.children()));
    TreeNode barrier = find(thread, "MPI_Barrier");
    assertEquals(Level.PROCEDURE, barrier.level());
    assertEquals(ProcedureKind.MPI, barrier.procedure().orElseThrow().getKind());
    assertEquals(thread.threads(), barrier.threads());
    assertTrue(barrier.children().isEmpty());
    assertEquals("ring > node1 > ring[0] > " + thread.name() + " > MPI_Barrier", barrier.path());
    assertEquals(List.of("main", "solve"),
        names(find(tree, "node2", "ring[1]").children().get(0).children()));
  }

  @Test
  void physicalTreeHasAllNodesGroupedByMachine() {
    TreeNode tree = ProgramTree.physical(session);
    assertEquals(Level.WORKLOAD, tree.level());
    assertSame(session, tree.object());
    assertEquals(List.of("node1", "node2"), names(tree.children()));
    assertEquals(List.of("ring: ring[0]", "server: server"),
        names(find(tree, "node1").children()));
    assertEquals(Optional.empty(), find(tree, "node1").application());
    assertEquals(Optional.of(session.getApplications().get(0)),
        find(tree, "node2").application());

    Set<ProgramThread> inPhysical = new HashSet<>(tree.threads());
    Set<ProgramThread> inLogical = new HashSet<>();
    session.getApplications().forEach(
        application -> inLogical.addAll(ProgramTree.logical(application).threads()));
    assertEquals(inLogical, inPhysical);
    assertEquals(5, tree.threads().size());
  }

  @Test
  void aGroupStandsForTheThreadsOfItsNodes() {
    TreeNode tree = ProgramTree.logical(session.getApplications().get(0));
    TreeNode first = find(tree, "node1", "ring[0]");
    TreeNode second = find(tree, "node2", "ring[1]");
    assertSame(first, TreeNode.group(List.of(first)));
    assertEquals(List.of(first), first.members());
    TreeNode both = TreeNode.group(List.of(first, second));
    assertEquals(tree.threads(), both.threads());
    assertEquals(Level.PROCESS, both.level());
    assertEquals("ring > ring[0], ring[1]", both.path());
    assertEquals(List.of(first, second), both.members());
    assertTrue(tree.contains(both));
    assertEquals(tree.threads(), TreeNode.group(List.of(tree, second)).threads(), "each once");

    TreeNode thread = first.children().get(0);
    TreeNode main = find(thread, "main");
    TreeNode otherMain = find(second.children().get(0), "main");
    assertEquals(Optional.of(main.procedure().orElseThrow()),
        TreeNode.group(List.of(main, otherMain)).procedure(), "one procedure on two threads");
    assertEquals(Optional.empty(),
        TreeNode.group(List.of(main, find(thread, "solve"))).procedure());
    assertEquals(List.of(second), TreeNode.group(List.of(main, second)).members(),
        "a procedure beside a process does not count");
  }

  @Test
  void nodeStandsForTheThreadsBelowIt() {
    for (TreeNode root : List.of(ProgramTree.physical(session),
        ProgramTree.logical(session.getApplications().get(1)))) {
      List<TreeNode> all = new ArrayList<>();
      collect(root, all);
      for (TreeNode node : all) {
        assertTrue(root.contains(node));
        if (node.level().compareTo(Level.THREAD) < 0) {
          List<ProgramThread> below = new ArrayList<>();
          node.children().forEach(child -> below.addAll(child.threads()));
          assertEquals(node.threads(), below, node.toString());
        }
      }
      assertEquals(Set.of(Level.MACHINE, Level.PROCESS, Level.THREAD, Level.PROCEDURE),
          new HashSet<>(all.subList(1, all.size()).stream().map(TreeNode::level).toList()));
    }
  }

  @Test
  void threadOfSeveralHasOnlyTheProceduresOfItsOwnEvents() {
    TreeNode server = find(ProgramTree.logical(session.getApplications().get(1)), "node1",
        "server");
    TreeNode reader = find(server, "reader");
    assertFalse(reader.areChildrenKnown());
    assertTrue(server.areChildrenKnown());
    assertEquals(List.of("read", "serve", "pthread_mutex_lock"), names(reader.children()));
    assertTrue(reader.areChildrenKnown());
    assertEquals(List.of("serve", "write"), names(find(server, "writer").children()));
    ProgramThread thread = (ProgramThread) reader.object();
    assertEquals(3, ThreadProcedures.of(thread).size());
    assertSame(ThreadProcedures.of(thread), ThreadProcedures.of(thread));
    assertSame(reader.children(), reader.children());
  }
}
