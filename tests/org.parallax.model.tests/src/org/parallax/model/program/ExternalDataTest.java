package org.parallax.model.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;

/** Where in the trees there is what monitors measured. */
class ExternalDataTest {
  private static final String DATA = "metric m gauge\n";

  @TempDir Path directory;

  private LoadedSession session;

  @BeforeEach
  void open() throws Exception {
    session = SessionBuilder.open(List.of(write("run1"), write("run2")), Progress.NONE);
  }

  /** A job on two machines and a server on the first, which replaces itself by exec. */
  private Path write(String name) throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name));
    builder.process("node1", "/opt/ring").mpi(7, 0, 2).thread(0).sample(100, "main");
    builder.process("node2", "/opt/ring").mpi(7, 1, 2).thread(0).sample(100, "main");
    builder.process("node1", "/opt/server").exec(20).thread(0)
        .threadBegin(0, -1).sample(10, "main");
    builder.execOf(builder.process(2), "/opt/server2").start(30).thread(0)
        .threadBegin(30, -1).sample(1000, "main");
    Path trace = builder.write();
    Files.writeString(trace.resolve("machine.series"), "parallax-series 1\nclock run\n"
        + "object machine node1\n" + DATA + "object machine node7\n" + DATA
        + "data\n0 1 1\n1 1 1\n");
    Files.writeString(trace.resolve("main.series"), "parallax-series 1\nclock run\n"
        + "object process node1 1002\n" + DATA + "object process node2 1002\n" + DATA
        + "object application ring\n" + DATA + "data\n0 1 1 1\n1 1 1 1\n");
    return trace;
  }

  @AfterEach
  void close() {
    SessionBuilder.close(session);
  }

  private static List<String> names(TreeNode node) {
    return node.children().stream().map(TreeNode::name).toList();
  }

  @Test
  void aLogicalTreeHasWhatCameWithItsTrace() {
    TreeNode ring = ProgramTree.logical(session.getApplications().get(0));
    assertEquals(List.of("node1", "node2", "main"), names(ring));
    assertEquals(List.of("ring[0]", "machine"), names(ring.children().get(0)));
    assertEquals(List.of("ring[1]"), names(ring.children().get(1)));
    TreeNode external = ring.children().get(2);
    assertEquals(Level.EXTERNAL, external.level());
    assertEquals("application ring",
        ((ExternalData) external.object()).getSeries().subject().toString());
    assertEquals(List.of(), external.threads());
    assertEquals(List.of(), external.children());
    assertTrue(external.areChildrenKnown());
    assertFalse(external.application().isPresent());
    assertEquals("ring > node1 > machine", ring.children().get(0).children().get(1).path());

    assertEquals("server2", session.getApplications().get(2).getName());
    TreeNode process = ProgramTree.logical(session.getApplications().get(2)).children().get(0)
        .children().get(0);
    assertEquals(List.of("main", "main (process node1 1002)"), names(process));
    TreeNode other = ProgramTree.logical(session.getApplications().get(3));
    assertEquals(List.of("node1", "node2", "main@run2"), names(other));
    assertEquals(List.of("ring[0]", "machine@run2"), names(other.children().get(0)));
  }

  @Test
  void thePhysicalTreeHasAllAndAlsoWhatIsNotKnown() {
    TreeNode workload = ProgramTree.physical(session);
    assertEquals(List.of("node1", "node2", "machine", "main", "main (application ring)",
        "machine@run2", "main@run2", "main@run2 (application ring)").stream().sorted().toList(),
        names(workload).stream().sorted().toList());
    assertEquals(List.of("machine", "machine@run2"),
        names(workload.children().get(0)).subList(6, 8));
  }

  @Test
  void aTraceThatLeavesTakesItsDataWithIt() {
    List<Trace> traces = session.traces();
    LoadedSession rest = session.without(traces.get(0));
    assertEquals(5, rest.getExternals().size());
    rest.getExternals().forEach(data -> assertSame(traces.get(1), data.getTrace()));
    traces.get(0).close();
  }
}
