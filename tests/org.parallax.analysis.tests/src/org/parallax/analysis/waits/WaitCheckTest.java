package org.parallax.analysis.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.parallax.analysis.replay.WaitState;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/** Which waits fit into the time of a thread. */
class WaitCheckTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"adapters", "corners", "damaged", "exec", "killed", "messages", "small", "threads", "windows"})
  void waitsOfGoldenTracesFit(String name) throws IOException, TraceException {
    Path golden = Path.of(System.getProperty("parallax.root", "."), "native", "format", "golden", name);
    try (Trace trace = Trace.open(golden)) {
      assertEquals(List.of(), WaitCheck.of(trace.processes(), Progress.NONE));
    }
  }

  /** @return what is wrong with waits, each of call path 0 or 1, of a thread that is in MPI_Recv from 20 to 50 of 100 ns */
  private String fact(long... pathsBeginsAndEnds) throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory.resolve("t" + System.nanoTime()));
    TracedProcess process = builder.process("n", "/opt/p");
    process.region("MPI_Recv");
    int path = process.path("MPI_Recv");
    process.thread(0).sample(0, "main").enter(20, path).leave(50).sample(100, "main");
    List<WaitCheck.Told> waits = new ArrayList<>();
    for (int i = 0; i < pathsBeginsAndEnds.length; i += 3) {
      waits.add(new WaitCheck.Told(WaitState.LATE_SENDER, pathsBeginsAndEnds[i] == 0 ? 0 : path,
          pathsBeginsAndEnds[i + 1], pathsBeginsAndEnds[i + 2]));
    }
    try (Trace trace = Trace.open(builder.write())) {
      return WaitCheck.fact(trace.processes().get(0).threads().get(0), waits, Progress.NONE);
    }
  }

  @Test
  void waitsFitIntoTheirCalls() throws TraceException {
    assertEquals(null, fact(1, 40, 50, 1, 20, 40, 0, 60, 100, 0, 0, 10));
  }

  @Test
  void nothingIsToldTwice() throws TraceException {
    assertEquals("a wait (late sender) in MPI_Recv from 39 to 50 ns begins before the end of "
        + "a wait (late sender) in MPI_Recv from 20 to 40 ns", fact(1, 39, 50, 1, 20, 40));
  }

  @Test
  void waitsAreInTheTimeOfTheThread() throws TraceException {
    assertEquals("a wait (late sender) outside of calls from -1 to 5 ns begins before the thread, at 0 ns", fact(0, -1, 5));
    assertEquals("a wait (late sender) outside of calls from 60 to 101 ns ends after the thread, at 100 ns",
        fact(0, 60, 101));
  }

  @Test
  void waitsAreInTheTimeOfTheirCalls() throws TraceException {
    assertEquals("a wait (late sender) in MPI_Recv from 20 to 51 ns: the thread is outside of calls at 50 ns", fact(1, 20, 51));
    assertEquals("a wait (late sender) outside of calls from 19 to 21 ns: the thread is in MPI_Recv at 20 ns",
        fact(0, 19, 21));
  }
}
