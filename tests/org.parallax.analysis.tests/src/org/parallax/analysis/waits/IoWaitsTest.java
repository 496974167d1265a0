package org.parallax.analysis.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Waits for files. The other thread writes to a pipe at 50. */
class IoWaitsTest {
  private static final int PIPE = 1;
  private static final int READ = 3;

  @TempDir Path directory;

  private int file;
  private int stream;

  /** @return the states of all threads as {@code state=ns} */
  private String waits(Window window, Consumer<TracedThread> events) throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess process = builder.process("n", "/opt/p");
    List.of("read", "write", "io_uring_wait", "nanosleep", "MPI_Test").forEach(process::region);
    file = process.file("/tmp/f");
    stream = process.stream(PIPE, 7, "pipe");
    events.accept(process.thread(0).threadBegin(0, -1).create(0, 1, "main/pthread_create", 1));
    process.thread(1).threadBegin(1, 0).write(50, 51, "start/write", stream, 0, 10);
    try (Trace trace = Trace.open(builder.write())) {
      TreeMap<String, Long> sums = new TreeMap<>();
      WaitStates.of(trace.processes(), window, Progress.NONE).losses().forEach(
          (place, loss) -> sums.merge(place.state().label(), loss.ns(), Long::sum));
      return sums.toString();
    }
  }

  @Test
  void aCallOnAFileWaitsWhileItHasNoProcessor() throws TraceException {
    // --5-- read 35, of which 30 are lost
    assertEquals("{I/O wait=30}", waits(Window.ALL, thread -> thread.enter(5, "main/read")
        .lost(40, 30).event(40, Kind.FILE, file, READ, 100).leave(40)));
    assertEquals("{I/O wait=5}", waits(new Window(0, 15), thread -> thread.enter(5, "main/read")
        .lost(40, 30).event(40, Kind.FILE, file, READ, 100).leave(40)));
  }

  @Test
  void aCallThatWaitsForAThreadDoesNotWaitForAFile() throws TraceException {
    // --10-- io_uring_wait 50, until the write at 50: bytes and a file
    assertEquals("{stream wait=40}", waits(Window.ALL, thread -> thread.enter(10, "main/io_uring_wait")
        .lost(60, 45).event(60, Kind.FILE, file, READ, 100)
        .event(60, Kind.STREAM_RECEIVE, stream, 0, 10).leave(60)));
  }

  @Test
  void aCallThatPollsForAFileIsOneWait() throws TraceException {
    // --5_000-- MPI_Test 40_000, of which 10_000 are lost
    assertEquals("{I/O wait=35000}", waits(Window.ALL, thread -> thread.enter(5_000, "main/MPI_Test")
        .lost(40_000, 10_000).event(40_000, Kind.POLL, 1, 17, 0).event(40_000, Kind.FILE, file, READ, 100)
        .leave(40_000)));
    assertEquals("{I/O wait=35000}", waits(Window.ALL, thread -> thread.enter(5_000, "main/MPI_Test")
        .event(39_000, Kind.POLL, 1, 17, 0).enter(39_000, "start/MPI_Test")
        .event(40_000, Kind.FILE, file, READ, 100).leave(40_000).leave(40_500)));
  }

  @Test
  void otherLossesAreNone() throws TraceException {
    assertEquals("{}", waits(Window.ALL, thread -> thread
        .enter(4, "main/read").event(5, Kind.FILE, file, READ, 100).leave(5)
        .lost(40, 30).enter(40, "main/nanosleep").lost(60, 20).leave(60)));
  }
}
