package org.parallax.analysis.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Warnings of a replay name the operation and the place, and are of the part of the time only. */
class ReplayWarningsTest {
  private static final int WORLD = 1;

  @TempDir Path directory;
  private TraceBuilder trace;

  @BeforeEach
  void twoRanks() {
    trace = new TraceBuilder(directory);
    trace.process("n", "/opt/p").mpi(7, 0, 2);
    trace.process("n", "/opt/p").mpi(7, 1, 2);
  }

  private TracedThread rank(int rank) {
    return trace.process(rank).thread(0);
  }

  private List<String> warnings(Window window) throws TraceException {
    try (Trace opened = Trace.open(trace.write())) {
      return Replay.of(opened.processes(), new ReplaySetup(Weight.WALL, window, null),
          Progress.NONE).warnings();
    }
  }

  private void assertWarning(String begin, String end) throws TraceException {
    List<String> warnings = warnings(Window.ALL);
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).startsWith(begin) && warnings.get(0).endsWith(end),
        warnings::toString);
  }

  @Test
  void theFirstWaitWithoutPartnerIsNamedWithItsCaller() throws TraceException {
    rank(0).enter(0, "a").leave(10);
    rank(1).receive(0, 50, "main/exchange/MPI_Recv", WORLD, 0, 0, 8)
        .receive(50, 90, "main/other/MPI_Recv", WORLD, 0, 1, 8).enter(90, "b").leave(200);
    assertWarning("2 waits (Msg) have no partner", "the first is MPI_Recv in exchange of p[1] (pid 1001 on n)");
  }

  @Test
  void onlyWaitsInThePhaseCount() throws TraceException {
    rank(0).enter(0, "a").leave(10);
    rank(1).receive(0, 50, "main/exchange/MPI_Recv", WORLD, 0, 0, 8)
        .receive(50, 90, "main/other/MPI_Recv", WORLD, 0, 1, 8).enter(90, "b").leave(200);
    assertEquals(List.of(), warnings(new Window(100, 150)));
    List<String> second = warnings(new Window(60, 80));
    assertEquals(1, second.size(), second::toString);
    assertTrue(second.get(0).startsWith("1 waits (Msg)")
        && second.get(0).endsWith("MPI_Recv in other of p[1] (pid 1001 on n)"), second::toString);
  }

  @Test
  void theLargestViolationIsNamed() throws TraceException {
    rank(0).enter(0, "a").leave(100).send(100, 110, "MPI_Send", WORLD, 1, 0, 8);
    rank(1).receive(30, 60, "main/exchange/MPI_Recv", WORLD, 0, 0, 8).enter(60, "b").leave(120);
    assertWarning("1 interactions end before they begin, by up to 40 ns",
        "the largest is MPI_Recv in exchange of p[1] (pid 1001 on n)");
    assertEquals(List.of(), warnings(new Window(70, 120)));
  }

  @Test
  void aStreamIntoWhichNobodyWroteIsNotNamed() throws TraceException {
    TracedProcess writer = trace.process(0);
    TracedProcess reader = trace.process(1);
    reader.region("read");
    writer.region("write");
    int out = writer.stream(1, 7, "pipe");
    int silent = reader.stream(1, 6, "silent");
    int in = reader.stream(1, 7, "pipe");
    writer.thread(0).write(0, 10, "write", out, 0, 8).enter(10, "a").leave(20);
    reader.thread(0).read(0, 30, "main/listen/read", silent, 0, 8)
        .read(30, 40, "main/get/read", in, 0, 8)
        .read(40, 60, "main/take/read", in, 8, 8).enter(60, "b").leave(90);
    assertWarning("1 waits (Stream) have no partner", "the first is read in take of p[1] (pid 1001 on n)");
  }
}
