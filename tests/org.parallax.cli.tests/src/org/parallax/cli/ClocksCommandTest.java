package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.clocks.ClockCheck;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.CommonTime;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** Traces of two machines, of which one shows 3 ms too much, and their correction. */
class ClocksCommandTest {
  private static final int WORLD = 1;
  private static final long AHEAD_NS = 3_000_000;
  private static final int ROUNDS = 20;

  @TempDir Path directory;

  private Path trace;

  /** Each 10 ms, rank 0 gets a message that was sent 1 ms before, for which it has waited that long. */
  @BeforeEach
  void write() {
    trace = write(new TraceBuilder(directory.resolve("run1")), ROUNDS);
  }

  private static Path write(TraceBuilder builder, int rounds) {
    builder.clock("node2", ns -> ns + AHEAD_NS);
    for (int rank = 0; rank < 2; rank++) {
      builder.process("node" + (rank + 1), "/opt/heat").mpi(7, rank, 2);
    }
    TracedThread receiver = builder.process(0).thread(0).threadBegin(0, -1);
    TracedThread sender = builder.process(1).thread(0).threadBegin(0, -1);
    for (int round = 1; round <= rounds; round++) {
      long ns = round * 10_000_000L;
      sender.send(ns, ns + 10_000, "main/MPI_Send", WORLD, 0, 0, 8);
      receiver.receive(ns - 1_000_000, ns + 1_000_000, "main/MPI_Recv", WORLD, 1, 0, 8);
    }
    return builder.endThreads().write();
  }

  private static Run done(Object... line) {
    Run run = Run.of(line);
    assertEquals(0, run.status(), run::err);
    return run;
  }

  private static double waiting(Path trace) {
    Object rows = Json.object(done("report", "waits", "--level", "process", "--format", "json", trace).out()).get("rows");
    return ((List<?>) rows).stream().map(row -> (Map<?, ?>) row)
        .filter(row -> row.get("name").toString().startsWith("late sender"))
        .mapToDouble(row -> ((Number) row.get("time")).doubleValue()).sum();
  }

  @Test
  void theReportShowsThemBeforeAndAfter() {
    String row = done("report", "clocks", "--format", "csv", trace).out().lines()
        .filter(line -> line.contains("node1, node2")).findFirst().orElseThrow();
    assertTrue(row.contains("," + ROUNDS + "," + ROUNDS + ","), row);
    assertTrue(row.contains("," + ROUNDS + ",2000000,0,2000"), row);
  }

  @Test
  void allReportsUseTheCorrectedTimesUntilItIsUndone() throws Exception {
    // The send seems to come after the end of the call, so the whole call of 2 ms is a wait.
    assertEquals(ROUNDS * 2e6, waiting(trace), ROUNDS * 1e4);
    byte[] manifest = Files.readAllBytes(trace.resolve("manifest"));
    Run run = done("clocks", trace);
    assertEquals("", run.err());
    assertTrue(run.out().startsWith(trace + ": 20 of 20 interactions end before they begin, by up to 2.000 ms\n"
        + "  node1, node2: 20, by up to 2.000 ms\n  With the corrected times in " + trace.resolve("clocks") + ": 0\n"),
        run.out());
    assertTrue(done("report", "waits", trace).err().contains("times are corrected by a controlled logical clock"));
    assertFalse(done("report", "waits", trace).err().contains("end before they begin, by up to"));
    Run check = Run.of("check", trace);
    assertEquals(0, check.status(), check.out());
    // What the clocks differ by is known from messages of one direction only: no message can be early.
    String row = done("report", "clocks", "--format", "csv", trace).out().lines()
        .filter(line -> line.contains("node1, node2")).findFirst().orElseThrow();
    assertTrue(row.contains("," + ROUNDS + ",2000000,0,2000"), row);

    assertTrue(done("clocks", "--undo", trace).out().contains("times are those of the machines' clocks"));
    assertTrue(done("clocks", "--undo", trace).out().contains("nothing to undo"));
    assertFalse(done("report", "waits", trace).err().contains("controlled logical clock"));
    assertEquals(new String(manifest, StandardCharsets.UTF_8), Files.readString(trace.resolve("manifest")));
  }

  @Test
  void correctionsOfAnotherTraceAndDamagedOnesAreNotUsed() throws Exception {
    done("clocks", trace);
    Path file = trace.resolve("clocks");
    List<String> lines = Files.readAllLines(file);
    String unused = "are not used: ";
    Files.write(file, lines.stream().map(line -> line.startsWith("clock\tnode1") ? line + "1" : line).toList());
    assertTrue(done("report", "profile", trace).err().contains(unused + "the trace has changed"));
    for (String wrong : List.of("", "other\n", "parallax-clocks\t1\n", lines.get(0) + "\nthread\tx\n",
        String.join("\n", lines.subList(0, lines.size() - 1)), String.join("\n", lines).replace('1', 'x'),
        lines.get(0) + "\n" + lines.get(1) + "\n" + lines.get(2) + "\nthread\tnode1.1000.0\t0\t2000000000\n1\t2\n",
        lines.get(0) + "\n" + lines.get(1) + "\n" + lines.get(2) + "\nthread\tnode1.1000.0\t0\t-1\n",
        lines.get(0) + "\n" + lines.get(1) + "\n" + lines.get(2) + "\nthread\tnode1.1000.0\t0\t2\n5\t2\n4\t3\n")) {
      Files.writeString(file, wrong);
      String err = done("report", "profile", trace).err();
      assertTrue(err.contains(unused), () -> wrong + " gives " + err);
    }
    done("clocks", trace);
    assertEquals(lines, Files.readAllLines(file));
  }

  @Test
  void aRunThatHasNotEndedIsLeftAlone() {
    TraceBuilder builder = new TraceBuilder(directory.resolve("live")).live();
    builder.process("node1", "/opt/heat").thread(0).threadBegin(0, -1).sample(4_000_000, "main");
    Run run = Run.of("clocks", builder.write());
    assertEquals(1, run.status());
    assertTrue(run.err().contains("has not ended, or its recorder was killed"), run.err());
  }

  /** In a session, the longest run tells the rate of a machine's clock. */
  @Test
  void correctionsHoldBesideARunWithAnotherRate() throws Exception {
    Path run = write(new TraceBuilder(directory.resolve("short")).tsc(2_100_000_000L), ROUNDS);
    Path other = write(new TraceBuilder(directory.resolve("long")).tsc(2_079_000_000L), 2 * ROUNDS);
    done("clocks", run);
    try (Trace first = Trace.open(run); Trace second = Trace.open(other)) {
      List<ProcessTrace> corrected = CommonTime.of(List.of(first, second)).subList(0, first.processes().size());
      assertEquals(0, ClockCheck.of(corrected, Window.ALL, Progress.NONE).violations());
    }
  }
}
