package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** The trace browser on the command line. */
class EventsCommandTest {
  @TempDir Path directory;

  private Path trace;

  @BeforeEach
  void write() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("run1")).mpiJob("node1", "/opt/ring", 2);
    TracedProcess first = builder.process(0);
    TracedThread sender = first.thread(0).sample(1_000, "main/compute")
        .send(4_000, 4_100, "main/MPI_Send", 1, 1, 7, 4096);
    sender.enter(5_000, first.path("main/" + named(first, "write")))
        .event(5_100, Kind.FILE, first.file("/tmp/out.dat"), 4, 512).leave(5_100);
    sender.event(6_000, Kind.VALUE, first.metric(false, false, "queue", "jobs"), 3, 0)
        .sample(7_000, "main");
    builder.process(1).thread(0).sample(500, "main")
        .receive(1_500, 4_200, "main/MPI_Recv", 1, 0, 7, 4096).sample(7_000, "main");
    trace = builder.write();
  }

  private static String named(TracedProcess process, String name) {
    process.region(name);
    return name;
  }

  @Test
  void aroundAMoment() {
    Run run = Run.of("report", "events", trace, "--at", "4us", "--count", "7");
    assertEquals("", run.err());
    assertEquals("""
        Events (ring)

             time [s]  thread         kind     what            partner                 details
          0.000000500  node1:ring[1]  Sample   main
          0.000001000  node1:ring[0]  Sample   compute                                 in main
          0.000001500  node1:ring[1]  Enter    MPI_Recv                                in main
        > 0.000004000  node1:ring[0]  Enter    MPI_Send                                in main
          0.000004000  node1:ring[0]  Send     MPI_COMM_WORLD  to rank 1 (node1:ring[1])  4,096 bytes, tag 7
          0.000004100  node1:ring[0]  Leave    MPI_Send                                in main
          0.000004200  node1:ring[1]  Receive  MPI_COMM_WORLD  from rank 0 (node1:ring[0])  4,096 bytes, tag 7
        """.replaceAll(" +", " "), run.out().replaceAll(" +", " "));
  }

  @Test
  void filters() {
    Run kind = Run.of("report", "events", trace, "--kind", "send,receive", "--format", "csv");
    assertEquals("name,time,thread,kind,what,partner,bytes,details\r\n"
        + "0,4000,node1:ring[0],Send,MPI_COMM_WORLD,to rank 1 (node1:ring[1]),4096,tag 7\r\n"
        + "1,4200,node1:ring[1],Receive,MPI_COMM_WORLD,from rank 0 (node1:ring[0]),4096,tag 7\r\n",
        kind.out());
    Run text = Run.of("report", "events", trace, "--text", "out\\.dat|queue", "--format", "csv");
    assertEquals("name,time,thread,kind,what,partner,bytes,details\r\n"
        + "0,5100,node1:ring[0],File,/tmp/out.dat,,512,write\r\n"
        + "1,6000,node1:ring[0],Value,queue,,,3 jobs\r\n", text.out());
    Run node = Run.of("report", "events", trace, "--node", "node1/ring[1]", "--count", "2",
        "--at", "100%", "--format", "csv");
    assertEquals("name,time,thread,kind,what,partner,bytes,details\r\n"
        + "-1,4200,node1:ring[1],Leave,MPI_Recv,,,in main\r\n"
        + "0,7000,node1:ring[1],Sample,main,,,\r\n", node.out());
    Run phase = Run.of("report", "events", trace, "--phase", "4100ns..5us", "--kind", "Leave,Enter",
        "--format", "csv");
    assertEquals(List.of("4100", "4200", "5000"), phase.out().lines().skip(1)
        .map(line -> line.split(",")[1]).toList());
    Run none = Run.of("report", "events", trace, "--kind", "Barrier");
    assertTrue(none.out().endsWith("(no events)\n"), none.out());
  }

  /** A message of 0 bytes is not an event that moves no bytes. */
  @Test
  void anEmptyMessageHasZeroBytes() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("empty")).mpiJob("node1", "/opt/ring", 2);
    builder.process(0).thread(0).send(4_000, 4_100, "main/MPI_Send", 1, 1, 7, 0);
    builder.process(1).thread(0).receive(1_500, 4_200, "main/MPI_Recv", 1, 0, 7, 0);
    String events = Run.of("report", "events", builder.write(), "--format", "csv").out();
    assertEquals(List.of("Enter:", "Enter:", "Send:0", "Leave:", "Receive:0", "Leave:"),
        events.lines().skip(1).map(line -> line.split(",")).map(cells -> cells[3] + ":" + cells[6]).toList(),
        events);
  }

  @Test
  void json() {
    Map<?, ?> object = Json.object(Run.of("report", "events", trace, "--kind", "Send", "--at",
        "3us", "--format", "json").out());
    assertEquals("3000", ((Map<?, ?>) object.get("parameters")).get("at"));
    Map<?, ?> row = (Map<?, ?>) ((List<?>) object.get("rows")).get(0);
    assertEquals(4_000L, ((Number) row.get("time")).longValue());
    assertEquals(4_096L, ((Number) row.get("bytes")).longValue());
    assertEquals("to rank 1 (node1:ring[1])", row.get("partner"));
  }

  private void assertFails(int status, String message, Object... options) {
    Object[] line = new Object[3 + options.length];
    System.arraycopy(new Object[] {"report", "events", trace}, 0, line, 0, 3);
    System.arraycopy(options, 0, line, 3, options.length);
    Run run = Run.of(line);
    assertEquals(status, run.status(), run::err);
    assertEquals("", run.out());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void wrongNamesTimesAndExpressions() {
    assertFails(1, "there is no kind of event \"Recieve\"; did you mean Receive", "--kind",
        "Recieve");
    assertFails(2, "is not a regular expression: Unclosed group", "--text", "main(");
    assertFails(2, "\"7\" is not a time; write a number with its unit", "--at", "7");
    assertFails(1, "the time \"9s\" is outside of the run, which took 7.000 us", "--at", "9s");
    assertFails(2, "a number of at least 1", "--count", "0");
  }
}
